# SPDX-License-Identifier: GPL-3.0-or-later
"""Rooms: closed regions of a level (algorithm 5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..result import Finding
from .cells import Ints, find, pack
from .graph import enclosed
from .outcome import Outcome, failed, fault, nothing, passed, plural, told
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 5"


def occupied_at(blocks: VoxelStructure, y: int) -> Ints:
    """Cells (x, z) that are taken at height ``y``, (m, 2): a door also takes the cell above it.

    Placing a door records its lower half alone (public graders).
    """
    level = blocks.positions[:, 1]
    taken = (level == y) | ((level == y - 1) & blocks.of_material("door", True, any_case=True))
    return np.unique(blocks.positions[taken][:, [0, 2]], axis=0)


def has_rooms(
    blocks: VoxelStructure, rules: Rules, *, room_cnt: int, y: int | None = None
) -> Outcome:
    """At least so many regions at height ``y`` that no way of eight directions leads out of.

    A region that only a gap across a corner opens is named with that corner.
    """
    level = rules.room_level if y is None else y
    if room_cnt <= 0:
        return nothing(True, "no room is asked for", y=level)
    taken = occupied_at(blocks, level)
    found = enclosed(taken)
    figures = {"rooms": found.total, "y": level}
    if found.total >= room_cnt:
        return passed(**figures)
    rooms = [_lifted(found.cells(i), level) for i in range(found.total)]
    leaks = _leaks(taken, level)
    if len(taken):
        message = f"{plural(found.total, 'closed room')} at y = {level}, {room_cnt} asked for"
    else:
        message = f"no block at y = {level}, where rooms should have walls"
    walls = np.insert(taken, 1, level, axis=1)
    main = fault(
        message,
        walls[blocks.rows_at(walls) >= 0],
        place=f"rooms at y = {level}",
        at=walls.mean(axis=0) if len(walls) else None,
        clause=_CLAUSE,
        measured=found.total,
        limit=room_cnt,
        unit="rooms",
        rooms=rooms,
    )
    return failed(main, *leaks, **figures)


def _lifted(cells: Ints, y: int) -> list[list[int]]:
    lifted: list[list[int]] = np.insert(cells, 1, y, axis=1).tolist()
    return lifted


def _leaks(taken: Ints, y: int) -> tuple[Finding, ...]:
    """Corners at which a region that is closed side by side lets a way out between two blocks."""
    shut = enclosed(taken, corners=False)
    if not shut.total:
        return ()
    parts = [shut.cells(i) for i in range(shut.total)]
    cells = np.concatenate(parts)
    region = np.repeat(np.arange(shut.total), [len(p) for p in parts])
    keys = _key(cells)
    out: dict[tuple[int, int, int], tuple[int, Ints]] = {}
    for step in ((1, 1), (1, -1), (-1, 1), (-1, -1)):
        beyond = cells + np.array(step)
        at = find(keys, _key(beyond))
        free = find(_key(taken), _key(beyond)) < 0
        # An empty cell across the corner that is not of the same region: two walls part them.
        for i in np.flatnonzero(free & (region != np.where(at >= 0, region[at], -1))).tolist():
            (x, z), (dx, dz) = cells[i].tolist(), step
            name = (min(x, x + dx), min(z, z + dz), dx * dz)
            out.setdefault(name, (int(region[i]), np.array([[x, z], [x + dx, z + dz]])))

    def pair(leak: tuple[int, Ints]) -> Ints:
        (x, z), (far_x, far_z) = leak[1].tolist()
        return np.array([[far_x, y, z], [x, y, far_z]])

    def make(leak: tuple[int, Ints]) -> Finding:
        inside, across = parts[leak[0]], leak[1][1]
        walls = pair(leak)
        message = (
            f"the room of {plural(len(inside), 'cell')} is open across the corner between "
            f"{_text(walls[0])} and {_text(walls[1])}: fill ({across[0]}, {y}, {across[1]})"
        )
        first = _lifted(inside, y)
        place = f"room at {_text(first[0])}"
        corner = [across[0], y, across[1]]
        return fault(message, walls, place=place, at=corner, clause=_CLAUSE, air=first)

    def several(rest: Sequence[tuple[int, Ints]]) -> Ints:
        return np.concatenate([pair(leak) for leak in rest])

    return told(list(out.values()), make, several, "corners that leak")


def _key(cells: Ints) -> Ints:
    return pack(np.insert(cells, 1, 0, axis=1))


def _text(cell: Any) -> str:
    return f"({', '.join(str(int(v)) for v in cell)})"
