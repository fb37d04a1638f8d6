# SPDX-License-Identifier: GPL-3.0-or-later
"""The way of a member's load down to the ground, link by link, or to where the way breaks.

The fixed point (:mod:`.fixed_point`) says *that* a member stands; this says *how*, for pictures:
through which places its load leaves it and who takes it on there. A load on a beam goes to the
nearest support on either side, one on a plate or rim only as far as such a member passes it on,
and a rafter of a couple hands all of it to its foot.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .broken_links import TIE, TOP, UNDER, Hole, Tracer
from .fixed_point import on_ground
from .near_misses import top_below
from .workings import Workings

Ints = NDArray[np.intp]

#: No way has more links than this; a chosen sill of a long house would have thousands.
_MOST = 240

#: Step whose load goes into the ground.
INTO_GROUND = -1


@dataclass(frozen=True)
class Step:
    """The load passes through ``member`` from ``start`` to ``end``, (3,), m, into ``into``."""

    member: int
    start: Floats
    end: Floats
    into: int


@dataclass(frozen=True)
class Break:
    """Where a way ends: the last member, what it ``lacks``, and the place, (3,), m.

    ``below`` is the nearest thing straight under that place, ``None`` where it is not something
    below that is missing, and ``ground`` says that it is the bare ground.
    """

    member: int
    lacks: str
    spot: Floats
    below: Floats | None
    ground: bool = False


@dataclass(frozen=True)
class Way:
    """``sound`` steps reach the ground, ``broken`` ones end at ``breaks``."""

    sound: tuple[Step, ...] = ()
    broken: tuple[Step, ...] = ()
    breaks: tuple[Break, ...] = ()

    @property
    def members(self) -> tuple[int, ...]:
        """Every member that the load passes, the first one first."""
        steps = (*self.broken, *self.sound)
        return tuple(dict.fromkeys(step.member for step in steps))


class Reactions:
    """Ways of loads through one structure."""

    def __init__(self, workings: Workings) -> None:
        self.joints, self.path = workings.joints, workings.path
        supports = self.joints.supports
        self._order = np.argsort(supports.carried, kind="stable")
        self._carried = supports.carried[self._order]
        self._pass_down = self.joints.passes_down
        self._ground = on_ground(self.joints)
        self._tracer = Tracer(self.joints, self.path)
        self._ways: dict[int, Way] = {}

    def way(self, member: int) -> Way:
        """The way of one member's load."""
        if member not in self._ways:
            if self.path.supported[member]:
                self._ways[member] = Way(tuple(self._flow(member, None, set())))
            else:
                self._ways[member] = self._to_break(member)
        return self._ways[member]

    # Sound ---------------------------------------------------------------------------------------

    def _flow(self, member: int, entry: Floats | None, seen: set[int]) -> list[Step]:
        """Steps down to the ground from a member that stands; supports in ``seen`` are told."""
        steps: list[Step] = []
        queue: deque[tuple[int, Floats | None]] = deque([(member, entry)])
        told: set[tuple[int, int, tuple[float, ...]]] = set()
        while queue and len(steps) < _MOST:
            here, at = queue.popleft()
            for row, end, into in self._leaves(here, at):
                start = self._start(here, at, end)
                key = (here, row, tuple(np.round(start, 2).tolist()))
                if key not in told:
                    told.add(key)
                    steps.append(Step(here, start, end, into))
                if into >= 0 and row not in seen:
                    seen.add(row)
                    queue.append((into, end))
        return steps

    def _start(self, member: int, entry: Floats | None, end: Floats) -> Floats:
        """Where a load begins in a member: where it came in, else on its axis."""
        if entry is not None:
            return entry
        frame = self.joints.frame
        if not self._pass_down[member]:
            return np.asarray(frame.center[member])
        t = float((end - frame.center[member]) @ frame.along[member])
        return frame.at(np.array([member]), np.array([t]))[0]

    def _leaves(self, member: int, entry: Floats | None) -> list[tuple[int, Floats, int]]:
        """Through which supports (row, place, carrier) a load leaves a member that stands."""
        frame, supports = self.joints.frame, self.joints.supports
        t = None
        if entry is not None:
            t = float((entry - frame.center[member]) @ frame.along[member])
        if self._ground[member]:
            start = frame.center[member] if entry is None else entry
            low = min(self.joints.brief.ground, float(start[2]) - table.PATCH_MIN)
            low = max(low, float(frame.structure.aabb[0][member, 2]) - table.GROUND)
            return [(-2 - member, np.array([start[0], start[1], low]), INTO_GROUND)]
        rows = [row for row in self._rows(member) if self._holds(member, row)]
        if not rows:
            return self._couple_feet(member, t)
        found = []
        for row in self._nearest(member, rows, t):
            low, high = supports.span[row]
            at = min(max(0.5 * (low + high) if t is None else t, low), high)
            end = supports.spot[row] + (at - 0.5 * (low + high)) * frame.along[member]
            found.append((int(row), end, int(supports.carrier[row])))
        return found

    def _rows(self, member: int) -> list[int]:
        first, last = np.searchsorted(self._carried, [member, member + 1])
        rows: list[int] = self._order[first:last].tolist()
        return rows

    def _holds(self, member: int, row: int) -> bool:
        """Whether a support carries a load of ``member`` down."""
        supports, path = self.joints.supports, self.path
        carrier = int(supports.carrier[row])
        if not path.supported[carrier]:
            return False
        rafter = self._tracer.rules.rafter
        if self._tracer.rules.ridge[carrier] and rafter[member]:
            # A ridge that only couples hold up has nothing to give to them.
            return any(
                self.path.supported[int(supports.carrier[r])]
                and not rafter[int(supports.carrier[r])]
                for r in self._rows(carrier)
            )
        if not self._pass_down[carrier] or self._ground[carrier]:
            return True
        low, high = supports.span_carrier[row]
        reach = table.PASS_ALONG + table.SLACK
        return any(a - reach <= high and low <= b + reach for a, b in path.places[carrier])

    def _nearest(self, member: int, rows: list[int], t: float | None) -> list[int]:
        """The supports that a load at ``t`` m along a member goes to; of one place the best."""
        supports = self.joints.supports
        span = supports.span
        groups: list[list[int]] = []
        reached = -np.inf
        for row in sorted(rows, key=lambda r: (float(span[r, 0]), r)):
            if float(span[row, 0]) > reached + table.SAME_BEARING:
                groups.append([])
            groups[-1].append(row)
            reached = max(reached, float(span[row, 1]))

        def rank(row: int) -> tuple[int, float, int]:
            # What it stands on before what it hangs on; the upper of two plates before the lower.
            return int(supports.kind[row]), -round(float(supports.spot[row, 2]), 3), row

        if t is None:
            return [min(g, key=rank) for g in groups]

        def away(row: int) -> float:
            return max(float(span[row, 0]) - t, t - float(span[row, 1]), 0.0)

        best = [min(g, key=lambda r: (round(away(r), 3), *rank(r))) for g in groups]
        over = min(best, key=away)
        if away(over) <= table.SAME_BEARING or self.joints.frame.upright[member]:
            return [over]
        before = [r for r in best if span[r, 1] < t]
        after = [r for r in best if span[r, 0] > t]
        sides = [min(side, key=away) for side in (before, after) if side]
        if self._pass_down[member]:
            near = [r for r in sides if away(r) <= table.PASS_ALONG + table.SLACK]
            return near or [over]
        return sides

    def _couple_feet(self, ridge: int, t: float | None) -> list[tuple[int, Floats, int]]:
        """The rafters that hold a ridge, at the couples nearest to a load on it."""
        couples, frame = self.path.couples, self.joints.frame
        held = couples.tied & (couples.ridge == ridge)
        held &= self.path.supported[couples.left] & self.path.supported[couples.right]
        rows = np.flatnonzero(held)
        rows = rows[np.argsort(couples.station[rows], kind="stable")]
        if t is not None and len(rows):
            station = couples.station[rows]
            at = int(np.searchsorted(station, t))
            rows = rows[max(at - 1, 0) : at + 1]
        found = []
        for row in rows.tolist():
            end = frame.at(np.array([ridge]), couples.station[[row]])[0]
            both = (int(couples.left[row]), int(couples.right[row]))
            found += [(-2 - len(frame) - rafter, end, rafter) for rafter in both]
        return found

    # Broken --------------------------------------------------------------------------------------

    def _to_break(self, member: int) -> Way:
        """Down to the member that stands on nothing, and to the ground where it still can."""
        frame = self.joints.frame
        chain, hole = self._tracer.way(member)
        broken: list[Step] = []
        sound: list[Step] = []
        entry = np.asarray(frame.center[member])
        seen: set[int] = set()
        for here, into, spot in chain:
            sound += self._still_held(here, seen)
            broken.append(Step(here, entry, spot, into))
            entry = spot
        last = hole[0]
        sound += self._still_held(last, seen)
        spot = self._tracer.spot(hole)
        if hole[1] == UNDER and self._pass_down[last]:
            # Straight down from where the load came in, as far as the stretch without support goes.
            spot = np.array([*entry[:2], spot[2]])
        broken.append(Step(last, entry, spot, INTO_GROUND))
        below, ground = None, False
        if hole[1] not in (TIE, TOP) and not self._tracer.tie[last]:
            height = top_below(self.joints, spot)
            below = np.array([spot[0], spot[1], height])
            ground = height <= self.joints.brief.ground
        return Way(tuple(sound), tuple(broken), (Break(last, hole[1], spot, below, ground),))

    def _still_held(self, member: int, seen: set[int]) -> list[Step]:
        """Steps through what does carry a member that stands nowhere else."""
        supports, frame = self.joints.supports, self.joints.frame
        steps: list[Step] = []
        if self.path.supported[member]:
            return steps
        for row in self._rows(member):
            if row not in seen and self._holds(member, row):
                seen.add(row)
                end, into = supports.spot[row], int(supports.carrier[row])
                steps.append(Step(member, np.asarray(frame.center[member]), end, into))
                steps += self._flow(into, end, seen)
        return steps


__all__ = ["INTO_GROUND", "Break", "Hole", "Reactions", "Step", "Way"]
