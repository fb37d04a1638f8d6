# SPDX-License-Identifier: GPL-3.0-or-later
"""``load_path``: every member is held by members that reach the ground (IRC R301.1)."""

from __future__ import annotations

import numpy as np

from ...result import Finding
from ..structure import Floats
from . import table
from .broken_links import ONE_SIDE, TIE, TOP, UNDER, Root, broken_links
from .couples import find_couples
from .fixed_point import LoadPath
from .joints import Joints
from .linking import NO_RIDGE
from .near_misses import GROUND, nearest_below, nearest_below_rafter, short_of
from .outcome import Outcome, metres, place, point

CHECK = "load_path"
CLAUSE = "IRC R301.1"


def load_path_check(joints: Joints, path: LoadPath) -> Outcome:
    """One root finding a broken link, then one finding for every member that hangs on it."""
    judged = joints.frame.judged
    roots = broken_links(joints, path)
    findings: list[Finding] = []
    for root in roots:
        head = _root_finding(joints, root)
        findings.append(head)
        names = joints.frame.names
        findings += [
            _consequence(joints, head, m) for m in root.follows if names[m] != head.subject
        ]
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
        f"{name} does not reach the ground; mend this first: {head.subject}.",
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
        gap, support, seat = nearest_below_rafter(joints, first)
        spot = spot if seat is None or len(root.members) > 1 else seat
    else:
        gap, support = nearest_below(joints, first, spot)
    lone = len(root.members) == 1
    if root.lacks == TOP and lone:
        gap, support = short_of(joints, first)
    # A cripple that is nailed to the plate above it is where it belongs: what it stood on is gone.
    hangs = lone and gap is None and bool(frame.upright[first]) and _connected(joints, first)
    moved = lone and support is not None and root.lacks != TIE and not _fits(gap)
    if moved or not (root.partly or hangs or _fits(gap)):
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
        margin=None if measured is None else round(table.FASTENED - abs(measured), 4),
        location=point(spot),
        clause="IRC R802.5.2" if root.lacks == TIE else NO_RIDGE if root.lacks == TOP else CLAUSE,
        detail={**_detail(joints, root), **_gap(joints, root, spot, measured)},
    )


def _connected(joints: Joints, member: int) -> bool:
    """Whether anything that is judged touches a member or is fastened to it."""
    pairs, judged = joints.pairs, joints.frame.judged
    near = pairs.connected & ((pairs.i == member) | (pairs.j == member))
    return bool((judged[pairs.i[near]] & judged[pairs.j[near]]).any())


def _gap(joints: Joints, root: Root, spot: Floats, gap: float | None) -> dict[str, list[float]]:
    """Ends of the gap that was measured at a member: plumb under it, or beyond its upper end."""
    if gap is None or gap <= 0:
        return {}
    member = root.members[0]
    way = joints.frame.along[member] if root.lacks == TOP else np.array([0.0, 0.0, -1.0])
    return {"from": list(point(spot)), "to": list(point(spot + gap * way))}


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
    if root.lacks == TOP and gap is not None:
        return f"{name} ends {metres(gap)} short of {support}: lengthen it by {metres(gap)}."
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
