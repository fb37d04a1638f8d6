# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel construction: blocks in placement order and the rule checks of MineCEraft.

``judge(structure, brief, profile)`` is the entry; see :mod:`.profiles`.
"""

from typing import Any

from .brief import CheckCall, VoxelBrief
from .structure import Action, VoxelError, VoxelStructure

__all__ = ["Action", "CheckCall", "VoxelBrief", "VoxelError", "VoxelStructure", "judge"]


def __getattr__(name: str) -> Any:
    if name == "judge":
        from .profiles import judge

        return judge
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
