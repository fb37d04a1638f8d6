# SPDX-License-Identifier: GPL-3.0-or-later
"""Is every joist, rafter, beam and header strong and stiff enough for its clear span?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...result import Finding, Measures
from .. import lumber
from ..spans import RoleKind, SpanError, SpanLimit, allowable_span
from ..structure import Floats
from . import table
from .beam_span import beam_findings
from .joints import Joints
from .lines import Rows, ceiling_rows, joist_rows, rafter_rows
from .outcome import Outcome, measured, metres, point
from .places import Places, find_places, merge
from .tributary import strips

Ints = NDArray[np.intp]

_CHECK = "clear_span"


@dataclass(frozen=True)
class _Spans:
    """Longest clear span of ``k`` members: where it begins and ends on the axis, and in plan, m."""

    member: Ints
    start: Floats
    end: Floats
    length: Floats


def clear_span(joints: Joints) -> Outcome:
    """Clear spans are within what the section can carry at the measured spacing.

    The span is the distance between the inner edges of neighbouring bearings, for rafters its
    horizontal projection, from the seat to the face of the ridge (or to the upper end where nothing
    but the opposing rafter is met). Limits come from :mod:`plumbline.checks.timber.spans` with the
    species, grade and loads of the brief; ceiling joists carry an attic without storage. The
    spacing is half the bays on both sides (see :mod:`.tributary`). Beams and headers: see
    :mod:`.beam_span`. Hips and valleys are left out: the code designs them as beams of their own
    (R802.4.3). Where species, grade or loads allow no limit the check is not run.
    """
    try:
        findings, subjects, used, measures = _rows_findings(joints)
        more, beams, beam_used, of_beams = beam_findings(joints)
    except (SpanError, lumber.LumberError) as error:
        return Outcome(0, not_run=f"No span limit can be worked out: {error}.")
    figures = {"spans": subjects + beams, "largest_share_of_limit": max(used, beam_used)}
    return Outcome(
        subjects + beams,
        (*findings, *more),
        figures,
        "no joists, rafters or ceiling joists",
        measures=(*measures, *of_beams),
    )


def _rows_findings(joints: Joints) -> tuple[list[Finding], int, float, list[Measures]]:
    findings: list[Finding] = []
    measures: list[Measures] = []
    subjects, used = 0, 0.0
    families: tuple[tuple[Rows, RoleKind], ...] = (
        (joist_rows(joints), "joist"),
        (ceiling_rows(joints), "ceiling_joist"),
        (rafter_rows(joints), "rafter"),
    )
    for rows, kind in families:
        strip = strips(joints, rows)
        spans, row = _longest(joints, rows)
        if len(spans.member) == 0:
            continue
        limit = _limits(joints, spans.member, strip[row], kind)
        subjects += len(spans.member)
        used = max(used, float((spans.length / limit.length).max()))
        measures += measured(joints.frame.names, spans.member, spans.length, limit.length)
        findings += [
            _finding(joints, spans, int(k), limit, float(strip[row[k]]), kind)
            for k in np.flatnonzero(spans.length > limit.length + table.SLACK)
        ]
    return findings, subjects, used, measures


def _longest(joints: Joints, rows: Rows) -> tuple[_Spans, Ints]:
    """The longest clear span of each member of rows that has one, and its row number."""
    frame = joints.frame
    wanted = ~frame.mask("RimJoist")[rows.member]
    index = np.full(len(frame), -1, dtype=np.intp)
    index[rows.member[wanted]] = np.flatnonzero(wanted)
    places = _with_apex(joints, find_places(joints), index)
    spans = np.flatnonzero(places.next & (index[places.member] >= 0))
    member = places.member[spans]
    start, end = places.high[spans], places.low[spans + 1]
    plan = np.linalg.norm(frame.along[member, :2], axis=1)
    length = (end - start) * plan
    order = np.lexsort((-length, member))
    first = np.flatnonzero(np.r_[True, np.diff(member[order]) != 0]) if len(order) else order
    pick = order[first]
    found = _Spans(member[pick], start[pick], end[pick], length[pick])
    return found, index[found.member]


def _with_apex(joints: Joints, places: Places, index: Ints) -> Places:
    """Places, and the upper ends of rafters that are held below their centroid only."""
    frame = joints.frame
    row = np.flatnonzero(places.last & (index[places.member] >= 0))
    member = places.member[row]
    leans = frame.sloped[member] & (places.high[row] < 0)
    member = member[leans]
    top = frame.half[member, 0]
    return merge(
        np.concatenate([places.member, member]),
        np.concatenate([places.low, top]),
        np.concatenate([places.high, top]),
    )


def _limits(joints: Joints, member: Ints, strip: Floats, kind: RoleKind) -> SpanLimit:
    """Limits of members (k,), whatever number of plies each of them is made of."""
    frame = joints.frame
    width, depth = frame.width[member], frame.depth[member]
    plies = count_plies(width, depth)
    length, governs = np.zeros(len(member)), np.full(len(member), "", dtype="<U10")
    for count in np.unique(plies):
        some = plies == count
        limit = _span(joints, width[some], depth[some], strip[some], kind, int(count))
        length[some], governs[some] = limit.length, limit.governed_by
        clause = limit.clause
    return SpanLimit(length, governs, clause, length, length, length)


def count_plies(width: Floats, depth: Floats) -> Ints:
    """Of how many plies sections are built, 1 for solid and odd ones, (k,)."""
    sides, which = np.unique(
        np.round(np.stack([width, depth], axis=1), 4), axis=0, return_inverse=True
    )
    _, plies = lumber.match_size(sides.min(axis=1), sides.max(axis=1))
    return np.maximum(plies, 1)[which.reshape(-1)]


def _span(
    joints: Joints, width: Floats, depth: Floats, strip: Floats, kind: RoleKind, plies: int
) -> SpanLimit:
    brief = joints.brief
    live, dead, snow = {
        "joist": (brief.floor_live, brief.floor_dead, 0.0),
        "rafter": (brief.roof_live, brief.roof_dead, brief.ground_snow),
        "ceiling_joist": (table.CEILING_LIVE, table.CEILING_DEAD, 0.0),
    }[kind]
    return allowable_span(
        kind, width, depth, strip, species=brief.species, grade=brief.grade, live=live, dead=dead,
        snow=snow, plies=plies, ceiling=brief.ceiling_on_rafters,
    )  # fmt: skip


def _finding(
    joints: Joints, spans: _Spans, k: int, limit: SpanLimit, strip: float, kind: RoleKind
) -> Finding:
    frame, brief = joints.frame, joints.brief
    member = int(spans.member[k])
    length, allowed = float(spans.length[k]), float(limit.length[k])
    width, depth = float(frame.width[member]), float(frame.depth[member])
    ends = frame.at(np.array([member] * 2), np.array([spans.start[k], spans.end[k]]))
    return Finding(
        _CHECK,
        frame.names[member],
        f"{frame.names[member]} spans {metres(length)} between its bearings; as a "
        f"{kind.replace('_', ' ')} of {width * 1000:.0f} x {depth * 1000:.0f} mm ({brief.species} "
        f"{brief.grade}, {metres(strip)} on centre) it may span {metres(allowed)} "
        f"({limit.governed_by[k]}): {_remedy(joints, member, length, strip, kind)}.",
        measured=length,
        limit=allowed,
        unit="m",
        margin=allowed - length,
        location=point(ends.mean(axis=0)),
        clause=limit.clause,
        detail={"from": list(point(ends[0])), "to": list(point(ends[1]))},
    )


def _remedy(joints: Joints, member: int, length: float, strip: float, kind: RoleKind) -> str:
    """The next deeper size that will do, if there is one."""
    frame = joints.frame
    width, depth = float(frame.width[member]), float(frame.depth[member])
    deeper = np.array([d for d in table.LUMBER if d > depth + table.SECTION_TOLERANCE])
    if len(deeper):
        fits = _span(
            joints, np.full(len(deeper), width), deeper, np.full(len(deeper), strip), kind,
            int(count_plies(np.array([width]), np.array([depth]))[0]),
        ).length >= length  # fmt: skip
        if fits.any():
            return f"put a support under it or make it {deeper[fits][0] * 1000:.0f} mm deep"
    return "put a support under it"
