# SPDX-License-Identifier: GPL-3.0-or-later
"""Structural stability: the published score against a reference stress (appendix G)."""

from __future__ import annotations

import numpy as np

from ..result import Measures
from .cells import block_name
from .outcome import Outcome
from .rules import Rules
from .stress.sph import solve
from .structure import VoxelStructure


def stress_score(blocks: VoxelStructure, rules: Rules, *, von_mises_stress: float) -> Outcome:
    """Reference over the greatest von Mises stress of the published solver, at most 1.

    ``von_mises_stress`` is the reference of the task, Pa. Without blocks it is 0. Where the run
    goes out of bounds, or finds no stress at all, the published score is 0 and nothing can be told.
    Where the neighbours of a block lie in one plane the figures are an artefact of the solver: the
    outcome is then ``degraded`` and says so.
    """
    if not len(blocks):
        return Outcome(0.0)
    field = solve(blocks)
    stress = field.von_mises
    figures = {
        "solver": "sph",
        "reference": von_mises_stress,
        "flat": int(field.flat.sum()),
        "untold": int(field.touched.sum()),
    }
    planar = (
        f"{int(field.touched.sum())} of {len(blocks)} blocks lie in or beside parts one block "
        "thick, where this solver shows stress that isn't there"
    )
    note = planar if field.touched.any() else None
    greatest = float(stress.max()) if np.isfinite(stress).all() else np.inf
    if not 0 < greatest < np.inf:
        what = "found no stress" if greatest <= 0 else "went out of bounds"
        reason = f"the published solver {what}, so its score is 0" + (f"; {note}" if note else "")
        return Outcome(0.0, undecided=reason, degraded=note is not None, figures=figures)
    at = int(stress.argmax())
    names = tuple(block_name(p) for p in blocks.positions)
    return Outcome(
        min(1.0, von_mises_stress / greatest),
        note=note,
        degraded=note is not None,
        figures={**figures, "greatest": greatest, "at": blocks.positions[at].tolist()},
        measures=(Measures(names, stress, np.full(len(blocks), von_mises_stress), "Pa"),),
    )
