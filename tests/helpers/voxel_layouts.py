# SPDX-License-Identifier: GPL-3.0-or-later
"""Layouts of the published stress tasks (arXiv 2608.28884) and plain solids, as structures."""

from itertools import product

from plumbline.checks.voxel import VoxelStructure
from plumbline.checks.voxel.stress.references import REFERENCES


def structure(cells, material="stone"):
    """A structure of one material."""
    return VoxelStructure.from_blocks((*cell, material) for cell in cells)


def box(x, y, z, low=(0, 0, 0), material="stone"):
    """A full box of x by y by z blocks."""
    return structure(box_cells(x, y, z, low), material)


def box_cells(x, y, z, low=(0, 0, 0)):
    return [
        (low[0] + i, low[1] + j, low[2] + k) for i, j, k in product(range(x), range(y), range(z))
    ]


def roof(layers, five):
    """10 x 10 roof on four or five 2 x 2 x 2 columns that stand in by one block."""
    return REFERENCES[f"roof_{layers}_{5 if five else 4}"].structure("stone")


def arch():
    """30 blocks, two wide, over a river of five; the top is at y = 3."""
    return REFERENCES["arch_2_2"].structure("stone")
