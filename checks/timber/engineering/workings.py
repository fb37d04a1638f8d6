# SPDX-License-Identifier: GPL-3.0-or-later
"""What judging finds out on the way and pictures need again: how members meet, and what stands."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..brief import TimberBrief
from ..structure import TimberStructure
from .duplicates import duplicates
from .fixed_point import LoadPath, load_path
from .joints import Joints


@dataclass(frozen=True)
class Workings:
    """Joints and load path of one structure, without the copies of members drawn twice."""

    joints: Joints
    path: LoadPath

    @classmethod
    def of(cls, structure: TimberStructure, brief: TimberBrief) -> Workings:
        """Work both out anew. Raises ``CrowdedError`` for a heap of members."""
        copies = duplicates(structure, brief.ground)
        if copies:
            structure = structure.subset(np.setdiff1d(np.arange(len(structure)), list(copies)))
        joints = Joints.of(structure, brief)
        return cls(joints, load_path(joints))
