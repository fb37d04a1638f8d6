# SPDX-License-Identifier: GPL-3.0-or-later
"""Numerical stability: every pose is a number, nothing explodes, nothing jumps."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import boxes, steps
from ..near import near
from ..trajectory import Trajectory
from ..words import lengths
from .common import STANDARD_GRAVITY, fault, result

ID = "numerical_stability"

# Frames around a collision in which the speeds of those that collide show.
_AROUND = 3


def numerical_stability(
    trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits
) -> CheckResult:
    """No pose that is no number, no speed or extent beyond bounds, no jump between two frames.

    The step from one frame to the next may be as long as its neighbours, or as |v| dt of the
    solver's own velocities, and what gravity adds in a frame, and a share of the body's size; of
    bodies that collide it may be twice as long as any around. Speed is bound by the fall through
    the whole scene and the greatest speed at the start.
    """
    broken = _broken(trajectory)
    judged = trajectory.finite.all(0)
    jumps = _jumps(trajectory, limits, judged)
    speed, bound = _speeds(trajectory, limits)
    findings = [*broken, *jumps]
    for k in np.flatnonzero(judged & (np.nanmax(speed, axis=0, initial=0.0) > bound)):
        row = int(speed[:, k].argmax())
        findings.append(
            fault(
                *(trajectory, ID, int(k), row),
                f"{trajectory.names[k]} flies off at {speed[row, k]:.3g} m/s, far faster than "
                f"anything in the scene could make it ({bound:.3g} m/s): the solver explodes",
                measured=float(speed[row, k]),
                limit=bound,
                unit="m/s",
            )
        )
    findings += _growth(trajectory, limits, judged)
    figures = {
        "frames": len(trajectory),
        "bodies": len(trajectory.bodies),
        "not_finite": int((~trajectory.finite).sum()),
        "fastest": float(np.nanmax(speed, initial=0.0)),
        "speed_bound": bound,
        "jumps": len(jumps),
    }
    return result(ID, brief, findings, figures)


def _broken(trajectory: Trajectory) -> list[Finding]:
    found = []
    for k in np.flatnonzero(~trajectory.finite.all(0)):
        row = int(np.flatnonzero(~trajectory.finite[:, k])[0])
        last = max(row - 1, 0)
        found.append(
            fault(
                *(trajectory, ID, int(k), row),
                f"{trajectory.names[k]} has no place from frame {trajectory.frames[row]} on: the "
                f"solver gives numbers that are none; make its steps smaller",
                at=trajectory.position[last, k],
            )
        )
    return found


def _jumps(trajectory: Trajectory, limits: Limits, judged: Floats) -> list[Finding]:
    if len(trajectory) < 3:
        return []
    step = steps(trajectory)
    around = np.zeros_like(step)
    if trajectory.velocity is not None:
        speed = np.linalg.norm(trajectory.velocity, axis=2)
        around = np.maximum(speed[1:], speed[:-1]) * trajectory.dt
    else:
        around[1:] = step[:-1]
        around[:-1] = np.maximum(around[:-1], step[1:])
        around = np.maximum(around, _passed_on(trajectory, limits, step))
        # What is hit in the last frame has no frame after it that would show its speed.
        around[-1] = np.inf
    sizes = np.array([body.size for body in trajectory.bodies])
    allowed = around + trajectory.g * trajectory.dt**2 + limits.jump_size * sizes
    with np.errstate(invalid="ignore"):
        over = np.where(judged, step - allowed, -1.0)
    found = []
    for k in np.flatnonzero((over > 0).any(0)):
        row = int(over[:, k].argmax())
        far, most = lengths(float(step[row, k]), float(allowed[row, k]))
        found.append(
            fault(
                *(trajectory, ID, int(k), row + 1),
                f"{trajectory.names[k]} jumps {far} between two frames, where its "
                f"speed allows {most}: something sets its place",
                measured=float(step[row, k]),
                limit=float(allowed[row, k]),
                unit="m",
                **{"from": trajectory.position[row, k].tolist()},
                to=trajectory.position[row + 1, k].tolist(),
            )
        )
    return found


def _passed_on(trajectory: Trajectory, limits: Limits, step: Floats) -> Floats:
    """How far a body may get in a step if it collides before and after, (f - 1, n) m.

    A body that bounces within a frame ends it nearer than it went, so that the steps beside one
    don't show its speed; nor do they that of one that is hit. Of what touches or may touch, the
    greatest step of itself and of those it touches, some frames around, counts twice.
    """
    wide = np.zeros_like(step)
    for far in range(1, _AROUND + 1):
        wide[far:] = np.maximum(wide[far:], step[:-far])
        wide[:-far] = np.maximum(wide[:-far], step[far:])
    found = near(trajectory, limits)
    rows = found.rows
    held = found.pairs_in_reach(trajectory, limits)
    frame, first, second = rows.frame[held], rows.first[held], rows.second[held]
    gained = np.zeros_like(step)
    for shift in (-1, 0):
        at = np.clip(frame + shift, 0, len(step) - 1)
        most = np.maximum(wide[at, first], wide[at, second])
        np.maximum.at(gained, (at, first), np.maximum(most, step[at, second]))
        np.maximum.at(gained, (at, second), np.maximum(most, step[at, first]))
    return 2 * np.nan_to_num(gained)


def _speeds(trajectory: Trajectory, limits: Limits) -> tuple[Floats, float]:
    """Speed of each step, (f - 1, n), and its bound, m/s."""
    speed = steps(trajectory) / trajectory.dt
    low, high = (corner[0] for corner in boxes(trajectory))
    whole = np.isfinite(low).all(1) & np.isfinite(high).all(1)
    across = np.linalg.norm(high[whole].max(0) - low[whole].min(0)) if whole.any() else 1.0
    fall = np.sqrt(2 * (trajectory.g or STANDARD_GRAVITY) * across)
    start = float(np.nanmax(speed[:2], initial=0.0)) if len(speed) else 0.0
    driven = np.nanmax(np.where(trajectory.driven[1:], speed, 0.0), initial=0.0)
    # A start that is itself an explosion must not raise the bound for the rest.
    start = min(start, limits.explosion * fall)
    return speed, limits.explosion * float(max(fall, start, driven))


def _growth(trajectory: Trajectory, limits: Limits, judged: Floats) -> list[Finding]:
    low, high = boxes(trajectory)
    extent = np.linalg.norm(high - low, axis=2)
    if trajectory.scale is not None:
        soft = [b.name in trajectory.meshes and b.medium != "rigid" for b in trajectory.bodies]
        extent = np.where(soft, extent, np.abs(trajectory.scale).max(2))
    elif not trajectory.meshes:
        return []
    found = []
    with np.errstate(invalid="ignore", divide="ignore"):
        ratio = np.nan_to_num(extent / extent[:1], nan=1.0)
        ratio = np.maximum(ratio, 1 / np.maximum(ratio, 1e-12))
    for k in np.flatnonzero(judged & (ratio.max(0) > limits.growth)):
        row = int(ratio[:, k].argmax())
        found.append(
            fault(
                *(trajectory, ID, int(k), row),
                f"{trajectory.names[k]} grows or shrinks {ratio[row, k]:.3g}-fold: the solver "
                f"explodes, or something scales it",
                measured=float(ratio[row, k]),
                limit=limits.growth,
                unit="1",
            )
        )
    return found
