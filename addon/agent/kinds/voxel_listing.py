# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks in words, short: how many of what and where, then layer by layer in runs of cells."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby

import numpy as np

from ....checks.voxel.cells import Ints
from ....checks.voxel.structure import VoxelStructure

#: Materials that are told one by one.
_MATERIALS = 12


def listing(blocks: VoxelStructure, characters: int) -> str:
    """What stands within about so many characters; empty where no block does.

    After number and extents, over all and of each material, come the layers from the lowest up:
    ``y 1..3: z 0: x 0..9 stone`` says that in each of the layers 1 to 3 there are ten blocks of
    stone in the row z = 0, and nothing else.
    """
    if not len(blocks):
        return ""
    lines = [f"{len(blocks)} blocks, {extent(blocks.positions)}", *_materials(blocks)]
    lines.append("Layer by layer from the lowest, rows along x:")
    room = characters - sum(len(line) + 1 for line in lines)
    for line, lowest in _layers(blocks):
        room -= len(line) + 1
        if room < 0:
            left = int((blocks.positions[:, 1] >= lowest).sum())
            lines.append(f"and {left} blocks from y = {lowest} up that are not listed here")
            break
        lines.append(line)
    return "\n".join(lines)


def extent(cells: Ints) -> str:
    """``x 0..9, y 0, z -2..4``, of cells (k, 3), k > 0."""
    low, high = cells.min(axis=0), cells.max(axis=0)
    return ", ".join(f"{axis} {_span(a, b)}" for axis, a, b in zip("xyz", low, high, strict=True))


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}..{high}"


def _materials(blocks: VoxelStructure) -> list[str]:
    """Number and extent of the blocks of each material, the most frequent first."""
    counts = np.bincount(blocks.material_codes, minlength=len(blocks.palette))
    order = np.argsort(-counts, kind="stable")
    lines = [
        f"- {blocks.palette[code] or 'nameless'}: {counts[code]}, "
        f"{extent(blocks.positions[blocks.material_codes == code])}"
        for code in order[:_MATERIALS]
    ]
    if len(order) > _MATERIALS:
        rest = int(counts[order[_MATERIALS:]].sum())
        lines.append(f"- {len(order) - _MATERIALS} more materials: {rest}")
    return lines


def _layers(blocks: VoxelStructure) -> Iterator[tuple[str, int]]:
    """A line for every stretch of layers that are alike, and the lowest y of each."""
    for text, levels in groupby(_rows(blocks), key=lambda layer: layer[1]):
        ys = [y for y, _ in levels]
        # A stretch ends where a layer is missing.
        for _, together in groupby(enumerate(ys), key=lambda pair: pair[1] - pair[0]):
            span = [y for _, y in together]
            yield f"y {_span(span[0], span[-1])}: {text}", span[0]


def _rows(blocks: VoxelStructure) -> Iterator[tuple[int, str]]:
    """Each layer's y and its rows in words, from the lowest up."""
    x, y, z = blocks.positions.T
    codes = blocks.material_codes
    order = np.lexsort((x, z, y))
    x, y, z, codes = x[order], y[order], z[order], codes[order]
    new = np.ones(len(x), dtype=bool)
    new[1:] = (np.diff(y) != 0) | (np.diff(z) != 0) | (np.diff(x) != 1) | (codes[1:] != codes[:-1])
    first = np.flatnonzero(new)
    last = np.append(first[1:], len(x)) - 1
    names = [blocks.palette[code] or "nameless" for code in codes[first].tolist()]
    runs = zip(
        y[first].tolist(),
        z[first].tolist(),
        x[first].tolist(),
        x[last].tolist(),
        names,
        strict=True,
    )
    for level, layer in groupby(runs, key=lambda run: run[0]):
        rows = []
        for row, parts in groupby(layer, key=lambda run: run[1]):
            rows.append((row, ", ".join(f"x {_span(a, b)} {name}" for _, _, a, b, name in parts)))
        yield level, "; ".join(_alike(rows))


def _alike(rows: list[tuple[int, str]]) -> Iterator[str]:
    """Rows of a layer in words; neighbours that are alike are told together."""
    for text, same in groupby(rows, key=lambda row: row[1]):
        zs = [z for z, _ in same]
        for _, together in groupby(enumerate(zs), key=lambda pair: pair[1] - pair[0]):
            span = [z for _, z in together]
            yield f"z {_span(span[0], span[-1])}: {text}"
