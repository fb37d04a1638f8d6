# SPDX-License-Identifier: GPL-3.0-or-later
"""The check ``stress`` beside the checks of a task, where somebody asks for it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from ...checks.result import Judgement
from ...checks.voxel.brief import VoxelBrief
from ...checks.voxel.stress.named import stress_check
from ...checks.voxel.stress.score import Method
from ...checks.voxel.structure import VoxelStructure


@dataclass(frozen=True)
class StressAsked:
    """Which solver, and what the stress is held against: see :func:`.named.limit_of`.

    Without a reference the stress is told and nothing is judged by it.
    """

    method: Method
    reference: str | float | None = None

    def added(self, judgement: Judgement, structure: Any, brief: Any) -> Judgement:
        """The judgement with the check. Raises ``ValueError`` for what is no blocks."""
        if not isinstance(structure, VoxelStructure):
            raise ValueError(
                "the stress is that of blocks, and this holds none; leave --stress out"
            )
        known = brief if isinstance(brief, VoxelBrief) else None
        check = stress_check(structure, self.method, self.reference, known)
        if self.reference is None:
            check = replace(check, required=False)
        return replace(judgement, checks=(*judgement.checks, check))
