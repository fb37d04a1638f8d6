# SPDX-License-Identifier: GPL-3.0-or-later
"""What hangs together: load path (T1), stability index (T9), dual-end connection (T10)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...result import CheckResult, Finding
from ..broadphase import Floats, Ints
from .scene import Bools, Scene, metre, not_run, outcome
from .table import ROOF_LINES, STUDS

# Box pairs measured to say how far a floating part is from the rest; beyond, only its lowest
# member is measured.
_MEASURED = 2_000_000
# Floating parts whose distance is measured at all.
_MEASURED_PARTS = 64


def load_path(scene: Scene, check: str = "load_path", test: str = "T1") -> CheckResult:
    """T1: every member is connected by adjacency to one that stands on the ground.

    The lowest member of each floating part is the root; the rest of the part follows from it.
    """
    if scene.crowded:
        return not_run(scene, check, scene.crowded)
    figures = {"members": len(scene), "connected": int(scene.supported.sum())}
    return outcome(
        scene,
        check,
        floating(scene, check, test),
        subjects=len(scene),
        nothing="there is no member",
        score=_share(scene),
        figures=figures,
    )


def floating(scene: Scene, check: str, test: str) -> list[Finding]:
    """One root finding a floating part, then one for each other member of it."""
    loose = np.flatnonzero(~scene.supported)
    if not len(loose):
        return []
    order = np.lexsort((loose, scene.lo[loose, 2], scene.component[loose]))
    loose = loose[order]
    heads = np.flatnonzero(np.diff(scene.component[loose], prepend=-1))
    parts = np.split(loose, heads[1:])
    parts.sort(key=lambda part: (scene.lo[part[0], 2], part[0]))
    roots, others = [], []
    for number, part in enumerate(parts):
        root = _root(scene, check, test, part, measure=number < _MEASURED_PARTS)
        roots.append(root)
        others += [_follower(scene, check, test, int(k), root) for k in part[1:]]
    return roots + others


def _root(scene: Scene, check: str, test: str, part: Ints, measure: bool) -> Finding:
    """The finding of the lowest member of a floating part."""
    k = int(part[0])
    name = scene.structure.names[k]
    limit = scene.constants.ground
    height = float(scene.lo[k, 2]) - scene.brief.ground
    if len(part) == 1:
        who = f"{name} is joined to nothing that stands on the ground"
    else:
        who = f"{name} and {len(part) - 1} members joined to it reach nothing on the ground"
    near = _nearest(scene, part) if measure else None
    if not scene.grounded.any():
        remedy = f"nothing here is lower than {metre(limit)}: set the foundation on the ground"
    elif near is None:
        remedy = "join it to a member that is held"
    else:
        remedy = (
            f"the nearest member that is held, {near[0]}, is {metre(near[1])} away: close the gap"
        )
    return Finding(
        check,
        name,
        f"{who}; its lowest point is {metre(height)} above the ground, and {remedy}.",
        related=scene.names(part[1:]),
        measured=height,
        limit=limit,
        unit="m",
        margin=limit - height,
        location=scene.place(k),
        clause=scene.clause(test),
    )


def _follower(scene: Scene, check: str, test: str, k: int, root: Finding) -> Finding:
    name = scene.structure.names[k]
    return Finding(
        check,
        name,
        f"{name} is held by nothing but {root.subject} and its neighbours, which float.",
        related=(root.subject,),
        location=scene.place(k),
        clause=scene.clause(test),
        follows=root.key,
    )


def _nearest(scene: Scene, part: Ints) -> tuple[str, float] | None:
    """Name of the held member nearest to a floating part, and the distance of their AABBs."""
    held = np.flatnonzero(scene.supported)
    if not len(held):
        return None
    if len(part) * len(held) > _MEASURED:
        part = part[:1]
    lo, hi = scene.lo[part][:, None], scene.hi[part][:, None]
    apart = np.maximum(np.maximum(scene.lo[held] - hi, lo - scene.hi[held]), 0.0)
    distance = np.linalg.norm(apart, axis=2).min(axis=0)
    best = int(np.argmin(distance))
    return scene.structure.names[held[best]], float(distance[best])


def _share(scene: Scene) -> float | None:
    return float(scene.supported.mean()) if len(scene) else None


def stability_index(scene: Scene, check: str = "stability_index", test: str = "T9") -> CheckResult:
    """T9: the share of members that are connected to the ground reaches the limit."""
    if scene.crowded:
        return not_run(scene, check, scene.crowded)
    findings = []
    score, limit = _share(scene), scene.constants.stability
    if score is not None and score < limit - 1e-12:
        loose = np.flatnonzero(~scene.supported)
        lowest = int(loose[np.argmin(scene.lo[loose, 2])])
        wanted = "all" if limit >= 1.0 else f"at least {100 * limit:.0f} %"
        findings.append(
            Finding(
                check,
                "the frame",
                f"{int(scene.supported.sum())} of {len(scene)} members are connected to the "
                f"ground, {wanted} must be: join {scene.structure.names[lowest]} and what else "
                "floats.",
                subject_kind="place",
                related=scene.names(loose),
                measured=score,
                limit=limit,
                unit="",
                margin=score - limit,
                location=scene.place(lowest),
                clause=scene.clause(test),
            )
        )
    return outcome(
        scene,
        check,
        findings,
        subjects=len(scene),
        nothing="there is no member",
        score=score,
        figures={"members": len(scene), "connected": int(scene.supported.sum())},
    )


@dataclass(frozen=True)
class Ends:
    """Whether studs and rafters touch another member at each end.

    ``index`` (k,) members judged; ``low`` and ``high`` (k,) whether each end touches.
    """

    index: Ints
    low: Bools
    high: Bools


def ends(scene: Scene) -> Ends:
    """Touching in the lowest and in the highest part of the AABB of every stud and rafter.

    The zone of an end is the member's AABB cut to 20 % of its height, so whatever is adjacent to
    the member touches the zone if it also reaches into that height.
    """
    wanted = scene.roles.mask(*STUDS, *ROOF_LINES)
    i, j = scene.both_ways
    mine = wanted[i]
    i, j = i[mine], j[mine]
    reach = scene.constants.reach + scene.constants.slack
    bottom, top = scene.lo[i, 2], scene.hi[i, 2]
    zone = scene.constants.end_zone * (top - bottom) + reach
    low, high = np.zeros(len(scene), bool), np.zeros(len(scene), bool)
    low[i[scene.lo[j, 2] <= bottom + zone]] = True
    high[i[scene.hi[j, 2] >= top - zone]] = True
    index = np.flatnonzero(wanted)
    return Ends(index, low[index], high[index])


def dual_end(
    scene: Scene, check: str = "dual_end", test: str = "T10", required: bool = True
) -> CheckResult:
    """T10: every rafter and stud touches another member near both of its ends."""
    if scene.crowded:
        return not_run(scene, check, scene.crowded)
    found = ends(scene)
    bad = np.flatnonzero(~(found.low & found.high))
    findings = [
        _loose_end(scene, check, test, int(found.index[k]), bool(found.low[k]), bool(found.high[k]))
        for k in bad
    ]
    return outcome(
        scene,
        check,
        findings,
        subjects=len(found.index),
        nothing="there is no rafter and no stud",
        required=required,
        score=1.0 - len(bad) / len(found.index) if len(found.index) else None,
        figures=end_counts(scene, found),
    )


def end_counts(scene: Scene, found: Ends) -> dict[str, int]:
    """Counts as the released server words them."""
    fine = found.low & found.high
    rafter = scene.roles.mask(*ROOF_LINES)[found.index]
    return {
        "rafters_checked": int(rafter.sum()),
        "rafters_failed": int((rafter & ~fine).sum()),
        "studs_checked": int((~rafter).sum()),
        "studs_failed": int((~rafter & ~fine).sum()),
    }


def _loose_end(scene: Scene, check: str, test: str, k: int, low: bool, high: bool) -> Finding:
    name = scene.structure.names[k]
    if not low and not high:
        what, where = "touches nothing at either end (floating column and hinge failure)", 0.0
    elif not low:
        what, where = "touches nothing in its lowest 20 % (floating column)", -1.0
    else:
        what, where = "touches nothing in its highest 20 % (hinge failure)", 1.0
    remedy = "bring it" if low or high else "bring both ends"
    reach = scene.constants.reach
    return Finding(
        check,
        name,
        f"{name} {what}: {remedy} within {1000 * reach:.0f} mm of what it shall stand on or meet.",
        measured=float(low) + float(high),
        limit=2.0,
        unit="ends",
        margin=float(low) + float(high) - 2.0,
        location=_end_place(scene, k, where),
        clause=scene.clause(test),
        detail={"loose": [end for end, held in (("low", low), ("high", high)) if not held]},
    )


def _end_place(scene: Scene, k: int, where: float) -> tuple[float, float, float]:
    """The lower (-1) or upper (+1) end of a member, or its centre (0)."""
    axis: Floats = scene.structure.axes[k, 0] * scene.structure.half[k, 0]
    upward = 1.0 if axis[2] >= 0 else -1.0
    x, y, z = scene.structure.center[k] + where * upward * axis
    return float(x), float(y), float(z)
