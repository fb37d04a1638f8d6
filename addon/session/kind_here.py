# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kind of structure a scene holds, as panels ask at every draw: looked up once a change.

Looking through thousands of objects takes milliseconds. Main thread only.
"""

from __future__ import annotations

import bpy

from .. import bundled, review
from ..kinds import KINDS
from ..scene.block_reading import blocks_object
from . import standing

# Scenes that are remembered.
_MOST = 32

_kept: dict[int, tuple[tuple[int, int], bool]] = {}


def has_blocks(scene: bpy.types.Scene | None) -> bool:
    """Whether there is an object of blocks in the scene."""
    if scene is None:
        return False
    mark = (len(scene.objects), standing.shown_edits())
    kept = _kept.get(scene.session_uid)
    if kept is None or kept[0] != mark:
        if len(_kept) >= _MOST:
            _kept.clear()
        kept = _kept[scene.session_uid] = mark, blocks_object(scene) is not None
    return kept[1]


def kind_here(scene: bpy.types.Scene | None) -> str:
    """What the scene is judged as, as :func:`..review.kind_of_scene` says."""
    if scene is None:
        return review.kind_of_scene(scene)
    task = bundled.known(scene.get(bundled.TASK_KEY))
    if task is not None and task.kind in KINDS:
        return task.kind
    return "voxel" if has_blocks(scene) else "timber"
