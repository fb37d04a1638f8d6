# SPDX-License-Identifier: GPL-3.0-or-later
"""``bearing``: joists, headers, beams and rafter seats bear at least 38 mm (R502.6, R802.6)."""

from __future__ import annotations

import itertools

import numpy as np

from ...result import Finding, Measures
from . import table
from .areas import contact_areas, seat_areas
from .joints import BELOW, END, Joints
from .outcome import Outcome, measured, metres, point

CHECK = "bearing"

#: Level members that are asked for bearing; ridges, ties and rim boards never are.
BEARS = ("Joist", "CeilingJoist", "Header", "Beam")


def bearing(joints: Joints) -> Outcome:
    """The outermost bearing at each end of level members, and every seat of sloped ones.

    Members hung between others by their ends (end-nailed, in hangers) are not asked there.
    """
    level, asked_level, of_level = _level_findings(joints)
    seats, asked_seats, of_seats = _seat_findings(joints)
    subjects = asked_level + asked_seats
    return Outcome(
        subjects,
        tuple(level + seats),
        {"bearings": subjects},
        "no joist, beam, header or seat bears",
        measures=(*of_level, *of_seats),
    )


def _level_findings(joints: Joints) -> tuple[list[Finding], int, tuple[Measures, ...]]:
    frame, supports = joints.frame, joints.supports
    bears = frame.mask(*BEARS) & frame.level
    rows = np.flatnonzero(bears[supports.carried] & (supports.kind == BELOW))
    rows = rows[np.lexsort((supports.span[rows, 0], supports.carried[rows]))]
    hung = _hung_ends(joints)
    findings: list[Finding] = []
    asked: list[tuple[int, float]] = []
    carried = supports.carried[rows]
    starts = np.flatnonzero(np.diff(carried, prepend=-1) != 0)
    for first, last in itertools.pairwise([*starts.tolist(), len(rows)]):
        member = int(carried[first])
        places = _merge(supports.span[rows[first:last]], rows[first:last])
        # With one bearing only, the end that it is nearest to is the one that needs it.
        outer = places if len(places) == 1 else (places[0], places[-1])
        for place in outer:
            sign = int(np.sign(place[0] + place[1]))
            if (member, sign) in hung:
                continue
            length = place[1] - place[0]
            asked.append((member, length))
            if length < table.BEARING - table.SLACK:
                findings.append(_short(joints, member, place, sign))
    members, lengths = zip(*asked, strict=True) if asked else ((), ())
    measures = measured(frame.names, members, lengths, table.BEARING, at_least=True)
    return sorted(findings, key=lambda f: (f.margin or 0.0, f.subject)), len(asked), measures


def _merge(spans: np.ndarray, rows: np.ndarray) -> list[tuple[float, float, int]]:
    """Bearings that touch along the member count together (plies, doubled plates)."""
    merged: list[tuple[float, float, int]] = []
    for (low, high), row in zip(spans.tolist(), rows.tolist(), strict=True):
        if merged and low <= merged[-1][1] + table.CONTACT:
            a, b, r = merged[-1]
            merged[-1] = (a, max(b, high), r)
        else:
            merged.append((low, high, row))
    return merged


def _hung_ends(joints: Joints) -> set[tuple[int, int]]:
    """Ends that hang on the side of another level member: (member, sign)."""
    frame, supports = joints.frame, joints.supports
    end = (supports.kind == END) & frame.level[supports.carrier]
    sign = np.sign(supports.span.mean(axis=1)).astype(int)
    return {(int(m), int(s)) for m, s in zip(supports.carried[end], sign[end], strict=True)}


def _short(joints: Joints, member: int, place: tuple[float, float, int], sign: int) -> Finding:
    frame, supports = joints.frame, joints.supports
    low, high, row = place
    length = high - low
    name, on = frame.names[member], frame.names[supports.carrier[row]]
    missing = table.BEARING - length
    return Finding(
        CHECK,
        name,
        f"{name} bears {metres(length)} on {on}, {metres(table.BEARING)} are needed: lengthen it "
        f"by {metres(missing)}.",
        related=(on,),
        measured=round(float(length), 4),
        limit=table.BEARING,
        unit="m",
        margin=round(-float(missing), 4),
        location=point(supports.spot[row]),
        clause="IRC R502.6",
        detail=contact_areas(joints, member, (low, high), sign, int(supports.carrier[row])),
    )


def _seat_findings(joints: Joints) -> tuple[list[Finding], int, tuple[Measures, ...]]:
    """Seats shorter than 38 mm in plan; of overlapping ones (doubled plates) the longest counts."""
    frame, seats = joints.frame, joints.seats
    best: dict[tuple[int, int], int] = {}
    for row in range(len(seats.member)):
        key = (int(seats.member[row]), round(float(seats.span[row].mean()) / table.SAME_PLACE))
        if key not in best or seats.run[row] > seats.run[best[key]]:
            best[key] = row
    findings = []
    for (member, _), row in sorted(best.items()):
        run = float(seats.run[row])
        if run >= table.BEARING - table.SLACK:
            continue
        name, on = frame.names[member], frame.names[seats.support[row]]
        findings.append(
            Finding(
                CHECK,
                name,
                f"{name} sits {metres(run)} on {on}, {metres(table.BEARING)} are needed: move it "
                f"{metres(table.BEARING - run)} farther over the support.",
                related=(on,),
                measured=round(run, 4),
                limit=table.BEARING,
                unit="m",
                margin=round(run - table.BEARING, 4),
                location=point(seats.spot[row]),
                clause="IRC R802.6",
                detail=seat_areas(joints, row),
            )
        )
    rows = np.fromiter(best.values(), np.intp, len(best))
    measures = measured(
        frame.names, seats.member[rows], seats.run[rows], table.BEARING, at_least=True
    )
    return findings, len(best), measures
