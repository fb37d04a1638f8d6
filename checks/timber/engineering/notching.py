# SPDX-License-Identifier: GPL-3.0-or-later
"""``notching``: seats and housings no deeper than the member can spare (R802.7.1, R602.6)."""

from __future__ import annotations

import numpy as np

from ...result import Finding
from . import table
from .joints import Joints
from .outcome import Outcome, metres, point

CHECK = "notching"


def notching(joints: Joints) -> Outcome:
    """Every seat of a sloped member, and every brace let into a stud."""
    seats, housings = joints.seats, joints.housings
    findings = _deep_seats(joints) + _deep_housings(joints)
    findings.sort(key=lambda f: (f.margin or 0.0, f.subject))
    subjects = len(seats.member) + len(housings.member)
    deepest = float(seats.notch.max(initial=0.0))
    figures = {
        "seats": len(seats.member),
        "housings": len(housings.member),
        "deepest_notch": deepest,
    }
    return Outcome(subjects, tuple(findings), figures, "no member is seated or let in")


def _deep_seats(joints: Joints) -> list[Finding]:
    frame, seats = joints.frame, joints.seats
    needed = np.maximum(seats.notch, seats.needed)
    excess = needed - seats.limit
    # A rafter on a doubled plate is notched once: only its deepest seat there is told.
    worst: dict[tuple[int, int], int] = {}
    for row in np.flatnonzero(excess > table.SLACK):
        key = (int(seats.member[row]), round(float(seats.span[row].mean()) / table.SAME_PLACE))
        if key not in worst or excess[row] > excess[worst[key]]:
            worst[key] = int(row)
    findings = []
    for (member, _), row in worst.items():
        name, on = frame.names[member], frame.names[seats.support[row]]
        limit, depth = float(seats.limit[row]), float(needed[row])
        if seats.notch[row] > limit + table.SLACK:
            slope = max(1.0 - float(seats.slope_sine[row]) ** 2, 1e-6) ** 0.5
            remedy = f"raise it by {metres((depth - limit) / slope)}"
            what = (
                f"The seat of {name} on {on} is {metres(depth)} deep, {metres(limit)} are allowed"
            )
        else:
            remedy = "use a deeper rafter or a lower slope"
            what = (
                f"{name} is so steep that a {metres(table.BEARING)} seat on {on} takes "
                f"{metres(depth)}, {metres(limit)} are allowed"
            )
        findings.append(
            Finding(
                CHECK,
                name,
                f"{what}: {remedy}.",
                related=(on,),
                measured=round(depth, 4),
                limit=round(limit, 4),
                unit="m",
                margin=round(limit - depth, 4),
                location=point(seats.spot[row]),
                clause="IRC R802.7.1",
            )
        )
    return findings


def _deep_housings(joints: Joints) -> list[Finding]:
    frame, housings = joints.frame, joints.housings
    findings = []
    for row in np.flatnonzero(housings.depth > housings.limit + table.SLACK):
        name, stud = frame.names[housings.member[row]], frame.names[housings.into[row]]
        depth, limit = float(housings.depth[row]), float(housings.limit[row])
        findings.append(
            Finding(
                CHECK,
                stud,
                f"{name} is let {metres(depth)} into {stud}, {metres(limit)} are allowed: move it "
                f"out by {metres(depth - limit)}.",
                related=(name,),
                measured=round(depth, 4),
                limit=round(limit, 4),
                unit="m",
                margin=round(limit - depth, 4),
                location=point(housings.spot[row]),
                clause="IRC R602.6",
            )
        )
    return findings
