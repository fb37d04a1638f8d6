# SPDX-License-Identifier: GPL-3.0-or-later
"""Files that hold blocks: Mindcraft action files, our own JSON lines and three kinds of schematics.

``read_blocks(path)`` reads any of them. Action files and JSON lines have a placement order,
schematics have none (``VoxelStructure.ordered`` is ``False``).
"""

from .blocks import BlocksError, BlocksFile, Run
from .node import NodeNeeded
from .read import SUFFIXES, read_action_files, read_blocks

__all__ = [
    "SUFFIXES",
    "BlocksError",
    "BlocksFile",
    "NodeNeeded",
    "Run",
    "read_action_files",
    "read_blocks",
]
