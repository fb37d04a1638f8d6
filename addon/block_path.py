# SPDX-License-Identifier: GPL-3.0-or-later
"""The way from block to block in the order of their placement, and what it costs. Pure NumPy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..checks.voxel import rules
from ..checks.voxel.cells import to_blender
from ..checks.voxel.planning import l1_dist
from ..checks.voxel.structure import VoxelStructure

Floats = NDArray[np.float64]

# From the first block to the last: blue to yellow, told apart also where one hue is not seen, with
# a lightness that rises all the way (as cividis: Nunez, Anderton and Renslow 2018), for dark views.
_WAY = np.array([(0.27, 0.49, 0.96), (0.66, 0.68, 0.72), (1.0, 0.90, 0.27)])
_BANDS = 48


@dataclass(frozen=True)
class BlockPath:
    """A way through ``n`` block centres.

    Attributes
    ----------
    points
        (n, 3), m, in Blender's frame.
    steps
        |dx| + |dy| + |dz| of each step, (n - 1,); 1 leads to a neighbour.
    length, least
        Of all steps together, and n - 1, the least that so many blocks need.
    score
        ``least / length``, at most 1: planning efficiency (MineCEraft, algorithm 12).
    """

    points: Floats
    steps: NDArray[np.int64]
    length: int
    least: int
    score: float

    def pairs(self, first: int | None = None) -> tuple[Floats, Floats, NDArray[np.bool_]]:
        """Steps as pairs of points (2 k, 3), their colours (2 k, 4), and which are jumps, (k,).

        Only those between the ``first`` blocks, or all. The colour says how far along the whole
        way a point lies.
        """
        count = len(self.points) if first is None else min(max(first, 0), len(self.points))
        ends = np.stack([np.arange(max(count - 1, 0)), np.arange(1, max(count, 1))], axis=1)
        ends = ends.reshape(-1)
        colours = np.ones((len(ends), 4))
        colours[:, :3] = _along(np.linspace(0.0, 1.0, max(len(self.points), 2))[ends])
        return self.points[ends], colours, self.steps[: len(ends) // 2] > 1

    def ramp(self) -> Floats:
        """The colours of the way from its beginning to its end, (k, 3)."""
        return _along(np.linspace(0.0, 1.0, _BANDS))


def _along(share: Floats) -> Floats:
    return np.stack([np.interp(share, (0.0, 0.5, 1.0), _WAY[:, k]) for k in range(3)], axis=-1)


def path_of(structure: VoxelStructure) -> BlockPath:
    """The way through the blocks of a structure, in the order of its rows."""
    steps = np.abs(np.diff(structure.positions, axis=0)).sum(axis=1)
    found = l1_dist(structure, rules.PROFILES[rules.DEFAULT])
    return BlockPath(
        to_blender(structure.positions),
        steps,
        int(steps.sum()),
        max(len(structure) - 1, 0),
        found.value,
    )
