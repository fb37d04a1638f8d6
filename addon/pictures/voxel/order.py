# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks that were placed too early."""

from __future__ import annotations

import numpy as np

from ..drawing import Lines, Picture, Shown
from ..marks import STRONG, arrow, ball
from .parts import anchor, blocks_of, center, company, still, words
from .told import fault_cells, related_cells


def ordinal(number: int) -> str:
    """``1st``, ``2nd``, ``13th``, ``137th``."""
    last = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number:,}{last or 'th'}"


def out_of_order(shown: Shown) -> Picture | None:
    """The first block that came too early, and an arrow from the one that it should follow."""
    structure = blocks_of(shown)
    early, before = fault_cells(shown.finding), related_cells(shown.finding)
    if structure is None or not len(early) or len(before) != 1 or not still(shown):
        return None
    rows = structure.rows_at(np.concatenate([early[:1], before]))
    if (rows < 0).any():
        return None
    first, last = center(early[0]), center(before[0])
    lines = [Lines(ball(first, 0.75), "fault", STRONG)]
    if np.linalg.norm(first - last) > 1e-6:
        lines.append(Lines(arrow(last, first, head=0.6), "allowed", STRONG))
    names = [f"{ordinal(int(row) + 1)}: {structure.materials[row]}" for row in rows]
    texts = (
        *words(f"{names[0]}, too early", first + [0.0, 0.0, 0.8]),
        *words(f"{names[1]}, should come first", last + [0.0, 0.0, 0.8]),
    )
    return Picture(company(shown), tuple(lines), words=texts, anchor=anchor(shown))
