# SPDX-License-Identifier: GPL-3.0-or-later
"""Does every opening in a wall have a header that bears on both sides?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...result import Finding, Measures
from ..structure import Floats
from . import table
from .areas import contact_areas
from .joints import BELOW, Joints
from .missing import missing_header, missing_king
from .outcome import Outcome, measured, metres, place, point
from .walls import Gap, Walls, find_walls, wall_gaps

_CHECK = "opening_header"
_CLAUSE = "IRC R602.7"


def opening_header(joints: Joints) -> Outcome:
    """Stud bays with more than 640 mm clear have a header that bears on trimmers (R602.7).

    Which wide bays are openings is said in
    :func:`plumbline.checks.timber.engineering.spacing.spacing`. Each needs a header (or beam) over
    it; each ply of it bears at least 38 mm on what stands below it at both ends, and a full-height
    stud or post touches each end of it (R602.7.5), which is what a missing king stud shows as. A
    header that lies flat is ``orientation``'s finding.
    """
    walls = find_walls(joints)
    openings = [
        gap for gap in wall_gaps(joints) if gap.opening and gap.clear > table.OPENING + table.SLACK
    ]
    reader = _Headers(joints, walls)
    findings: dict[str, Finding] = {}
    for gap in openings:
        if not gap.headers:
            found: Iterator[Finding] = iter([_missing(joints, gap)])
        else:
            found = reader.findings(gap)
        for finding in found:
            findings.setdefault(finding.subject, finding)
    figures = {"openings": len(openings)}
    return Outcome(
        len(openings),
        tuple(findings.values()),
        figures,
        "no openings over 640 mm",
        measures=reader.measures(openings),
    )


def _missing(joints: Joints, gap: Gap) -> Finding:
    names = joints.frame.names[gap.first], joints.frame.names[gap.second]
    spot = gap.line[1]
    ends = [np.array([*side[:2], spot[2]]) for side in (gap.left, gap.right)]
    return Finding(
        _CHECK,
        f"place over the opening between {names[0]} and {names[1]}",
        f"The opening between {names[0]} and {names[1]} is {metres(gap.clear)} wide and has no "
        f"header; put one on edge on a trimmer at each side, at {place(spot)} m.",
        subject_kind="place",
        related=names,
        measured=gap.clear,
        limit=table.OPENING,
        unit="m",
        margin=table.OPENING - gap.clear,
        location=point(spot),
        clause=_CLAUSE,
        detail={
            "from": list(point(ends[0])),
            "to": list(point(ends[1])),
            "line": [list(point(end)) for end in ends],
            "missing": missing_header(joints, gap),
        },
    )


@dataclass(frozen=True)
class _End:
    """One end of a header at one side of an opening: bearing in m, and who stands there."""

    header: int
    side: int
    bearing: float
    spot: Floats


class _Headers:
    """How the headers of openings are held."""

    def __init__(self, joints: Joints, walls: Walls) -> None:
        self.joints, self.walls = joints, walls
        frame, supports, pairs = joints.frame, joints.supports, joints.pairs
        header = frame.mask("Header", "Beam") & frame.level
        self.held: dict[int, list[tuple[float, float]]] = {}
        for row in np.flatnonzero(header[supports.carried] & (supports.kind == BELOW)):
            low, high = supports.span[row].tolist()
            self.held.setdefault(int(supports.carried[row]), []).append((low, high))
        self.posts: dict[int, list[int]] = {}
        for of, post in ((pairs.i, pairs.j), (pairs.j, pairs.i)):
            near = np.flatnonzero(pairs.connected & header[of] & frame.upright[post])
            for one, other in zip(of[near].tolist(), post[near].tolist(), strict=True):
                self.posts.setdefault(one, []).append(other)
        self.low, self.high = (bound[:, 2].tolist() for bound in frame.structure.aabb)

    def findings(self, gap: Gap) -> Iterator[Finding]:
        """Ends of the headers of one opening that bear too little or end at no full stud."""
        ends = [self._end(gap, header, side) for header in gap.headers for side in (-1, 1)]
        least = table.BEARING - table.SLACK
        short = [end for end in ends if end.bearing < least]
        if short:
            yield self._short(gap, min(short, key=self._worst), short)
        for side in (-1, 1):
            here = [end for end in ends if end.side == side]
            held = any(self._full_height(gap, end) for end in here)
            if not held and all(end.bearing >= least for end in here):
                yield self._no_king(gap, here)

    def measures(self, openings: list[Gap]) -> tuple[Measures, ...]:
        """Bearings of both ends of all headers."""
        ends = [self._end(g, h, side) for g in openings for h in g.headers for side in (-1, 1)]
        rows, lengths = [end.header for end in ends], [end.bearing for end in ends]
        return measured(self.joints.frame.names, rows, lengths, table.BEARING, at_least=True)

    def _worst(self, end: _End) -> tuple[float, str, int]:
        """The least bearing first; of equal ones (plies) the first by name."""
        return round(end.bearing, 4), self.joints.frame.names[end.header], end.side

    def _end(self, gap: Gap, header: int, side: int) -> _End:
        """Bearing of a header beyond the edge of an opening."""
        frame = self.joints.frame
        d = self.walls.direction[gap.wall]
        turn = 1.0 if float(frame.along[header, :2] @ d) >= 0 else -1.0
        middle = float(frame.center[header, :2] @ d)
        spans = [
            sorted((middle + turn * a, middle + turn * b)) for a, b in self.held.get(header, ())
        ]
        if side < 0:
            here = [span for span in spans if span[0] <= gap.start + table.CONTACT]
        else:
            here = [span for span in spans if span[1] >= gap.end - table.CONTACT]
        bearing = _covered(sorted(here))
        at = np.array([side * turn * float(frame.half[header, 0])])
        return _End(header, side, bearing, frame.at(np.array([header]), at)[0])

    def _full_height(self, gap: Gap, end: _End) -> bool:
        """Whether an upright that goes on past the header touches this end of it."""
        frame = self.joints.frame
        d = self.walls.direction[gap.wall]
        reach = float(frame.half[end.header, 0]) - table.SAME_BEARING
        middle = float(frame.center[end.header, :2] @ d)
        height = float(frame.center[end.header, 2])
        return any(
            self.low[post] < height < self.high[post]
            and end.side * (float(frame.center[post, :2] @ d) - middle) >= reach
            for post in self.posts.get(end.header, ())
        )

    def _short(self, gap: Gap, worst: _End, short: list[_End]) -> Finding:
        frame = self.joints.frame
        name = frame.names[worst.header]
        beside = frame.names[gap.first if worst.side < 0 else gap.second]
        others = [frame.names[end.header] for end in short if end.header != worst.header]
        missing = table.BEARING - worst.bearing
        remedy = (
            f"put a trimmer under it beside {beside}"
            if worst.bearing <= table.CONTACT
            else f"lengthen it by {metres(missing)} or widen the support"
        )
        return Finding(
            _CHECK,
            name,
            f"{name} bears {metres(worst.bearing)} at the side of {beside}; a header needs "
            f"{metres(table.BEARING)} at both ends: {remedy}.",
            related=tuple(dict.fromkeys([*others, beside])),
            measured=worst.bearing,
            limit=table.BEARING,
            unit="m",
            margin=worst.bearing - table.BEARING,
            location=point(worst.spot),
            clause=_CLAUSE,
            detail=self._areas(worst),
        )

    def _areas(self, end: _End) -> dict[str, Any]:
        """Where the end of a header bears, and where it ought to."""
        frame = self.joints.frame
        out = float(frame.along[end.header] @ (end.spot - frame.center[end.header]))
        turn = 1.0 if out > 0 else -1.0
        near = [
            (turn * 0.5 * sum(span), span)
            for span in self.held.get(end.header, ())
            if turn * sum(span) > 0
        ]
        edge = turn * (float(frame.half[end.header, 0]) - table.BEARING)
        span = max(near)[1] if near else (edge, edge)
        return contact_areas(self.joints, end.header, span, int(turn))

    def _no_king(self, gap: Gap, here: list[_End]) -> Finding:
        frame = self.joints.frame
        names = [frame.names[end.header] for end in here]
        beside = frame.names[gap.first if here[0].side < 0 else gap.second]
        low, high = gap.low, float(frame.structure.aabb[1][here[0].header, 2])
        line = [[*here[0].spot[:2], low], [*here[0].spot[:2], high]]
        return Finding(
            _CHECK,
            f"place beside {names[0]} at {beside}",
            f"No full-height stud stands at the end of {names[0]} above {beside}; put a king stud "
            f"there, at {place(here[0].spot)} m, and nail the header to it.",
            subject_kind="place",
            related=(*names, beside),
            location=point(here[0].spot),
            clause="IRC R602.7.5",
            detail={
                "line": [list(point(end)) for end in line],
                "missing": missing_king(self.joints, gap, here[0].spot, here[0].side),
            },
        )


def _covered(spans: list[list[float]]) -> float:
    """Length that sorted intervals cover together, m."""
    total, reached = 0.0, float("-inf")
    for start, end in spans:
        total += max(0.0, end - max(start, reached))
        reached = max(reached, end)
    return total
