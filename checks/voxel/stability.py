# SPDX-License-Identifier: GPL-3.0-or-later
"""Structural stability: the published score against a reference stress (appendix G)."""

from __future__ import annotations

from .outcome import Outcome
from .rules import Rules
from .stress.score import stress
from .structure import VoxelError, VoxelStructure


def stress_score(blocks: VoxelStructure, rules: Rules, *, von_mises_stress: float) -> Outcome:
    """Reference over the greatest von Mises stress of the published solver, at most 1.

    ``von_mises_stress`` is the reference of the task, Pa. Without blocks it is 0. It is a score
    without a limit: the paper leaves it out of what a construction fails by, so that the worst
    block stands in the figures (``at``). Where the run goes out of bounds or finds no stress the
    published score is 0 and nothing can be told. ``degraded`` marks parts one block thick, where
    the figures are an artefact of the solver.

    Raises
    ------
    VoxelError
        For more blocks than the solver can do.
    """
    found = stress(blocks, "sph", von_mises_stress)
    if found.status == "not_run":
        raise VoxelError(found.reason)
    return Outcome(
        found.score or 0.0,
        undecided=found.reason if found.status == "inconclusive" else None,
        note=found.reason,
        degraded=found.degraded,
        figures=found.figures,
        measures=found.measures,
    )
