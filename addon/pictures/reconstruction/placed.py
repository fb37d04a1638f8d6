# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the objects of simulated bodies should be in a frame, as the scene has it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Floats
from .places import poses

#: An object that is nearer to where the check had its body is where it was, of the body's size.
CLOSE = 1e-3


class Placed:
    """The objects of ``n`` bodies: world matrices in any frame, in units of the scene.

    ``poses`` tell each object's matrix at the time of the check, of which only its scale is taken:
    the solver turns and moves, it never scales. ``unit`` is metres in one unit of the scene.
    """

    def __init__(self, run: Trajectory, poses: Mapping[str, Any], unit: float) -> None:
        self._run = run
        self._unit = unit
        self._scale = np.ones((len(run.bodies), 3))
        for row, name in enumerate(run.names):
            found = poses.get(name)
            if found is not None:
                axes = np.array(found.matrix, float)[:3, :3]
                sign = -1.0 if np.linalg.det(axes) < 0 else 1.0
                self._scale[row] = sign * np.linalg.norm(axes, axis=0)
        sizes = np.array([body.size for body in run.bodies])
        #: How far off an object still counts as where it was, (n,), in units of the scene.
        self.slack: Floats = np.maximum(CLOSE * sizes / unit, 1e-5)

    def matrices(self, frame: int) -> Floats:
        """World matrices, (n, 4, 4), in a frame; in the nearest one that was simulated."""
        place, turned = poses(self._run, self._run.row(frame))
        made = np.tile(np.eye(4), (len(place), 1, 1))
        made[:, :3, :3] = turned * self._scale[:, None]
        made[:, :3, 3] = place / self._unit
        return made
