# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks that hang on nothing: how far it is down to what could carry them."""

from __future__ import annotations

import numpy as np

from ....checks.voxel.cells import Ints
from ....checks.voxel.rules import PAPER
from ....checks.voxel.structure import VoxelStructure
from ..drawing import Lines, Picture, Shown
from ..marks import STRONG, arrow, ring
from .parts import AIR, anchor, blocks_of, center, company, cube, still, words
from .told import fault_cells

#: Columns whose way down is looked at: enough for the nearest of any piece that is built.
_MOST_COLUMNS = 2_000


def floating(shown: Shown) -> Picture | None:
    """The piece, and a line straight down to the next block or to the ground."""
    structure, piece = blocks_of(shown), fault_cells(shown.finding)
    if structure is None or not len(piece) or not still(shown):
        return None
    cell, target, on_block = _way_down(structure, piece)
    gap = int(cell[1] - target[1]) - 1
    if gap < 1:
        return None
    start, end = center(cell - [0, 0.5, 0]), center(target + [0, 0.5, 0])
    lines = (
        Lines(np.array([start, end]), "fault", STRONG, dashed=True),
        Lines(arrow(start, end, head=0.4)[2:], "fault", STRONG),
        Lines(ring(end, (0.0, 0.0, 1.0), 0.5), "fault", STRONG),
    )
    below = structure.materials[structure.index[tuple(target.tolist())]] if on_block else "ground"
    text = f"{gap} empty {'cell' if gap == 1 else 'cells'} down to {below}"
    ground = cube(center(target), "allowed", AIR)
    faces = company(shown) if on_block else (*company(shown), ground)
    return Picture(faces, lines, words=words(text, (start + end) / 2), anchor=anchor(shown))


def _way_down(structure: VoxelStructure, piece: Ints) -> tuple[Ints, Ints, bool]:
    """The cell of a piece that is nearest to what is under it, that place, and whether it is a
    block (or else the ground)."""
    order = np.lexsort((piece[:, 1], piece[:, 2], piece[:, 0]))
    sorted_cells = piece[order]
    first = np.ones(len(piece), dtype=bool)
    first[1:] = (sorted_cells[1:, ::2] != sorted_cells[:-1, ::2]).any(axis=1)
    lowest = sorted_cells[first][:_MOST_COLUMNS]
    # Of the blocks in each column the highest one below the piece.
    p = structure.positions
    near = p[np.isin(p[:, 0], lowest[:, 0]) & np.isin(p[:, 2], lowest[:, 2])]
    best: tuple[int, Ints, Ints, bool] | None = None
    for cell in lowest:
        under = near[(near[:, 0] == cell[0]) & (near[:, 2] == cell[2]) & (near[:, 1] < cell[1])]
        on_block = len(under) > 0
        y = int(under[:, 1].max()) if on_block else min(PAPER.ground, int(cell[1]))
        found = (int(cell[1]) - y, cell, np.array([cell[0], y, cell[2]]), on_block)
        if best is None or found[0] < best[0]:
            best = found
    assert best is not None  # a piece has a cell
    return best[1:]
