# SPDX-License-Identifier: GPL-3.0-or-later
"""Takes from data that came from a model's code what Blender would run by itself.

A .blend may hold drivers, which run with every update as soon as this session runs scripts by
itself (a setting, or "Allow Execution" for the person's own file), and texts, which run when the
file is opened the next time. Main thread only.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import bpy

#: Parts of data that can hold drivers of their own without being data of their own.
_PARTS = ("node_tree", "shape_keys", "collection", "compositing_node_group")


def disarm(blocks: Iterable[bpy.types.ID]) -> list[str]:
    """Remove drivers of ``blocks`` and the texts among them; what was removed, for people."""
    removed = []
    texts = []
    for block in blocks:
        if isinstance(block, bpy.types.Text):
            removed.append(f"text {block.name}")
            texts.append(block)
            continue
        for part in (block, *(getattr(block, name, None) for name in _PARTS)):
            drivers: Any = getattr(getattr(part, "animation_data", None), "drivers", None)
            for curve in list(drivers or ()):
                removed.append(f"driver of {block.name}")
                drivers.remove(curve)
    bpy.data.batch_remove(texts)
    return removed
