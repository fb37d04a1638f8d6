# SPDX-License-Identifier: GPL-3.0-or-later
"""How wide a strip of floor, ceiling or roof each member of a row carries."""

from __future__ import annotations

import numpy as np

from ..structure import Floats
from . import table
from .joints import Joints
from .lines import Rows


def strips(joints: Joints, rows: Rows, limit: float) -> Floats:
    """Strip that each member of ``rows`` carries, (k,), m.

    Half of the bays on both sides, the mean over the stretch on which neighbours are seen; plies
    thus share what they carry together. A member at an edge is taken at the bay that it has, as
    the tables of the code do. A bay wider than ``limit`` counts as the row's median bay: what is
    missing there is ``spacing``'s finding, and not also one about the span of both neighbours. A
    member without neighbours is taken at 16 in.
    """
    n = len(joints.frame)
    bays = rows.bays
    usual = _medians(rows, limit)
    width = np.where(bays.width > limit + table.SLACK, usual[bays.row], bays.width)
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


def _medians(rows: Rows, limit: float) -> Floats:
    """Median bay of each row, of those wider than plies and within the limit, m."""
    count = int(rows.row.max()) + 1 if len(rows.row) else 0
    out = np.full(count, min(limit, table.SPACING))
    width, row = rows.bays.width, rows.bays.row
    good = (width > table.PLY_SPACING) & (width <= limit + table.SLACK)
    order = np.lexsort((width[good], row[good]))
    width, row = width[good][order], row[good][order]
    if len(row):
        heads = np.flatnonzero(np.r_[True, np.diff(row) != 0])
        sizes = np.diff(np.r_[heads, len(row)])
        out[row[heads]] = width[heads + sizes // 2]
    return out
