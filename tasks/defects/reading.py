# SPDX-License-Identifier: GPL-3.0-or-later
"""How a sound house is read to choose where a defect goes: who touches whom, who is beside whom.

This is deliberately plain, boxes against boxes, and shares nothing with the checks but roles: what
a check finds must not be measured by the check itself. Framing is along the axes; only rafters and
the like slope.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.brief import TimberBrief
from ...checks.timber.roles import Roles, resolve
from ...checks.timber.structure import Floats, TimberStructure

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Faces this close touch, m: well over the rounding of float32, well under any tolerance.
TOUCH = 0.0015
#: Contact narrower than this is an edge only, m.
EDGE = 0.010
#: An end this far short of a face is still nailed to it, m (timber specification 1.5, and slack).
FASTENED = 0.022
#: Sloped members are looked at in pieces of this length, m: half the width of lumber.
_PIECE = 0.060
#: Parallel members closer than this on centre are plies of one, m: two 38 mm plies and a gap.
PLY = 0.060


@dataclass(frozen=True)
class Beside:
    """The next member on one side: its index and the distance on centre, m."""

    member: int
    width: float


@dataclass(frozen=True, eq=False)
class Reading:
    """A structure with ``n`` members and the brief that it is judged with."""

    structure: TimberStructure
    brief: TimberBrief

    def __len__(self) -> int:
        return len(self.structure)

    @property
    def names(self) -> tuple[str, ...]:
        return self.structure.names

    @cached_property
    def roles(self) -> Roles:
        return resolve(self.structure, "engineering", self.brief.ground)

    @property
    def low(self) -> Floats:
        """Lowest corners of the boxes along the axes, (n, 3), m."""
        return self.structure.aabb[0]

    @property
    def high(self) -> Floats:
        """Highest corners, (n, 3), m."""
        return self.structure.aabb[1]

    @property
    def size(self) -> Floats:
        """Extents along the axes, (n, 3), m."""
        return self.high - self.low

    @property
    def along(self) -> Floats:
        """Unit vectors along the members, either way, (n, 3)."""
        return self.structure.axes[:, 0]

    @property
    def length(self) -> Floats:
        """(n,), m."""
        return 2.0 * self.structure.half[:, 0]

    @cached_property
    def rise(self) -> Floats:
        """Sine of the slope, 0 to 1, (n,)."""
        return np.asarray(np.abs(self.along[:, 2]))

    @property
    def level(self) -> Bools:
        return np.asarray(self.rise < 0.01)

    @property
    def upright(self) -> Bools:
        return np.asarray(self.rise > 0.99)

    @property
    def sloped(self) -> Bools:
        return ~self.level & ~self.upright

    def of(self, *roles: str) -> Ints:
        """Members of ``roles``, in order."""
        return np.flatnonzero(self.roles.mask(*roles))

    def way(self, member: int) -> int:
        """0, 1 or 2: the axis of the world that a member runs along."""
        return int(np.abs(self.along[member]).argmax())

    # Contact -------------------------------------------------------------------------------------

    def _overlap(self, member: int, grow: float = 0.0) -> Floats:
        """Shared extent of a member's box, grown all round, with that of each other, (n, 3), m."""
        low = np.maximum(self.low, self.low[member] - grow)
        high = np.minimum(self.high, self.high[member] + grow)
        shared: Floats = np.asarray(high - low)
        shared[member] = -1.0
        return shared

    def _stacked(self, member: int, mine: Floats, others: Floats) -> Ints:
        plan = self._overlap(member)[:, :2] >= EDGE
        return np.flatnonzero(plan.all(axis=1) & (np.abs(others - mine) <= TOUCH))

    def below(self, member: int) -> Ints:
        """Members that this one stands on."""
        return self._stacked(member, self.low[member, 2], self.high[:, 2])

    def above(self, member: int) -> Ints:
        """Members that stand on this one."""
        return self._stacked(member, self.high[member, 2], self.low[:, 2])

    @cached_property
    def _pieces(self) -> tuple[Ints, Floats, Floats]:
        """Owner, lowest and highest corner of boxes along the axes that cover all members.

        A sloped member is covered by many short ones, since its own box is nearly all air.
        """
        owner, low, high = [np.flatnonzero(~self.sloped)], [], []
        low.append(self.low[owner[0]])
        high.append(self.high[owner[0]])
        for member in np.flatnonzero(self.sloped).tolist():
            count = int(np.ceil(self.length[member] / _PIECE))
            start, end = self.ends(member)
            middle = start + ((np.arange(count) + 0.5) / count)[:, None] * (end - start)
            half = self.structure.half[member].copy()
            half[0] /= count
            reach = half @ np.abs(self.structure.axes[member])
            owner.append(np.full(count, member))
            low.append(middle - reach)
            high.append(middle + reach)
        return np.concatenate(owner), np.concatenate(low), np.concatenate(high)

    def touching(self, member: int) -> Ints:
        """Members whose boxes meet this one's, faces, edges and overlaps."""
        owner, low, high = self._pieces
        hit = np.zeros(len(owner), dtype=bool)
        near = np.minimum(high, self.high[member]) >= np.maximum(low, self.low[member]) - TOUCH
        near = near.all(axis=1)
        for piece in np.flatnonzero(owner == member):
            shared = np.minimum(high[near], high[piece]) - np.maximum(low[near], low[piece])
            hit[near] |= (shared >= -TOUCH).all(axis=1)
        found = np.unique(owner[hit])
        return found[found != member]

    def at_end(self, member: int, sign: int, reach: float = TOUCH) -> Ints:
        """Members that the end of a level or upright member butts against, within ``reach`` m."""
        axis = self.way(member)
        others = [a for a in range(3) if a != axis]
        shared = (self._overlap(member)[:, others] >= EDGE).all(axis=1)
        if sign > 0:
            gap = self.low[:, axis] - self.high[member, axis]
        else:
            gap = self.low[member, axis] - self.high[:, axis]
        return np.flatnonzero(shared & (np.abs(gap) <= reach))

    def seats(self, rafter: int) -> Ints:
        """Level members that a sloped one crosses and sits on or is notched over."""
        axis = int(np.abs(self.along[rafter, :2]).argmax())
        plan = self._overlap(rafter)[:, :2] >= EDGE
        start, end = self.ends(rafter)
        slope = (end[2] - start[2]) / (end[axis] - start[axis])
        depth = 2.0 * self.structure.half[rafter, 1]
        below = 0.5 * depth / np.sqrt(1.0 - self.rise[rafter] ** 2)
        at = np.stack([self.low[:, axis], self.high[:, axis]])
        height = start[2] + (at - start[axis]) * slope
        top = self.high[:, 2]
        on = (top >= height.min(axis=0) - below - FASTENED) & (top <= height.max(axis=0))
        crosses = np.abs(self.along[:, axis]) < 0.1
        return np.flatnonzero(plan.all(axis=1) & on & crosses & self.level)

    def ends_at(self, upright: int, sloped: int) -> bool:
        """Whether an upright member ends at the underside of a sloped one, or inside it."""
        start, end = self.ends(sloped)
        axis = int(np.abs(self.along[sloped, :2]).argmax())
        if (self._overlap(upright)[sloped, :2] < TOUCH).any():
            return False
        share = (self.structure.center[upright, axis] - start[axis]) / (end[axis] - start[axis])
        height = start[2] + share * (end[2] - start[2])
        depth = self.structure.half[sloped, 1] / np.sqrt(1.0 - self.rise[sloped] ** 2)
        # Square tops under a slope, drawn to either edge of the stud.
        reach = depth + 0.5 * self.size[upright, :2].max()
        return bool(abs(self.high[upright, 2] - height) <= reach)

    def free(self, low: Floats, high: Floats, but: Sequence[int] | Ints = ()) -> bool:
        """Whether no box but those of ``but`` comes within 30 mm of a box, m.

        The margin keeps away from whatever a check could call contact or clash.
        """
        margin = 0.030
        owner, lows, highs = self._pieces
        shared = np.minimum(highs, high + margin) - np.maximum(lows, low - margin)
        hit = owner[(shared > 0.0).all(axis=1)]
        return bool(np.isin(hit, np.asarray(but, dtype=np.intp)).all())

    def carries_post(self, upright: int) -> bool:
        """Whether a post stands in line with an upright somewhere above it.

        Such an upright is more than one of a row: the load of the post goes through it.
        """
        posts = self.of("Post", "BeamPost", "RidgePost", "KingPost")
        line = 0.050  # more than the offset at which posts count as in line, m
        over = self.low[posts, 2] >= self.high[upright, 2] - TOUCH
        beside = (self.low[posts, :2] < self.high[upright, :2] + line) & (
            self.high[posts, :2] > self.low[upright, :2] - line
        )
        return bool((over & beside.all(axis=1)).any())

    # Rows ----------------------------------------------------------------------------------------

    def beside(
        self, member: int, pool: Ints, share: float = 0.9, across: Floats | None = None
    ) -> tuple[Beside, Beside] | None:
        """The next members of ``pool`` on both sides across a member, or None without both.

        Only those count that run beside it over ``share`` of its length at its height or in its
        plane. ``across`` says which way where the section doesn't: a square post's.
        """
        across = self.across(member) if across is None else across
        along = self.along[member]
        offset = self.structure.center[pool] - self.structure.center[member]
        up = np.cross(along, across)
        near = np.abs(np.abs(self.along[pool] @ along) - 1.0) < 1e-3
        near &= np.abs(offset @ up) < 0.055
        middle, half = offset @ along, self.structure.half[pool, 0]
        mine = self.structure.half[member, 0]
        shared = np.minimum(middle + half, mine) - np.maximum(middle - half, -mine)
        near &= shared >= share * 2.0 * mine
        width = offset @ across
        found = []
        for sign in (-1.0, 1.0):
            side = np.flatnonzero(near & (sign * width > 1e-6))
            if len(side) == 0:
                return None
            best = int(side[np.abs(width[side]).argmin()])
            found.append(Beside(int(pool[best]), float(abs(width[best]))))
        return found[0], found[1]

    def across(self, member: int) -> Floats:
        """Level unit vector across a level or sloped member, towards +x or +y; of an upright one
        along the wall: across its larger side.
        """
        if self.upright[member]:
            plan = self.structure.axes[member, 2].copy()
        else:
            plan = np.array([-self.along[member, 1], self.along[member, 0], 0.0])
        plan[2] = 0.0
        plan /= np.linalg.norm(plan)
        sign = plan[0] if abs(plan[0]) > abs(plan[1]) else plan[1]
        return np.asarray(plan if sign > 0 else -plan)

    def ends(self, member: int) -> tuple[Floats, Floats]:
        """Both ends of a centre line, the lower one first (or that towards -x, -y), m."""
        step = self.structure.half[member, 0] * self.along[member]
        axis = 2 if self.rise[member] >= 0.01 else self.way(member)
        step = step if step[axis] > 0 else -step
        center = self.structure.center[member]
        return center - step, center + step
