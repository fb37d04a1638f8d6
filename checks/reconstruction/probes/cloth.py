# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth: doesn't cross itself, stays where it is pinned, isn't stretched beyond bounds."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...result import CheckResult, Finding
from ..brief import ReconstructionBrief
from ..limits import Limits
from ..trajectory import Trajectory
from .common import fault, result
from .sheets import crossings, neighbours, stretched, unpinned

ID = "cloth"

# Triangles that are looked at in all frames together; of more, every so many frames are.
_TRIANGLES = 400_000


def cloth(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Triangles of a cloth that cross outside the neighbourhood of two faces, stretch, pins.

    Of a large cloth only every so many frames are searched for crossings; the figures say which,
    and the result is marked as degraded.
    """
    sheets = [k for k, body in enumerate(trajectory.bodies) if body.medium == "cloth"]
    if not sheets:
        return result(ID, brief, vacuous="there is no cloth")
    findings: list[Finding] = []
    figures: dict[str, Any] = {}
    unread, sampled = [], False
    for k in sheets:
        body = trajectory.bodies[k]
        if body.name not in trajectory.meshes:
            unread.append(body.name)
            continue
        if not trajectory.finite[:, k].all():
            continue  # told by numerical stability
        stretch, wrong = stretched(trajectory, ID, k, limits.cloth_stretch)
        drift, loose = unpinned(trajectory, ID, k, limits)
        crossed, counts, every = _crossed(trajectory, k, limits)
        findings += [*crossed, *wrong, *loose]
        sampled |= every > 1
        figures[body.name] = {
            "stretch": stretch,
            "pin_drift": drift,
            "every": every,
            "crossings": {int(trajectory.frames[f]): n for f, n in counts.items() if n},
        }
    blind = f"the evaluated surface of {', '.join(unread[:5])} was not recorded"
    return result(ID, brief, findings, figures, not_run=blind if unread else None, degraded=sampled)


def _crossed(
    trajectory: Trajectory, k: int, limits: Limits
) -> tuple[list[Finding], dict[int, int], int]:
    """Crossings by row, how many rows there are to each that was looked at, and the fault."""
    body = trajectory.bodies[k]
    mesh = trajectory.meshes[body.name]
    total = len(body.triangles)
    near = np.array(sorted(t * total + u for t, u in neighbours(body)), np.int64)
    every = max(1, -(-total * len(trajectory) // _TRIANGLES))
    rows = sorted({*range(0, len(trajectory), every), len(trajectory) - 1})
    found = {row: crossings(mesh[row], body.triangles, near) for row in rows}
    counts = {row: len(pairs) for row, pairs in found.items()}
    worst = max(counts, key=lambda row: counts[row])
    if counts[worst] <= limits.crossings:
        return [], counts, every
    frames = [int(trajectory.frames[row]) for row in rows if counts[row] > limits.crossings]
    place = mesh[worst][body.triangles[found[worst][0]]].mean((0, 1))
    told = fault(
        *(trajectory, ID, k, worst),
        f"{body.name} crosses itself in {len(frames)} of {len(rows)} frames looked at, at frame "
        f"{trajectory.frames[worst]} with {counts[worst]} pairs of triangles: switch its "
        f"self-collision on or give it more steps",
        measured=float(counts[worst]),
        limit=limits.crossings,
        unit="pairs",
        at=place,
        frames=frames[:100],
        triangles=found[worst][:200].tolist(),
    )
    return [told], counts, every
