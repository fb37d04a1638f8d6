# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigidity: a rigid body keeps its shape, and what is attached stays attached."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..motion import rotations
from ..surroundings import PIVOTED, Joint
from ..trajectory import Trajectory
from ..words import lengths
from .common import fault, result

ID = "rigidity"


def rigidity(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Edges of rigid bodies keep their length, joints keep their two pivots together.

    Shape is read from evaluated meshes, or from the evaluated scale where there are none. Drift is
    a share of the body with its arm up to the pivot: a bob with its string, not the bob alone.
    """
    findings: list[Finding] = []
    shapes, worst = 0, 0.0
    for k, body in enumerate(trajectory.bodies):
        if body.medium not in ("rigid", "none"):
            continue
        change = _change(trajectory, k)
        if change is None:
            continue
        shapes += 1
        row = int(change.argmax())
        worst = max(worst, float(change[row]))
        if change[row] > limits.edge_change:
            findings.append(
                fault(
                    *(trajectory, ID, k, row),
                    f"{body.name} is rigid, yet it is stretched by {change[row]:.3%} at frame "
                    f"{trajectory.frames[row]}",
                    measured=float(change[row]),
                    limit=limits.edge_change,
                    unit="1",
                )
            )
    drifts = {}
    for joint in trajectory.joints:
        if joint.kind in PIVOTED and len(trajectory):
            drifts[joint.name], found = _drift(trajectory, joint, limits)
            findings += found
    figures = {"shapes": shapes, "largest_change": worst, "drifts": drifts}
    nothing = "no evaluated shape of a rigid body and no joint was recorded"
    return result(ID, brief, findings, figures, vacuous=None if shapes or drifts else nothing)


def _change(trajectory: Trajectory, k: int) -> Floats | None:
    """The largest relative change of any edge against the first frame, (f,)."""
    body = trajectory.bodies[k]
    mesh = trajectory.meshes.get(body.name)
    if mesh is not None and len(body.edges) and trajectory.finite[:, k].all():
        ends = mesh[:, body.edges[:, 1]] - mesh[:, body.edges[:, 0]]
        edge = np.linalg.norm(ends, axis=2)
        usable = edge[0] > 0
        change: Floats = np.abs(edge[:, usable] / edge[0, usable] - 1).max(1, initial=0.0)
        return change
    if trajectory.scale is not None:
        scale = trajectory.scale[:, k]
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.nan_to_num(np.abs(scale / scale[0] - 1).max(1))
    return None


def pivots(trajectory: Trajectory, joint: Joint) -> Floats:
    """How far a joint's two pivots are apart, (f,) m."""
    ends = []
    for name, local in ((joint.first, joint.first_pivot), (joint.second, joint.second_pivot)):
        if name is None:
            ends.append(np.broadcast_to(np.array(local), (len(trajectory), 3)))
            continue
        k = trajectory.index(name)
        at = rotations(trajectory)[:, k] @ np.array(local)
        ends.append(at + trajectory.position[:, k])
    apart: Floats = np.linalg.norm(ends[0] - ends[1], axis=1)
    return apart


def reach(trajectory: Trajectory, joint: Joint) -> float:
    """Size that a joint's drift is a share of, m: of a body with the arm that leads to its pivot.

    The least of those that the solver moves, or of both where it moves neither: how large what they
    hang from is made says nothing.
    """
    ends = [
        (trajectory.bodies[trajectory.index(name)], pivot)
        for name, pivot in ((joint.first, joint.first_pivot), (joint.second, joint.second_pivot))
        if name is not None
    ]
    moving = [end for end in ends if end[0].moves] or ends
    return min(
        float(np.ptp(np.vstack((_box(body), np.array(pivot))), axis=0).max())
        for body, pivot in moving
    )


def _box(body: Body) -> Floats:
    """Least and greatest corner of a body along its own axes, (2, 3)."""
    points = body.points
    return np.stack((points.min(0) - body.rounding, points.max(0) + body.rounding))


def _drift(trajectory: Trajectory, joint: Joint, limits: Limits) -> tuple[float, list[Finding]]:
    """How far a joint's pivots drift while it holds, and the fault."""
    whole = pivots(trajectory, joint)
    end = len(trajectory) if joint.until is None else trajectory.row(joint.until) + 1
    held = np.nan_to_num(np.abs(whole[:end] - whole[0]))
    row = int(held.argmax())
    ends = [n for n in (joint.first, joint.second) if n is not None]
    rows = [trajectory.index(n) for n in ends]
    limit = limits.drift * reach(trajectory, joint)
    if held[row] <= limit:
        return float(held[row]), []
    far, most = lengths(float(held[row]), limit)
    told = fault(
        *(trajectory, ID, rows[0], row),
        f"{joint.name} lets {' and '.join(ends)} drift {far} apart by frame "
        f"{trajectory.frames[row]}; {most} is allowed: give the solver more steps",
        measured=float(held[row]),
        limit=limit,
        unit="m",
        related=rows[1:],
    )
    return float(held[row]), [told]
