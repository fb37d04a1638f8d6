# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a wall has a gap so that what lies behind it is no room: a guess that helps to see it.

A short stretch of empty cells between two blocks of a level is a gap if filling it alone closes a
region. The shortest is taken, of several the one that closes most.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ....checks.voxel.cells import Ints, pack
from ....checks.voxel.graph import Regions, enclosed
from ....checks.voxel.rooms import occupied_at
from ....checks.voxel.structure import VoxelStructure

#: Cells of the widest gap that is looked for: that of a double door, and one more.
WIDEST = 3
#: Stretches that are tried and blocks of a level that are looked at, so that nobody waits.
_MOST_TRIED, _MOST_BLOCKS, _MOST_GAPS = 60, 1_500, 4


class Gap(NamedTuple):
    """Cells (k, 3) that would close a room, and the empty cells (n, 3) of that room."""

    fill: Ints
    room: Ints


def gaps_at(structure: VoxelStructure, y: int, wanted: int) -> list[Gap]:
    """The gaps that keep a level from having ``wanted`` rooms, the likeliest first."""
    taken = occupied_at(structure, y)
    found: list[Gap] = []
    if not 0 < len(taken) <= _MOST_BLOCKS:
        return found
    while len(found) < _MOST_GAPS:
        before = enclosed(taken)
        if before.total >= wanted:
            break
        inside = _keys(_closed(before))
        best: tuple[tuple[int, int], Ints, Ints] | None = None
        for run in _stretches(taken)[:_MOST_TRIED]:
            if best is not None and len(run) > best[0][0]:
                break
            if np.isin(_keys(run), inside).any():
                continue  # it would only part a room
            after = enclosed(np.concatenate([taken, run]))
            if after.total <= before.total:
                continue
            cells = _closed(after)
            new = cells[~np.isin(_keys(cells), inside)]
            rank = (len(run), -len(new))
            if best is None or rank < best[0]:
                best = (rank, run, new)
        if best is None:
            break
        found.append(Gap(*(np.insert(cells, 1, y, axis=1) for cells in best[1:])))
        taken = np.concatenate([taken, best[1]])
    return found


def _closed(regions: Regions) -> Ints:
    """All cells of closed regions, (k, 2)."""
    none = np.zeros((0, 2), np.int64)
    return np.concatenate([none, *(regions.cells(i) for i in range(regions.total))])


def _stretches(taken: Ints) -> list[Ints]:
    """Empty cells (k, 2) between two blocks of a row or a column, short ones first."""
    runs: list[Ints] = []
    for along in (0, 1):
        across = 1 - along
        cells = taken[np.lexsort((taken[:, along], taken[:, across]))]
        step = np.diff(cells[:, along])
        near = (np.diff(cells[:, across]) == 0) & (step > 1) & (step <= WIDEST + 1)
        for i in np.flatnonzero(near).tolist():
            run = np.repeat(cells[i : i + 1], step[i] - 1, axis=0)
            run[:, along] += np.arange(1, step[i])
            runs.append(run)
    return sorted(runs, key=len)


def _keys(cells: Ints) -> Ints:
    return pack(np.insert(cells, 1, 0, axis=1))
