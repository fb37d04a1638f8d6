# SPDX-License-Identifier: GPL-3.0-or-later
"""Heights that can be reached on foot, a block at a time (algorithm 8)."""

from __future__ import annotations

import numpy as np

from .cells import Bools
from .graph import SIDES, reach
from .outcome import Outcome, failed, fault, passed
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 8"


def standable(blocks: VoxelStructure, headroom: int) -> Bools:
    """Blocks with so many free cells above, (n,), 8 at most."""
    above = np.arange(1, headroom + 1)[:, None] * np.array([0, 1, 0])
    free: Bools = (blocks.neighbours(above) < 0).all(axis=1)
    return free


def is_reachable_by_stairs(blocks: VoxelStructure, rules: Rules, *, min_floor_y: int) -> Outcome:
    """From the blocks at y = 0 steps to the side, level or one up, lead to ``min_floor_y``.

    Nobody steps down. Without blocks it fails.
    """
    if not len(blocks):
        return failed()
    height = blocks.positions[:, 1]
    stand = standable(blocks, rules.headroom)
    ground = height == rules.ground
    steps = np.concatenate([SIDES, SIDES + [0, 1, 0]])
    reached = reach(blocks.neighbours(steps), ground & stand, stand)
    if not reached.any():
        bare = blocks.positions[ground]
        what = "none of them has two free cells above" if len(bare) else "there is none"
        message = f"nobody can start at y = {rules.ground}: {what}"
        place = None if len(bare) else f"level y = {rules.ground}"
        return failed(fault(message, bare, place=place, clause=_CLAUSE))
    top = int(height[reached].max())
    if top >= min_floor_y:
        return passed(reached=top)
    last = blocks.positions[reached & (height == top)]
    # What stands in the way there: blocks one higher beside it that nobody can stand on.
    beside = blocks.neighbours(SIDES + [0, 1, 0])[reached & (height == top)]
    hindered = blocks.positions[np.unique(beside[beside >= 0])]
    message = (
        f"steps of one block lead from y = {rules.ground} up to y = {top}, not to y = {min_floor_y}"
    )
    if len(hindered):
        message += f"; the next step lacks two free cells above at {len(hindered)} blocks"
    finding = fault(
        message,
        last,
        related=hindered[:8],
        clause=_CLAUSE,
        measured=top,
        limit=min_floor_y,
        unit="blocks",
        hindered=hindered.tolist(),
    )
    return failed(finding, reached=top)
