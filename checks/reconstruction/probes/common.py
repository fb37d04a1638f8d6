# SPDX-License-Identifier: GPL-3.0-or-later
"""What the probes share: how a fault is told, how a result is made, free motion."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Bools, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import accelerations, velocities
from ..trajectory import Trajectory

#: m/s2, ISO 80000-3.
STANDARD_GRAVITY = 9.80665


def fault(
    trajectory: Trajectory,
    check: str,
    body: int,
    row: int,
    message: str,
    *,
    measured: float | None = None,
    limit: float | None = None,
    unit: str | None = None,
    at_least: bool = False,
    at: Floats | None = None,
    related: Sequence[int] = (),
    **detail: Any,
) -> Finding:
    """A finding on a body, at a row of the frames; its place is the body's unless told."""
    place = trajectory.position[row, body] if at is None else at
    margin = None
    if measured is not None and limit is not None:
        margin = measured - limit if at_least else limit - measured
    return Finding(
        check,
        trajectory.names[body],
        message,
        related=tuple(trajectory.names[k] for k in related),
        measured=measured,
        limit=limit,
        unit=unit,
        margin=margin,
        location=tuple(float(x) for x in place) if np.isfinite(place).all() else None,  # type: ignore[arg-type]
        frame=int(trajectory.frames[row]),
        detail=detail,
    )


def result(
    check: str,
    brief: ReconstructionBrief,
    findings: Sequence[Finding] = (),
    figures: Mapping[str, Any] | None = None,
    *,
    vacuous: str | None = None,
    not_run: str | None = None,
    inconclusive: str | None = None,
    degraded: bool = False,
) -> CheckResult:
    """The result of a probe: what was found comes first, then why nothing could be.

    A probe that no criterion names may be vacuous: a scene without cloth is no fault.
    """
    asked = any(check in criterion.probes for criterion in brief.criteria)
    needed = check not in brief.optional
    figures = dict(figures or {})
    if findings:
        return CheckResult(
            check, "failed", tuple(findings), degraded=degraded, required=needed, figures=figures
        )
    if not_run:
        return CheckResult(check, "not_run", reason=not_run, required=needed, figures=figures)
    if vacuous:
        return CheckResult(
            check, "vacuous", reason=vacuous, required=needed and asked, figures=figures
        )
    if inconclusive:
        return CheckResult(
            check,
            "inconclusive",
            reason=inconclusive,
            degraded=degraded,
            required=needed,
            figures=figures,
        )
    return CheckResult(check, "passed", degraded=degraded, required=needed, figures=figures)


def called(body: Body) -> set[str]:
    """The role and the name of a body."""
    return {body.name} | ({body.role} if body.role else set())


def rigid(trajectory: Trajectory) -> Bools:
    """Which bodies the rigid-body solver moves, (n,)."""
    return np.array([b.medium == "rigid" and b.part == "active" for b in trajectory.bodies], bool)


def pushed(trajectory: Trajectory) -> Bools:
    """Which bodies a force field may act on, (n,)."""
    whole = np.zeros(len(trajectory.bodies), bool)
    for one in trajectory.fields:
        if one.strength:
            whole |= [one.bodies is None or b.name in one.bodies for b in trajectory.bodies]
    return whole


def excess(trajectory: Trajectory) -> Floats:
    """Acceleration beyond that of gravity and of the declared damping, (f, n, 3) m/s2.

    Bullet takes the share d of the speed in each second: its step is v (1 - d)^h.
    """
    loss = np.zeros(len(trajectory.bodies))
    for k, body in enumerate(trajectory.bodies):
        loss[k] = np.log1p(-min(body.linear_damping or 0.0, 0.999))
    with np.errstate(invalid="ignore"):
        damped = velocities(trajectory) * loss[:, None]
        return accelerations(trajectory) - trajectory.gravity - damped


def blow(trajectory: Trajectory, limits: Limits) -> float:
    """Excess acceleration that is a blow, m/s2."""
    return limits.impulse * (trajectory.g or STANDARD_GRAVITY)


def span(trajectory: Trajectory, first: int, last: int) -> str:
    """Frames in words."""
    a, b = int(trajectory.frames[first]), int(trajectory.frames[last])
    return f"frame {a}" if a == b else f"frames {a} to {b}"


def length(value: float) -> str:
    """A length in words: mm where it is short."""
    return f"{value * 1000:.3g} mm" if abs(value) < 0.1 else f"{value:.3g} m"
