# SPDX-License-Identifier: GPL-3.0-or-later
"""Solids block by block: in an order in which one moves little, or as programs fill them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from typing import Any

from ....checks.voxel.structure import Action

Cell = tuple[int, int, int]
Blocks = dict[Cell, str]


def box(x: int, y: int, z: int, low: Cell = (0, 0, 0)) -> Iterator[Cell]:
    """A full box, row by row back and forth and layer by layer: from each block to its neighbour.

    ``x``, ``y``, ``z`` are its sizes, in blocks.
    """
    rows = [(j, k) for j in range(y) for k in (range(z) if j % 2 == 0 else reversed(range(z)))]
    for count, (j, k) in enumerate(rows):
        for i in range(x) if count % 2 == 0 else reversed(range(x)):
            yield (low[0] + i, low[1] + j, low[2] + k)


def stacked(x: int, y: int, z: int, low: Cell = (0, 0, 0)) -> Iterator[Cell]:
    """A full box as programs fill one: column by column from below, along z and then along x."""
    return (
        (low[0] + i, low[1] + j, low[2] + k) for i, k, j in product(range(x), range(z), range(y))
    )


def made_of(cells: Iterable[Cell], material: str) -> Blocks:
    """All cells of one material, in order."""
    return dict.fromkeys(cells, material)


def placed(blocks: Mapping[Cell, str]) -> tuple[Action, ...]:
    """The actions that place blocks in order."""
    return tuple(Action("place", *cell, material) for cell, material in blocks.items())


def changed(before: Mapping[Cell, str], after: Mapping[Cell, str]) -> tuple[Action, ...]:
    """The actions that make one construction of another."""
    gone = (Action("remove", *cell) for cell in before if cell not in after)
    new = {cell: name for cell, name in after.items() if before.get(cell) != name}
    return (*gone, *placed(new))


def upward(blocks: Mapping[Cell, str]) -> Blocks:
    """The same blocks, the lower ones first."""
    return dict(sorted(blocks.items(), key=lambda item: (item[0][1], item[0])))


def whole(parameters: Mapping[str, Any], *names: str) -> tuple[int, ...]:
    """Parameters of a problem that are whole numbers."""
    return tuple(int(parameters[name]) for name in names)
