# SPDX-License-Identifier: GPL-3.0-or-later
"""Doors that are shut in, and blocks that should be side by side."""

from __future__ import annotations

import numpy as np

from ....checks.voxel.graph import SIDES
from ..drawing import Lines, Picture, Shown
from ..marks import STRONG, dimension, joined
from ..solids import cross
from .parts import AIR, anchor, center, company, figures, filled, still, words
from .told import fault_cells, related_cells, without

_UP = (0.0, 0.0, 1.0)


def door(shown: Shown) -> Picture | None:
    """The door, the sides that are taken with a cross on each, and those that are free."""
    doors, taken = fault_cells(shown.finding), related_cells(shown.finding)
    if len(doors) != 1 or not len(taken) or not still(shown):
        return None
    level = np.array([doors[0, 0], taken[0, 1], doors[0, 2]])
    free = without(level + SIDES, taken)
    crosses = joined(cross(center((cell + level) / 2), 0.35) for cell in taken)
    text = f"{len(taken)} of 4 sides taken"
    return Picture(
        (*company(shown), *filled(free, "allowed", AIR)),
        (Lines(crosses, "fault", STRONG),),
        words=words(text, center(level + [0, 1, 0])),
        anchor=anchor(shown),
    )


def apart(shown: Shown) -> Picture | None:
    """Two blocks, and how far it is from one to the other."""
    one, other = fault_cells(shown.finding), related_cells(shown.finding)
    if len(one) != 1 or len(other) != 1 or not still(shown):
        return None
    start, end = center(one[0]), center(other[0])
    known = figures(shown)
    if known is None or np.linalg.norm(end - start) < 1e-6:
        return None
    line = dimension(start, end, _UP, offset=0.9, tone="fault")
    bound = "at least" if known[0] < known[1] else "at most"
    text = words(f"{known[0]:.3g} apart, {bound} {known[1]:g} asked for", line.middle)
    return Picture(company(shown), line.lines, words=text, anchor=anchor(shown))
