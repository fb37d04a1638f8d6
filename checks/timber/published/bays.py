# SPDX-License-Identifier: GPL-3.0-or-later
"""The released server's gaps: bays of walls, floors and roofs that are too wide."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from .. import lumber
from ..broadphase import Floats, Ints, aabb_pairs_between
from .members import rows_of
from .rows import Rows, bridged, standing
from .scene import Bools, Scene, measured, mm, not_run, outcome
from .table import JOISTS, RAFTERS, STUDS

#: Uprights that stand in a wall and so end a bay; two posts by themselves frame none.
UPRIGHTS = (*STUDS, "CornerPost", "Post")


def gap_detection(scene: Scene) -> CheckResult:
    """Neighbouring studs, joists and rafters are at most 615 mm apart.

    Neighbours are next to each other in a row and touch a common member (plate, sill, ridge). A
    bay between studs that a header spans is an opening, and one between two posts is no wall.
    """
    check = "gap_detection"
    if scene.crowded:
        return not_run(scene, check, scene.crowded)
    findings: list[Finding] = []
    bays, widest = 0, 0.0
    measures = []
    stud = scene.roles.mask(*STUDS)
    for kind, (index, rows) in _rows(scene).items():
        near = bridged(rows, index, *scene.both_ways, len(scene))
        bay = rows.bays[near]
        one, two = index[bay], index[rows.after[bay]]
        gap = rows.spacing[bay]
        if kind == "stud":
            framed = stud[one] | stud[two]
            one, two, gap = one[framed], two[framed], gap[framed]
            gap = np.where(_opening(scene, one, two, gap), 0.0, gap)
        bays += len(one)
        widest = max(widest, float(gap.max(initial=0.0)))
        beside, both = np.concatenate([one, two]), np.concatenate([gap, gap])
        measures.append(measured(scene, beside, both, scene.constants.bay))
        wide = np.flatnonzero(gap > scene.constants.bay + scene.constants.slack)
        findings += [_gap(scene, kind, int(one[k]), int(two[k]), float(gap[k])) for k in wide]
    subjects = int(scene.roles.mask(*STUDS, *JOISTS, *RAFTERS).sum())
    if not subjects:
        findings.append(
            Finding(
                check,
                "the frame",
                "There is no stud, no joist and no rafter: frame walls, floor and roof.",
                subject_kind="place",
                clause=scene.clause(check),
            )
        )
    return outcome(
        scene,
        check,
        findings,
        subjects=subjects,
        score=1.0 - len(findings) / bays if bays else None,
        figures={"bays": bays, "widest": widest},
        measures=measures,
    )


def _rows(scene: Scene) -> dict[str, tuple[Ints, Rows]]:
    return {
        "stud": _walls(scene),
        "joist": rows_of(scene, *JOISTS),
        "rafter": rows_of(scene, *RAFTERS),
    }


def _walls(scene: Scene) -> tuple[Ints, Rows]:
    """Uprights and their rows; a square one stands in walls of both directions, so comes twice."""
    s = scene.structure
    upright = np.flatnonzero(scene.roles.mask(*UPRIGHTS))
    square = upright[s.half[upright, 1] - s.half[upright, 2] <= lumber.SIZE_TOLERANCE / 2.0]
    axes = np.concatenate([s.axes[upright], s.axes[square][:, [0, 2, 1]]])
    index = np.concatenate([upright, square])
    return index, standing(axes, s.center[index], s.half[index], scene.constants)


def _opening(scene: Scene, one: Ints, two: Ints, gap: Floats) -> Bools:
    """Whether a header passes over the middle of each bay that is too wide."""
    wide = np.flatnonzero(gap > scene.constants.bay)
    spanned = np.zeros(len(gap), bool)
    header = np.flatnonzero(scene.roles.mask("Header"))
    if len(wide) and len(header):
        middle = (scene.structure.center[one[wide]] + scene.structure.center[two[wide]]) / 2.0
        low, high = middle.copy(), middle.copy()
        low[:, 2] = np.minimum(scene.lo[one[wide], 2], scene.lo[two[wide], 2])
        high[:, 2] = np.maximum(scene.hi[one[wide], 2], scene.hi[two[wide], 2])
        reach = scene.constants.reach
        bay, _ = aabb_pairs_between(low, high, scene.lo[header], scene.hi[header], reach)
        spanned[wide[bay]] = True
    return spanned


def _gap(scene: Scene, kind: str, one: int, two: int, gap: float) -> Finding:
    s, limit = scene.structure, scene.constants.bay
    one, two = min(one, two), max(one, two)
    x, y, z = (s.center[one] + s.center[two]) / 2.0
    return Finding(
        "gap_detection",
        f"bay between {s.names[one]} and {s.names[two]}",
        f"{s.names[one]} and {s.names[two]} are {mm(gap)} apart, {mm(limit)} are allowed: put "
        f"another {kind} between them.",
        subject_kind="place",
        related=(s.names[one], s.names[two]),
        measured=gap,
        limit=limit,
        unit="m",
        margin=limit - gap,
        location=(float(x), float(y), float(z)),
        clause=scene.clause("gap_detection"),
        detail={"from": s.center[one].tolist(), "to": s.center[two].tolist()},
    )
