# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes the bundled pack anew: ``.venv/bin/python tests/tools/bundle_pack.py``.

Three houses of each style that can be generated, judged before they get in. To be run after the
generator has changed what it makes; a test says when.
"""

from __future__ import annotations

import sys

from checkout import ROOT
from plumbline.tasks.houses.parameters import STYLES, ParameterError
from plumbline.tasks.packs.bundled import FILE, SEEDS, write_bundled
from plumbline.tasks.packs.making import Wanted, make


def main() -> int:
    """Write the file; 1 if a house is missing, which is then said."""
    entries, faults = [], []
    for style in STYLES:
        for seed in SEEDS:
            try:
                made = make(Wanted(style, seed, {}), judge=True, with_program=False)
            except ParameterError as error:
                faults.append(str(error))
                continue
            if made.verdict == "passed":
                entries.append(made.entry)
            else:
                faults.append(f"{made.entry.name}: {made.verdict}: {made.fault}")
    for fault in faults:
        print(fault, file=sys.stderr)
    write_bundled(entries)
    size = FILE.stat().st_size
    print(f"{FILE.relative_to(ROOT)}: {len(entries)} tasks, {size / 1000:.0f} kB")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
