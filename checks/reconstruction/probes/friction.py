# SPDX-License-Identifier: GPL-3.0-or-later
"""Friction and rolling: what rolls doesn't slip, what slides slows down as declared."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Bools, Floats, Ints
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import runs, spins
from ..near import near
from ..trajectory import Trajectory
from .common import STANDARD_GRAVITY, called, fault, pushed, result, rigid, span

ID = "friction"

# Frames of sliding or rolling in a row that can be judged.
_FRAMES = 6


def friction(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Slip of the roles that roll, and deceleration of what slides on one still body.

    Sliding is motion along a still body without turning. Bullet's coefficient is the product of
    both bodies'. What rolls is what the task says rolls.
    """
    if len(trajectory) < _FRAMES + 2:
        return result(ID, brief, vacuous="the trajectory is too short")
    findings: list[Finding] = []
    figures: dict[str, Any] = {"slip": {}, "sliding": {}}
    turns, acted = spins(trajectory), pushed(trajectory)
    for k in np.flatnonzero(rigid(trajectory)):
        body = trajectory.bodies[k]
        if trajectory.joints_of(body.name) or not trajectory.finite[:, k].all():
            continue
        alone, other, normal, place = _ground(trajectory, limits, int(k))
        if called(body) & set(brief.rolling):
            findings += _rolling(trajectory, limits, int(k), alone, place, turns, figures["slip"])
        elif not acted[k]:
            findings += _sliding(trajectory, limits, int(k), alone, other, normal, turns, figures)
    named = {name for body in trajectory.bodies for name in called(body)}
    unbound = [role for role in brief.rolling if role not in named]
    nothing = None if figures["slip"] or figures["sliding"] else "nothing rolls or slides for long"
    missing = f"no object is bound to {', '.join(unbound)}" if unbound else None
    return result(ID, brief, findings, figures, vacuous=nothing, not_run=missing)


def _ground(trajectory: Trajectory, limits: Limits, k: int) -> tuple[Bools, Ints, Floats, Floats]:
    """Where a body touches just one body that is still: mask (f,), which, normal, place."""
    found = near(trajectory, limits)
    rows, f = found.rows, len(trajectory)
    at = found.of(k)
    at = at[found.touch[at]]
    other = np.where(rows.first[at] == k, rows.second[at], rows.first[at])
    sign = np.where(rows.first[at] == k, 1.0, -1.0)
    count = np.bincount(rows.frame[at], minlength=f)
    which = np.zeros(f, np.int64)
    normal, place = np.full((f, 3), np.nan), np.full((f, 3), np.nan)
    which[rows.frame[at]] = other
    normal[rows.frame[at]] = rows.normal[at] * sign[:, None]
    place[rows.frame[at]] = rows.point[at]
    moving = _moving(trajectory)
    alone = (count == 1) & ~moving[np.arange(f), which] & ~found.unknown[:, k]
    alone &= np.isfinite(normal).all(1) & ~trajectory.driven[:, k]
    return alone, which, normal, place


def _moving(trajectory: Trajectory) -> Bools:
    """Whether a body isn't where it was in the frame before, (f, n)."""
    if "moving" not in trajectory.workings:
        moving = np.zeros(trajectory.position.shape[:2], bool)
        moving[1:] = np.abs(np.diff(trajectory.position, axis=0)).max(2) > 1e-7
        trajectory.workings["moving"] = moving
    found: Bools = trajectory.workings["moving"]
    return found


def _rolling(
    trajectory: Trajectory,
    limits: Limits,
    k: int,
    alone: Bools,
    place: Floats,
    turns: Floats,
    figures: dict[str, float],
) -> list[Finding]:
    """Slip at the contact, of the speed, over every stretch of rolling."""
    velocity = np.diff(trajectory.position, axis=0)[:, k] / trajectory.dt
    arm = place - trajectory.position[:, k]
    arm = (arm[1:] + arm[:-1]) / 2
    slip = np.linalg.norm(velocity + np.cross(turns[:, k], arm), axis=1)
    speed = np.linalg.norm(velocity, axis=1)
    rolls = alone[1:] & alone[:-1] & (speed > limits.rest_size * trajectory.bodies[k].size * 5)
    worst, where = -1.0, None
    for first, last in runs(rolls):
        if last - first + 1 >= _FRAMES:
            share = float(np.median(slip[first : last + 1] / speed[first : last + 1]))
            if share > worst:
                worst, where = share, (first, last)
    if where is None:
        return []
    figures[trajectory.names[k]] = worst
    if worst <= limits.slip:
        return []
    return [
        fault(
            *(trajectory, ID, k, sum(where) // 2),
            f"{trajectory.names[k]} slips by {worst:.0%} of its speed through "
            f"{span(trajectory, *where)}, where it is said to roll",
            measured=worst,
            limit=limits.slip,
            unit="1",
        )
    ]


def _sliding(
    trajectory: Trajectory,
    limits: Limits,
    k: int,
    alone: Bools,
    other: Ints,
    normal: Floats,
    turns: Floats,
    figures: dict[str, Any],
) -> list[Finding]:
    """Deceleration against that of the declared friction, over every stretch of sliding."""
    body = trajectory.bodies[k]
    velocity = np.gradient(trajectory.position[:, k], trajectory.dt, axis=0)
    velocity -= np.einsum("fi,fi->f", velocity, np.nan_to_num(normal))[:, None] * normal
    speed = np.linalg.norm(velocity, axis=1)
    turn = np.linalg.norm(turns[:, k], axis=1) * body.size / 2
    pressed = -np.einsum("i,fi->f", trajectory.gravity, np.nan_to_num(normal))
    slides = alone & (pressed > 0.1 * trajectory.g)
    with np.errstate(invalid="ignore"):
        slides[1:-1] &= (speed[1:-1] > trajectory.g * trajectory.dt) & (
            np.maximum(turn[1:], turn[:-1]) < 0.1 * speed[1:-1]
        )
    slides[[0, -1]] = False
    pull = trajectory.gravity + pressed[:, None] * normal
    found = np.full((len(trajectory), 3), np.nan)
    found[1:-1] = np.diff(trajectory.position[:, k], 2, axis=0) / trajectory.dt**2
    found = found - np.einsum("fi,fi->f", found, np.nan_to_num(normal))[:, None] * normal
    for first, last in runs(slides):
        if last - first + 1 < _FRAMES or last + 2 >= len(trajectory):
            continue
        ground = trajectory.bodies[int(other[first])]
        if body.friction is None or ground.friction is None:
            continue
        rows = slice(first + 1, last)
        way = velocity[rows] / speed[rows, None]
        brake = float(np.median(-np.einsum("fi,fi->f", found[rows] - pull[rows], way)))
        loss = -np.log1p(-min(body.linear_damping or 0.0, 0.999))
        brake -= loss * float(np.median(speed[rows]))
        asked = body.friction * ground.friction * float(np.median(pressed[rows]))
        figures["sliding"][body.name] = {"measured": brake, "declared": asked}
        limit = limits.friction * asked + limits.flight_floor * STANDARD_GRAVITY
        if abs(brake - asked) > limit:
            return [_slid(trajectory, k, int(other[first]), (first, last), brake, asked, limit)]
    return []


def _slid(
    trajectory: Trajectory,
    k: int,
    ground: int,
    rows: tuple[int, int],
    brake: float,
    asked: float,
    limit: float,
) -> Finding:
    """The fault of a body that slides other than its friction says."""
    first, last = rows
    return fault(
        *(trajectory, ID, k, (first + last) // 2),
        f"{trajectory.names[k]} slides on {trajectory.names[ground]} through "
        f"{span(trajectory, first, last)} and is slowed by {brake:.3g} m/s2, where the declared "
        f"friction makes {asked:.3g} m/s2",
        measured=abs(brake - asked),
        limit=limit,
        unit="m/s2",
        related=(ground,),
    )
