# SPDX-License-Identifier: GPL-3.0-or-later
"""The occupancy V: how much of the space that either structure fills is filled by both.

The specification (section 6) asks for the intersection over union of the occupied voxels of the
oriented boxes at 0.1 m, with the grid's origin at the target's lowest corner. It doesn't say when
a voxel is occupied. Here: when a box and the voxel overlap, by more than 0.1 mm whichever way one
looks (separating axes). Asking for the voxel's centre instead would lose most of a frame: a stud is
38 mm thick and a voxel 100 mm, so three studs out of five would fill nothing, and which ones would
change with a shift of a few millimetres. The 0.1 mm keep faces that merely touch a plane of the
grid from filling the cells behind it by the last digit of a float32.
"""

from __future__ import annotations

import numpy as np

from ..structure import Floats
from .members import Counted, Ints

#: Edge of a voxel, m (specification, section 6).
VOXEL = 0.1
#: How deep a box must reach into a voxel to fill it, m.
DEPTH = 1e-4
# A member further away than this from the target's corner has no place on the grid, voxels: 100 km.
_REACH = 1 << 20
# Cells that may be looked at together: the largest published houses fill some 160,000.
_MOST_CELLS = 5_000_000
_TOO_LARGE = "its members fill more voxels than a building has; scale it to metres"
# How much wider the box round a member may be than the member itself, all three ways together, for
# its edges to count as running along the grid, m.
_LEVEL = 1e-5
# Sine of the angle under which two edges run alike.
_ALIKE = 1e-9
_OCTANTS = np.stack(np.meshgrid([0, 1], [0, 1], [0, 1], indexing="ij"), -1).reshape(-1, 3)

_Directions = tuple[Floats, Floats, Floats]


class OccupancyUnknown(ValueError):
    """A structure that can't be put on the grid; the message is one sentence."""


def occupancy(target: Counted, candidate: Counted) -> float | None:
    """V, 0 to 1: voxels that both fill divided by voxels that either fills.

    ``None`` for a target without members. Raises :class:`OccupancyUnknown` for members that are too
    far away or too large for the grid, and where all of them have no size.
    """
    if not len(target):
        return None
    origin = target.structure.aabb[0].min(axis=0)
    ours, theirs = occupied(target, origin), occupied(candidate, origin)
    both = len(np.intersect1d(ours, theirs, assume_unique=True))
    either = len(ours) + len(theirs) - both
    if not either:
        raise OccupancyUnknown("neither fills any space")
    return both / either


def occupied(members: Counted, origin: Floats) -> Ints:
    """The voxels that the members fill, as sorted unique numbers (k,).

    ``origin`` (3,) m is a corner of the grid. Raises :class:`OccupancyUnknown`.
    """
    structure = members.structure
    if not len(structure):
        return np.zeros(0, np.intp)
    low, high = (corner - origin for corner in structure.aabb)
    far = np.abs(np.concatenate([low, high], axis=1)).max(axis=1) >= _REACH * VOXEL
    if far.any():
        name = structure.names[int(np.flatnonzero(far)[0])]
        raise OccupancyUnknown(f"member {name!r} lies more than 100 km from the target")
    if 8.0 * structure.half.prod(axis=1).sum() > _MOST_CELLS * VOXEL**3:
        raise OccupancyUnknown(_TOO_LARGE)
    level = (high - low).sum(axis=1) - 2 * structure.half.sum(axis=1) < _LEVEL
    askew = structure.subset(~level)
    cells = [_along_the_grid(low[level], high[level])]
    if len(askew):
        cells.append(_across_the_grid(askew.center - origin, askew.axes, askew.half))
    return np.unique(_number(np.concatenate(cells)))


def _along_the_grid(low: Floats, high: Floats) -> Ints:
    """Cells (k, 3) of boxes whose edges run along the grid: all between two corners."""
    first = np.floor((low + DEPTH) / VOXEL).astype(np.intp)
    last = np.ceil((high - DEPTH) / VOXEL).astype(np.intp)
    count = np.maximum(last - first, 0)
    total = count.prod(axis=1, dtype=np.float64)
    if total.sum() > _MOST_CELLS:
        raise OccupancyUnknown(_TOO_LARGE)
    number = total.astype(np.intp)
    owner = np.repeat(np.arange(len(low)), number)
    rank = np.arange(len(owner)) - np.repeat(np.cumsum(number) - number, number)
    rank, z = np.divmod(rank, count[owner, 2])
    x, y = np.divmod(rank, count[owner, 1])
    return first[owner] + np.stack([x, y, z], axis=1)


def _across_the_grid(center: Floats, axes: Floats, half: Floats) -> Ints:
    """Cells (k, 3) of boxes that lie askew, (n, 3), (n, 3, 3), (n, 3), m.

    Cells are halved from blocks as large as the largest member down to voxels, and what no box
    reaches is dropped on the way, so that the work goes with the voxels filled and not with the
    boxes round sloping members.
    """
    reach = np.einsum("nij,ni->nj", np.abs(axes), half)
    level = int(np.ceil(np.log2(max(1.0, 2.0 * float(reach.max()) / VOXEL))))
    owner, cell = _first_blocks(center - reach, center + reach, VOXEL * 2**level)
    directions = _directions(axes, half)
    while True:
        keep = _reached(owner, cell, VOXEL * 2**level, center, directions)
        owner, cell = owner[keep], cell[keep]
        if level == 0:
            return cell
        level -= 1
        if 8 * len(cell) > _MOST_CELLS:
            raise OccupancyUnknown(_TOO_LARGE)
        owner = np.repeat(owner, 8)
        cell = (2 * cell[:, None, :] + _OCTANTS).reshape(-1, 3)


def _first_blocks(low: Floats, high: Floats, size: float) -> tuple[Ints, Ints]:
    """Blocks of ``size`` m that the boxes round all members touch: at most two a direction."""
    first = np.floor(low / size).astype(np.intp)
    last = np.floor(high / size).astype(np.intp)
    cell = first[:, None, :] + _OCTANTS
    there = (cell <= last[:, None, :]).all(axis=2)
    owner = np.broadcast_to(np.arange(len(low))[:, None], there.shape)
    return owner[there], cell[there]


def _reached(owner: Ints, cell: Ints, size: float, center: Floats, directions: _Directions) -> Ints:
    """Rows of the cells that their own members reach into by more than :data:`DEPTH`."""
    apart = (cell + 0.5) * size - center[owner]
    rows = np.arange(len(owner))
    for line, cube, box in zip(*directions, strict=True):
        who = owner[rows]
        away = np.abs(np.einsum("kj,kj->k", apart[rows], line[who]))
        rows = rows[0.5 * size * cube[who] + box[who] - away > DEPTH]
    return rows


def _directions(axes: Floats, half: Floats) -> _Directions:
    """The fifteen directions in which boxes (n) and a cell can be apart (separating axes).

    Unit vectors (15, n, 3), how far a cube of edge 2 reaches along each, and how far the box does,
    both (15, n): edges of the grid, of the box, and what is square to one of each. A direction that
    is none, of two edges that run alike, parts nothing.
    """
    edges = np.broadcast_to(np.eye(3)[:, None], (3, *half.shape))
    own = axes.transpose(1, 0, 2)
    square = np.cross(edges[:, None], own[None]).reshape(9, -1, 3)
    lines = np.concatenate([edges, own, square])
    length = np.linalg.norm(lines, axis=2)
    alike = length < _ALIKE
    lines = lines / np.where(alike, 1.0, length)[..., None]
    box = (np.abs(np.einsum("nij,lnj->lni", axes, lines)) * half).sum(axis=2)
    return lines, np.abs(lines).sum(axis=2), np.where(alike, np.inf, box)


def _number(cell: Ints) -> Ints:
    """Each cell (k, 3) as one number."""
    x, y, z = (cell + _REACH).T
    wide = 2 * _REACH
    numbers: Ints = (x * wide + y) * wide + z
    return numbers
