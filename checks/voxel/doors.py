# SPDX-License-Identifier: GPL-3.0-or-later
"""Doors that can be passed, and blocks side by side (MineCEraft, section 4.1, shape i)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ..result import Finding
from .cells import FACES, Ints
from .graph import SIDES, nearest
from .outcome import Outcome, failed, fault, nothing, passed, told
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, section 4.1"

# Blocks of each material that are compared where the nearest two are looked for.
_MOST = 4096


def doors_of(blocks: VoxelStructure, every: bool) -> Ints:
    """Rows of the doors that are looked at, (k,).

    ``every``: the lowest of each door that stands alone or is built of several blocks; otherwise
    the first placed of every column.
    """
    doors = np.flatnonzero(blocks.of_material("door", True, any_case=True))
    if every:
        below = blocks.neighbours([[0, -1, 0]])[doors, 0]
        return doors[~np.isin(below, doors)]
    columns = blocks.positions[doors][:, [0, 2]]
    return np.sort(doors[np.unique(columns, axis=0, return_index=True)[1]])


def are_doors_passable(blocks: VoxelStructure, rules: Rules) -> Outcome:
    """At every door, at its height and the next, at most two of its four sides are taken.

    Doors take nothing, so double doors are fine. Without a door it passes.
    """
    rows = doors_of(blocks, rules.every_door)
    if not len(rows):
        return nothing(True, "there is no door")
    sides = np.concatenate([SIDES, SIDES + [0, 1, 0]])
    beside = blocks.neighbours(sides)[rows]
    door = blocks.of_material("door", True, any_case=True)
    taken = (beside >= 0) & ~door[beside]
    count = taken.reshape(len(rows), 2, 4).sum(axis=2)
    shut = np.flatnonzero((count > rules.door_sides).any(axis=1))
    figures = {"doors": len(rows), "shut": len(shut)}
    if not len(shut):
        return passed(**figures)

    def around(i: int) -> Ints:
        level = int(count[i].argmax())
        return beside[i, 4 * level : 4 * level + 4][taken[i, 4 * level : 4 * level + 4]]

    def cells(i: int) -> Ints:
        return blocks.positions[np.r_[rows[i], around(i)]]

    def make(i: int) -> Finding:
        at = cells(i)
        most = int(count[i].max())
        message = (
            f"the door at ({', '.join(map(str, at[0].tolist()))}) can't be passed: {most} of its "
            f"4 sides are taken at y = {at[1, 1]}, {rules.door_sides} at most may be: "
            "clear the way on both sides"
        )
        return fault(
            message,
            at,
            related=at[1:],
            clause=_CLAUSE,
            measured=most,
            limit=rules.door_sides,
            unit="sides",
        )

    def several(rest: Sequence[int]) -> Ints:
        return np.concatenate([cells(i) for i in rest])

    return failed(*told(shut.tolist(), make, several, "doors that can't be passed"), **figures)


def are_adjacent(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    materials: tuple[str, ...],
    substring_match: bool = True,
) -> Outcome:
    """Some block of the first material shares a face with some block of the second."""
    a, b = (np.flatnonzero(blocks.of_material(m, substring_match, True)) for m in materials)
    first, second = materials
    for rows, material, other in ((a, first, second), (b, second, first)):
        if not len(rows):
            message = f"no block of '{material}' to be beside a '{other}'"
            return failed(fault(message, place=f"blocks of {material}", clause=_CLAUSE))
    beside = blocks.neighbours(FACES)[a]
    if np.isin(beside[beside >= 0], b).any():
        return passed()
    near_a, near_b = blocks.positions[a[:_MOST]], blocks.positions[b[:_MOST]]
    i, j, apart = nearest(near_a, near_b)
    pair = np.stack([near_a[i], near_b[j]])
    message = (
        f"no '{materials[0]}' shares a face with a '{materials[1]}'; the nearest two are "
        f"{apart:.2f} apart"
    )
    finding = fault(
        message,
        pair,
        related=pair[1:],
        clause=_CLAUSE,
        measured=apart,
        limit=1,
        unit="blocks",
    )
    return failed(finding, distance=apart)
