# SPDX-License-Identifier: GPL-3.0-or-later
"""A small scene of rigid bodies: a crate that falls on a floor, a token that falls through it."""

from __future__ import annotations

from typing import Any

FRAMES = 45


def fill(bpy: Any) -> Any:
    """Make it in the open scene, which it returns; lengths in m, 30 frames a second."""
    scene = bpy.context.scene
    scene.render.fps, scene.frame_end = 30, FRAMES
    body(bpy, "floor", (0, 0, -0.5), (6, 6, 1), "PASSIVE")
    body(bpy, "crate", (0, 0, 2), (1, 1, 1))
    token = body(bpy, "token", (2, 0, 1.5), (0.5, 0.5, 0.5))
    token.rigid_body.collision_collections[1] = True
    token.rigid_body.collision_collections[0] = False
    bpy.context.view_layer.update()
    return scene


def body(bpy: Any, name: str, place: Any, size: Any, kind: str = "ACTIVE") -> Any:
    """A box as a rigid body."""
    bpy.ops.mesh.primitive_cube_add(size=1, location=place)
    made = bpy.context.object
    made.name = name
    made.dimensions = size
    bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
    bpy.ops.rigidbody.object_add(type=kind)
    made.rigid_body.collision_shape = "BOX"
    return made
