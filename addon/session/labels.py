# SPDX-License-Identifier: GPL-3.0-or-later
"""Labels of programs and of what an agent does, in words for people. No ``bpy`` here."""

from __future__ import annotations

import itertools


def spoken(label: str) -> list[str]:
    """A label in words: ``step-03-walls-try-2`` is ``walls`` and ``try 2``."""
    words = [word for word in label.split("-") if word]
    parts: list[str] = []
    for word, after in itertools.zip_longest(words, words[1:]):
        if word.isdigit():
            if parts and parts[-1] != "step":
                parts[-1] += f" {int(word)}"
        elif word != "step" or not (after or "").isdigit():
            parts.append(word)
    return parts or ["program"]


def doing(words: str) -> str:
    """What an agent says that it does, its label in words: ``walls, try 2: judging``."""
    label, found, what = words.partition(": ")
    plain = found and " " not in label  # a sentence may have a colon too
    return f"{', '.join(spoken(label))}: {what}" if plain else words
