# SPDX-License-Identifier: GPL-3.0-or-later
"""The outside of a set of cells as one solid, m in Blender's frame: no face between two of them."""

from __future__ import annotations

import numpy as np

from ....checks.voxel.cells import FACES, Ints, find, pack, shift, to_blender
from ..drawing import Floats, Solid

#: The shell stands this far off the blocks, m: seen from 30 m, Blender's depth can't tell less.
SKIN = 0.02
#: Up to so many cells every face has its edges; of more only where the shape has a corner.
EDGED = 500

# The corners of each face of FACES, in halves of a block from its centre, in task axes; seen from
# outside they go round counter-clockwise in Blender's frame.
_CORNERS: Ints = np.array(
    [
        [[1, -1, 1], [1, -1, -1], [1, 1, -1], [1, 1, 1]],
        [[-1, -1, -1], [-1, -1, 1], [-1, 1, 1], [-1, 1, -1]],
        [[-1, 1, 1], [1, 1, 1], [1, 1, -1], [-1, 1, -1]],
        [[-1, -1, -1], [1, -1, -1], [1, -1, 1], [-1, -1, 1]],
        [[-1, -1, 1], [1, -1, 1], [1, 1, 1], [-1, 1, 1]],
        [[1, -1, -1], [-1, -1, -1], [-1, 1, -1], [1, 1, -1]],
    ],
    dtype=np.int64,
)


def shell(cells: Ints) -> Solid:
    """The outer faces of ``cells`` (k, 3), in task axes, and the edges of that shape.

    Cells that come twice count once.
    """
    cells = np.asarray(cells, dtype=np.int64).reshape(-1, 3)
    if not len(cells):
        return Solid()
    keys, first = np.unique(pack(cells), return_index=True)
    cells = cells[first]
    bare = find(keys, keys[:, None] + shift(FACES)[None, :]) < 0
    row, face = np.nonzero(bare)
    corners = 2 * cells[row][:, None, :] + _CORNERS[face]  # (f, 4, 3), in halves of a block
    points = to_blender(corners.reshape(-1, 3) / 2.0 + SKIN * np.repeat(FACES[face], 4, axis=0))
    start = 4 * np.arange(len(row))[:, None]
    triangles = np.concatenate([start + (0, 1, 2), start + (0, 2, 3)], axis=1).reshape(-1, 3)
    ends = _edges(corners, face, all_of_them=len(cells) <= EDGED)
    pairs = len(points) + np.arange(len(ends)).reshape(-1, 2)
    return Solid(
        np.concatenate([points, ends]),
        triangles.astype(np.int32),
        pairs.astype(np.int32),
    )


def _edges(corners: Ints, face: Ints, all_of_them: bool) -> Floats:
    """Ends (2 e, 3), m, of the edges of faces (f, 4, 3), each once; or of those at a corner."""
    following = np.roll(corners, -1, axis=1)
    low = np.minimum(corners, following).reshape(-1, 3)
    along = np.abs(following - corners).reshape(-1, 3)  # 2 along one axis
    # One whole number an edge, whatever the coordinates are.
    key = along.argmax(axis=1)
    for axis in range(3):
        values, place = np.unique(low[:, axis], return_inverse=True)
        key = key * len(values) + place.reshape(-1)
    _, first, which = np.unique(key, return_index=True, return_inverse=True)
    if not all_of_them:
        way, edge = np.repeat(face, 4), which.reshape(-1)
        least, most = np.full(len(first), 6), np.full(len(first), -1)
        np.minimum.at(least, edge, way)
        np.maximum.at(most, edge, way)
        first = first[least != most]
    ends = np.stack([low[first], low[first] + along[first]], axis=1)
    return to_blender(ends.reshape(-1, 3) / 2.0)
