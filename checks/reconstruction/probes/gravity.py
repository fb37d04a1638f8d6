# SPDX-License-Identifier: GPL-3.0-or-later
"""Gravity: what touches nothing falls as the scene's gravity says."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Bools, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import resting, runs
from ..near import near
from ..trajectory import Trajectory
from .common import STANDARD_GRAVITY, excess, fault, pushed, result, rigid, span

ID = "gravity"


def flights(trajectory: Trajectory, limits: Limits) -> Bools:
    """Where the solver's bodies touch nothing and aren't joined, pushed or at rest, (f, n)."""
    key = ("flights", limits)
    if key not in trajectory.workings:
        free = ~near(trajectory, limits).might_touch(trajectory, limits)
        free &= ~trajectory.driven & trajectory.finite & rigid(trajectory)
        free &= ~pushed(trajectory)
        free &= [not trajectory.joints_of(body.name) for body in trajectory.bodies]
        free &= ~resting(trajectory, limits.rest_size, limits.rest_frames)
        free[[0, -1]] = False
        driven = trajectory.driven
        free[1:] &= ~driven[:-1]
        free[:-1] &= ~driven[1:]
        trajectory.workings[key] = free
    found: Bools = trajectory.workings[key]
    return found


def gravity(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Free-flight acceleration of each body against the scene's gravity.

    The median over each flight of what second differences of positions give beyond gravity and the
    declared damping. Bodies at rest are for :mod:`.support`, single blows for :mod:`.contact`.
    """
    findings = _scene(trajectory, brief, limits)
    if len(trajectory) < 3:
        return result(ID, brief, findings, not_run="acceleration needs three frames at least")
    share = limits.flight_share * trajectory.g
    limit = share if trajectory.g else limits.flight_floor * STANDARD_GRAVITY
    free, beyond = flights(trajectory, limits), excess(trajectory)
    judged, worst = 0, 0.0
    for k in np.flatnonzero(free.any(0)):
        off = _deviations(limits, free[:, k], beyond[:, k])
        judged += len(off)
        if not off:
            continue
        deviation, first, last = max(off)
        worst = max(worst, deviation)
        if deviation > limit:
            found = np.median(beyond[first : last + 1, k], axis=0) + trajectory.gravity
            when = span(trajectory, first, last)
            findings.append(
                fault(
                    *(trajectory, ID, int(k), (first + last) // 2),
                    f"{trajectory.names[k]} touches nothing in {when}, yet it accelerates by "
                    f"({found[0]:.3g}, {found[1]:.3g}, {found[2]:.3g}) m/s2 instead of "
                    f"{trajectory.g:.4g} m/s2 downwards",
                    measured=deviation,
                    limit=limit,
                    unit="m/s2",
                    frames=[int(trajectory.frames[first]), int(trajectory.frames[last])],
                    acceleration=found.tolist(),
                )
            )
    figures = {
        "flights": judged,
        "largest_deviation": worst,
        "gravity": trajectory.gravity.tolist(),
    }
    blind = near(trajectory, limits).unknown[:, rigid(trajectory)].all(0)
    return result(
        ID,
        brief,
        findings,
        figures,
        not_run="distances between bodies that aren't convex were not recorded"
        if not judged and blind.size and blind.all()
        else None,
        vacuous=None if judged else "no body is in free flight for long enough",
    )


def _deviations(limits: Limits, free: Bools, beyond: Floats) -> list[tuple[float, int, int]]:
    """Of each flight that is long enough: how far it is off, m/s2, its first and last row."""
    return [
        (float(np.linalg.norm(np.median(beyond[first : last + 1], axis=0))), first, last)
        for first, last in runs(free)
        if last - first + 1 >= limits.flight_frames
    ]


def _scene(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> list[Finding]:
    """Whether the scene's gravity is what the task says."""
    if brief.gravity is None:
        return []
    asked = np.array(brief.gravity)
    off = float(np.linalg.norm(trajectory.gravity - asked))
    strength = float(np.linalg.norm(asked))
    limit = limits.flight_share * strength or limits.flight_floor * STANDARD_GRAVITY
    if off <= limit:
        return []
    there = ", ".join(f"{x:.4g}" for x in trajectory.gravity)
    return [
        Finding(
            ID,
            "gravity",
            f"the scene's gravity is ({there}) m/s2, the task asks for {strength:.4g} m/s2; mind "
            f"the scene's unit scale",
            subject_kind="place",
            measured=off,
            limit=limit,
            unit="m/s2",
            margin=limit - off,
            frame=int(trajectory.frames[0]),
        )
    ]
