#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A language's file brought up to date: ``.venv/bin/python tests/tools/translations.py fr_FR``.

What the window says and the file lacks is added with an empty translation, which Blender shows in
English until somebody fills it in; what the window says no more is taken out. Languages are called
as in Blender (``de_DE``, ``fr_FR``, ``ja_JP``). ``--missing`` only lists what is empty.
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDER = ROOT / "addon" / "i18n"


def updated(before: dict[str, dict[str, str]], words: list) -> dict[str, dict[str, str]]:
    """The contexts with exactly these words, sorted, and the translations that were there."""
    after: dict[str, dict[str, str]] = {}
    for word in sorted(words, key=lambda w: (w.context, w.english)):
        kept = before.get(word.context, {}).get(word.english, "")
        after.setdefault(word.context, {})[word.english] = kept
    return after


def main(arguments: list[str] | None = None) -> int:
    """Write the file and say how much of it is empty."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("language", help="as Blender calls it, e.g. fr_FR")
    parser.add_argument("--missing", action="store_true", help="list what is empty, write nothing")
    options = parser.parse_args(arguments)
    sys.path.insert(0, str(ROOT / "tests" / "helpers"))
    from draw_houses import package

    package()
    from interface_words import every_word
    from plumbline.addon import registration

    registration.register()
    path = FOLDER / f"{options.language}.json"
    before = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    after = updated(before, every_word())
    empty = [(c, e) for c, words in after.items() for e, told in words.items() if not told]
    if options.missing:
        print(*(f"{context}\t{english}" for context, english in empty), sep="\n")
    else:
        path.write_text(json.dumps(after, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    total = sum(map(len, after.values()))
    print(f"{path.name}: {total - len(empty)} of {total} translated", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
