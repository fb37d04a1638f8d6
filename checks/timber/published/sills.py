# SPDX-License-Identifier: GPL-3.0-or-later
"""Elevated sills and what carries them (T8)."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..broadphase import CrowdedError, Floats, Ints, aabb_pairs_between
from .scene import Scene, metre, not_run, outcome


def cantilever(scene: Scene) -> CheckResult:
    """T8: a sill higher than 1 m has at least two supports, none farther than 3 m from the next.

    A support begins lower than the sill, reaches its underside within the adjacency reach, and is
    within 1.5 m of it in plan. Gaps are measured between the supports' extents along the sill.
    """
    check, constants = "cantilever", scene.constants
    high = scene.lo[:, 2] > scene.brief.ground + constants.elevated + constants.slack
    index = np.flatnonzero(scene.roles.mask("Sill") & high)
    try:
        sill, support = _supports(scene, index)
    except CrowdedError as error:
        return not_run(scene, check, str(error))
    start, end = _along(scene, index[sill], support)
    number = np.bincount(sill, minlength=len(index))
    gap, at = _largest_gap(sill, start, end, len(index))
    findings = []
    for k in range(len(index)):
        if number[k] < constants.supports:
            findings.append(_unsupported(scene, int(index[k]), support[sill == k]))
        elif gap[k] > constants.support_gap + constants.slack:
            findings.append(
                _wide(scene, int(index[k]), support[sill == k], float(gap[k]), float(at[k]))
            )
    return outcome(
        scene,
        check,
        findings,
        subjects=len(index),
        nothing="no sill is higher than 1 m",
        required=False,
        score=1.0 - len(findings) / len(index) if len(index) else None,
        figures={"sills": len(index)},
    )


def _supports(scene: Scene, index: Ints) -> tuple[Ints, Ints]:
    """Pairs (position in ``index``, supporting member)."""
    if not len(index):
        return index, index
    constants = scene.constants
    reach = constants.reach + constants.slack
    wide = np.array([constants.support_reach, constants.support_reach, reach])
    sill, other = aabb_pairs_between(
        scene.lo[index] - wide, scene.hi[index] + wide, scene.lo, scene.hi
    )
    member = index[sill]
    under = scene.lo[member, 2]
    lower = scene.lo[other, 2] < under - reach
    reaches = scene.hi[other, 2] >= under - reach
    apart = np.maximum(scene.lo[other, :2] - scene.hi[member, :2], 0.0)
    apart = np.maximum(apart, scene.lo[member, :2] - scene.hi[other, :2])
    near = np.hypot(apart[:, 0], apart[:, 1]) <= constants.support_reach + constants.slack
    keep = lower & reaches & near & (member != other)
    return sill[keep], other[keep]


def _along(scene: Scene, member: Ints, support: Ints) -> tuple[Floats, Floats]:
    """Extent of each support along its sill, m from the sill's centre."""
    s = scene.structure
    axis = s.axes[member, 0]
    middle = np.einsum("ij,ij->i", s.center[support] - s.center[member], axis)
    turn = np.abs(np.einsum("ikj,ij->ik", s.axes[support], axis))
    reach = (turn * s.half[support]).sum(axis=1)
    return middle - reach, middle + reach


def _largest_gap(group: Ints, start: Floats, end: Floats, n: int) -> tuple[Floats, Floats]:
    """Largest gap between neighbouring intervals of each group, and where its middle is, (n,)."""
    gap, at = np.zeros(n), np.zeros(n)
    order = np.lexsort((start, group))
    group, start, end = group[order], start[order], end[order]
    # A running maximum that starts anew with each group: groups are shifted apart.
    room = 2.0 * (np.abs(np.concatenate([start, end])).max(initial=0.0) + 1.0)
    covered = np.maximum.accumulate(end + room * group) - room * group
    same = np.flatnonzero(np.diff(group) == 0)
    apart = start[same + 1] - covered[same]
    for k, width, middle in zip(
        group[same], apart, (start[same + 1] + covered[same]) / 2.0, strict=True
    ):
        if width > gap[k]:
            gap[k], at[k] = width, middle
    return gap, at


def _unsupported(scene: Scene, k: int, support: Ints) -> Finding:
    name, wanted = scene.structure.names[k], scene.constants.supports
    height = float(scene.lo[k, 2]) - scene.brief.ground
    return Finding(
        "cantilever",
        name,
        f"{name}, {metre(height)} above the ground, has {len(support)} of {wanted} supports within "
        f"{metre(scene.constants.support_reach)}: put posts or walls under it.",
        related=scene.names(support),
        measured=float(len(support)),
        limit=float(wanted),
        unit="supports",
        margin=float(len(support) - wanted),
        location=scene.place(k),
        clause=scene.clause("T8"),
    )


def _wide(scene: Scene, k: int, support: Ints, gap: float, at: float) -> Finding:
    s, limit = scene.structure, scene.constants.support_gap
    name = s.names[k]
    middle = s.center[k] + at * s.axes[k, 0]
    ends = [(middle + side * gap / 2 * s.axes[k, 0]).tolist() for side in (-1, 1)]
    x, y, z = middle
    return Finding(
        "cantilever",
        name,
        f"{name} runs {metre(gap)} from one support to the next, {metre(limit)} are allowed: "
        "put a post or a wall under it there.",
        related=scene.names(support),
        measured=gap,
        limit=limit,
        unit="m",
        margin=limit - gap,
        location=(float(x), float(y), float(z)),
        clause=scene.clause("T8"),
        detail={"from": ends[0], "to": ends[1]},
    )
