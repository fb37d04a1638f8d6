# SPDX-License-Identifier: GPL-3.0-or-later
"""Interpenetration: how deep each body is inside each other, in every frame."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Ints
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import runs
from ..near import near
from ..trajectory import Trajectory
from ..words import lengths
from .common import called, fault, length, result, span

ID = "interpenetration"


def interpenetration(
    trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits
) -> CheckResult:
    """Depth is persistent over a number of frames in a row, or too deep even for a moment.

    Bodies that a joint holds together without collision are left out, and told in the figures.
    In a trajectory that is shorter than the number of frames, all of them are enough.
    """
    found = near(trajectory, limits)
    rows = found.rows
    joined: list[str] = []
    findings: list[Finding] = []
    deepest: dict[str, Any] = {}
    inside = rows.distance < 0
    pair = rows.first * len(trajectory.bodies) + rows.second
    for one in np.unique(pair[inside]):
        at = np.flatnonzero(inside & (pair == one))
        i, j = int(rows.first[at[0]]), int(rows.second[at[0]])
        names = f"{trajectory.names[i]}, {trajectory.names[j]}"
        if any(
            {q.first, q.second} == {trajectory.names[i], trajectory.names[j]} and not q.collides
            for q in trajectory.joints
        ):
            joined.append(names)
            continue
        deepest[names] = float(-rows.distance[at].min())
        first, second = (called(trajectory.bodies[k]) for k in (i, j))
        if not brief.overlap_admitted(first, second):
            findings += _pair(trajectory, limits, i, j, at)
    figures = {
        "deepest": dict(sorted(deepest.items(), key=lambda item: -item[1])[:50]),
        "pairs": len(rows.measured),
        "joined": joined[:50],
        "unmeasured": [[trajectory.names[k] for k in p] for p in found.unmeasured[:50].tolist()],
        "open": _open(trajectory),
        "method": rows.method,
    }
    blind = None
    if len(found.unmeasured):
        i, j = found.unmeasured[0].tolist()
        blind = (
            f"{len(found.unmeasured)} pairs were not measured, {trajectory.names[i]} and "
            f"{trajectory.names[j]} among them: their surfaces aren't convex or deform"
        )
    return result(
        ID,
        brief,
        findings,
        figures,
        vacuous=None if len(trajectory.bodies) > 1 else "there is only one body, or none",
        inconclusive=blind,
        degraded=not rows.exact or bool(figures["open"]),
    )


def _rounded(trajectory: Trajectory, i: int, j: int, depth: float) -> str:
    """What may be done where corners sink in because the solver rounds them.

    Bullet rounds none where two boxes meet.
    """
    both = trajectory.bodies[i], trajectory.bodies[j]
    margin = max(body.embedded for body in both)
    if depth > margin or all(body.shape == "BOX" for body in both):
        return ""
    return f": the solver rounds corners by its margin of {length(margin)}, make that smaller"


def _open(trajectory: Trajectory) -> list[str]:
    """Names of bodies with an open surface that isn't flat: what is inside them is a guess."""
    return [
        body.name
        for body in trajectory.bodies
        if len(body.triangles) and not body.closed and body.extents.min() > 1e-6 * body.size
    ][:50]


def _pair(trajectory: Trajectory, limits: Limits, i: int, j: int, at: Ints) -> list[Finding]:
    """The fault of one pair, from its rows that are inside: persistent before momentary."""
    rows = near(trajectory, limits).rows
    small = min(trajectory.bodies[i].size, trajectory.bodies[j].size)
    depth = np.zeros(len(trajectory))
    depth[rows.frame[at]] = -rows.distance[at]
    lasting = [
        (first, last)
        for first, last in runs(depth > limits.depth(small))
        if last - first + 1 >= min(limits.depth_frames, len(trajectory))
    ]
    momentary = limits.depth_momentary * small
    if lasting:
        first, last = max(lasting, key=lambda run: depth[run[0] : run[1] + 1].max())
        limit, words = limits.depth(small), f"stays inside through {span(trajectory, first, last)}"
    elif depth.max() > momentary:
        first = last = int(depth.argmax())
        limit, words = momentary, "gets inside for a moment"
    else:
        return []
    row = first + int(depth[first : last + 1].argmax())
    worst = at[rows.frame[at] == row][0]
    deep, most = lengths(float(depth[row]), limit)
    mover, other = _told(trajectory.bodies[i], trajectory.bodies[j], i, j)
    return [
        fault(
            *(trajectory, ID, mover, row),
            f"{trajectory.names[mover]} {words}: {deep} deep in "
            f"{trajectory.names[other]} at frame {trajectory.frames[row]}, "
            f"{most} is allowed{_rounded(trajectory, i, j, float(depth[row]))}",
            measured=float(depth[row]),
            limit=limit,
            unit="m",
            at=rows.point[worst],
            related=(other,),
            frames=[int(trajectory.frames[first]), int(trajectory.frames[last])],
            persistent=bool(lasting),
            normal=rows.normal[worst].tolist(),
        )
    ]


def _told(one: Body, another: Body, i: int, j: int) -> tuple[int, int]:
    """The one it is told of, and the other: what moves first, else the smaller."""
    if one.moves != another.moves:
        return (i, j) if one.moves else (j, i)
    return (i, j) if one.moves or one.size <= another.size else (j, i)
