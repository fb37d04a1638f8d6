# SPDX-License-Identifier: GPL-3.0-or-later
"""One body of a pair whose distance is measured: its surface in each frame, and what is near it."""

from __future__ import annotations

import numpy as np

from ...checks.reconstruction.bodies import Body, Bools, Floats, Ints
from ...checks.reconstruction.motion import rotations
from ...checks.reconstruction.trajectory import Trajectory
from .solids import Solid, spread

# Places on a surface are so many to the longest extent of the smaller body, and no more in all.
_SPACING = 5
_PLACES = 3000
# Slivers count as triangles as long as they are, and this many times as narrow.
_SLIVER = 10
# Poses that differ by less, m, are the same one.
_SAME = 1e-7


class Side:
    """Body ``k`` of a trajectory. A ball is a place, its centre, with its ``radius`` round it.

    ``told`` is whether its surface says what is inside: closed, or flat.
    """

    def __init__(self, trajectory: Trajectory, k: int) -> None:
        self.body: Body = trajectory.bodies[k]
        pieces = self.body.pieces
        self.radius = self.body.rounding if len(pieces) == 1 and len(pieces[0]) == 1 else 0.0
        stiff = self.body.medium in ("rigid", "none")
        self._mesh = None if stiff else trajectory.meshes.get(self.body.name)
        flat = bool(self.body.extents.min() <= 1e-6 * self.body.size)
        self.told = self.radius > 0 or self.body.closed or (flat and self._mesh is None)
        self._place = trajectory.position[:, k]
        self._turn = rotations(trajectory)[:, k]
        self._places: dict[float, tuple[Ints, Floats]] = {}
        self._solid: Solid | None = None
        self._solid_row = -1

    @property
    def usable(self) -> bool:
        """Whether it has a surface to measure to."""
        return self.radius > 0 or len(self.body.triangles) > 0

    @property
    def quick(self) -> bool:
        """Whether most places are told apart by planes, without the tree."""
        return self.radius > 0 or (self._mesh is None and self._solid_of(0).convex)

    def moves(self) -> Bools:
        """Whether it isn't where it was in the frame before, (f,)."""
        with np.errstate(invalid="ignore"):
            still = np.abs(np.diff(self._place, axis=0)).max(1) <= _SAME
            still &= np.abs(np.diff(self._turn, axis=0)).max((1, 2)) <= _SAME
            if self._mesh is not None:
                still &= np.abs(np.diff(self._mesh, axis=0)).max((1, 2)) <= _SAME
        return np.concatenate(([True], ~still))

    def places(self, size: float) -> tuple[Ints, Floats]:
        """Places on its surface, as :func:`.solids.spread`; ``size`` of the smaller body, m."""
        if self.radius:
            return np.zeros((1, 3), np.int64), np.full((1, 3), 1 / 3)
        if size not in self._places:
            self._places[size] = self._spread(size)
        return self._places[size]

    def _spread(self, size: float) -> tuple[Ints, Floats]:
        triangles, points = self.body.triangles, self.body.vertices
        corners = points[triangles]
        across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        area = float(np.linalg.norm(across, axis=1).sum()) / 2
        longest2 = ((corners - np.roll(corners, 1, axis=1)) ** 2).sum(2).max(1)
        most = float(longest2.sum()) / 2 / _SLIVER  # triangles with length, and hardly any area
        spacing = max(size / _SPACING, (max(area, most) / _PLACES) ** 0.5, 1e-9)
        return spread(points, triangles, spacing)

    def middle(self, rows: Ints) -> tuple[Floats, float]:
        """Centre (r, 3) and radius of a ball that holds the body in frames, world axes, m."""
        if self._mesh is not None and not self.radius:
            low, high = self._mesh[rows].min(1), self._mesh[rows].max(1)
            return (low + high) / 2, float(np.linalg.norm(high - low, axis=1).max()) / 2
        points = self.body.points
        centre = (points.min(0) + points.max(0)) / 2
        reach = float(np.linalg.norm(points - centre, axis=1).max()) + self.radius
        return self._turn[rows] @ centre + self._place[rows], reach

    def within(
        self, places: tuple[Ints, Floats], rows: Ints, centre: Floats, reach: Floats
    ) -> tuple[Ints, Floats]:
        """Places that are within ``reach`` (r,) of ``centre`` (r, 3) in frames.

        Returns which of the frames each is in, (k,), and where in the world, (k, 3) m.
        """
        corners, share = places
        if self._mesh is not None and not self.radius:
            world = np.einsum("sk,rski->rsi", share, self._mesh[rows][:, corners])
            away = world - centre[:, None]
            slot, which = np.nonzero(np.einsum("rsi,rsi->rs", away, away) <= reach[:, None] ** 2)
            return slot, world[slot, which]
        points = self.body.pieces[0] if self.radius else self.body.vertices
        local = np.einsum("sk,ski->si", share, points[corners])
        turned, place = self._turn[rows], self._place[rows]
        there = np.einsum("rji,rj->ri", turned, centre - place)
        apart2 = (there**2).sum(1)[:, None] - 2 * there @ local.T + (local**2).sum(1)
        slot, which = np.nonzero(apart2 <= reach[:, None] ** 2 * (1 + 1e-9) + 1e-12)
        return slot, np.einsum("kij,kj->ki", turned[slot], local[which]) + place[slot]

    def bound(self, rows: Ints, points: Floats) -> tuple[Floats, bool]:
        """No more than the signed distances (k,), and whether their order is a good one."""
        if self.radius:
            return self._to_ball(rows, points)[0], True
        if self._mesh is None:
            solid = self._solid_of(0)
            return solid.bound(self._own(rows, points)), solid.convex
        far = np.empty(len(points))
        for row in np.unique(rows):
            here = rows == row
            far[here] = self._solid_of(int(row)).bound(points[here])
        return far, False

    def signed(self, rows: Ints, points: Floats, reach: Floats) -> tuple[Floats, Floats, Floats]:
        """Signed distance (k,) m of points (k, 3), each in its frame, nearest place and normal.

        Infinite and NaN where it is farther than ``reach`` (k,).
        """
        if self.radius:
            return self._to_ball(rows, points)
        if self._mesh is None:
            solid, most = self._solid_of(0), float(reach.max(initial=0.0))
            far, at, normal = solid.signed(self._own(rows, points), most)
            turned = self._turn[rows]
            world = np.einsum("kij,kj->ki", turned, at) + self._place[rows]
            return far, world, np.einsum("kij,kj->ki", turned, normal)
        far = np.full(len(points), np.inf)
        at, normal = np.full((2, len(points), 3), np.nan)
        for row in np.unique(rows):
            here = np.flatnonzero(rows == row)
            solid = self._solid_of(int(row))
            far[here], at[here], normal[here] = solid.signed(points[here], float(reach[here].max()))
        return far, at, normal

    def _own(self, rows: Ints, points: Floats) -> Floats:
        """Points of the world, each in its frame, in the body's own axes."""
        local: Floats = np.einsum("kji,kj->ki", self._turn[rows], points - self._place[rows])
        return local

    def _solid_of(self, row: int) -> Solid:
        """The surface in its own axes; of a body that deforms in the world. The last is kept."""
        row = row if self._mesh is not None else 0
        if self._solid is None or self._solid_row != row:
            points = self.body.vertices if self._mesh is None else self._mesh[row]
            self._solid = Solid(points, self.body.triangles, self.body.closed)
            self._solid_row = row
        return self._solid

    def _to_ball(self, rows: Ints, points: Floats) -> tuple[Floats, Floats, Floats]:
        centre = self._turn[rows] @ self.body.pieces[0][0] + self._place[rows]
        away = points - centre
        length = np.linalg.norm(away, axis=1)
        unit = away / np.where(length > 0, length, 1)[:, None]
        return length - self.radius, centre + self.radius * unit, unit
