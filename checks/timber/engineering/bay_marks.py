# SPDX-License-Identifier: GPL-3.0-or-later
"""What bays tell beyond their findings: the widest beside each member, and where its row stands."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...result import Measures
from ..structure import Floats
from . import table
from .joints import Joints
from .lines import Bays, Rows
from .outcome import measured
from .walls import Gap, find_walls

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: As many members of a row are told on either side of a bay: enough to see the pitch.
_BESIDE = 8


class WidestBays:
    """The bay beside each member that uses most of its limit."""

    def __init__(self) -> None:
        self._member: list[Ints] = []
        self._width: list[Floats] = []
        self._limit: list[Floats] = []

    def add(self, first: Ints, second: Ints, width: Floats, limit: float) -> None:
        """Bays between members (b,), on centre, m, under one limit."""
        self._member += [first, second]
        self._width += [width, width]
        self._limit += [np.full(2 * len(width), limit)]

    def measures(self, names: tuple[str, ...]) -> tuple[Measures, ...]:
        """One figure a member."""
        if not self._member:
            return ()
        member = np.concatenate(self._member)
        width = np.maximum(np.concatenate(self._width), 0.0)
        limit = np.concatenate(self._limit)
        order = np.lexsort((width / limit, member))
        last = order[np.diff(member[order], append=-1) != 0]
        return measured(names, member[last], width[last], limit[last])


def row_ticks(joints: Joints, rows: Rows, bays: Bays, b: int) -> Floats:
    """Where members of the row of bay ``b`` pass its middle, in order across, (k, 3), m."""
    at = 0.5 * float(bays.low[b] + bays.high[b])
    here = (rows.row == bays.row[b]) & (rows.span[:, 0] <= at) & (rows.span[:, 1] >= at)
    index = np.flatnonzero(here)
    index = index[np.argsort(rows.across[index], kind="stable")]
    index = _round_bay(index, rows.member[index], rows.across[index], bays, b)
    member, frame = rows.member[index], joints.frame
    d = rows.direction[bays.row[b]]
    run = frame.along[member, :2] @ d
    t = (at - frame.center[member, :2] @ d) / np.where(np.abs(run) < 1e-9, 1.0, run)
    return frame.at(member, t)


def _round_bay(index: Ints, member: Ints, across: Floats, bays: Bays, b: int) -> Ints:
    """Only the members near the bay: no farther from each other than the wings of a house."""
    first = np.flatnonzero(member == bays.first[b])
    second = np.flatnonzero(member == bays.second[b])
    if not len(first) or not len(second):
        return index[:0]
    low, high = sorted((int(first[0]), int(second[0])))
    far = np.diff(across) > max(table.COURT, float(bays.width[b]) + table.SLACK)
    start = max(low - _BESIDE, int(np.flatnonzero(far[:low]).max(initial=-1)) + 1)
    after = np.flatnonzero(far[high:])
    end = min(high + _BESIDE, high + int(after[0]) if len(after) else len(index) - 1)
    return index[start : end + 1]


def wall_ticks(joints: Joints, gap: Gap) -> Floats:
    """Where the uprights of a wall pass the middle of a gap, in order along it, (k, 3), m."""
    walls = find_walls(joints)
    height = float(gap.left[2])
    here = (walls.wall == gap.wall) & (walls.span[:, 0] <= height) & (walls.span[:, 1] >= height)
    across = np.sort(walls.across[here])
    middle = 0.5 * (gap.start + gap.end)
    before, after = across[across < middle], across[across >= middle]
    across = np.concatenate([before[-_BESIDE - 1 :], after[: _BESIDE + 1]])
    d, origin = walls.direction[gap.wall], walls.origin[gap.wall]
    plan = origin + (across - float(origin @ d))[:, None] * d
    return np.concatenate([plan, np.full((len(plan), 1), height)], axis=1)


def wall_centres(joints: Joints, gap: Gap) -> tuple[Floats, Floats]:
    """Ends of a gap between uprights as its width is measured: on centre, two (3,), m."""
    walls = find_walls(joints)
    half = dict(
        zip(
            walls.member[walls.wall == gap.wall].tolist(),
            walls.half[walls.wall == gap.wall].tolist(),
            strict=True,
        )
    )
    d = np.append(walls.direction[gap.wall], 0.0)
    reach = [min(half.get(m, 0.0), 0.5 * table.WIDEST_CENTRED) for m in (gap.first, gap.second)]
    return gap.left - reach[0] * d, gap.right + reach[1] * d
