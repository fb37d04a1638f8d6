# SPDX-License-Identifier: GPL-3.0-or-later
"""How wide a strip of floor, ceiling or roof each member of a row carries."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .joints import Joints
from .lines import Rows


def strips(joints: Joints, rows: Rows) -> Floats:
    """Strip that each member of ``rows`` carries, (k,), m.

    Half of the bays on both sides, the mean over the stretch on which neighbours are seen; plies
    thus share what they carry together. A member at an edge is taken at the bay that it has, as
    the tables of the code do. A bay half as wide again as the row's
    median bay counts as that: what is missing there is ``spacing``'s finding, and not also one
    about the span of both neighbours. A member without neighbours is taken at 16 in.
    """
    n = len(joints.frame)
    bays = rows.bays
    usual = _medians(rows, joints.frame.mask("RimJoist"))[bays.row]
    width = np.where(bays.width > table.GAPING * usual, usual, bays.width)
    width = np.maximum(width, 0.0)
    stretch = bays.high - bays.low
    total = np.zeros(n)
    sides = np.zeros(n)
    for side in (bays.first, bays.second):
        weight = np.bincount(side, stretch, n)
        share = np.bincount(side, stretch * width, n) / np.where(weight > 0, weight, 1.0)
        total += np.where(weight > 0, share, 0.0)
        sides += weight > 0
    strip = np.maximum(total / np.maximum(sides, 1.0), table.PLY)
    return np.where(sides > 0, strip, table.ALONE)[rows.member]


def _medians(rows: Rows, rim: NDArray[np.bool_]) -> Floats:
    """Median bay (the lower one of two) of each row, of those wider than plies, m.

    Two rim joists have a whole floor between them.
    """
    out = np.full(int(rows.row.max()) + 1 if len(rows.row) else 0, np.inf)
    good = rows.bays.width > table.PLY_SPACING
    good &= ~(rim[rows.bays.first] & rim[rows.bays.second])
    width, row = rows.bays.width[good], rows.bays.row[good]
    order = np.lexsort((width, row))
    width, row = width[order], row[order]
    if len(row):
        heads = np.flatnonzero(np.r_[True, np.diff(row) != 0])
        sizes = np.diff(np.r_[heads, len(row)])
        out[row[heads]] = width[heads + (sizes - 1) // 2]
    return out
