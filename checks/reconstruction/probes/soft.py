# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft bodies, membranes and plants: volume or stem length within bounds, attachments hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import volume_of
from ..trajectory import Trajectory
from .common import called, fault, result
from .sheets import extremes, unpinned

ID = "soft_body"


def soft_body(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Closed surfaces keep their volume, edges (stems) their length, held vertices their place.

    Bodies that the task says are filled or emptied may change their volume and their edges.
    """
    soft = [k for k, body in enumerate(trajectory.bodies) if body.medium == "soft"]
    if not soft:
        return result(ID, brief, vacuous="there is no soft body")
    findings: list[Finding] = []
    figures: dict[str, Any] = {}
    unread = []
    for k in soft:
        body = trajectory.bodies[k]
        if body.name not in trajectory.meshes:
            unread.append(body.name)
            continue
        if not trajectory.finite[:, k].all():
            continue  # told by numerical stability
        drift, loose = unpinned(trajectory, ID, k, limits)
        findings += loose
        figures[body.name] = {"pin_drift": drift}
        if called(body) & set(brief.may_change_volume):
            continue
        findings += _edges(trajectory, k, limits, figures[body.name])
        if body.closed and len(body.triangles):
            findings += _volume(trajectory, k, limits, figures[body.name])
    blind = f"the evaluated surface of {', '.join(unread[:5])} was not recorded"
    return result(ID, brief, findings, figures, not_run=blind if unread else None)


def _edges(
    trajectory: Trajectory, k: int, limits: Limits, figures: dict[str, Any]
) -> list[Finding]:
    body = trajectory.bodies[k]
    if not len(body.edges):
        return []
    both = np.stack(extremes(trajectory, k))
    side, row = np.unravel_index(int(both.argmax()), both.shape)
    worst = figures["stretch"] = float(both[side, row])
    if worst <= limits.soft_stretch:
        return []
    return [
        fault(
            *(trajectory, ID, k, int(row)),
            f"{body.name} is {'longer' if side == 0 else 'shorter'} by {worst:.0%} somewhere at "
            f"frame {trajectory.frames[row]}; {limits.soft_stretch:.0%} is allowed",
            measured=worst,
            limit=limits.soft_stretch,
            unit="1",
        )
    ]


def _volume(
    trajectory: Trajectory, k: int, limits: Limits, figures: dict[str, Any]
) -> list[Finding]:
    body = trajectory.bodies[k]
    volume = volume_of(trajectory.meshes[body.name], body)
    if volume[0] == 0:
        return []
    change = np.abs(volume / volume[0] - 1)
    row = int(change.argmax())
    figures["volume_change"] = float(change[row])
    if change[row] <= limits.soft_volume:
        return []
    return [
        fault(
            *(trajectory, ID, k, row),
            f"{body.name} has {volume[row] / volume[0]:.0%} of its volume at frame "
            f"{trajectory.frames[row]}: it must keep it within {limits.soft_volume:.0%}",
            measured=float(change[row]),
            limit=limits.soft_volume,
            unit="1",
        )
    ]
