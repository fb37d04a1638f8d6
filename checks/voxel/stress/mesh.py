# SPDX-License-Identifier: GPL-3.0-or-later
"""The mesh of a voxel construction: a cube a block, joined where faces are.

Blocks that touch along an edge or at a corner alone are not joined: each side has its own node
there, unless other blocks round that node join them face to face.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

from ..cells import pack, shift
from ..structure import VoxelStructure
from .element import CORNERS, Floats, Ints

#: Height of the ground, m: blocks at y = 0 stand on it, blocks below are in it (spec of the tasks:
#: ground blocks are y <= 0, the surface of the world lies under them).
GROUND = -0.5


@dataclass(frozen=True)
class Mesh:
    """Nodes and cubes.

    Attributes
    ----------
    lattice
        Twice the coordinates of each node, (m, 3), odd whole numbers.
    cubes
        The nodes of each block, (n, 8), in the order of :data:`.element.CORNERS`.
    held
        Which nodes the ground holds, (m,).
    """

    lattice: Ints
    cubes: Ints
    held: NDArray[np.bool_]

    @property
    def places(self) -> Floats:
        """Coordinates of the nodes, (m, 3), m, in the axes of the task."""
        return 0.5 * self.lattice

    @classmethod
    def of(cls, structure: VoxelStructure) -> Mesh:
        """The mesh of a structure with at least one block."""
        around = _blocks_round_corners(structure)
        pattern = (around >= 0) @ (1 << np.arange(8))
        group = _groups()[pattern, 7 - np.arange(8)]  # a block is opposite its own corner
        corner_keys = pack(structure.positions)[:, None] + shift(CORNERS)
        _, corner = np.unique(corner_keys, return_inverse=True)
        _, cubes = np.unique(corner.reshape(-1, 8) * 8 + group, return_inverse=True)
        cubes = cubes.reshape(-1, 8)
        lattice = np.empty((int(cubes.max()) + 1, 3), dtype=np.int64)
        lattice[cubes] = 2 * (structure.positions[:, None, :] + CORNERS) - 1
        return cls(lattice, cubes, lattice[:, 1] <= 2 * GROUND)


def _blocks_round_corners(structure: VoxelStructure) -> Ints:
    """Rows of the eight blocks round each corner of each block, (n, 8, 8), -1 for none."""
    steps = (CORNERS[:, None, :] + CORNERS[None, :, :] - 1).reshape(-1, 3)
    unique, back = np.unique(steps, axis=0, return_inverse=True)
    return structure.neighbours(unique)[:, back.ravel()].reshape(-1, 8, 8)


@cache
def _groups() -> Ints:
    """For each of the 256 ways to fill the eight cells round a node: which cells hang together.

    (256, 8): the lowest cell that each is joined to, face to face, within these eight.
    """
    table = np.tile(np.arange(8), (256, 1))
    for pattern in range(256):
        full = [c for c in range(8) if pattern >> c & 1]
        for _ in range(3):
            for a in full:
                for bit in (1, 2, 4):
                    if a ^ bit in full:
                        table[pattern, a] = min(table[pattern, a], table[pattern, a ^ bit])
    return table


def parts(structure: VoxelStructure) -> Ints:
    """Which part each block belongs to, joined face to face, (n,): the row of its first block."""
    near = structure.face_neighbours
    own = np.arange(len(structure))
    near = np.where(near >= 0, near, own[:, None])
    label = own.copy()
    while True:
        lower = np.minimum(label, label[near].min(axis=1))
        lower = lower[lower]  # jump to what that block already knows
        if np.array_equal(lower, label):
            return label
        label = lower


def floating(structure: VoxelStructure) -> Ints:
    """Rows of the blocks of parts that no face joins to the ground, ascending."""
    label = parts(structure)
    grounded = np.zeros(len(structure), dtype=bool)
    grounded[label[structure.positions[:, 1] - 0.5 <= GROUND]] = True
    return np.flatnonzero(~grounded[label])
