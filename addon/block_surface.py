# SPDX-License-Identifier: GPL-3.0-or-later
"""The outside of blocks as faces for the graphics card, also bent by what they moved. Pure NumPy.

Faces come out in Blender's frame, m: a block (x, y, z) stands at (x, -z, y).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..checks.voxel.cells import FACES, to_blender
from ..checks.voxel.stress.element import CORNERS
from ..checks.voxel.structure import VoxelStructure

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

#: The corners of each face of a block, in the order of ``FACES``, seen from outside anticlockwise.
FACE_CORNERS: Ints = np.array(
    [(4, 6, 7, 5), (0, 1, 3, 2), (2, 3, 7, 6), (0, 4, 5, 1), (1, 5, 7, 3), (0, 2, 6, 4)]
)

#: A deformed shape that is scaled by itself shows its largest displacement as this share of the
#: largest side of the structure.
SHOWN = 1.0 / 20.0

# Strokes of the hatching across a face, as shares of its sides.
_STROKES = np.array([(0.0, 0.5), (0.0, 1.0), (0.5, 1.0)])


@dataclass(frozen=True)
class Surface:
    """Faces that no other block covers, in ``quads`` (q, 4, 3), m, and whose they are, (q,)."""

    quads: Floats
    rows: Ints


def surface_of(
    structure: VoxelStructure,
    moved: Floats | None = None,
    scale: float = 0.0,
    skin: float = 0.0,
) -> Surface:
    """The faces of blocks that stand free.

    Parameters
    ----------
    moved, scale
        Displacements of the corners of each block, (n, 8, 3), m, in the axes of the task and the
        order of ``CORNERS``, and how many times larger they are drawn.
    skin
        How far the faces are lifted outwards, m, to be seen before the blocks themselves.
    """
    rows, faces = np.nonzero(structure.face_neighbours < 0)
    corners = structure.positions[:, None, :] + (CORNERS - 0.5)
    if moved is not None and scale:
        corners = corners + scale * moved
    quads = corners[rows[:, None], FACE_CORNERS[faces]]
    if skin:
        quads = quads + skin * FACES[faces][:, None, :]
    return Surface(to_blender(quads).reshape(-1, 4, 3), rows)


def edges_of(quads: Floats) -> Floats:
    """The four sides of every face as pairs of points, (8 q, 3)."""
    pairs: Floats = np.stack([quads, np.roll(quads, -1, axis=1)], axis=2)
    return pairs.reshape(-1, 3)


def hatching(quads: Floats) -> Floats:
    """Slanting strokes across every face as pairs of points, (6 q, 3)."""
    a, b, d = quads[:, None, 0], quads[:, None, 1], quads[:, None, 3]
    far = quads[:, None, 2]
    lower, upper = (_STROKES[None, :, k, None] for k in (0, 1))
    # From the side a-b to the side a-d, and beyond the diagonal from b-c to d-c.
    first = np.where(lower > 0.0, b + (far - b) * lower, a + (b - a) * upper)
    second = np.where(lower > 0.0, d + (far - d) * lower, a + (d - a) * upper)
    return np.stack([first, second], axis=2).reshape(-1, 3)


def fitting_scale(structure: VoxelStructure, moved: float) -> float:
    """How many times larger a displacement of ``moved``, m, is drawn to be seen; 0 for none."""
    if not len(structure) or not np.isfinite(moved) or moved <= 0.0:
        return 0.0
    size = float((structure.high - structure.low + 1).max())
    return SHOWN * size / moved
