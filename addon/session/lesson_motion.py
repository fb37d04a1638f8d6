# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes of lessons of motion are left without a trace. Main thread only."""

from __future__ import annotations

import bpy


def end_world(scene: bpy.types.Scene) -> list[bpy.types.Collection]:
    """Free a scene's rigid bodies, as must be before it goes; its two collections.

    Nothing uses these any more, though Blender counts a user of theirs for ever. Joints go one by
    one: a world that is removed with joints in it ends Blender.
    """
    world = scene.rigidbody_world
    if world is None:
        return []
    both = [c for c in (world.collection, world.constraints) if c is not None]
    layer = scene.view_layers[0]
    for obj in [obj for obj in scene.objects if obj.rigid_body_constraint is not None]:
        layer.objects.active = obj
        with bpy.context.temp_override(
            scene=scene, view_layer=layer, object=obj, active_object=obj
        ):
            bpy.ops.rigidbody.constraint_remove()
    with bpy.context.temp_override(scene=scene, view_layer=layer):
        bpy.ops.rigidbody.world_remove()
    return both


def take_away(objects: list[bpy.types.Object]) -> None:
    """Remove objects with what only they used: meshes, cameras, lights, materials."""
    data = {obj.data for obj in objects if obj.data is not None}
    materials = {m for block in data for m in getattr(block, "materials", ()) if m is not None}
    bpy.data.batch_remove(objects)
    bpy.data.batch_remove([block for block in data if block.users == 0])
    bpy.data.batch_remove([m for m in materials if m.users == 0])
