# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of bodies that aren't convex or that deform, by BVH on their surfaces.

Places all over each surface are looked up in the other one, both ways, and the least signed
distance counts; from the best of them the nearest places of both surfaces are found by going to and
fro between the two. A ball is its centre and its radius, which is exact. Of other solids within
each other the depth is that of the deepest place found, so the result is told as not exact.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from ...checks.reconstruction.bodies import Floats, Ints
from ...checks.reconstruction.limits import Limits
from ...checks.reconstruction.near import left_to_recorder
from ...checks.reconstruction.trajectory import Distances, Trajectory
from .sides import Side
from .steps import Steps

# Places that are looked up at a time, most of which are out of reach: some 20 ms.
_AT_ONCE = 60_000
# So many times as long it takes where a tree is asked for each of them.
_SLOWER = 6
# Times of going to and fro, and of how many places of each surface.
_TURNS = 8
_STARTS = 3
# Places that are looked up where the planes of a convex surface tell which are nearest.
_PROMISING = 10
# Distances below this share of the reach have the direction of the surface itself.
_TOUCHING = 1e-6


def distances_of(trajectory: Trajectory, limits: Limits | None = None) -> Steps[Distances | None]:
    """Distances of all pairs that the checks can't measure themselves, where they are close.

    ``None`` where there is no such pair. A pair of which one has no surface stays unmeasured.
    """
    pairs, close, reach = left_to_recorder(trajectory, limits or Limits())
    sides = {int(k): Side(trajectory, int(k)) for k in np.unique(pairs)}
    able = np.array([sides[i].usable and sides[j].usable for i, j in pairs.tolist()], bool)
    pairs, close, reach = pairs[able], close[:, able], reach[:, able]
    if not len(pairs):
        return None
    parts: list[_Rows] = []
    exact = True
    for p, (i, j) in enumerate(pairs.tolist()):
        yield p, len(pairs)
        first, second = sides[i], sides[j]
        rows = np.flatnonzero(close[:, p])
        fresh, source = _fresh(first, second, rows)
        found = []
        for some in _chunks(first, second, fresh):
            found.append(_least(first, second, some, reach[some, p]))
            yield p, len(pairs)
        whole = _joined(found).at(source)
        parts.append(whole.named(rows, p))
        exact &= first.told and second.told
        exact &= bool(first.radius or second.radius or (whole.distance >= 0).all())
    rows_ = _joined(parts)
    rows_ = rows_.at(np.flatnonzero(rows_.distance <= reach[rows_.frame, rows_.pair]))
    return Distances(
        *(rows_.frame, pairs[rows_.pair, 0], pairs[rows_.pair, 1], rows_.distance),
        *(rows_.point, rows_.normal, pairs, reach),
        method="BVH",
        exact=exact,
    )


def _fresh(first: Side, second: Side, rows: Ints) -> tuple[Ints, Ints]:
    """Frames of ``rows`` in which either has moved, and which of them each one is like."""
    if not len(rows):
        return rows, rows
    new = (first.moves() | second.moves())[rows]
    new[1:] |= np.diff(rows) > 1
    new[0] = True
    return rows[new], np.cumsum(new) - 1


def _chunks(first: Side, second: Side, rows: Ints) -> list[Ints]:
    """Frames in parts that take a bounded time."""
    if not len(rows):
        return []
    size = min(first.body.size, second.body.size)
    count = sum(
        len(one.places(size)[0]) * (1 if other.quick else _SLOWER)
        for one, other, _ in _ways(first, second)
    )
    return np.array_split(rows, min(len(rows), 1 + len(rows) * count // _AT_ONCE))


def _ways(first: Side, second: Side) -> list[tuple[Side, Side, float]]:
    """Whose places are looked up in whom, and the sign of the way out; of a ball its centre."""
    ways = [(first, second, 1.0), (second, first, -1.0)]
    if first.radius or second.radius:
        return ways[:1] if first.radius else ways[1:]
    return ways


@dataclass(frozen=True)
class _Rows:
    """Distances of pairs in frames, the places between and the ways in which they part."""

    frame: Ints
    pair: Ints
    distance: Floats
    point: Floats
    normal: Floats

    def at(self, rows: Ints) -> _Rows:
        return _Rows(*(getattr(self, one.name)[rows] for one in fields(self)))

    def named(self, frame: Ints, pair: int) -> _Rows:
        return _Rows(frame, np.full_like(frame, pair), self.distance, self.point, self.normal)


def _joined(parts: list[_Rows]) -> _Rows:
    nothing = np.zeros(0, np.int64)
    parts = [_Rows(nothing, nothing, np.zeros(0), np.zeros((0, 3)), np.zeros((0, 3))), *parts]
    names = [one.name for one in fields(_Rows)]
    return _Rows(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))


@dataclass(frozen=True)
class _Looked:
    """Places of one surface that were looked up in the other: (k,) and (k, 3) each.

    ``slot`` is the place of its frame in the rows that are measured.
    """

    slot: Ints
    distance: Floats
    place: Floats
    nearest: Floats
    normal: Floats

    def at(self, rows: Ints) -> _Looked:
        return _Looked(*(getattr(self, one.name)[rows] for one in fields(self)))

    def best(self, count: int) -> _Looked:
        """The ``count`` least distances in each slot."""
        return self.at(_first(self.slot, self.distance, count))


def _first(slot: Ints, values: Floats, count: int) -> Ints:
    """Rows of the ``count`` least values in each slot."""
    order = np.lexsort((values, slot))
    start = np.searchsorted(slot[order], slot[order])
    return order[np.arange(len(order)) - start < count]


def _least(first: Side, second: Side, rows: Ints, reach: Floats) -> _Rows:
    """The least signed distance of a pair in each of some frames; infinite beyond the reach."""
    distance = np.full(len(rows), np.inf)
    point, normal = np.full((2, len(rows), 3), np.nan)
    size = min(first.body.size, second.body.size)
    for one, other, way in _ways(first, second):
        looked = _over(one, other, rows, reach, size)
        if not one.radius:
            looked = _to_and_fro(one, other, rows, reach, looked)
        least = looked.best(1)
        better = least.distance < distance[least.slot]
        least = least.at(np.flatnonzero(better))
        distance[least.slot] = least.distance
        point[least.slot] = (least.place + least.nearest) / 2
        normal[least.slot] = way * least.normal
    return _Rows(rows, np.zeros_like(rows), distance, point, normal)


def _over(one: Side, other: Side, rows: Ints, reach: Floats, size: float) -> _Looked:
    """Places all over ``one`` looked up in ``other``; of many, those that promise most."""
    centre, radius = other.middle(rows)
    near = radius + one.radius + reach
    slot, points = one.within(one.places(size), rows, centre, near)
    bound, ordered = other.bound(rows[slot], points)
    able = np.flatnonzero(bound <= reach[slot] + one.radius)
    if ordered:
        able = able[_first(slot[able], bound[able], _PROMISING)]
    return _looked(one, other, rows, reach, slot[able], points[able])


def _looked(
    one: Side, other: Side, rows: Ints, reach: Floats, slot: Ints, points: Floats
) -> _Looked:
    """Places of ``one`` within reach of ``other``, with the way in which ``one`` gets free."""
    far, nearest, normal = other.signed(rows[slot], points, reach[slot] + one.radius)
    hit = np.flatnonzero(np.isfinite(far))
    slot, far, points = slot[hit], far[hit], points[hit]
    nearest, normal = nearest[hit], normal[hit]
    clear = np.abs(far) > _TOUCHING * reach[slot]
    away = (points - nearest) / np.where(clear, far, 1)[:, None]
    normal = np.where(clear[:, None], away, normal)
    return _Looked(slot, far - one.radius, points - normal * one.radius, nearest, normal)


def _to_and_fro(one: Side, other: Side, rows: Ints, reach: Floats, looked: _Looked) -> _Looked:
    """The places that were looked up, and those found from the best by going to and fro."""
    every = [looked]
    last = looked.best(_STARTS)
    for _ in range(_TURNS):
        if not len(last.slot):
            break
        _, place, _ = one.signed(rows[last.slot], last.nearest, reach[last.slot])
        hit = np.flatnonzero(np.isfinite(place).all(1))
        found = _looked(one, other, rows, reach, last.slot[hit], place[hit])
        every.append(found)
        if len(found.slot) < len(hit):  # none gets farther, but for what is rounded
            break
        nearer = found.distance < last.distance[hit] - _TOUCHING * reach[found.slot]
        last = found.at(np.flatnonzero(nearer))
    names = [one.name for one in fields(_Looked)]
    return _Looked(*(np.concatenate([getattr(part, name) for part in every]) for name in names))
