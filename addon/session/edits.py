# SPDX-License-Identifier: GPL-3.0-or-later
"""Noticing that a checked scene was edited, so that no result is taken for the present."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

import bpy
from bpy.app.handlers import persistent

from .. import review
from ..physics_poses import PhysicsPose, PhysicsPoses, world_of
from ..review import Pose

Poses: TypeAlias = Mapping[str, Pose] | Mapping[str, PhysicsPose]

#: Told of each scene that was edited, after its result was marked.
listeners: list[Callable[[bpy.types.Scene], None]] = []

_watched: dict[int, Poses | None] = {}


def watch(scene: bpy.types.Scene, poses: Poses) -> None:
    """Watch for edits while a check of the scene is at work: its result isn't there yet."""
    _watched[scene.session_uid] = poses


def edited_meanwhile(scene: bpy.types.Scene) -> bool:
    """Whether a watched scene was edited; it is watched no longer."""
    return _watched.pop(scene.session_uid, ()) is None


def forget_all() -> None:
    """Another file was loaded, or the extension goes."""
    _watched.clear()


@persistent
def edited(scene: bpy.types.Scene, depsgraph: bpy.types.Depsgraph) -> None:
    """After every update of a scene: mark its result if something in it changed."""
    found = review.of(scene)
    uid = scene.session_uid
    if found is None and uid not in _watched:
        return
    touched = [u for u in depsgraph.updates if isinstance(u.id, bpy.types.Object)]
    moved = any(u.is_updated_transform or u.is_updated_geometry for u in touched)
    if found is not None and moved:
        found.moves += 1
    shown = None if found is None or found.stale else found.poses
    poses = _watched.get(uid, shown)  # what counts is the newest reading
    # Once it is stale every touch counts as an edit: nothing is left to be compared.
    changed = moved if poses is None else _changed(scene, touched, poses)
    if changed:
        if uid in _watched:
            _watched[uid] = None
        if found is not None:
            found.stale = True
        for listener in listeners:
            listener(scene)


def _changed(scene: bpy.types.Scene, touched: list[Any], poses: Poses) -> bool:
    """Whether the scene is another than it was read; unhiding and undoing touch objects too,
    without changing any, and so does another frame of what moves by itself."""
    if isinstance(poses, PhysicsPoses) and poses.world != world_of(scene):
        return True
    return len(scene.objects) != len(poses) or any(_differs(u, poses) for u in touched)


def _differs(update: bpy.types.DepsgraphUpdate, poses: Poses) -> bool:
    pose = poses.get(update.id.original.name)  # none: it has a new name, and names tell roles
    if pose is None:
        return True
    moved = update.is_updated_transform or update.is_updated_geometry
    return bool(moved and pose != type(pose).of(update.id))


@persistent
def undone(scene: bpy.types.Scene, *_: Any) -> None:
    """Undo and redo put members elsewhere: pictures of them are made anew."""
    found = review.of(scene)
    if found is not None:
        found.moves += 1
