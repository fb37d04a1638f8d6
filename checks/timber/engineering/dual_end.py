# SPDX-License-Identifier: GPL-3.0-or-later
"""``dual_end_connection``: studs and rafters are connected at both ends (R602.3)."""

from __future__ import annotations

import numpy as np

from ...result import Finding
from ..structure import Floats
from . import table
from .contact import Bools, Ints
from .cuts import RAFTERS
from .joints import Joints
from .outcome import Outcome, neighbours, point

CHECK = "dual_end_connection"
CLAUSE = "IRC R602.3"

STUDS = ("Stud", "KingStud", "TrimmerStud")

#: Part of the length that counts as an end for members nailed through the face (paper, T10).
_END_ZONE = 0.20


def dual_end_connection(joints: Joints) -> Outcome:
    """Contact or fastening at the lower and at the upper end of each stud and rafter.

    A stud beside another stud is no connection of either end. A rafter's foot is its seat,
    wherever (it has a tail), or a hold in its lower half; its top is only where it ends, and a
    collar tie holds no top.
    """
    frame = joints.frame
    stud = frame.mask(*STUDS) & ~frame.level
    rafter = frame.mask(*RAFTERS) & ~frame.level
    low, high = _by_ends(joints)
    side_low, side_high = _by_sides(joints, stud)
    foot, top = _by_seats(joints)
    low |= np.where(rafter, foot, side_low)
    high |= np.where(rafter, top, side_high)
    asked = stud | rafter
    findings: list[Finding] = []
    for sign, held in ((-1.0, low), (1.0, high)):
        findings += _findings(joints, np.flatnonzero(asked & ~held), sign)
    count = int(asked.sum())
    figures = {"studs": int(stud.sum()), "rafters": int(rafter.sum())}
    return Outcome(count, tuple(findings), figures, "no studs or rafters")


def _by_ends(joints: Joints) -> tuple[Bools, Bools]:
    """Ends cut to fit against, or running into, another member."""
    ends, n = joints.ends, len(joints.frame)
    low, high = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    low[ends.member[ends.sign < 0]] = True
    high[ends.member[ends.sign > 0]] = True
    return low, high


def _by_sides(joints: Joints, stud: Bools) -> tuple[Bools, Bools]:
    """Faces of crossing members nailed within a fifth of the length of an end."""
    frame, pairs = joints.frame, joints.pairs
    low, high = np.zeros(len(frame), dtype=bool), np.zeros(len(frame), dtype=bool)
    crossing = pairs.patch & (np.abs(pairs.turn[:, 0, 0]) < table.PARALLEL)
    for member, span in ((pairs.i, pairs.span_i), (pairs.j, pairs.span_j)):
        use = crossing & stud[member]
        half = frame.half[member, 0]
        zone = half * (1.0 - 2.0 * _END_ZONE)
        low[member[use & (span[:, 0] <= -zone)]] = True
        high[member[use & (span[:, 1] >= zone)]] = True
    return low, high


def _by_seats(joints: Joints) -> tuple[Bools, Bools]:
    """Feet and tops of rafters: seats, members under them, and rafters met at the apex."""
    frame, seats, supports = joints.frame, joints.seats, joints.supports
    n = len(frame)
    foot, top = np.zeros(n, dtype=bool), np.zeros(n, dtype=bool)
    middle = seats.span.mean(axis=1)
    near_top = middle >= frame.half[seats.member, 0] * (1.0 - 2.0 * _END_ZONE)
    # The tail of a short jack may be as long as its run: its seat is its foot all the same.
    foot[seats.member[~near_top]] = True
    top[seats.member[near_top]] = True
    at = supports.span.mean(axis=1)
    foot[supports.carried[at < 0]] = True
    rafter = frame.mask(*RAFTERS)
    pairs = joints.pairs
    meets = pairs.connected & rafter[pairs.i] & rafter[pairs.j]
    meets &= np.abs(pairs.turn[:, 0, 0]) < table.PARALLEL
    for member, other in ((pairs.i, pairs.j), (pairs.j, pairs.i)):
        tip = frame.end(member, np.ones(len(member)))
        close = np.abs(np.einsum("kcd,kd->kc", frame.axes[other], tip - frame.center[other]))
        within = (close <= frame.half[other] + frame.depth[member][:, None]).all(axis=1)
        top[member[meets & within]] = True
    return foot, top


def _findings(joints: Joints, members: Ints, sign: float) -> list[Finding]:
    """Loose ends; neighbours that are loose together lack one member between them: the place."""
    frame = joints.frame
    ends = frame.end(members, np.full(len(members), sign))
    word, side = ("foot", "below") if sign < 0 else ("top", "above")
    findings: list[Finding] = []
    for group in neighbours(ends, table.SAME_PLACE):
        names = [frame.names[members[k]] for k in group]
        head: Finding | None = None
        if len(group) > 1:
            head = _place(names, ends[group], word, side)
            findings.append(head)
        for k, name in zip(group, names, strict=True):
            findings.append(
                Finding(
                    CHECK,
                    name,
                    f"The {word} of {name} is connected to nothing: bring it into contact with the "
                    f"member {side}.",
                    related=() if head is None else (head.subject,),
                    location=point(ends[k]),
                    clause=CLAUSE,
                    follows=None if head is None else head.key,
                )
            )
    return findings


def _place(names: list[str], ends: Floats, word: str, side: str) -> Finding:
    span = f"{names[0]} to {names[-1]}"
    return Finding(
        CHECK,
        f"place {side} {span}",
        f"Nothing connects the {word}s of {span}: add the member {side} them.",
        subject_kind="place",
        related=tuple(names),
        location=point(ends.mean(axis=0)),
        clause=CLAUSE,
        detail={"places": [list(point(e)) for e in ends]},
    )
