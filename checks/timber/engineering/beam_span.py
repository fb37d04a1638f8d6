# SPDX-License-Identifier: GPL-3.0-or-later
"""Beams and headers: what stands on them, and whether they can span under it.

A beam carries every joist, ceiling joist and rafter that bears on it or vertically above it,
through whatever walls stand between. Each gives half of its span on either side and its overhang,
times the strip that it carries; a rafter against a ridge that no post carries gives all of it to
its foot. The sum is spread over the span. Plies side by side share. The members' own weight and
that of walls is part of the dead load, as in the tables of the code.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...result import Finding, Measures
from .. import lumber
from ..spans import CLAUSES, DEFLECTION, SpanLimit, allowable_beam_span
from ..structure import Floats
from . import table
from .joints import BELOW, SEAT, Joints
from .lines import ceiling_rows, cluster, joist_rows, rafter_rows
from .outcome import measured, metres, point
from .places import find_places, held_by
from .tributary import strips

Ints = NDArray[np.intp]

_CHECK = "clear_span"
_FLOOR, _CEILING, _ROOF = range(3)


@dataclass(frozen=True)
class _Loads:
    """Where rows of members bear: places (k, 3), m; carried areas (k,), m2; what they are (k,)."""

    spot: Floats
    area: Floats
    kind: Ints


def beam_findings(joints: Joints) -> tuple[list[Finding], int, float, tuple[Measures, ...]]:
    """Findings, how many spans had a load, the largest share of a limit, and all of them."""
    frame = joints.frame
    beams = np.flatnonzero(frame.mask("Beam", "Header") & frame.level)
    if len(beams) == 0:
        return [], 0, 0.0, ()
    loads, places, beside = _loads(joints), find_places(joints), _Plies(joints, beams)
    findings: dict[tuple[int, ...], Finding] = {}
    unit: dict[tuple[float, float, int], SpanLimit] = {}
    subjects, used = 0, 0.0
    told: list[tuple[int, float, float]] = []
    for row in np.flatnonzero(places.next & np.isin(places.member, beams)):
        member = int(places.member[row])
        start, end = float(places.high[row]), float(places.low[row + 1])
        outer = float(places.low[row]), float(places.high[row + 1])
        line = _line_loads(joints, loads, member, outer)
        if line is None:
            continue
        subjects += 1
        plies = beside.at(member, 0.5 * (start + end))
        width, count = beside.section(plies)
        section = round(width, 4), round(float(frame.depth[member]), 4), count
        if section not in unit:
            unit[section] = _unit(joints, *section)
        limit, why = _limit(joints, unit[section], line)
        used = max(used, (end - start) / limit)
        told.append((member, end - start, limit))
        if end - start > limit + table.SLACK and not any(member in key for key in findings):
            others = [m for m in plies if m != member]
            findings[plies] = _finding(
                joints, member, others, (start, end), limit, why, line, count
            )
    members, lengths, limits = zip(*told, strict=True) if told else ((), (), ())
    measures = measured(frame.names, members, lengths, limits)
    return list(findings.values()), subjects, used, measures


class _Plies:
    """Beams of one depth that lie side by side, and how many of them there are where."""

    def __init__(self, joints: Joints, beams: Ints) -> None:
        frame = self.frame = joints.frame
        x, y = frame.along[beams, 0], frame.along[beams, 1]
        center = frame.center[beams]
        label = np.zeros(len(beams), dtype=np.intp)
        for value, tolerance in (
            (x * x - y * y, table.ROW_TURN),
            (2.0 * x * y, table.ROW_TURN),
            (center[:, 2], table.ROW_HEIGHT),
            (frame.depth[beams], table.SECTION_TOLERANCE),
            (center[:, 0] * y - center[:, 1] * x, table.HEADER_PLIES),
        ):
            label = cluster(value, tolerance, label)
        self.label = dict(zip(beams.tolist(), label.tolist(), strict=True))
        self.group: dict[int, list[int]] = {}
        for beam, of in self.label.items():
            self.group.setdefault(of, []).append(beam)
        sides = np.sort(2.0 * frame.half[beams, 1:], axis=1)
        _, count = lumber.match_size(sides[:, 0], sides[:, 1])
        self.count = dict(zip(beams.tolist(), np.maximum(count, 1).tolist(), strict=True))

    def at(self, beam: int, t: float) -> tuple[int, ...]:
        """Beams side by side at ``t`` m from the centre of one of them."""
        frame = self.frame
        beside = np.array(self.group[self.label[beam]], dtype=np.intp)
        offset = frame.center[beam] + t * frame.along[beam] - frame.center[beside]
        along = np.abs(np.einsum("kd,kd->k", offset, frame.along[beside]))
        return tuple(beside[along <= frame.half[beside, 0]].tolist())

    def section(self, plies: tuple[int, ...]) -> tuple[float, int]:
        """Width, m, and number of plies of beams together."""
        width = float(self.frame.width[list(plies)].sum())
        return width, sum(self.count[m] for m in plies)


def _loads(joints: Joints) -> _Loads:
    """What all joists, ceiling joists and rafters hand on, place by place."""
    frame = joints.frame
    places = find_places(joints)
    strip, kind = np.zeros(len(frame)), np.full(len(frame), -1, dtype=np.intp)
    for rows, of in (
        (joist_rows(joints), _FLOOR),
        (ceiling_rows(joints), _CEILING),
        (rafter_rows(joints), _ROOF),
    ):
        strip[rows.member] = strips(joints, rows)
        kind[rows.member] = of
    kind[frame.mask("RimJoist")] = -1
    member = places.member
    half = frame.half[member, 0]
    step = np.zeros(len(member))
    if len(member) > 1:
        step[:-1] = 0.5 * (places.low[1:] - places.high[:-1])
    # The free end of a member that its places can't hold lacks a support: that would carry half.
    held = held_by(joints, places)[member]
    free = np.where(held, 1.0, 0.5)
    ahead = np.where(places.next, step, free * (half - places.high))
    behind = np.where(places.first, free * (half + places.low), np.roll(step, 1))
    length = ahead + behind + places.high - places.low
    length = np.where(_only_foot(joints, places.member, places.first), 2.0 * half, length)
    plan = np.linalg.norm(frame.along[member, :2], axis=1)
    keep = np.flatnonzero(kind[member] >= 0)
    spot = frame.at(member[keep], 0.5 * (places.low + places.high)[keep])
    # In order of x, so that a beam looks only at what is near it.
    order = np.argsort(spot[:, 0], kind="stable")
    keep = keep[order]
    return _Loads(spot[order], (length * plan * strip[member])[keep], kind[member[keep]])


def _only_foot(joints: Joints, member: Ints, first: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Lowest places of rafters that nothing else carries than a ridge without posts, (k,)."""
    frame, supports = joints.frame, joints.supports
    n = len(frame)
    from_below = (supports.kind == BELOW) | (supports.kind == SEAT)
    carried = np.bincount(supports.carried[from_below], minlength=n)
    ridge = frame.mask("Ridge") & (carried == 0)
    leans = np.zeros(n, dtype=bool)
    leans[supports.carried[ridge[supports.carrier]]] = True
    # A foot and the ridge; a rafter with a purlin or wall between hands on to those.
    count = np.bincount(member, minlength=n)
    return first & leans[member] & frame.sloped[member] & (count[member] <= 2)


def _line_loads(
    joints: Joints, loads: _Loads, beam: int, outer: tuple[float, float]
) -> Floats | None:
    """Widths of floor, ceiling and roof on a stretch of a beam, (3,), m; None if there is none."""
    frame = joints.frame
    x = float(frame.center[beam, 0])
    reach = float(np.abs(frame.axes[beam, :, 0]) @ frame.half[beam]) + table.BESIDE_BEAM
    first, last = np.searchsorted(loads.spot[:, 0], [x - reach, x + reach])
    offset = loads.spot[first:last] - frame.center[beam]
    along = offset @ frame.along[beam]
    aside = np.abs(offset @ frame.axes[beam, 2])
    on = (along >= outer[0] - table.SLACK) & (along <= outer[1] + table.SLACK)
    on &= aside <= frame.half[beam, 2] + table.BESIDE_BEAM
    on &= offset[:, 2] >= -frame.half[beam, 1] - table.SLACK
    if not on.any():
        return None
    kind, area = loads.kind[first:last][on], loads.area[first:last][on]
    area = np.bincount(kind, area, 3)
    return area / (outer[1] - outer[0])


def _unit(joints: Joints, width: float, depth: float, plies: int) -> SpanLimit:
    """Longest spans of a section under a live load of 1 N/m."""
    brief = joints.brief
    return allowable_beam_span(
        width, depth, 1.0, species=brief.species, grade=brief.grade, live=1.0, dead=0.0, plies=plies
    )


def _limit(joints: Joints, one: SpanLimit, line: Floats) -> tuple[float, str]:
    """Longest span under the worst combination of loads (ASCE 7, 2.4.1), and what governs.

    ``one`` are the limits under 1 N/m: bending goes with the root of the load, deflection with its
    cube root, shear with the load itself.
    """
    brief = joints.brief
    floor = brief.floor_live * line[_FLOOR] + table.CEILING_LIVE * line[_CEILING]
    dead = brief.floor_dead * line[_FLOOR] + table.CEILING_DEAD * line[_CEILING]
    dead += brief.roof_dead * line[_ROOF]
    roof, snow = brief.roof_live * line[_ROOF], brief.ground_snow * line[_ROOF]
    duration, both = lumber.DURATION, table.COMBINED
    stiff, roof_stiff = DEFLECTION["beam"], DEFLECTION["rafter_with_ceiling"]
    cases = [
        (dead, 0.0, duration["permanent"], stiff),
        (dead + floor, floor, duration["floor"], stiff),
        (dead + roof, roof, duration["roof"], roof_stiff),
        (dead + snow, snow, duration["snow"], roof_stiff),
        (dead + both * (floor + roof), both * (floor + roof), duration["roof"], roof_stiff),
        (dead + both * (floor + snow), both * (floor + snow), duration["snow"], roof_stiff),
    ]
    best, why = np.inf, "bending"
    for total, bends, time, number in cases:
        if total > 0:
            by_bending = float(one.bending) * np.sqrt(time / total)
            by_shear = float(one.shear) * time / total
            best, why = min((best, why), (by_bending, "bending"), (by_shear, "shear"))
        if bends > 0:
            by_deflection = float(one.deflection) * np.cbrt(stiff / number / bends)
            best, why = min((best, why), (by_deflection, "deflection"))
    return float(best), why


def _finding(
    joints: Joints,
    member: int,
    others: list[int],
    span: tuple[float, float],
    limit: float,
    why: str,
    line: Floats,
    plies: int,
) -> Finding:
    frame = joints.frame
    name, length = frame.names[member], span[1] - span[0]
    ends = frame.at(np.array([member] * 2), np.array(span))
    made = f"{plies} plies" if plies > 1 else "one piece"
    carries = ", ".join(
        f"{metres(float(width))} of {of}"
        for of, width in zip(("floor", "ceiling", "roof"), line, strict=True)
        if width > table.PLY
    )
    return Finding(
        _CHECK,
        name,
        f"{name} ({made}, {frame.depth[member] * 1000:.0f} mm deep) spans {metres(length)} and "
        f"carries {carries}; it may span {metres(limit)} ({why}): make it deeper, add plies, or "
        "put a post under it.",
        related=tuple(frame.names[m] for m in others),
        measured=length,
        limit=limit,
        unit="m",
        margin=limit - length,
        location=point(ends.mean(axis=0)),
        clause=CLAUSES["beam"],
        detail={"from": list(point(ends[0])), "to": list(point(ends[1]))},
    )
