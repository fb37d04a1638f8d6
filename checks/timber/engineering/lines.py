# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of parallel members, and the bays between neighbours.

Joists at one level, rafters in one roof plane: who is next to whom, over which stretch, how far
apart. Shared by ``spacing``, ``clear_span`` and ``roof_coverage``; the studs of walls are in
:mod:`.walls`. Neighbours see each other across the stretch on which no third member lies between
them, so runs that lap over a girder, jacks of falling length and interrupted members need no rule
of their own.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ..broadphase import components
from ..structure import Floats
from . import table
from .joints import Joints

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]
_T = TypeVar("_T")

#: Members that meet roof planes at their edges.
HIPS = ("HipRafter", "ValleyRafter")
#: Members that may close an opening in a floor or roof between two of a row.
_TRIMS_OPENING = ("Header", "Joist", "Beam")


def once(function: Callable[[Joints], _T]) -> Callable[[Joints], _T]:
    """Work a function of joints out once for each, so that checks can share what it finds."""

    @wraps(function)
    def remembered(joints: Joints) -> _T:
        kept = joints.__dict__.setdefault("_once", {})
        key = f"{function.__module__}.{function.__qualname__}"
        if key not in kept:
            kept[key] = function(joints)
        found: _T = kept[key]
        return found

    return remembered


def cluster(values: Floats, tolerance: float, within: Ints) -> Ints:
    """Labels (n,) of values that follow each other within ``tolerance``, inside each old label."""
    order = np.lexsort((values, within))
    start = np.ones(len(values), dtype=bool)
    start[1:] = (np.diff(within[order]) != 0) | (np.diff(values[order]) > tolerance)
    labels = np.empty(len(values), dtype=np.intp)
    labels[order] = np.cumsum(start) - 1
    return labels


@dataclass(frozen=True)
class Bays:
    """``b`` pairs of neighbours.

    Attributes
    ----------
    first, second
        Member indices, in the order in which they lie across the row, (b,).
    width
        On centre, (b,), m. A member wider than 89 mm counts as one of 89 mm at its near edge.
    clear
        Between their faces, (b,), m; negative where they overlap.
    low, high
        The stretch on which they see each other, along the row's members, (b,), m.
    row
        Which row they belong to, (b,).
    """

    first: Ints
    second: Ints
    width: Floats
    clear: Floats
    low: Floats
    high: Floats
    row: Ints

    def __len__(self) -> int:
        return len(self.first)

    def take(self, index: Ints | Bools) -> Bays:
        """Only the bays of ``index``."""
        return Bays(*(getattr(self, name)[index] for name in Bays.__dataclass_fields__))


def find_bays(member: Ints, row: Ints, across: Floats, half: Floats, span: Floats) -> Bays:
    """Bays between ``k`` members of several rows.

    ``across`` (k,) is each member's place in its row and ``half`` (k,) half its extent that way;
    ``span`` (k, 2) is where it begins and ends lengthwise, all m. Every round compares what is
    still open beside each member with the next one but one, but two ...: nearly all is settled in
    the first.
    """
    order = np.lexsort((across, row))
    member, row, across, half = member[order], row[order], across[order], half[order]
    low, high = span[order, 0], span[order, 1]
    left = np.arange(len(member))
    open_low, open_high = low.copy(), high.copy()
    found: list[tuple[Ints, Ints, Floats, Floats]] = []
    step = 1
    while len(left):
        right = left + step
        there = right < len(member)
        left, right = left[there], right[there]
        open_low, open_high = open_low[there], open_high[there]
        there = row[right] == row[left]
        left, right = left[there], right[there]
        open_low, open_high = open_low[there], open_high[there]
        start, end = np.maximum(open_low, low[right]), np.minimum(open_high, high[right])
        met = end - start > 0
        found.append((left[met], right[met], start[met], end[met]))
        # What the neighbour leaves open, on both sides of it.
        start, end = np.where(met, start, open_high), np.where(met, end, open_high)
        left = np.concatenate([left, left])
        open_low, open_high = (
            np.concatenate([open_low, end]),
            np.concatenate([start, open_high]),
        )
        rest = open_high - open_low >= table.BAY_STRETCH
        left, open_low, open_high = left[rest], open_low[rest], open_high[rest]
        step += 1
    first = np.concatenate([f[0] for f in found]) if found else np.zeros(0, np.intp)
    second = np.concatenate([f[1] for f in found]) if found else np.zeros(0, np.intp)
    start = np.concatenate([f[2] for f in found]) if found else np.zeros(0)
    end = np.concatenate([f[3] for f in found]) if found else np.zeros(0)
    clear = across[second] - half[second] - across[first] - half[first]
    nominal = np.minimum(half, 0.5 * table.WIDEST_CENTRED)
    width = clear + nominal[first] + nominal[second]
    return Bays(member[first], member[second], width, clear, start, end, row[first])


@dataclass(frozen=True)
class Rows:
    """Parallel members of one kind, ``k`` of them in rows.

    Attributes
    ----------
    member, row
        Member index and row of each, (k,).
    direction, normal
        Unit vectors along and across each row, horizontal, (rows, 2).
    across, half, span
        As :func:`find_bays` takes them: lengths in plan, m.
    bays
        Neighbours, with every stretch of at least :data:`table.BAY_STRETCH`.
    """

    member: Ints
    row: Ints
    direction: Floats
    normal: Floats
    across: Floats
    half: Floats
    span: Floats
    bays: Bays


def _rows(joints: Joints, member: Ints, row: Ints) -> Rows:
    """Rows of members that are known to be parallel within each row."""
    frame = joints.frame
    count = int(row.max()) + 1 if len(row) else 0
    pilot = np.zeros(count, dtype=np.intp)
    pilot[row[::-1]] = member[::-1]
    plan = frame.along[pilot, :2]
    direction = plan / np.maximum(np.linalg.norm(plan, axis=1, keepdims=True), 1e-12)
    normal = np.stack([-direction[:, 1], direction[:, 0]], axis=1)
    # Rows are read towards +x or +y, whichever way their members point.
    larger = np.where(np.abs(normal[:, 0]) >= np.abs(normal[:, 1]), normal[:, 0], normal[:, 1])
    normal = np.where(larger[:, None] < 0, -normal, normal)
    n, d = normal[row], direction[row]
    center, axes, half3 = frame.center[member, :2], frame.axes[member], frame.half[member]
    across = np.einsum("kd,kd->k", center, n)
    half = half3[:, 2] * np.abs(np.einsum("kd,kd->k", axes[:, 2, :2], n))
    middle = np.einsum("kd,kd->k", center, d)
    reach = half3[:, 0] * np.abs(np.einsum("kd,kd->k", axes[:, 0, :2], d))
    span = np.stack([middle - reach, middle + reach], axis=1)
    bays = find_bays(member, row, across, half, span)
    bays = bays.take(bays.high - bays.low >= table.BAY_STRETCH)
    return Rows(member, row, direction, normal, across, half, span, bays)


def _level_rows(joints: Joints, *roles: str) -> Rows:
    """Level members of ``roles`` in rows: one direction, one height."""
    frame = joints.frame
    member = np.flatnonzero(frame.mask(*roles) & frame.level)
    # Twice the angle, so that a member and its reverse have the same direction.
    x, y = frame.along[member, 0], frame.along[member, 1]
    row = np.zeros(len(member), dtype=np.intp)
    row = cluster(x * x - y * y, table.ROW_TURN, row)
    row = cluster(2.0 * x * y, table.ROW_TURN, row)
    row = cluster(frame.center[member, 2], table.ROW_HEIGHT, row)
    return _rows(joints, member, row)


@once
def joist_rows(joints: Joints) -> Rows:
    """Floor joists, with the rim joists parallel to them as the edges of the floor."""
    return _level_rows(joints, "Joist", "RimJoist")


@once
def ceiling_rows(joints: Joints) -> Rows:
    """Ceiling joists."""
    return _level_rows(joints, "CeilingJoist")


@once
def rafter_rows(joints: Joints) -> Rows:
    """Common and jack rafters of one roof plane; spans are horizontal projections."""
    frame = joints.frame
    member = np.flatnonzero(frame.mask("Rafter", "JackRafter") & frame.sloped)
    plan = frame.along[member, :2]
    run = np.maximum(np.linalg.norm(plan, axis=1), 1e-9)
    row = np.zeros(len(member), dtype=np.intp)
    for value in (plan[:, 0] / run, plan[:, 1] / run, frame.along[member, 2]):
        row = cluster(value, table.ROW_TURN, row)
    # One normal a row: a noise of 0.1 degree would be 90 mm at 50 m from the origin.
    pilot = np.zeros(int(row.max()) + 1 if len(row) else 0, dtype=np.intp)
    pilot[row[::-1]] = member[::-1]
    normal = frame.axes[pilot, 1]
    height = np.einsum("kd,kd->k", frame.center[member], normal[row])
    return _rows(joints, member, cluster(height, table.PLANE_OFFSET, row))


@once
def carrier_lines(joints: Joints) -> Ints:
    """Lines of carriers, (n,): level members that continue each other have the same number."""
    frame, pairs = joints.frame, joints.pairs
    i, j = pairs.i, pairs.j
    apart = pairs.apart[:, :2]
    along = frame.along[i, :2]
    sideways = np.abs(apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0])
    same = frame.level[i] & frame.level[j] & pairs.connected
    same &= np.abs(pairs.turn[:, 0, 0]) >= table.PARALLEL
    same &= sideways <= table.SAME_LINE
    return components(len(frame), i[same], j[same])


def bounded(joints: Joints, rows: Rows, wide: Bays, shared: int) -> Bools:
    """Which wide bays lie within one floor or roof plane, bool (b,).

    Both neighbours must lie on at least ``shared`` common lines of carriers (one where a rim joist
    is the neighbour, since rims end at no girder): the wings of a house have joists of one height
    that are no neighbours. Openings that are trimmed by a header between
    the two neighbours, courts between the edges of two floors, and bays that a hip or valley
    crosses are left out.
    """
    keep = np.zeros(len(wide), dtype=bool)
    if len(wide) == 0:
        return keep
    lines = _lines_of(joints, np.unique(np.concatenate([wide.first, wide.second])))
    rim = joints.frame.mask("RimJoist")
    for b in range(len(wide)):
        first, second = int(wide.first[b]), int(wide.second[b])
        if rim[first] and rim[second]:
            continue
        needed = 1 if rim[first] or rim[second] else shared
        keep[b] = len(lines.get(first, set()) & lines.get(second, set())) >= needed
    left = np.flatnonzero(keep)
    some = wide.take(left)
    keep[left] = ~_court(joints, some)
    if joints.frame.sloped[wide.first].any():
        keep[left] &= ~_crossed(joints, _outlines(rows, some))
    left = np.flatnonzero(keep)
    keep[left] = ~_trimmed(joints, rows, wide.take(left))
    return keep


def _lines_of(joints: Joints, member: Ints) -> dict[int, set[int]]:
    """Lines of carriers under each of some members."""
    supports, line = joints.supports, carrier_lines(joints)
    wanted = np.zeros(len(joints.frame), dtype=bool)
    wanted[member] = True
    out: dict[int, set[int]] = {}
    hit = np.flatnonzero(wanted[supports.carried] & ~joints.frame.upright[supports.carrier])
    for row in hit:
        out.setdefault(int(supports.carried[row]), set()).add(int(line[supports.carrier[row]]))
    return out


def _outlines(rows: Rows, bays: Bays) -> Floats:
    """Corners of bays in plan, (b, 2, 2, 2): first/second member, low/high end, (x, y)."""
    place = np.full(int(rows.member.max()) + 1, 0.0)
    place[rows.member] = rows.across
    n, d = rows.normal[bays.row], rows.direction[bays.row]
    across = np.stack([place[bays.first], place[bays.second]], axis=1)
    ends = np.stack([bays.low, bays.high], axis=1)
    return (
        across[:, :, None, None] * n[:, None, None, :]
        + ends[:, None, :, None] * d[:, None, None, :]
    )


def _crossed(joints: Joints, corners: Floats) -> Bools:
    """Whether a hip or valley crosses a bay on its way from one neighbour to the other, (b,)."""
    frame = joints.frame
    hips = np.flatnonzero(frame.mask(*HIPS))
    out = np.zeros(len(corners), dtype=bool)
    if len(hips) == 0:
        return out
    ones = np.ones(len(hips))
    start, end = frame.end(hips, -ones)[:, :2], frame.end(hips, ones)[:, :2]
    for share in (0.25, 0.5, 0.75):
        a = corners[:, 0, 0] + share * (corners[:, 0, 1] - corners[:, 0, 0])
        b = corners[:, 1, 0] + share * (corners[:, 1, 1] - corners[:, 1, 0])
        for row in range(len(corners)):
            side = _side(start, end, a[row]) * _side(start, end, b[row])
            along = _side(a[row], b[row], start) * _side(a[row], b[row], end)
            out[row] |= bool(((side < 0) & (along < 0)).any())
    return out


def _side(start: Floats, end: Floats, of: Floats) -> Floats:
    """On which side of the lines from ``start`` to ``end`` points lie: sign of the result."""
    line, to = end - start, of - start
    return line[..., 0] * to[..., 1] - line[..., 1] * to[..., 0]


def _trimmed(joints: Joints, rows: Rows, bays: Bays) -> Bools:
    """Whether a header hung between the two neighbours closes the bay: an opening, (b,)."""
    frame = joints.frame
    trims = np.flatnonzero(frame.mask(*_TRIMS_OPENING) & frame.level)
    out = np.zeros(len(bays), dtype=bool)
    if len(trims) == 0:
        return out
    place = np.zeros(len(frame))
    place[rows.member] = rows.across
    low, high = frame.structure.aabb
    for b in range(len(bays)):
        first, second, row = int(bays.first[b]), int(bays.second[b]), int(bays.row[b])
        n, d = rows.normal[row], rows.direction[row]
        square = np.abs(frame.along[trims, :2] @ n) >= table.PARALLEL
        middle, reach = frame.center[trims, :2] @ n, frame.half[trims, 0]
        extent = bays.clear[b]
        centre = 0.5 * (place[first] + place[second])
        # It fills the bay from face to face, and ends with it.
        spans = np.abs(middle - centre) <= table.TRIM_OFF
        spans &= np.abs(2.0 * reach - extent) <= 2.0 * table.TRIM_OFF
        at = frame.center[trims, :2] @ d
        ends = (at >= bays.low[b] - table.TRIM_OFF) & (at <= bays.high[b] + table.TRIM_OFF)
        # Rafters pass over a wall with its headers: only what lies between the two trims them.
        run = float(frame.along[first, :2] @ d)
        steep = float(frame.along[first, 2]) / (run if abs(run) > 1e-9 else 1.0)
        height = frame.center[first, 2] + (at - frame.center[first, :2] @ d) * steep
        reach = frame.half[first, 1] * float(np.hypot(1.0, steep))
        level = (low[trims, 2] <= height + reach) & (high[trims, 2] >= height - reach)
        out[b] = bool((square & spans & ends & level).any())
    return out


def _court(joints: Joints, bays: Bays) -> Bools:
    """Whether a bay lies between the edges of two floors, too far apart to be one, (b,)."""
    frame, supports = joints.frame, joints.supports
    far = bays.clear > table.COURT
    if not far.any():
        return far
    along = np.abs(
        np.einsum("ed,ed->e", frame.along[supports.carried], frame.along[supports.carrier])
    )
    length = supports.span[:, 1] - supports.span[:, 0]
    rests = (along >= table.PARALLEL) & (length >= 0.5 * frame.length[supports.carried])
    edge = frame.mask("RimJoist")
    edge[supports.carried[rests]] = True
    return far & edge[bays.first] & edge[bays.second]


def on_members(joints: Joints, rows: Rows, bays: Bays, share: float) -> tuple[Floats, Floats]:
    """Points on both neighbours at ``share`` (0 to 1) of the stretch of each bay, two (b, 3), m."""
    frame = joints.frame
    d = rows.direction[bays.row]
    at = bays.low + share * (bays.high - bays.low)
    points = []
    for member in (bays.first, bays.second):
        run = np.einsum("bd,bd->b", frame.along[member, :2], d)
        start = np.einsum("bd,bd->b", frame.center[member, :2], d)
        points.append(frame.at(member, (at - start) / np.where(np.abs(run) < 1e-9, 1.0, run)))
    return points[0], points[1]
