# SPDX-License-Identifier: GPL-3.0-or-later
"""The block that a ray meets first, by walking through the cells that it passes. No ``bpy``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..checks.voxel.structure import Ints, VoxelStructure

Floats: TypeAlias = NDArray[np.float64]

# Cells that are looked up at a time.
_AT_A_TIME = 2048
_TINY = 1e-12


def block_hit(
    structure: VoxelStructure, origin: Sequence[float], direction: Sequence[float]
) -> int | None:
    """Row of the first block that a ray meets, ``None`` if it meets none.

    ``origin`` and ``direction`` (of any length above nought) are in Blender's axes, m, as a view
    gives them. A ray that starts inside a block meets that one. One that runs exactly along an edge
    meets one of the blocks beside it. Raises ``ValueError`` for a direction of no length.

    The cells are those of J. Amanatides and A. Woo, *A Fast Voxel Traversal Algorithm for Ray
    Tracing* (Eurographics 1987), found for all three axes at once by sorting where the ray crosses
    their planes.
    """
    start, way = _in_task(origin), _in_task(direction)
    length = float(np.linalg.norm(way))
    if not np.isfinite(start).all() or not np.isfinite(length) or length < _TINY:
        raise ValueError("a ray needs a finite origin and a direction that isn't nought")
    if not len(structure):
        return None
    way /= length
    span = _within(start, way, structure.low - 0.5, structure.high + 0.5)
    if span is None:
        return None
    for cells in _passed(start, way, *span):
        rows = structure.rows_at(cells)
        met = np.flatnonzero(rows >= 0)
        if len(met):
            return int(rows[met[0]])
    return None


def _in_task(vector: Sequence[float]) -> Floats:
    """Blender's (x, y, z) as the task's (x, z, -y)."""
    x, y, z = (float(v) for v in vector)
    return np.array([x, z, -y])


def _within(start: Floats, way: Floats, low: Floats, high: Floats) -> tuple[float, float] | None:
    """Where along the ray the box round all blocks begins and ends, ``None`` if it is missed."""
    with np.errstate(divide="ignore", invalid="ignore"):
        one, other = (low - start) / way, (high - start) / way
    near, far = np.fmin(one, other), np.fmax(one, other)
    level = np.abs(way) < _TINY
    if (level & ((start < low) | (start > high))).any():
        return None
    first = max(0.0, float(near[~level].max()))
    last = float(far[~level].min())
    return (first, last) if first <= last else None


def _passed(start: Floats, way: Floats, first: float, last: float) -> Iterator[Ints]:
    """Cells (k, 3) that the ray passes between two distances, nearest first, in portions."""
    step = _AT_A_TIME / 3.0
    while first <= last:
        until = min(first + step, last)
        crossings = [np.array([first, until])]
        for axis in np.flatnonzero(np.abs(way) >= _TINY):
            ends = sorted((start[axis] + way[axis] * first, start[axis] + way[axis] * until))
            planes = np.arange(np.ceil(ends[0] - 0.5), np.floor(ends[1] - 0.5) + 1) + 0.5
            crossings.append((planes - start[axis]) / way[axis])
        along = np.unique(np.clip(np.concatenate(crossings), first, until))
        # Between two crossings the ray is in one cell: that of the middle.
        middle = 0.5 * (along[1:] + along[:-1]) if len(along) > 1 else along
        yield np.rint(start + middle[:, None] * way).astype(np.int64)
        if until >= last:
            return
        first = until
