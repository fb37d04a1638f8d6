# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes with rigid bodies, as a person would make them. Needs ``bpy``."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

_CORNERS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
_FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def empty_world(frames: int = 40) -> bpy.types.Scene:
    """An empty scene at 24 frames a second with a rigid-body world."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    bpy.ops.rigidbody.world_add()
    return scene


def box(
    name: str, at: Any, size: Any = (1, 1, 1), kind: str | None = "ACTIVE", **settings: Any
) -> bpy.types.Object:
    """A box with its centre at its origin; without ``kind`` it is no rigid body."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata((_CORNERS * np.asarray(size, float) / 2).tolist(), [], _FACES)
    return solid(name, mesh, at, kind, **{"collision_shape": "BOX", **settings})


def ball(name: str, at: Any, radius: float = 0.5, **settings: Any) -> bpy.types.Object:
    """An active ball."""
    import bmesh

    mesh, made = bpy.data.meshes.new(name), bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=24, v_segments=16, radius=radius)
    made.to_mesh(mesh)
    made.free()
    return solid(name, mesh, at, "ACTIVE", **{"collision_shape": "SPHERE", **settings})


def solid(
    name: str, mesh: bpy.types.Mesh, at: Any, kind: str | None, **settings: Any
) -> bpy.types.Object:
    """An object of a mesh, a rigid body of a kind if one is given."""
    obj = bpy.data.objects.new(name, mesh)
    obj.location = at
    bpy.context.scene.collection.objects.link(obj)
    if kind is not None:
        with bpy.context.temp_override(object=obj, active_object=obj, selected_objects=[obj]):
            bpy.ops.rigidbody.object_add(type=kind)
        for key, value in settings.items():
            setattr(obj.rigid_body, key, value)
    return obj


def joint(
    name: str, at: Any, one: bpy.types.Object, other: bpy.types.Object, kind: str = "POINT"
) -> bpy.types.Object:
    """A constraint between two rigid bodies."""
    obj = bpy.data.objects.new(name, None)
    obj.location = at
    bpy.context.scene.collection.objects.link(obj)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.rigidbody.constraint_add(type=kind)
    obj.rigid_body_constraint.object1, obj.rigid_body_constraint.object2 = one, other
    return obj


def layers(obj: bpy.types.Object, *places: int) -> None:
    """Put a rigid body into these collision collections only."""
    obj.rigid_body.collision_collections = [k in places for k in range(20)]


def wind(name: str, strength: float) -> bpy.types.Object:
    """Wind along x that pushes and doesn't drag."""
    bpy.ops.object.effector_add(type="WIND", rotation=(0, np.pi / 2, 0))
    obj = bpy.context.object
    obj.name = name
    obj.field.strength, obj.field.flow = strength, 0.0
    return obj
