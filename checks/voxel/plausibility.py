# SPDX-License-Identifier: GPL-3.0-or-later
"""Physical plausibility: every block hangs together with the ground (algorithm 11)."""

from __future__ import annotations

import numpy as np

from ..result import Finding
from .cells import Ints
from .graph import components, edges
from .outcome import Outcome, failed, fault, passed, plural, tally, told
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 11"


def is_ground_connected(blocks: VoxelStructure, rules: Rules) -> Outcome:
    """From the blocks at y <= 0 every other can be reached face by face.

    Each floating piece is named, the largest first. Without blocks it passes, without a block on
    the ground it fails.
    """
    if not len(blocks):
        return passed()
    piece = components(len(blocks), edges(blocks.face_neighbours))
    grounded = blocks.positions[:, 1] <= rules.ground
    floating = ~np.isin(piece, piece[grounded])
    if not floating.any():
        return passed(floating=0)
    order = np.argsort(piece, kind="stable")
    parts = np.split(order, np.flatnonzero(np.diff(piece[order])) + 1)
    parts = sorted((rows for rows in parts if floating[rows[0]]), key=lambda rows: -len(rows))

    def make(rows: Ints) -> Finding:
        lowest = rows[np.argsort(blocks.positions[rows, 1], kind="stable")]
        at = blocks.positions[lowest]
        message = (
            f"{plural(len(rows), 'block floats', 'blocks float')} ({tally(blocks, rows)}), the "
            f"lowest at y = {at[0, 1]}: no way over faces leads to the ground at "
            f"y = {rules.ground} or lower; join it to what stands, or take it away"
        )
        return fault(message, at, clause=_CLAUSE, measured=len(rows), limit=0, unit="blocks")

    findings = told(
        parts, make, lambda rest: blocks.positions[np.concatenate(rest)], "floating pieces"
    )
    return failed(*findings, floating=int(floating.sum()), pieces=len(parts))
