# SPDX-License-Identifier: GPL-3.0-or-later
"""A small simulated scene in the open Blender: two boxes on a table, and one that falls."""

from __future__ import annotations

import bpy


def box(name: str, at: tuple[float, float, float], size: float = 1.0, kind: str = "ACTIVE"):
    """A rigid box of an edge, at a place, in the open scene."""
    bpy.ops.mesh.primitive_cube_add(size=size, location=at)
    obj = bpy.context.object
    obj.name = obj.data.name = name
    bpy.ops.rigidbody.object_add(type=kind)
    obj.rigid_body.collision_shape = "BOX"
    return obj


def tower(frames: int = 12):
    """Boxes ``Low`` and ``High`` on ``Table``, at rest, and ``Free``, which falls beside them."""
    table = box("Table", (0.0, 0.0, -2.0), 4.0, "PASSIVE")
    low, high = box("Low", (0.0, 0.0, 0.5)), box("High", (0.0, 0.0, 1.5))
    free = box("Free", (9.0, 0.0, 5.0))
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    bpy.ops.object.select_all(action="DESELECT")
    bpy.context.view_layer.objects.active = None
    return scene, {"Table": table, "Low": low, "High": high, "Free": free}


def choose(*objects) -> None:
    """Select these, and nothing else."""
    for obj in bpy.context.view_layer.objects:
        obj.select_set(obj in objects)
