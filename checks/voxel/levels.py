# SPDX-License-Identifier: GPL-3.0-or-later
"""A single level from every start to the outside (algorithm 7)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..result import Finding
from .cells import Bools, Ints, find, pack, shift
from .graph import SIDES, components, edges
from .outcome import Outcome, failed, fault, nothing, passed, told
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 7"


def is_single_level(
    blocks: VoxelStructure, rules: Rules, *, start_material: str | None = None
) -> Outcome:
    """From every start a flat way leads out over the floor, with room for the head.

    The floor is the lowest level; starts stand right on it and are floor themselves. A block that
    stands on the floor may be stepped on. Without starts it passes.
    """
    if not len(blocks):
        return passed()
    floor = int(blocks.low[1])
    figures = {"floor": floor}
    if floor > rules.outdoors:
        lowest = blocks.positions[blocks.positions[:, 1] == floor]
        message = (
            f"the floor lies at y = {floor}; level with the outside would be "
            f"y = {rules.outdoors} or lower"
        )
        finding = fault(
            message, lowest, clause=_CLAUSE, measured=floor, limit=rules.outdoors, unit="blocks"
        )
        return failed(finding, **figures)
    starts = starts_of(blocks, start_material, rules.start)
    if not len(starts):
        return nothing(True, f"no block of '{start_material}' to start from", **figures)
    off = starts[starts[:, 1] != floor + 1]
    findings = told(list(off), lambda start: _off_level(start, floor), np.array, "starts off level")
    plan = _Floor.of(blocks, floor, start_material)
    stuck = starts[(starts[:, 1] == floor + 1) & ~plan.leads_out(starts)]
    findings += told(
        list(stuck),
        lambda start: _stuck(plan, start),
        np.array,
        "starts without a level way out",
    )
    figures["starts"] = len(starts)
    return failed(*findings, **figures) if findings else passed(**figures)


def starts_of(blocks: VoxelStructure, material: str | None, middle: str) -> Ints:
    """Where ways begin, (k, 3): the blocks of a material, or else one place in the middle."""
    if material:
        return blocks.positions[blocks.of_material(material, True, any_case=True)]
    if middle == "box":
        return ((blocks.low + blocks.high) // 2)[None]
    mean = np.floor(blocks.positions.mean(axis=0) + 0.5)
    return mean.astype(np.int64)[None]


class _Floor(NamedTuple):
    """What can be walked on at the floor's level.

    ``cells`` (m, 3) are its cells, at the floor's height; ``walkable`` (m,) those with room for the
    head; ``piece`` (m,) the connected piece of each; ``out`` (m,) whether that piece leads out.
    """

    cells: Ints
    walkable: Bools
    piece: Ints
    out: Bools

    @classmethod
    def of(cls, blocks: VoxelStructure, floor: int, start_material: str | None) -> _Floor:
        p = blocks.positions
        on = p[:, 1] == floor
        if start_material:
            starts = blocks.of_material(start_material, True, any_case=True)
            on |= starts & (p[:, 1] == floor + 1)
        cells = np.unique(np.where([False, True, False], floor, p[on]), axis=0)
        solid = p[~blocks.of_material("door", True, any_case=True)]
        keys = pack(solid)
        knee = find(keys, pack(cells + [0, 1, 0])) >= 0
        head = np.where(knee, 2, 1)[:, None] * np.array([0, 1, 0])
        walkable = find(keys, pack(cells + head)) < 0
        beside = find(pack(cells), pack(cells)[:, None] + shift(SIDES))
        piece = components(len(cells), edges(beside, walkable))
        # Outdoors begins beyond the box round the floor; there nothing may stand on the level.
        low, high = cells.min(axis=0), cells.max(axis=0)
        ahead = cells[:, None] + SIDES
        beyond = ((ahead < low) | (ahead > high)).any(axis=2)
        raised = ahead + [0, 1, 0]
        free = (find(keys, pack(ahead)) < 0) & (find(keys, pack(raised)) < 0)
        leaves = (beyond & free.reshape(beyond.shape)).any(axis=1) & walkable
        out = np.zeros(len(cells), dtype=bool)
        out[piece[leaves]] = True
        return cls(cells, walkable, piece, out[piece] & walkable)

    def at(self, starts: Ints) -> Ints:
        """Row of the floor's cell under each start, -1 for none, (k,)."""
        under = np.where([False, True, False], self.cells[0, 1], starts)
        return find(pack(self.cells), pack(under))

    def leads_out(self, starts: Ints) -> Bools:
        """Whether a way leads out from each start, (k,)."""
        at = self.at(starts)
        found: Bools = (at >= 0) & self.out[at]
        return found


def _off_level(start: Ints, floor: int) -> Finding:
    message = (
        f"the start {text(start)} stands at y = {start[1]}, not right on the floor at "
        f"y = {floor + 1}"
    )
    return fault(
        message, start, clause=_CLAUSE, measured=int(start[1]), limit=floor + 1, unit="blocks"
    )


def _stuck(plan: _Floor, start: Ints) -> Finding:
    row = int(plan.at(start[None])[0])
    if row < 0:
        return fault(f"under the start {text(start)} there is no floor", start, clause=_CLAUSE)
    if not plan.walkable[row]:
        message = f"over the start {text(start)} there is no room for the head"
        return fault(message, start, clause=_CLAUSE)
    reached = plan.cells[(plan.piece == plan.piece[row]) & plan.walkable]
    message = (
        f"no level way leads out from {text(start)}: {len(reached)} floor cells can be reached, "
        "none at the edge with free ground before it"
    )
    return fault(message, start, clause=_CLAUSE, air=(reached + [0, 1, 0]).tolist())


def text(cell: Ints) -> str:
    """A cell as ``"(x, y, z)"``."""
    return f"({', '.join(str(int(v)) for v in cell)})"
