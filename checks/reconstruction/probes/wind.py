# SPDX-License-Identifier: GPL-3.0-or-later
"""Wind: what it moves stops, or moves otherwise, when the field is switched off."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult
from ..bodies import Floats
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..trajectory import Trajectory
from .common import fault, pushed, result

ID = "wind"


def wind(
    trajectory: Trajectory,
    brief: ReconstructionBrief,
    limits: Limits,
    without: Trajectory | None = None,
) -> CheckResult:
    """Compares with ``without``: the same scene, run again with its force fields off.

    A body that a field may act on and that moves must go elsewhere by a share of its size.
    """
    if not any(one.strength for one in trajectory.fields):
        return result(ID, brief, vacuous="there is no force field")
    if without is None:
        return result(ID, brief, not_run="the scene was not run again with its fields off")
    if any(one.strength for one in without.fields):
        return result(ID, brief, inconclusive="fields were still at work in the run without them")
    apart, judged = {}, []
    acted = pushed(trajectory)
    for k, body in enumerate(trajectory.bodies):
        if not acted[k] or not body.moves or body.name not in without.names:
            continue
        apart[body.name] = difference(trajectory, without, body.name)
        judged.append((k, body))
    findings = [
        fault(
            *(trajectory, ID, k, len(trajectory) - 1),
            f"{body.name} moves the same with and without the wind: it is something else that "
            f"moves it",
            measured=apart[body.name],
            limit=limits.wind_response * body.size,
            unit="m",
            at_least=True,
        )
        for k, body in judged
        if body.moves and apart[body.name] < limits.wind_response * body.size
    ]
    # One that answers is enough in a field that blows past others, unless the field names them.
    answered = len(findings) < len(judged)
    named = any(one.bodies is not None for one in trajectory.fields)
    return result(
        ID,
        brief,
        [] if answered and not named else findings,
        {"apart": apart},
        vacuous=None if judged else "no body that moves is in the field",
    )


def difference(one: Trajectory, other: Trajectory, name: str) -> float:
    """The farthest that a body, or any vertex of it, is apart in two runs of one scene, m."""
    frames = min(len(one), len(other))
    a, b = one.meshes.get(name), other.meshes.get(name)
    if a is not None and b is not None and a.shape[1:] == b.shape[1:]:
        whole: Floats = np.linalg.norm(a[:frames] - b[:frames], axis=2)
    else:
        shift = one.position[:frames, one.index(name)] - other.position[:frames, other.index(name)]
        whole = np.linalg.norm(shift, axis=1)
    return float(np.nanmax(whole, initial=0.0))
