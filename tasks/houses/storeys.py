# SPDX-License-Identifier: GPL-3.0-or-later
"""What a house encloses in plan, storey by storey, found from its members alone.

The plates of each floor level are laid out on a grid of their own edges; what cannot be reached
from outside without crossing them is enclosed. A court that is enclosed but has no floor stays
outside.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.roles import Roles
from ...checks.timber.structure import Floats, TimberStructure

#: Floors closer in height than this are one level, m: half a step of a split level is more.
ONE_LEVEL = 0.30
#: Edges of members nearer than this are one, m.
ONE_EDGE = 0.006
#: A plate is over another that it covers more of than this, each way, m.
OVER = 0.02
#: A region is a room if joists lie under or over this share of it; they carry this far beside
#: themselves, m.
FLOORED, BESIDE = 0.5, 0.35
#: Bottom plates and headers close a storey if they enclose this share of what top plates do too.
MOSTLY = 0.85
_LEVEL_ROLES = ("Sill", "RimJoist", "Beam", "Ledger", "Plate", "BottomPlate", "TopPlate", "Header")

Bools = NDArray[np.bool_]


@dataclass(frozen=True)
class Side:
    """A straight piece of a storey's outline, in plan.

    ``start`` and ``end`` (2,), m, run with the house on the left; ``outward`` (2,) is square to it.
    """

    start: Floats
    end: Floats

    @property
    def length(self) -> float:
        """m."""
        return float(np.linalg.norm(self.end - self.start))

    @property
    def along(self) -> Floats:
        """Unit direction from start to end, (2,)."""
        return (self.end - self.start) / self.length

    @property
    def outward(self) -> Floats:
        """Unit direction away from the house, (2,)."""
        along = self.along
        return np.array([along[1], -along[0]])


@dataclass(frozen=True)
class Storey:
    """What is enclosed at one floor level: cells of a grid of ``x`` (n + 1,) and ``y`` (m + 1,).

    ``floor`` is the underside of its bottom plates, ``top`` the upper side of its highest plates,
    m; ``plates`` (k, 6) are its top plates as (low, high) corners.
    """

    floor: float
    top: float
    x: Floats
    y: Floats
    cells: Bools
    plates: Floats

    @property
    def area(self) -> float:
        """What it encloses, walls included, m2."""
        return float((np.outer(np.diff(self.x), np.diff(self.y)) * self.cells).sum())

    def encloses(self, points: Floats) -> Bools:
        """Which plan ``points`` (n, 2) are within, (n,)."""
        if not self.cells.size:
            return np.zeros(len(points), bool)
        i = np.searchsorted(self.x, points[:, 0]) - 1
        j = np.searchsorted(self.y, points[:, 1]) - 1
        within = (i >= 0) & (j >= 0) & (i < self.cells.shape[0]) & (j < self.cells.shape[1])
        found = self.cells[np.where(within, i, 0), np.where(within, j, 0)]
        return np.asarray(within & found)

    def sides(self) -> Iterator[Side]:
        """The outline, piece by piece."""
        solid = np.pad(self.cells, 1)
        for axis, (edges, others) in enumerate(((self.x, self.y), (self.y, self.x))):
            grid = solid if axis == 0 else solid.T
            for i, at in enumerate(edges):
                for inward in (True, False):  # the house is on the side of higher, of lower values
                    face = grid[i + 1, 1:-1] & ~grid[i, 1:-1]
                    if not inward:
                        face = grid[i, 1:-1] & ~grid[i + 1, 1:-1]
                    for first, last in _stretches(face):
                        low, high = np.full(2, at), np.full(2, at)
                        low[1 - axis], high[1 - axis] = others[first], others[last]
                        yield Side(low, high) if inward == (axis == 1) else Side(high, low)


def storeys(structure: TimberStructure, roles: Roles) -> tuple[Storey, ...]:
    """The storeys of a house from below upwards; a frame without plates is one storey."""
    low, high = structure.aabb
    boxes = np.column_stack([low, high])
    bottom, above = roles.mask("BottomPlate", "Plate"), roles.mask("TopPlate")
    headers, joists = roles.mask("Header"), roles.mask("Joist", "CeilingJoist")
    floors = _levels(low[bottom, 2])
    if not floors:
        members = boxes[roles.mask(*_LEVEL_ROLES)]
        if not len(members):
            return ()
        feet = boxes[roles.mask(*_LEVEL_ROLES, "Post", "Stud", "CornerPost"), 2]
        return (_storey(feet.min(), members, members[:0], boxes[joists]),)
    found = []
    owner = _owners(boxes, bottom, floors)
    for k, floor in enumerate(floors):
        plates = boxes[above & (owner == k)]
        # Upper plates may run out beyond the walls; they count only where walls don't close.
        walls = boxes[(bottom | headers) & (owner == k)]
        with_plates = np.concatenate([walls, plates])
        storey = _storey(floor, walls, plates, boxes[joists])
        closed = _storey(floor, with_plates, plates, boxes[joists])
        if storey.area < MOSTLY * closed.area:
            storey, walls = closed, with_plates
        if k == 0 and not _has_rooms(storey, walls):  # rafters that go down to the floor
            frame = roles.mask("Sill", "RimJoist") & (low[:, 2] < floor)
            storey = _storey(floor, np.concatenate([walls, boxes[frame]]), plates, boxes[joists])
        found.append(storey)
    return tuple(found)


def _owners(boxes: Floats, bottom: Bools, floors: Sequence[float]) -> NDArray[np.intp]:
    """The level of each member of ``boxes`` (n, 6): the highest below it that has walls there."""
    level = np.searchsorted(np.array(floors) - ONE_LEVEL / 2, boxes[:, 2], side="right") - 1
    owner = np.where(bottom, level, 0)
    for k in range(len(floors)):
        walls = boxes[bottom & (level == k)]
        meets = np.ones((len(boxes), len(walls)), bool)
        for axis in (0, 1):
            meets &= boxes[:, None, axis] < walls[None, :, axis + 3] - OVER
            meets &= boxes[:, None, axis + 3] > walls[None, :, axis] + OVER
        owner[~bottom & (level >= k) & meets.any(axis=1)] = k
    return owner


def _levels(heights: Floats) -> list[float]:
    """The lowest height of each floor level."""
    found: list[float] = []
    last = -np.inf
    for height in np.sort(heights):
        if height - last > ONE_LEVEL:
            found.append(float(height))
        last = height
    return found


def _storey(floor: float, walls: Floats, plates: Floats, joists: Floats) -> Storey:
    x, y = (_edges(walls[:, [axis, axis + 3]].ravel()) for axis in (0, 1))
    barrier = _covered(x, y, walls)
    cells = ~_reached(barrier)
    floored = _covered(x, y, joists + np.array([-1, -1, 0, 1, 1, 0]) * BESIDE)
    area = np.outer(np.diff(x), np.diff(y))
    if len(joists):
        for room in _rooms(cells & ~barrier):
            if (area * (room & floored)).sum() < FLOORED * (area * room).sum():
                cells &= ~room
    top = plates[:, 5].max() if len(plates) else walls[:, 5].max()
    return Storey(float(floor), float(top), x, y, cells, plates)


def _has_rooms(storey: Storey, walls: Floats) -> bool:
    """Whether more is enclosed than the walls themselves take."""
    area = np.outer(np.diff(storey.x), np.diff(storey.y))
    rooms = storey.cells & ~_covered(storey.x, storey.y, walls)
    return bool((area * rooms).sum() > 1.0)


def _edges(values: Floats) -> Floats:
    """Sorted values, those within :data:`ONE_EDGE` of each other as one."""
    found: list[float] = []
    for value in np.sort(values):
        if not found or value - found[-1] > ONE_EDGE:
            found.append(float(value))
    return np.array(found)


def _covered(x: Floats, y: Floats, boxes: Floats) -> Bools:
    """Which cells have their middle within one of ``boxes`` (k, 6), (n, m)."""
    mid_x, mid_y = 0.5 * (x[1:] + x[:-1]), 0.5 * (y[1:] + y[:-1])
    in_x = (mid_x > boxes[:, :1]) & (mid_x < boxes[:, 3:4])
    in_y = (mid_y > boxes[:, 1:2]) & (mid_y < boxes[:, 4:5])
    return np.asarray(in_x.T.astype(np.int32) @ in_y.astype(np.int32) > 0)


def _spread(start: Bools, free: Bools) -> Bools:
    """All ``free`` cells that are reached from ``start`` by way of free ones, side by side."""
    reached = start & free
    while True:
        wider = reached.copy()
        wider[1:] |= reached[:-1]
        wider[:-1] |= reached[1:]
        wider[:, 1:] |= wider[:, :-1].copy()
        wider[:, :-1] |= wider[:, 1:].copy()
        wider &= free
        if (wider == reached).all():
            return reached
        reached = wider


def _reached(barrier: Bools) -> Bools:
    """Which cells are reached from outside without crossing ``barrier``."""
    free = np.pad(~barrier, 1, constant_values=True)
    start = np.zeros_like(free)
    start[0] = True
    return _spread(start, free)[1:-1, 1:-1]


def _rooms(free: Bools) -> Iterator[Bools]:
    """The connected regions of ``free`` cells."""
    left = free.copy()
    while left.any():
        start = np.zeros_like(left)
        start[np.unravel_index(int(np.argmax(left)), left.shape)] = True
        room = _spread(start, left)
        left &= ~room
        yield room


def _stretches(flags: Bools) -> Iterator[tuple[int, int]]:
    """First and one past the last of each stretch of true values."""
    turns = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    yield from zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)
