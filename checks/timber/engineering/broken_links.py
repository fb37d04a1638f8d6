# SPDX-License-Identifier: GPL-3.0-or-later
"""Why something doesn't stand: the first broken link under each unsupported member.

A member is a *root* if it would not stand even if everything that could carry it did. All others
follow from a root, found by walking down. Roots that lack something at neighbouring places lack
the same thing: a sill under twelve joists is one missing member, not twelve.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from ..broadphase import components
from ..structure import Floats
from . import table
from .fixed_point import Interval, LoadPath, Rules
from .joints import LAPPED, Joints
from .near_misses import short_of
from .outcome import in_line

Bools = NDArray[np.bool_]

#: What a root lacks: something under it, at its top, anything at all, or ties between feet.
UNDER, TOP, TIE, ONE_SIDE = "under", "top", "tie", "one_side"

Hole = tuple[int, str, float]  # member, what it lacks, where along its axis


@dataclass
class Root:
    """One broken link.

    ``members`` are the members that lack something here, ``spots`` (k, 3) is where, m, ``lacks``
    what, ``partly`` whether it is held somewhere else, ``follows`` what does not stand for it.
    """

    members: list[int]
    spots: Floats
    lacks: str
    partly: bool
    follows: list[int] = field(default_factory=list)

    @property
    def spot(self) -> Floats:
        """The middle of :attr:`spots`, (3,), m."""
        return self.spots.mean(axis=0)


def broken_links(joints: Joints, path: LoadPath) -> list[Root]:
    """All roots, lowest first, each with the unsupported members that follow from it."""
    unsupported = np.flatnonzero(~path.supported & joints.frame.judged).tolist()
    if not unsupported:
        return []
    return Tracer(joints, path).roots(unsupported)


class Tracer:
    """Walks down from members that don't stand to what is missing under them."""

    def __init__(self, joints: Joints, path: LoadPath) -> None:
        self.joints, self.path = joints, path
        self.rules = Rules(joints, path.couples)
        supports = joints.supports
        self.below: dict[int, list[int]] = {}
        for row, carried in enumerate(supports.carried.tolist()):
            self.below.setdefault(carried, []).append(row)
        self.pass_down = joints.passes_down
        # A tie that lost one of its rafters tells nothing new: what happened to the other does.
        self.tie = joints.frame.mask(*LAPPED)
        self.couple_rows: dict[int, list[int]] = {}
        for row in range(len(path.couples.left)):
            for rafter in (int(path.couples.left[row]), int(path.couples.right[row])):
                self.couple_rows.setdefault(rafter, []).append(row)
        self.memo: dict[int, Hole] = {}
        #: Which member the walk went on to, and where, on its way from a member to a hole.
        self.via: dict[tuple[int, Hole], tuple[int, Floats]] = {}

    # Holes ---------------------------------------------------------------------------------------

    def roots(self, unsupported: list[int]) -> list[Root]:
        """Trace every unsupported member to a hole, and gather holes into roots."""
        blame: dict[int, Hole] = {}
        for member in unsupported:
            blame[member] = self._trace(member, set()) or (member, UNDER, 0.0)
        holes = sorted(set(blame.values()))
        groups = self._cluster(holes)
        made: list[Root] = []
        of_hole: dict[Hole, Root] = {}
        for group in groups:
            root = self._root(group)
            made.append(root)
            of_hole.update(dict.fromkeys(group, root))
        for member, hole in blame.items():
            root = of_hole[hole]
            alone = len(root.members) == 1 and root.members[0] == member and not root.partly
            if not alone:
                root.follows.append(member)
        made.sort(key=lambda r: (round(float(r.spot[2]), 3), r.members))
        return made

    def way(self, member: int) -> tuple[list[tuple[int, int, Floats]], Hole]:
        """The links ``(member, next one, place)`` from a member that doesn't stand to its hole."""
        hole = self._trace(member, set()) or (member, UNDER, 0.0)
        links: list[tuple[int, int, Floats]] = []
        here, seen = member, {member}
        while here != hole[0] and (here, hole) in self.via:
            into, spot = self.via[here, hole]
            if into in seen:
                break
            seen.add(into)
            links.append((here, into, spot))
            here = into
        return links, hole

    def _trace(self, member: int, seen: set[int]) -> Hole | None:
        """The hole that ``member`` suffers from; ``None`` if the walk comes back on itself."""
        if member in self.memo:
            return self.memo[member]
        if member in seen:
            return None
        seen.add(member)
        hole = self._own_fault(member)
        own, hole = hole, None if self.tie[member] else hole
        if hole is None:
            for cause, spot in self._causes(member):
                if self.path.supported[cause]:
                    hole = self._trace_stretch(cause, spot, seen)
                else:
                    hole = self._trace(cause, seen)
                if hole is not None:
                    self.via[member, hole] = cause, spot
                    break
        hole = hole or own
        if hole is not None:
            self.memo[member] = hole
        return hole

    def _trace_stretch(self, plate: int, spot: Floats, seen: set[int]) -> Hole | None:
        """The hole under a plate or rim that stands, but not at ``spot``."""
        frame = self.joints.frame
        t = float((spot - frame.center[plate]) @ frame.along[plate])
        reach = table.PASS_ALONG + table.SLACK
        first, last = self._gap_round(plate, t)
        for row in self.below.get(plate, ()):
            low, high = (float(v) for v in self.joints.supports.span[row])
            in_gap = first - table.SLACK <= low and high <= last + table.SLACK
            if in_gap or low - reach <= t <= high + reach:
                carrier = int(self.joints.supports.carrier[row])
                at = frame.at(np.array([plate]), np.array([min(max(t, low), high)]))[0]
                if not self.path.supported[carrier]:
                    hole = self._trace(carrier, seen)
                elif self._fails_at(carrier, at) and carrier not in seen:
                    hole = self._trace_stretch(carrier, at, {*seen, carrier})
                else:
                    hole = None
                if hole is not None:
                    self.via[plate, hole] = carrier, at
                    return hole
        return plate, UNDER, self._middle_of_gap(plate, t)

    def _middle_of_gap(self, plate: int, t: float) -> float:
        """Middle of the stretch without support that ``t`` lies in: one stretch is one hole."""
        return round(0.5 * sum(self._gap_round(plate, t)), 3)

    def _gap_round(self, plate: int, t: float) -> Interval:
        """The stretch without support that ``t`` lies in, m from the plate's centre."""
        half = float(self.joints.frame.half[plate, 0])
        left = max((b for _, b in self.path.places[plate] if b <= t), default=-half)
        right = min((a for a, _ in self.path.places[plate] if a >= t), default=half)
        return left, right

    def _fails_at(self, plate: int, spot: Floats) -> bool:
        """Whether a plate or rim that stands passes nothing on at ``spot``."""
        if not self.pass_down[plate]:
            return False
        frame = self.joints.frame
        t = float((spot - frame.center[plate]) @ frame.along[plate])
        reach = table.PASS_ALONG + table.SLACK
        return not any(a - reach <= t <= b + reach for a, b in self.path.places[plate])

    def _causes(self, member: int) -> list[tuple[int, Floats]]:
        """Members that could carry this one but don't, with the place; the lowest first."""
        supports, frame = self.joints.supports, self.joints.frame
        causes: list[tuple[int, Floats]] = []
        for row in self.below.get(member, ()):
            carrier = int(supports.carrier[row])
            spot = supports.spot[row]
            if not self.path.supported[carrier] or self._fails_at(carrier, spot):
                causes.append((carrier, spot))
        for row in self.couple_rows.get(member, ()):
            other = self._opposite(member, row)
            if not self.path.supported[other]:
                causes.append((other, frame.center[other]))
        if self.rules.ridge[member]:
            couples = self.path.couples
            for row in np.flatnonzero(couples.ridge == member):
                both = (int(couples.left[row]), int(couples.right[row]))
                causes += [(r, frame.center[r]) for r in both if not self.path.supported[r]]
        ridge = self.rules.ridge_of.get(member, -1)
        if ridge >= 0 and not self.path.supported[ridge]:
            causes.append((ridge, frame.center[ridge]))
        elif ridge >= 0:
            # Couples hold the ridge up, but what carried it from below, and this with it, is gone.
            causes += [
                (int(supports.carrier[row]), supports.spot[row])
                for row in self.below.get(ridge, ())
                if not self.path.supported[int(supports.carrier[row])]
            ]
        return sorted(causes, key=lambda c: (round(float(c[1][2]), 3), c[0]))

    def _own_fault(self, member: int) -> Hole | None:
        """What the member lacks even if all that could carry it stood; ``None`` if nothing."""
        rules, frame = self.rules, self.joints.frame
        half = float(frame.half[member, 0])
        places = self._possible(member)
        if rules.rafter[member]:
            return self._rafter_fault(member, places, half)
        if rules.ridge[member]:
            return self._ridge_fault(member)
        if rules.upright[member]:
            return None if places else (member, UNDER, -half)
        if rules.spans_centroid(places):
            return None
        if not places:
            return member, UNDER, 0.0
        free = half if max(p[1] for p in places) < 0 else -half
        if self.pass_down[member]:  # no beam: it lacks what should bear it all along
            inner = max(p[1] for p in places) if free > 0 else min(p[0] for p in places)
            return member, UNDER, round(0.5 * (inner + free), 3)
        return member, UNDER, free

    def _possible(self, member: int) -> list[Interval]:
        rows = self.below.get(member, ())
        return [(float(a), float(b)) for a, b in self.joints.supports.span[list(rows)]]

    def _rafter_fault(self, member: int, places: list[Interval], half: float) -> Hole | None:
        ridge = self.rules.ridge_of.get(member, -1)
        supports = self.joints.supports
        away = [
            (float(supports.span[r][0]), float(supports.span[r][1]))
            for r in self.below.get(member, ())
            if int(supports.carrier[r]) != ridge
        ]
        if self.rules.spans_centroid(away):
            return None
        if not any(0.5 * (p[0] + p[1]) < 0 for p in away):
            return member, UNDER, -half
        if self.rules.partners.get(member) or member in self.rules.end_rafters:
            return None
        if ridge >= 0 and self.rules.spans_centroid(self._below_ridge(ridge)):
            return None
        if ridge >= 0 and not self.path.supported[ridge] and self._ridge_fault(ridge):
            return None
        return self._lone(member, half)

    def _lone(self, member: int, half: float) -> Hole | None:
        """What a rafter with a foot but no counterpart lacks: ties for its couple, or a top."""
        rows = self.couple_rows.get(member, ())
        if any(not self._has_foot(self._opposite(member, row)) for row in rows):
            return None
        if any(bool(self.path.couples.steep[row]) for row in rows):
            foot = min(self._possible(member), default=(-half, -half))
            return member, TIE, round(0.5 * (foot[0] + foot[1]), 3)
        return member, TOP, half

    def _opposite(self, member: int, row: int) -> int:
        left, right = int(self.path.couples.left[row]), int(self.path.couples.right[row])
        return right if left == member else left

    def _has_foot(self, rafter: int) -> bool:
        """Whether there is anything under the lower half of a rafter."""
        return any(low + high < 0 for low, high in self._possible(rafter))

    def _below_ridge(self, ridge: int) -> list[Interval]:
        """Where something other than a rafter could carry a ridge."""
        supports, rafter = self.joints.supports, self.rules.rafter
        return [
            (float(supports.span[r][0]), float(supports.span[r][1]))
            for r in self.below.get(ridge, ())
            if not rafter[int(supports.carrier[r])]
        ]

    def _ridge_fault(self, member: int) -> Hole | None:
        """A ridge with neither supports from below nor couples on both sides of its centroid."""
        couples = self.path.couples
        below = self._below_ridge(member)
        here = couples.ridge == member
        held = [(float(s), float(s)) for s in couples.station[here & couples.tied]]
        if self.rules.spans_centroid(below + held):
            return None
        any_couple = [(float(s), float(s)) for s in couples.station[here & couples.steep]]
        if self.rules.spans_centroid(below + any_couple):
            return None
        half = float(self.joints.frame.half[member, 0])
        if below:
            return member, UNDER, half if max(p[1] for p in below) < 0 else -half
        too_flat = bool((here & ~couples.steep).any())
        leaning = bool((couples.tops[:, 1] == member).any())
        return member, ONE_SIDE if leaning and not too_flat else UNDER, 0.0

    # Roots ---------------------------------------------------------------------------------------

    def spot(self, hole: Hole) -> Floats:
        """Where something is missing: on the underside (or at the top end) of the member."""
        member, lacks, t = hole
        frame = self.joints.frame
        at = frame.at(np.array([member]), np.array([t]))[0]
        if lacks == UNDER and not frame.upright[member]:
            at = at - np.array([0.0, 0.0, frame.half[member, 1]])
        return at

    def _cluster(self, holes: list[Hole]) -> list[list[Hole]]:
        """Holes of one kind in steps of at most a bay; all missing ties are one.

        What ends at a missing ridge or beam from below and what leans against it lack the same.
        """
        members = [h[0] for h in holes]
        jack = self.joints.frame.mask("JackRafter")[members]
        bare = np.array([h[1] == TOP and short_of(self.joints, h[0])[1] is None for h in holes])
        groups: list[list[Hole]] = []
        for kinds in ((ONE_SIDE,), (TIE,), (UNDER, TOP)):
            same = np.array([k for k, h in enumerate(holes) if h[1] in kinds], dtype=np.intp)
            if len(same) == 0:
                continue
            if TIE in kinds:
                label = np.zeros(len(same), dtype=np.intp)
            else:
                i, j = self._near([holes[k] for k in same], jack[same], bare[same])
                label = components(len(same), i, j)
            groups += [
                [holes[same[k]] for k in np.flatnonzero(label == first)]
                for first in np.unique(label)
            ]
        return groups

    def _near(
        self, holes: list[Hole], jack: Bools, bare: Bools
    ) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """Pairs of holes that are one missing member.

        Steps are a bay long; along a hip or valley, which runs diagonally, jacks of one bay are
        farther apart in plan. Between the tops of rafters at a missing ridge one may be held by
        something else, such as a gable. Plates and rims lack something on a whole stretch.
        """
        points = [self._along(hole) for hole in holes]
        of = np.repeat(np.arange(len(holes)), [len(p) for p in points])
        spots = np.concatenate(points)
        offset = spots[:, None] - spots[None]
        apart = np.linalg.norm(offset, axis=2)
        plan = np.linalg.norm(offset[:, :, :2], axis=2)
        jack, bare = jack[of], bare[of]
        near = apart <= table.SAME_PLACE
        near |= jack[:, None] & jack[None] & (plan <= np.sqrt(2.0) * table.SAME_PLACE)
        near |= bare[:, None] & bare[None] & (apart <= 2.0 * table.SAME_PLACE)
        i, j = np.nonzero(near)
        return of[i], of[j]

    def _along(self, hole: Hole) -> Floats:
        """Places of a hole, (k, 3), m: one, or steps along the stretch that a plate lacks."""
        member, lacks, t = hole
        if lacks != UNDER or not self.pass_down[member]:
            return self.spot(hole)[None]
        first, last = self._gap_round(member, t)
        count = 2 + int((last - first) / table.SAME_PLACE)
        return np.array([self.spot((member, lacks, at)) for at in np.linspace(first, last, count)])

    def _root(self, group: list[Hole]) -> Root:
        spots = np.array([self.spot(h) for h in group])
        group = [group[k] for k in in_line(spots, np.arange(len(group)))]
        # What most of them lack is what is missing; those are named first.
        kinds = [h[1] for h in group]
        lacks = max(dict.fromkeys(kinds), key=kinds.count)
        group.sort(key=lambda h: h[1] != lacks)
        members = list(dict.fromkeys(h[0] for h in group))
        partly = len(members) > 1 or any(
            self.path.supported[m] or self._possible(m) for m in members
        )
        return Root(members, spots, lacks, partly and lacks != ONE_SIDE)
