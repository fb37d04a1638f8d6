# SPDX-License-Identifier: GPL-3.0-or-later
"""Restitution: nothing leaves an impact faster than the two bodies' settings allow."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Floats, Ints
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import runs, spins
from ..near import near, touch_limits
from ..trajectory import Trajectory
from .common import blow, fault, pushed, result, rigid

ID = "restitution"

# Share of the speed of an impact that surfaces may have from turning.
_TURNING = 0.1


def restitution(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Speed along the contact normal after an impact over that before, of each pair.

    Both speeds are those of the surfaces where they meet, taken at the height of the lowest frame,
    by the energy of free fall between, and from steps that lie wholly before and after. Bullet's
    coefficient is the product of both bodies', and it adds speed where it parts what got into each
    other within a step: a fifth of the depth a step, which is up to a fifth of the speed, however
    short its steps. That much is allowed, but never more than all of the speed. Only impacts are
    judged in which neither touches a third body, after which they part, and in which turning plays
    no part: what tumbles is thrown up by its next corner, whatever the coefficient.
    """
    rows = near(trajectory, limits).rows
    impacts: list[dict[str, Any]] = []
    findings: list[Finding] = []
    pair = rows.first * len(trajectory.bodies) + rows.second
    crowd = _crowd(trajectory, limits)
    able = rigid(trajectory) & ~pushed(trajectory)
    joined = [bool(trajectory.joints_of(body.name)) for body in trajectory.bodies]
    for one in np.unique(pair):
        i, j = divmod(int(one), len(trajectory.bodies))
        if not able[[i, j]].any() or (joined[i] and joined[j]):
            continue
        bodies = trajectory.bodies[i], trajectory.bodies[j]
        if any(b.restitution is None for b in bodies):
            continue
        declared = float(bodies[0].restitution or 0) * float(bodies[1].restitution or 0)
        for found in _impacts(trajectory, limits, i, j, np.flatnonzero(pair == one), crowd):
            impacts.append({"pair": [b.name for b in bodies], "declared": declared, **found})
            ratio = found["ratio"]
            allowed = limits.restitution + max(declared, min(declared + limits.recovery, 1.0))
            if ratio > allowed:
                body = i if able[i] else j
                findings.append(
                    fault(
                        *(trajectory, ID, body, trajectory.row(found["frame"])),
                        f"{bodies[0].name} and {bodies[1].name} part at {ratio:.2f} of the speed "
                        f"at which they meet at frame {found['frame']}; their settings allow "
                        f"{declared:.2f}",
                        measured=ratio,
                        limit=allowed,
                        unit="1",
                        related=(j if body == i else i,),
                    )
                )
    nothing = None if impacts else "no clear impact of two bodies"
    return result(ID, brief, findings, {"impacts": impacts[:200]}, vacuous=nothing)


def _crowd(trajectory: Trajectory, limits: Limits) -> Floats:
    """How many others each body may touch in each frame, (f, n)."""
    found = near(trajectory, limits)
    held = found.pairs_in_reach(trajectory, limits)
    count = np.zeros((len(trajectory), len(trajectory.bodies)))
    for side in (found.rows.first, found.rows.second):
        np.add.at(count, (found.rows.frame[held], side[held]), 1)
    return count + found.unknown


def _impacts(
    trajectory: Trajectory, limits: Limits, i: int, j: int, at: Ints, crowd: Floats
) -> list[dict[str, Any]]:
    """Impacts of one pair: frame, speeds before and after, their ratio."""
    rows = near(trajectory, limits).rows
    frame, distance = rows.frame[at], rows.distance[at]
    gap = np.full(len(trajectory), np.inf)
    gap[frame] = distance
    normal = np.full((len(trajectory), 3), np.nan)
    normal[frame] = rows.normal[at]
    apart = trajectory.position[:, i] - trajectory.position[:, j]
    both_free = trajectory.bodies[i].moves and trajectory.bodies[j].moves
    pull = np.zeros(3) if both_free else trajectory.gravity
    if not both_free and trajectory.bodies[j].moves:
        pull = -pull
    touch = touch_limits(trajectory, limits)[i, j]
    turning = _turning(trajectory, i) + _turning(trajectory, j)
    found = []
    for first, last in runs(np.isfinite(gap)):
        if last - first < 2:
            continue
        # The least of the gap: approach before it, parting after it.
        inner = gap[first : last + 1]
        for k in range(1, len(inner) - 1):
            row = first + k
            if not (inner[k] <= inner[k - 1] and inner[k] < inner[k + 1]):
                continue
            if row < 3 or row + 3 >= len(trajectory):
                continue
            window = slice(row - 3, row + 4)
            alone = (crowd[window, i] <= 1) | (not trajectory.bodies[i].moves)
            alone &= (crowd[window, j] <= 1) | (not trajectory.bodies[j].moves)
            along = _along(gap, apart, normal[row], row)
            if along[row + 2] <= touch:  # it stays, on another corner perhaps
                continue
            if not _struck(trajectory, limits, apart, normal[row], pull, row):
                continue
            one = _speeds(trajectory, limits, along, normal[row], pull, row)
            if one is None or not alone.all():
                continue
            if turning[max(row - 2, 0) : row + 2].max() <= _TURNING * one["before"]:
                found.append(one)
    return found


def _struck(
    trajectory: Trajectory, limits: Limits, apart: Floats, normal: Floats, pull: Floats, row: int
) -> bool:
    """Whether the two were driven apart there, rather than just passed each other by."""
    steps = (apart[row + 2] - apart[row + 1]) - (apart[row - 1] - apart[row - 2])
    change = float((steps / trajectory.dt - 3 * trajectory.dt * pull) @ normal)
    return change > blow(trajectory, limits) * trajectory.dt


def _turning(trajectory: Trajectory, k: int) -> Floats:
    """How fast turning alone moves the surface of a body towards another, (f - 1,) m/s."""
    body = trajectory.bodies[k]
    if body.rounding and len(body.points) == 1:  # a ball
        return np.zeros(len(trajectory) - 1)
    speed: Floats = np.linalg.norm(spins(trajectory)[:, k], axis=1) * body.size / 2
    return speed


def _along(gap: Floats, apart: Floats, normal: Floats, row: int) -> Floats:
    """How far the surfaces are apart in each frame, (f,) m; NaN but for two frames to either side.

    Of the surfaces, not of the centres: a body that lands on a corner lifts its centre without
    leaving the ground. Where they are too far for that, the centres tell the rest.
    """
    along = np.full(len(gap), np.nan)
    along[row - 1 : row + 2] = gap[row - 1 : row + 2]
    centres = apart @ normal
    for side in (-1, 1):
        near, far = row + side, row + 2 * side
        along[far] = gap[far]
        if not np.isfinite(gap[far]):
            along[far] = gap[near] + centres[far] - centres[near]
    return along


def _speeds(
    trajectory: Trajectory,
    limits: Limits,
    along: Floats,
    normal: Floats,
    pull: Floats,
    row: int,
) -> dict[str, Any] | None:
    """Speeds before and after at the place of the least gap; ``None`` where there was no impact."""
    if not np.isfinite(normal).all():
        return None
    down = float(-(pull @ normal))
    lowest = float(along[row])
    # Steps that end before, and begin after, the frame of least gap and its neighbours.
    before, after = (along[row - 1] - along[row - 2]), (along[row + 2] - along[row + 1])
    before, after = before / trajectory.dt, after / trajectory.dt
    if before >= 0 or after <= 0:
        return None
    fall = 2 * down * ((along[row - 1] + along[row - 2]) / 2 - lowest)
    rise = 2 * down * ((along[row + 1] + along[row + 2]) / 2 - lowest)
    speed_in, speed_out = np.sqrt(max(before**2 + fall, 0)), np.sqrt(max(after**2 + rise, 0))
    if speed_in <= blow(trajectory, limits) * trajectory.dt:
        return None
    return {
        "frame": int(trajectory.frames[row]),
        "before": float(speed_in),
        "after": float(speed_out),
        "ratio": float(speed_out / speed_in),
    }
