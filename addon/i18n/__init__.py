# SPDX-License-Identifier: GPL-3.0-or-later
"""The window in other languages, by Blender's own translations.

Each language is a file beside this one, ``de_DE.json``: for each of Blender's contexts ("*" for
panels, fields and sentences, "Operator" for buttons) English words and what they are in it. What
is missing or empty there stays English. Blender looks up by itself what panels hand it as a whole;
what is put together here goes through :func:`say`. ``tests/tools/translations.py`` lists
what there is to translate.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import bpy

_FOLDER = Path(__file__).parent
# What Blender knows our words by; the package's name, which differs by repository.
_NAME = __name__

# Context of words that Blender itself has with another meaning: a sound house, a load on a beam.
CONTEXT = "Plumbline"

CLASSES: tuple[type, ...] = ()


def languages() -> tuple[str, ...]:
    """Codes of the languages that there are files of, as Blender calls them: ``de_DE``."""
    return tuple(sorted(path.stem for path in _FOLDER.glob("*.json")))


def words_of(language: str) -> Mapping[tuple[str, str], str]:
    """(context, English) -> translation. Raises ``OSError`` and ``ValueError`` for a bad file."""
    text = (_FOLDER / f"{language}.json").read_text(encoding="utf-8")
    contexts = json.loads(text)
    return {
        (context, english): translated
        for context, words in contexts.items()
        for english, translated in words.items()
        if translated
    }


def say(english: str, context: str = "*", **values: Any) -> str:
    """A sentence in the person's language, with the values put into its ``{places}``.

    For sentences with figures or names in them: ``say("{shown} of {all} shown", ...)``.
    """
    translated = bpy.app.translations.pgettext_iface(english, context)
    return translated.format(**values) if values else translated


def say_count(number: int, one: str, more: str) -> str:
    """``say_count(3, "{n} fault", "{n} faults")``: each language knows its own plural."""
    return say(one if number == 1 else more, n=f"{number:,}")


def attach() -> None:
    """Give Blender our words."""
    table = {language: dict(words_of(language)) for language in languages()}
    bpy.app.translations.register(_NAME, table)


def detach() -> None:
    """Take them away again."""
    bpy.app.translations.unregister(_NAME)
