# SPDX-License-Identifier: GPL-3.0-or-later
"""Which kind of structure a scene holds, as panels ask at every draw: looked up once a change.

Looking through thousands of objects takes milliseconds. Main thread only.
"""

from __future__ import annotations

import bpy

from .. import bundled, review
from ..kinds import KINDS
from ..physics_poses import has_rigid_bodies, has_solvers
from ..scene.block_reading import blocks_object
from . import standing

# Scenes that are remembered.
_MOST = 32

# Of a scene: what tells that it changed, whether it has blocks, and whether anything in it moves.
_kept: dict[int, tuple[tuple[int, int], bool, bool]] = {}


def has_blocks(scene: bpy.types.Scene | None) -> bool:
    """Whether there is an object of blocks in the scene."""
    return scene is not None and _looked_up(scene)[0]


def in_motion(scene: bpy.types.Scene | None) -> bool:
    """Whether there is anything in the scene that a simulation would move."""
    return scene is not None and _looked_up(scene)[1]


def _looked_up(scene: bpy.types.Scene) -> tuple[bool, bool]:
    mark = (len(scene.objects), standing.shown_edits())
    kept = _kept.get(scene.session_uid)
    if kept is None or kept[0] != mark:
        if len(_kept) >= _MOST:
            _kept.clear()
        blocks = blocks_object(scene) is not None
        motion = has_rigid_bodies(scene) or has_solvers(scene)
        kept = _kept[scene.session_uid] = mark, blocks, motion
    return kept[1], kept[2]


def kind_here(scene: bpy.types.Scene | None) -> str:
    """What the scene is judged as, as :func:`..review.kind_of_scene` says."""
    if scene is None:
        return review.kind_of_scene(scene)
    task = bundled.known(scene.get(bundled.TASK_KEY))
    if task is not None and task.kind in KINDS:
        return task.kind
    if has_blocks(scene):
        return "voxel"
    return "reconstruction" if in_motion(scene) else "timber"
