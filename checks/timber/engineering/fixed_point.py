# SPDX-License-Identifier: GPL-3.0-or-later
"""What stands: the least fixed point of "held by members that themselves reach the ground".

Rule of the timber specification, section 1.4. It starts from the foundation members that rest on
the ground and adds whatever their support holds, until nothing is added any more. Every support is
looked at once for each stretch that becomes active, so the work grows with the number of supports.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import deque
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .couples import Couples, find_couples
from .cuts import RAFTERS
from .joints import Joints, Supports

Bools = NDArray[np.bool_]

Interval = tuple[float, float]


@dataclass(frozen=True)
class LoadPath:
    """The fixed point.

    Attributes
    ----------
    supported
        Which members reach the ground, bool (n,).
    parent
        For each supported member the one that it stands on first, -1 on the ground, (n,).
    places
        For each member where it is held, as intervals along its axis, m from its centre.
    couples
        The couples that were found, active or not.
    """

    supported: Bools
    parent: NDArray[np.intp]
    places: tuple[tuple[Interval, ...], ...]
    couples: Couples

    def path(self, member: int) -> list[int]:
        """Members from ``member`` down to the ground; just the member itself if it floats."""
        chain = [member]
        while self.parent[chain[-1]] >= 0 and len(chain) <= len(self.parent):
            chain.append(int(self.parent[chain[-1]]))
        return chain


class Rules:
    """When is a member held? Shared by the fixed point and by the search for broken links."""

    def __init__(self, joints: Joints, couples: Couples) -> None:
        frame = joints.frame
        self.joints = joints
        self.couples = couples
        self.upright = frame.upright.tolist()
        self.rafter = (frame.mask(*RAFTERS) & frame.sloped).tolist()
        self.ridge = (frame.mask("Ridge") & frame.level).tolist()
        self.partners: dict[int, list[tuple[int, int, float]]] = {}
        for row in np.flatnonzero(couples.tied):
            a, b, r = int(couples.left[row]), int(couples.right[row]), int(couples.ridge[row])
            s = float(couples.station[row])
            self.partners.setdefault(a, []).append((b, r, s))
            self.partners.setdefault(b, []).append((a, r, s))
        self.ridge_of = {int(rafter): int(ridge) for rafter, ridge, _ in couples.tops}
        self.leaning: dict[int, list[int]] = {}
        for rafter, ridge in self.ridge_of.items():
            self.leaning.setdefault(ridge, []).append(rafter)
        paired = set(couples.left.tolist()) | set(couples.right.tolist())
        #: Rafters at a ridge that have nobody opposite and need none: king commons of a hip.
        self.end_rafters = {
            int(rafter) for rafter, ridge, station in couples.tops
            if int(rafter) not in paired
            and abs(station) >= frame.half[int(ridge), 0] - table.COUPLE_OFFSET
            and abs(frame.along[int(rafter)] @ frame.axes[int(ridge), 2]) < 0.2
        }  # fmt: skip

    def spans_centroid(self, places: list[Interval]) -> bool:
        """Whether the centroid lies between the extremes of the supported places."""
        slack = table.SLACK
        return bool(places) and (
            min(p[0] for p in places) <= slack and max(p[1] for p in places) >= -slack
        )


@dataclass
class _State:
    """What the fixed point knows while it runs; intervals are m from the centres."""

    supported: list[bool]
    parent: list[int]
    places: list[list[Interval]]
    sources: list[list[int]]
    from_below: list[list[Interval]]
    foot: list[bool]


def load_path(joints: Joints) -> LoadPath:
    """Work out which members are supported, and by what."""
    couples = find_couples(joints)
    solver = _Solver(joints, Rules(joints, couples))
    state = solver.run()
    return LoadPath(
        np.array(state.supported, dtype=bool),
        np.array(state.parent, dtype=np.intp),
        tuple(tuple(p) for p in state.places),
        couples,
    )


def on_ground(joints: Joints) -> Bools:
    """Foundation members whose lowest point rests on the ground (or is in it), bool (n,)."""
    frame = joints.frame
    low = frame.structure.aabb[0][:, 2]
    reach = joints.brief.ground + table.GROUND + table.SLACK
    return frame.roles.in_category("foundation") & (low <= reach)


class _Solver:
    """Worklist over supports; see :func:`load_path`."""

    def __init__(self, joints: Joints, rules: Rules) -> None:
        frame, supports = joints.frame, joints.supports
        n = len(frame)
        self.joints, self.rules = joints, rules
        self.pass_down = joints.passes_down.tolist()
        self.half = frame.half[:, 0].tolist()
        self.carrier = supports.carrier.tolist()
        self.carried = supports.carried.tolist()
        self.span = [tuple(s) for s in supports.span.tolist()]
        self.span_carrier = [tuple(s) for s in supports.span_carrier.tolist()]
        self.turn = _relative_direction(joints, supports).tolist()
        self.out: list[list[int]] = [[] for _ in range(n)]
        #: For plates and rims: supports longer than a bay, the rest by where they begin.
        self.long: list[list[int]] = [[] for _ in range(n)]
        for row in np.lexsort((supports.span_carrier[:, 0], supports.carrier)).tolist():
            low, high = self.span_carrier[row]
            wide = self.pass_down[self.carrier[row]] and high - low > table.PASS_ALONG
            (self.long if wide else self.out)[self.carrier[row]].append(row)
        self.begins = [[self.span_carrier[row][0] for row in rows] for rows in self.out]
        self.state = _State(
            [False] * n, [-1] * n, [[] for _ in range(n)], [[] for _ in range(n)],
            [[] for _ in range(n)], [False] * n,
        )  # fmt: skip
        #: Stretches of plates and rims that are active already, disjoint.
        self.passed: list[list[Interval]] = [[] for _ in range(n)]
        self.queue: deque[tuple[int, Interval]] = deque()

    def run(self) -> _State:
        """Run to the fixed point and return the final state."""
        for member in np.flatnonzero(on_ground(self.joints)).tolist():
            whole = (-self.half[member], self.half[member])
            self.state.places[member].append(whole)
            self._stand(member, -1)
        while self.queue:
            member, stretch = self.queue.popleft()
            for row in self._rows(member, stretch):
                place = self._place(row, stretch)
                if place is not None:
                    self._hold(self.carried[row], place, member)
        return self.state

    def _rows(self, member: int, stretch: Interval) -> list[int]:
        """Supports by ``member`` that could lie on a stretch of it."""
        if not self.pass_down[member]:
            return self.out[member]
        begins = self.begins[member]
        first = bisect_left(begins, stretch[0] - table.PASS_ALONG - table.SLACK)
        last = bisect_right(begins, stretch[1] + table.SLACK)
        return self.long[member] + self.out[member][first:last]

    def _place(self, row: int, stretch: Interval) -> Interval | None:
        """Part of the support's place that an active stretch of the carrier holds."""
        low, high = self.span_carrier[row]
        first, last = max(low, stretch[0]), min(high, stretch[1])
        if first > last + table.SLACK:
            return None
        start, end = self.span[row]
        turn = self.turn[row]
        if turn == 0.0 or high - low <= table.PATCH_MIN:
            return start, end
        if turn > 0:
            return start + (first - low), end - (high - last)
        return start + (high - last), end - (first - low)

    def _hold(self, member: int, place: Interval, source: int) -> None:
        """Note that ``member`` is held at ``place`` by ``source``, and act on what follows."""
        state, rules = self.state, self.rules
        if any(p[0] <= place[0] and place[1] <= p[1] for p in state.places[member]) and (
            state.supported[member] or source in state.sources[member]
        ):
            return
        state.places[member].append(place)
        state.sources[member].append(source)
        if not rules.rafter[source]:
            state.from_below[member].append(place)
        if state.supported[member]:
            if self.pass_down[member]:
                self._pass_on(member, place)
            if rules.ridge[member]:
                self._ridge_changed(member)
            return
        if rules.rafter[member]:
            self._hold_rafter(member, place, source)
        elif rules.upright[member] or rules.spans_centroid(state.places[member]):
            self._stand(member, source)

    def _hold_rafter(self, member: int, place: Interval, source: int) -> None:
        """A rafter: a foot and a top, or any two places on both sides of its centroid."""
        state, rules = self.state, self.rules
        if not rules.ridge[source]:
            at_foot = 0.5 * (place[0] + place[1]) < 0
            if at_foot and not state.foot[member]:
                state.foot[member] = True
                self._couple(member)
        self._try_rafter(member)

    def _try_rafter(self, member: int) -> None:
        """Let a rafter stand if what it has suffices."""
        state, rules = self.state, self.rules
        if state.supported[member]:
            return
        ridge = rules.ridge_of.get(member, -1)
        held = zip(state.places[member], state.sources[member], strict=False)
        elsewhere = [place for place, source in held if source != ridge]
        carried = ridge >= 0 and state.supported[ridge]
        if carried and member not in rules.end_rafters:
            carried = rules.spans_centroid(state.from_below[ridge])
        if rules.spans_centroid(elsewhere) or (state.foot[member] and carried):
            self._stand(member, state.sources[member][0])

    def _couple(self, member: int) -> None:
        """A foot was found: couples whose other foot is held already now stand."""
        state = self.state
        for partner, ridge, station in self.rules.partners.get(member, ()):
            if not state.foot[partner]:
                continue
            for rafter in (member, partner):
                if not state.supported[rafter]:
                    self._stand(rafter, state.sources[rafter][0])
            reach = float(self.joints.frame.half[member, 2])
            self._hold(ridge, (station - reach, station + reach), member)

    def _ridge_changed(self, ridge: int) -> None:
        """A ridge stands, or is held at one more place: rafters against it may stand now."""
        for rafter in self.rules.leaning.get(ridge, ()):
            self._try_rafter(rafter)

    def _stand(self, member: int, source: int) -> None:
        """Mark a member as supported and pass on what it now carries."""
        state = self.state
        if state.supported[member]:
            return
        state.supported[member] = True
        state.parent[member] = source
        if self.pass_down[member]:
            for place in list(state.places[member]):
                self._pass_on(member, place)
        else:
            self.queue.append((member, (-self.half[member], self.half[member])))
        if self.rules.ridge[member]:
            self._ridge_changed(member)

    def _pass_on(self, member: int, place: Interval) -> None:
        """A plate or rim passes on what stands within reach of a place where it is held itself."""
        pieces = [(place[0] - table.PASS_ALONG, place[1] + table.PASS_ALONG)]
        passed = self.passed[member]
        for first, last in passed:
            pieces = [part for piece in pieces for part in _without(piece, first, last)]
        passed += pieces
        self.queue.extend((member, piece) for piece in pieces)


def _without(piece: Interval, first: float, last: float) -> list[Interval]:
    """What is left of an interval when another is taken out."""
    parts = [(piece[0], min(piece[1], first)), (max(piece[0], last), piece[1])]
    return [(a, b) for a, b in parts if b > a]


def _relative_direction(joints: Joints, supports: Supports) -> Floats:
    """+1 or -1 where the carried member runs along its carrier, 0 where it crosses it, (e,)."""
    along = joints.frame.along
    turn = np.einsum("ed,ed->e", along[supports.carried], along[supports.carrier])
    return np.where(np.abs(turn) >= table.PARALLEL, np.sign(turn), 0.0)
