# SPDX-License-Identifier: GPL-3.0-or-later
"""``load_path``: every member is held by members that reach the ground (IRC R301.1)."""

from __future__ import annotations

import numpy as np

from ...result import Finding
from ..structure import Floats
from . import table
from .broken_links import ONE_SIDE, TIE, TOP, UNDER, Root, broken_links
from .couples import find_couples
from .cuts import measure_seats
from .fixed_point import LoadPath
from .joints import CARRY_NOTHING, Joints
from .outcome import Outcome, metres, place, point

CHECK = "load_path"
CLAUSE = "IRC R301.1"

GROUND = "the ground"

#: ... and this far beside the place, m (ours: half a stud's depth).
_LOOK_ASIDE = 0.050

#: How far below a floating member something to stand on is looked for, m (ours: a sill's height).
_LOOK_BELOW = 0.150


def load_path_check(joints: Joints, path: LoadPath) -> Outcome:
    """One root finding a broken link, then one finding for every member that hangs on it."""
    judged = joints.frame.judged
    roots = broken_links(joints, path)
    findings: list[Finding] = []
    for root in roots:
        head = _root_finding(joints, root)
        findings.append(head)
        findings += [_consequence(joints, head, member) for member in root.follows]
    supported = int((path.supported & judged).sum())
    total = int(judged.sum())
    order = [f for f in findings if f.is_root] + [f for f in findings if not f.is_root]
    return Outcome(
        total,
        tuple(order),
        {"members": total, "supported": supported, "broken_links": len(roots)},
        "no members",
    )


def _consequence(joints: Joints, head: Finding, member: int) -> Finding:
    name = joints.frame.names[member]
    return Finding(
        CHECK,
        name,
        f"{name} does not reach the ground: {head.subject} comes first.",
        related=(head.subject,),
        location=point(joints.frame.center[member]),
        clause=CLAUSE,
        follows=head.key,
    )


def _root_finding(joints: Joints, root: Root) -> Finding:
    """The broken link itself: the member, or the place where one is missing."""
    frame = joints.frame
    names = [frame.names[m] for m in root.members]
    hanging = [frame.names[m] for m in root.follows if m not in root.members]
    span = names[0] if len(names) == 1 else f"{names[0]} to {names[-1]}"
    spot = root.spot
    at = place(spot)
    first = root.members[0]
    if root.lacks == UNDER and frame.sloped[first]:
        gap, support, seat = _nearest_below_rafter(joints, first)
        spot = spot if seat is None or len(root.members) > 1 else seat
    else:
        gap, support = _nearest_below(joints, first, spot)
    lone = len(root.members) == 1
    moved = lone and support is not None and root.lacks not in (TIE, TOP) and not _fits(gap)
    if moved or not (root.partly or _fits(gap)):
        subject, missing = names[0], False
        foundation = frame.roles.category[first] == "foundation"
        message = _sentence_member(names[0], root, gap, support, foundation)
    else:
        subject, missing = _place_name(root, span), True
        message = _sentence_place(span, root, at)
    related = [n for n in names if n != subject] + hanging
    if support is not None and support != GROUND and moved:
        related.append(support)
    measured = float(gap) if moved and gap is not None else None
    return Finding(
        CHECK,
        subject,
        message,
        subject_kind="place" if missing else "member",
        related=tuple(related),
        measured=None if measured is None else round(measured, 4),
        limit=None if measured is None else table.FASTENED,
        unit=None if measured is None else "m",
        margin=None if measured is None else round(table.FASTENED - measured, 4),
        location=point(spot),
        clause="IRC R802.5.2"
        if root.lacks == TIE
        else "IRC R802.3"
        if root.lacks == TOP
        else CLAUSE,
        detail=_detail(joints, root),
    )


def _detail(joints: Joints, root: Root) -> dict[str, list]:
    """Where something is missing, for pictures and for linking: points, or whole centre lines."""
    if root.lacks != ONE_SIDE:
        return {"places": [list(point(s)) for s in root.spots]}
    # The rafters that should be opposite: those that are there, mirrored at the ridge.
    frame, tops = joints.frame, find_couples(joints).tops
    ridge = root.members[0]
    rafters = tops[tops[:, 1] == ridge, 0].astype(np.intp)
    ends = np.stack([frame.end(rafters, np.full(len(rafters), s)) for s in (-1.0, 1.0)], axis=1)
    across = frame.axes[ridge, 2]
    away = (ends - frame.center[ridge]) @ across
    mirrored = ends - 2.0 * away[:, :, None] * across
    return {"lines": [[list(point(p)) for p in line] for line in mirrored]}


def _fits(gap: float | None) -> bool:
    """Whether a gap is just what a missing plate or board would fill."""
    return gap is not None and any(
        abs(gap - size) <= table.SECTION_TOLERANCE + table.SLACK for size in table.LUMBER
    )


def _place_name(root: Root, span: str) -> str:
    if root.lacks == TIE:
        return f"place between the feet of {span}"
    return f"place at the top of {span}" if root.lacks == TOP else f"place below {span}"


def _sentence_member(
    name: str, root: Root, gap: float | None, support: str | None, foundation: bool
) -> str:
    if root.lacks == ONE_SIDE:
        return (
            f"{name} has rafters on one side only and nothing under it: add the opposing rafters, "
            "or posts below."
        )
    if gap is not None and support is not None:
        if support == GROUND and not foundation:
            return f"{name} ends {metres(gap)} above the ground: put a footing or sill under it."
        if gap > 0:
            return f"{name} floats {metres(gap)} above {support}: lower it by {metres(gap)}."
        return f"{name} passes {support} without bearing on it: move it on to {support}."
    return f"{name} touches nothing that carries it: bring it into contact with a support."


def _sentence_place(span: str, root: Root, at: str) -> str:
    if root.lacks == TIE:
        return (
            f"Nothing ties the feet of {span} together: add ceiling joists or rafter ties across, "
            "or posts under the ridge."
        )
    if root.lacks == TOP:
        return f"Nothing holds the top of {span} at {at}: add a ridge, or a rafter opposite."
    return f"Nothing carries {span} at {at}: add a support below."


def _nearest_below_rafter(
    joints: Joints, member: int
) -> tuple[float | None, str | None, Floats | None]:
    """Gap of a rafter over the level member that its lower half passes closest, m, name, place."""
    frame = joints.frame
    lo, hi = frame.structure.aabb
    near = (lo[:, :2] <= hi[member, :2]).all(axis=1) & (hi[:, :2] >= lo[member, :2]).all(axis=1)
    near &= (hi[:, 2] >= lo[member, 2] - _LOOK_BELOW) & (lo[:, 2] <= hi[member, 2])
    near &= frame.level & frame.judged & ~frame.mask(*CARRY_NOTHING)
    others = np.flatnonzero(near)
    rows = np.full(len(others), member)
    seats = measure_seats(frame, rows, others, np.zeros(len(others), np.intp), _LOOK_BELOW)
    low = np.flatnonzero((seats.span.mean(axis=1) < 0) & (seats.notch < -table.FASTENED))
    if len(low) == 0:
        return None, None, None
    best = low[seats.notch[low].argmax()]
    return float(-seats.notch[best]), frame.names[seats.support[best]], seats.spot[best]


def _nearest_below(joints: Joints, member: int, spot: Floats) -> tuple[float | None, str | None]:
    """Gap to the closest member under a place, m, and its name; ``(None, None)`` beyond reach."""
    frame = joints.frame
    lo, hi = frame.structure.aabb
    # In plan the place lies within a member (or 50 mm beside it), however that is turned.
    aside = np.abs(np.einsum("nkd,nd->nk", frame.axes, spot - frame.center)) - frame.half
    aside[np.arange(len(aside)), np.abs(frame.axes[:, :, 2]).argmax(axis=1)] = 0.0
    under = (aside <= _LOOK_ASIDE).all(axis=1)
    own_low = lo[member, 2] if frame.level[member] or frame.upright[member] else spot[2]
    gap = own_low - hi[:, 2]
    under &= (gap > -0.001) & (gap <= _LOOK_BELOW) & frame.judged & (frame.level | frame.upright)
    under[member] = False
    if not under.any():
        ground_gap = float(own_low - joints.brief.ground)
        return (ground_gap, GROUND) if 0 <= ground_gap <= _LOOK_BELOW else (None, None)
    best = int(np.flatnonzero(under)[gap[under].argmin()])
    return max(float(gap[best]), 0.0), frame.names[best]
