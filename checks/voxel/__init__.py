# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel construction: blocks in placement order and the rule checks of MineCEraft."""

from .structure import Action, VoxelError, VoxelStructure

__all__ = ["Action", "VoxelError", "VoxelStructure"]
