# SPDX-License-Identifier: GPL-3.0-or-later
"""What each member is: span (T2), spacing (T3), section (T4), deflection (T5)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from .. import lumber, spans
from ..broadphase import Floats, Ints
from .rows import Rows, lying
from .scene import Bools, Scene, measured, metre, mm, not_run, outcome
from .table import JOISTS, NOT_LUMBER, RAFTERS

# A section without thickness has no span; its limit is that of a sliver this thick, m.
_SLIVER = 1e-6


def rows_of(scene: Scene, *roles: str) -> tuple[Ints, Rows]:
    """Members of the roles and the rows that they form."""

    def compute() -> tuple[Ints, Rows]:
        index = np.flatnonzero(scene.roles.mask(*roles))
        s = scene.structure
        return index, lying(s.axes[index], s.center[index], s.half[index], scene.constants)

    return scene.once(("rows", roles), compute)


def span_limits(scene: Scene, required: bool = True) -> CheckResult:
    """T2: joists and rafters are no longer than the span that their wood and spacing allow."""
    check = "span_limits"
    findings: list[Finding] = []
    subjects = 0
    measures = []
    for kind, roles in (("joist", JOISTS), ("rafter", RAFTERS)):
        index, rows = rows_of(scene, *roles)
        subjects += len(index)
        median = rows.median()
        spacing = np.where(median > 0, median, scene.constants.lone_spacing)
        length = scene.length[index].copy()
        halved = np.zeros(len(index), bool)
        if kind == "rafter" and len(index):
            if scene.crowded:
                return not_run(scene, check, scene.crowded)
            halved = over_purlin(scene)[index]
            length[halved] /= 2.0
        try:
            limit = _allowed(scene, kind, index, spacing)
        except ValueError as error:
            return not_run(scene, check, f"the brief gives no limit: {error}")
        limit = (1.0 + scene.constants.span_tolerance) * limit
        measures.append(measured(scene, index, length, limit))
        for k in np.flatnonzero(length > limit + scene.constants.slack):
            where = (int(index[k]), float(spacing[k]), float(length[k]), float(limit[k]))
            findings.append(_over_span(scene, check, kind, *where, halved=bool(halved[k])))
    return outcome(
        scene,
        check,
        findings,
        subjects=subjects,
        nothing="there is no joist and no rafter",
        required=required,
        score=1.0 - len(findings) / subjects if subjects else None,
        figures={"members": subjects},
        measures=measures,
    )


def _allowed(
    scene: Scene, kind: str, index: Ints, spacing: Floats, size: tuple[Any, Any] | None = None
) -> Floats:
    """L* of members ``index`` (or of them with another ``size``) at their spacing, m.

    Raises :class:`ValueError` if the brief's wood or loads are none that the tables know.
    """
    brief = scene.brief
    width, depth = size or (scene.width[index], scene.depth[index])
    return spans.allowable_span(
        "joist" if kind == "joist" else "rafter",
        np.maximum(width, _SLIVER),
        np.maximum(depth, _SLIVER),
        spacing,
        species=brief.species,
        grade=brief.grade,
        live=brief.floor_live if kind == "joist" else brief.roof_live,
        dead=brief.floor_dead if kind == "joist" else brief.roof_dead,
        snow=0.0 if kind == "joist" else brief.ground_snow,
        ceiling=brief.ceiling_on_rafters,
    ).length


def _over_span(
    scene: Scene,
    check: str,
    kind: str,
    k: int,
    spacing: float,
    length: float,
    limit: float,
    *,
    halved: bool,
) -> Finding:
    name = scene.structure.names[k]
    section = f"{mm(scene.width[k])[:-3]} x {mm(scene.depth[k])}"
    wood = f"{scene.brief.species} {scene.brief.grade}"
    half = " (half its length, over a purlin)" if halved else ""
    return Finding(
        check,
        name,
        f"{name} ({section}, {mm(spacing)} on centre) spans {metre(length)}{half}, "
        f"{wood} allows {metre(limit)}: {_deeper(scene, kind, k, spacing, length)}.",
        measured=length,
        limit=limit,
        unit="m",
        margin=limit - length,
        location=scene.place(k),
        clause=scene.clause("T2"),
        detail=_span_line(scene, k),
    )


def _deeper(scene: Scene, kind: str, k: int, spacing: float, length: float) -> str:
    """The remedy: the smallest 2x that reaches, or a support."""
    sizes = [n for n in ("2x6", "2x8", "2x10", "2x12") if lumber.SIZES[n][1] > scene.depth[k]]
    middle = "support it in the middle"
    if not sizes:
        return middle
    width, depth = np.array([lumber.SIZES[n] for n in sizes]).T
    limit = _allowed(scene, kind, np.array([k]), np.array(spacing), (width, depth))
    enough = np.flatnonzero(length <= (1.0 + scene.constants.span_tolerance) * limit)
    return f"use {sizes[enough[0]]} or {middle}" if len(enough) else middle


def _span_line(scene: Scene, k: int) -> dict[str, Any]:
    """Both ends of a member, for pictures."""
    s = scene.structure
    reach = s.axes[k, 0] * s.half[k, 0]
    return {"from": (s.center[k] - reach).tolist(), "to": (s.center[k] + reach).tolist()}


def over_purlin(scene: Scene) -> Bools:
    """Rafters that a purlin crosses from below, (n,).

    The purlin is adjacent, runs across in plan, meets the rafter's line between its ends, and its
    top is at most the adjacency reach under the rafter's underside there.
    """
    held = np.zeros(len(scene), bool)
    i, j = scene.both_ways
    wanted = scene.roles.mask(*RAFTERS)[i] & scene.roles.mask("Purlin")[j]
    i, j = i[wanted], j[wanted]
    if not len(i):
        return held
    s, reach = scene.structure, scene.constants.reach + scene.constants.slack
    u, v = s.axes[i, 0], s.axes[j, 0]
    plan_u, plan_v = np.hypot(u[:, 0], u[:, 1]), np.hypot(v[:, 0], v[:, 1])
    cross = u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]
    across = np.abs(cross) > scene.constants.crossing * plan_u * plan_v
    safe = np.where(np.abs(cross) > 1e-12, cross, 1.0)
    d = s.center[j] - s.center[i]
    t = (d[:, 0] * v[:, 1] - d[:, 1] * v[:, 0]) / safe
    r = (d[:, 0] * u[:, 1] - d[:, 1] * u[:, 0]) / safe
    inside = (np.abs(t) <= s.half[i, 0] + reach) & (np.abs(r) <= s.half[j, 0] + reach)
    # Heights at the crossing: the rafter's centre line and underside, the purlin's line and top.
    rafter = s.center[i, 2] + t * u[:, 2]
    under = rafter - _half_height(scene, i)
    purlin = s.center[j, 2] + r * v[:, 2]
    meets = (purlin < rafter) & (under - (purlin + _half_height(scene, j)) <= reach)
    held[i[across & inside & meets]] = True
    return held


def _half_height(scene: Scene, index: Ints) -> Floats:
    """Half the vertical thickness of members on their centre line, (k,), m.

    A plumb line leaves the box through the first of the faces that it reaches.
    """
    s = scene.structure
    rise = np.maximum(np.abs(s.axes[index, :, 2]), 1e-12)
    return (s.half[index] / rise).min(axis=1)


def oc_spacing(scene: Scene) -> CheckResult:
    """T3: the median spacing of every row of joists is 406 or 610 mm."""
    check, constants = "oc_spacing", scene.constants
    index, rows = rows_of(scene, *JOISTS)
    rowed = rows.sizes() >= constants.row
    median = rows.median()
    leads = np.flatnonzero((rows.group == np.arange(len(index))) & rowed)
    wanted = np.array(constants.spacings)
    findings = []
    for k in leads:
        spacing = float(median[k])
        target = float(wanted[np.argmin(np.abs(wanted - spacing))])
        margin = constants.spacing_tolerance - abs(spacing - target)
        if margin >= -constants.slack:
            continue
        members = index[rows.group == k]
        name = scene.structure.names[index[k]]
        choice = " or ".join(mm(w) for w in wanted)
        findings.append(
            Finding(
                check,
                name,
                f"{name} and {len(members) - 1} joists beside it lie {mm(spacing)} apart (median): "
                f"set them {choice} on centre, within {mm(constants.spacing_tolerance)}.",
                related=scene.names(members[members != index[k]]),
                measured=spacing,
                limit=target,
                unit="m",
                margin=margin,
                location=scene.place(int(index[k])),
                clause=scene.clause("T3"),
            )
        )
    return outcome(
        scene,
        check,
        findings,
        subjects=len(leads),
        nothing=f"no {constants.row} joists lie parallel on one level",
        score=1.0 - len(findings) / len(leads) if len(leads) else None,
        figures={"rows": len(leads), "medians": [float(median[k]) for k in leads]},
    )


def lumber_dimensions(scene: Scene) -> CheckResult:
    """T4: both cross dimensions of every member are near those of lumber."""
    check, constants = "lumber_dimensions", scene.constants
    index = np.flatnonzero(~scene.roles.mask(*NOT_LUMBER))
    width, depth = scene.width[index], scene.depth[index]
    off_width, near_width = _off(width, constants.widths)
    off_depth, near_depth = _off(depth, constants.depths)
    margin_width = constants.width_tolerance - off_width
    margin_depth = constants.depth_tolerance - off_depth
    bad = np.minimum(margin_width, margin_depth) < -constants.slack
    findings = []
    for k in np.flatnonzero(bad):
        narrow = margin_width[k] <= margin_depth[k]
        name = scene.structure.names[index[k]]
        wrong, near, margin = (
            (width[k], near_width[k], margin_width[k])
            if narrow
            else (depth[k], near_depth[k], margin_depth[k])
        )
        findings.append(
            Finding(
                check,
                name,
                f"{name} is {mm(width[k])[:-3]} x {mm(depth[k])}, no lumber size: its "
                f"{'width' if narrow else 'depth'} of {mm(wrong)} is nearest to {mm(near)}; "
                f"use {mm(near_width[k])[:-3]} x {mm(near_depth[k])}.",
                measured=float(wrong),
                limit=float(near),
                unit="m",
                margin=float(margin),
                location=scene.place(int(index[k])),
                clause=scene.clause("T4"),
            )
        )
    return outcome(
        scene,
        check,
        findings,
        subjects=len(index),
        nothing="there is no member of lumber",
        score=1.0 - len(findings) / len(index) if len(index) else None,
        figures={"members": len(index)},
    )


def _off(value: Floats, sizes: tuple[float, ...]) -> tuple[Floats, Floats]:
    """Distance to the nearest size, and that size, (k,) each, m."""
    table = np.array(sizes)
    apart = np.abs(value[:, None] - table)
    nearest = np.argmin(apart, axis=1)
    return apart[np.arange(len(value)), nearest], table[nearest]


def deflection(scene: Scene, required: bool = True) -> CheckResult:
    """T5: floor joists under 1900 N/m bend by no more than 1.08 L/360."""
    check, constants = "deflection", scene.constants
    roles = (*JOISTS, *RAFTERS) if constants.deflect_rafters else JOISTS
    index = np.flatnonzero(scene.roles.mask(*roles))
    length = scene.length[index]
    inertia = np.maximum(scene.width[index] * scene.depth[index] ** 3 / 12.0, _SLIVER**4)
    stiffness = 384.0 * constants.modulus * inertia
    sag = 5.0 * constants.line_load * length**4 / stiffness
    limit = (1.0 + constants.deflection_tolerance) * length / constants.deflection_ratio
    longest = np.cbrt(
        (1.0 + constants.deflection_tolerance)
        * stiffness
        / (constants.deflection_ratio * 5.0 * constants.line_load)
    )
    findings = []
    for k in np.flatnonzero(length > longest + constants.slack):
        member = int(index[k])
        name = scene.structure.names[member]
        section = f"{mm(scene.width[member])[:-3]} x {mm(scene.depth[member])}"
        findings.append(
            Finding(
                check,
                name,
                f"{name} ({section}, {metre(length[k])} long) bends by {mm(sag[k])}, "
                f"{mm(limit[k])} are allowed: no longer than {metre(longest[k])}, or deeper.",
                measured=float(sag[k]),
                limit=float(limit[k]),
                unit="m",
                margin=float(limit[k] - sag[k]),
                location=scene.place(member),
                clause=scene.clause("T5"),
                detail=_span_line(scene, member),
            )
        )
    return outcome(
        scene,
        check,
        findings,
        subjects=len(index),
        nothing="there is no floor joist",
        required=required,
        score=1.0 - len(findings) / len(index) if len(index) else None,
        figures={"members": len(index)},
        measures=[measured(scene, index, sag, limit)],
    )
