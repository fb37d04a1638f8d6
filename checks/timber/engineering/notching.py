# SPDX-License-Identifier: GPL-3.0-or-later
"""``notching``: seats and housings no deeper than the member can spare (R802.7.1, R602.6)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import Finding, Measures
from ..polygons import box_planes, intersect_half_spaces
from . import table
from .joints import Joints
from .outcome import Outcome, measured, metres, point, points

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
    return Outcome(
        subjects,
        tuple(findings),
        figures,
        "no member is seated or let in",
        measures=_measures(joints),
    )


def _measures(joints: Joints) -> tuple[Measures, ...]:
    """Every notch that there is or that a 38 mm seat would take, and every housing."""
    names, seats, housings = joints.frame.names, joints.seats, joints.housings
    cut = np.maximum(seats.notch, seats.needed)
    return (
        *measured(names, seats.member, cut, seats.limit),
        *measured(names, housings.into, housings.depth, housings.limit),
    )


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
                detail=_seat_cut(joints, row, depth),
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
                detail=_housing_cut(joints, int(row)),
            )
        )
    return findings


def _seat_cut(joints: Joints, row: int, depth: float) -> dict[str, Any]:
    """The wedge that a seat of ``depth`` takes out of a rafter, and how that depth is measured.

    In plan distance and height along the rafter's run the wedge lies between its underside, the
    plumb cut at the lower end of the seat and the level cut on top of the support.
    """
    frame, seats = joints.frame, joints.seats
    member = int(seats.member[row])
    along, up, across = frame.axes[member]
    sine = float(seats.slope_sine[row])
    cosine = max(1.0 - sine**2, 1e-6) ** 0.5
    run = float(seats.run[row])
    # The heel is the corner of the support that is deepest in the rafter; a cut that is yet to be
    # made begins where the seat does, and its top is as high as that depth makes it.
    plan = np.array([along[0], along[1], 0.0]) / cosine
    foot = seats.spot[row] - 0.5 * run * plan
    foot = foot - np.array([0.0, 0.0, float(seats.notch[row]) / cosine])
    heel = foot + np.array([0.0, 0.0, depth / cosine])
    reach = min(depth / cosine / (sine / cosine), max(run, table.BEARING))
    level = heel + reach * plan
    low = foot + reach * (plan + np.array([0.0, 0.0, sine / cosine]))
    side = float(frame.half[member, 2]) * across
    ring = np.array([foot, heel, level, low])
    return {
        "from": list(point(heel - depth * up)),
        "to": list(point(heel)),
        "cut": points(np.concatenate([ring - side, ring + side])),
    }


def _housing_cut(joints: Joints, row: int) -> dict[str, Any]:
    """What a brace takes out of a stud, and how deep that is."""
    frame, housings, pairs = joints.frame, joints.housings, joints.pairs
    both = np.array([housings.into[row], housings.member[row]])
    normals, offsets = box_planes(frame.center[both], frame.axes[both], frame.half[both])
    reach = np.linalg.norm(frame.half[both[:1]], axis=1) * 1.01
    _, faces, _ = intersect_half_spaces(
        normals.reshape(1, -1, 3), offsets.reshape(1, -1), frame.center[both[:1]], reach
    )
    corners = faces.reshape(-1, 3)
    corners = np.unique(np.round(corners[~np.isnan(corners[:, 0])], 4), axis=0)
    if len(corners) < 4:
        return {}
    pair = int(housings.pair[row])
    owner = int((pairs.i if pairs.face[pair] < 3 else pairs.j)[pair])
    step = 0.5 * float(housings.depth[row]) * frame.axes[owner, int(pairs.face[pair]) % 3]
    middle = corners.mean(axis=0)
    return {
        "from": list(point(middle - step)),
        "to": list(point(middle + step)),
        "cut": points(corners),
    }
