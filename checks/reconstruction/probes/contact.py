# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact: who touches whom and when, and whether momentum changes there and only there."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Bools, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import runs
from ..near import near
from ..trajectory import Trajectory
from .common import blow, called, excess, fault, pushed, result, rigid
from .gravity import flights

ID = "contact"

# Frames after the first deep one in which a response must show.
_AFTER = 3
# Intervals of contact that are listed in the figures.
_LISTED = 200


def contact(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """No blow without contact, no passing through without a blow, no momentum lost in a blow.

    A blow is a change of velocity in one frame that is several times what gravity does. Momentum is
    looked at where two bodies that the solver moves touch only each other.
    """
    if len(trajectory) < 3:
        return result(ID, brief, not_run="contact needs three frames at least")
    found = near(trajectory, limits)
    contacts = intervals(trajectory, limits)
    findings = _phantoms(trajectory, limits)
    findings += _through(trajectory, brief, limits)
    lost, exchanges = _exchanges(trajectory, limits)
    figures = {
        "contacts": contacts[:_LISTED],
        "pairs": len({tuple(one["pair"]) for one in contacts}),
        "exchanges": exchanges,
        "unmeasured": len(found.unmeasured),
    }
    blind = f"{len(found.unmeasured)} pairs were not measured" if len(found.unmeasured) else None
    return result(
        ID,
        brief,
        [*findings, *lost],
        figures,
        vacuous=None
        if contacts or len(found.rows.frame) or blind
        else "nothing comes near anything",
        inconclusive=blind,
        degraded=not found.rows.exact,
    )


def intervals(trajectory: Trajectory, limits: Limits) -> list[dict[str, Any]]:
    """Every stretch of contact: the two names, first and last frame, least distance in m."""
    found = near(trajectory, limits)
    rows = found.rows
    pair = rows.first * len(trajectory.bodies) + rows.second
    listed = []
    for one in np.unique(pair[found.touch]):
        at = np.flatnonzero(found.touch & (pair == one))
        mask = np.zeros(len(trajectory), bool)
        mask[rows.frame[at]] = True
        names = [trajectory.names[rows.first[at[0]]], trajectory.names[rows.second[at[0]]]]
        for first, last in runs(mask):
            inside = at[(rows.frame[at] >= first) & (rows.frame[at] <= last)]
            frames = [int(trajectory.frames[first]), int(trajectory.frames[last])]
            least = float(rows.distance[inside].min())
            listed.append({"pair": names, "frames": frames, "least": least})
    return listed


def _phantoms(trajectory: Trajectory, limits: Limits) -> list[Finding]:
    """Blows in free flight."""
    beyond = np.linalg.norm(excess(trajectory), axis=2)
    free = flights(trajectory, limits)
    limit = blow(trajectory, limits)
    with np.errstate(invalid="ignore"):
        hit = free & (beyond > limit)
    findings = []
    for k in np.flatnonzero(hit.any(0)):
        # A flight that is wrong all the way is no blow: gravity tells that.
        usual = float(np.median(beyond[free[:, k], k]))
        row = int(np.where(hit[:, k], beyond[:, k], 0).argmax())
        if beyond[row, k] <= usual + limit:
            continue
        change = float(beyond[row, k] * trajectory.dt)
        findings.append(
            fault(
                *(trajectory, ID, int(k), row),
                f"{trajectory.names[k]} changes its velocity by {change:.3g} m/s at frame "
                f"{trajectory.frames[row]} although nothing touches it",
                measured=change,
                limit=limit * trajectory.dt,
                unit="m/s",
            )
        )
    return findings


def _through(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> list[Finding]:
    """Bodies that go on into another as if it weren't there."""
    rows = near(trajectory, limits).rows
    velocity = np.diff(trajectory.position, axis=0) / trajectory.dt
    slow = blow(trajectory, limits) * trajectory.dt
    active = rigid(trajectory)
    pair = rows.first * len(trajectory.bodies) + rows.second
    findings = []
    for one in np.unique(pair[rows.distance < 0]):
        at = np.flatnonzero(pair == one)
        i, j = int(rows.first[at[0]]), int(rows.second[at[0]])
        names = trajectory.names[i], trajectory.names[j]
        first, second = (called(trajectory.bodies[k]) for k in (i, j))
        if not active[[i, j]].any() or trajectory.joined(*names):
            continue
        if brief.overlap_admitted(first, second):
            continue
        small = min(trajectory.bodies[i].size, trajectory.bodies[j].size)
        deep = np.zeros(len(trajectory), bool)
        deep[rows.frame[at]] = rows.distance[at] < -limits.depth_momentary * small
        relative = velocity[:, i] - velocity[:, j]
        for start, _ in runs(deep):
            normal = rows.normal[at[rows.frame[at] == start][0]]
            kept = _kept(relative, normal, start, slow)
            if kept is None or kept < limits.unchecked:
                continue
            mover, other = (i, j) if active[i] else (j, i)
            findings.append(
                fault(
                    *(trajectory, ID, mover, start),
                    f"{trajectory.names[mover]} goes into {trajectory.names[other]} at frame "
                    f"{trajectory.frames[start]} and keeps {kept:.0%} of its speed: it meets no "
                    f"response",
                    measured=kept,
                    limit=limits.unchecked,
                    unit="1",
                    related=(other,),
                )
            )
            break
    return findings


def _kept(relative: Floats, normal: Floats, start: int, slow: float) -> float | None:
    """The share of the closing velocity that is left some frames later; ``None``: no approach.

    ``normal`` (3,) is the way in which the two part: what slides along the other goes on, and is
    none the worse for it. Where that isn't known the whole velocity counts.
    """
    if start < 2 or start + _AFTER > len(relative):
        return None
    before = relative[start - 2 : start].mean(0)
    way = normal if np.isfinite(normal).all() else before
    # Of one that is through already in the first deep frame the way out is onwards.
    way = way * np.sign(before @ way) / (np.linalg.norm(way) or 1.0)
    speed = float(before @ way)
    if not np.isfinite(speed) or speed <= slow:
        return None
    return float((relative[start : start + _AFTER] @ way).min() / speed)


def _exchanges(trajectory: Trajectory, limits: Limits) -> tuple[list[Finding], int]:
    """Blows of two bodies that touch only each other: what one loses the other must gain."""
    rows = near(trajectory, limits).rows
    beyond = excess(trajectory)
    limit = blow(trajectory, limits)
    held = near(trajectory, limits).pairs_in_reach(trajectory, limits)
    alone = _undisturbed(trajectory, limits)
    able = rigid(trajectory)
    findings: list[Finding] = []
    judged = 0
    pair = rows.first * len(trajectory.bodies) + rows.second
    for one in np.unique(pair):
        i, j = divmod(int(one), len(trajectory.bodies))
        bodies = trajectory.bodies[i], trajectory.bodies[j]
        both = np.zeros(len(trajectory), bool)
        both[rows.frame[held & (pair == one)]] = True
        if not both.any() or not all(b.mass for b in bodies) or not able[[i, j]].all():
            continue
        both = _widened(both)
        masses = [float(b.mass or 0) for b in bodies]
        force = np.stack([m * beyond[:, k] for m, k in zip(masses, (i, j), strict=True)])
        size = np.nan_to_num(np.linalg.norm(force, axis=2))
        for first, last in runs(both & (size.max(0) > limit * min(masses))):
            # What a blow does is spread over the frames round it by taking differences.
            window = slice(max(first - 1, 0), last + 2)
            if not (alone[window, i] & alone[window, j]).all():
                continue
            judged += 1
            gain = np.nan_to_num(force[:, window]).sum(1) * trajectory.dt
            share = float(np.linalg.norm(gain.sum(0)) / np.linalg.norm(gain, axis=1).max())
            if share > limits.momentum:
                findings.append(
                    fault(
                        *(trajectory, ID, i, first),
                        f"{bodies[0].name} and {bodies[1].name} collide at frame "
                        f"{trajectory.frames[first]}, and {share:.0%} of the momentum that one "
                        f"gains the other doesn't lose",
                        measured=share,
                        limit=limits.momentum,
                        unit="1",
                        related=(j,),
                    )
                )
                break
    return findings, judged


def _widened(mask: Bools) -> Bools:
    """The mask with the row before and after each of its stretches."""
    wide = mask.copy()
    wide[1:] |= mask[:-1]
    wide[:-1] |= mask[1:]
    return wide


def _undisturbed(trajectory: Trajectory, limits: Limits) -> Bools:
    """Where a body may touch one other at most, and nothing else acts on it, (f, n)."""
    found = near(trajectory, limits)
    rows, shape = found.rows, trajectory.position.shape[:2]
    held = found.pairs_in_reach(trajectory, limits)
    count = np.zeros(shape, int)
    for side in (rows.first, rows.second):
        np.add.at(count, (rows.frame[held], side[held]), 1)
    free = [not trajectory.joints_of(b.name) for b in trajectory.bodies]
    alone: Bools = (count <= 1) & ~found.unknown & ~trajectory.driven & free & ~pushed(trajectory)
    return alone
