# SPDX-License-Identifier: GPL-3.0-or-later
"""Making what is seen of an object what is felt of it, in a copy."""

from __future__ import annotations

from itertools import product

import bpy
import numpy as np

from .collision import collision_shape
from .copying import SceneCopy
from .meshes_of import MeshReader
from .poses import split
from .steps import SimulationError

#: Collision margin of a surface that is given, of its longest extent.
_MARGIN = 0.001
#: A collision shape that differs by less, of the longest extent, is what is seen.
_SAME = 0.01
_DIRECTIONS = np.array([d for d in product((-1.0, 0.0, 1.0), repeat=3) if any(d)])
_DIRECTIONS /= np.linalg.norm(_DIRECTIONS, axis=1, keepdims=True)


def fits(stage: SceneCopy, obj: bpy.types.Object) -> bool:
    """Whether the collision shape of a rigid body is its visible surface, seen from 26 sides."""
    if obj.rigid_body.collision_shape == "COMPOUND":
        return True
    body, reader = obj.rigid_body, MeshReader(stage.graph)
    matrix = np.array(obj.evaluated_get(stage.graph).matrix_world, np.float64)
    _, turned, scale = split(matrix)
    felt = collision_shape(
        body.collision_shape,
        reader.source(obj, body.mesh_source),
        scale,
        float(body.collision_margin),
        body.use_margin,
    )
    if felt.vertices is None:
        return bool(body.mesh_source == "FINAL" or not len(obj.modifiers))
    seen = reader.read(obj).turned(turned.T @ matrix[:3, :3])
    if not seen.convex:
        return False
    reach = (felt.vertices @ _DIRECTIONS.T).max(0) + felt.rounding
    apart = np.abs(reach - (seen.vertices @ _DIRECTIONS.T).max(0))
    return bool((apart <= _SAME * np.ptp(seen.vertices, axis=0).max()).all())


def give_surface(stage: SceneCopy, obj: bpy.types.Object) -> str:
    """Make an object a rigid body that is felt by its visible surface; returns its shape.

    One that is none becomes a body that stays where it is, or goes on as it is moved. Raises
    :class:`SimulationError` where there is no surface.
    """
    name = stage.name(obj)
    if obj.type != "MESH" or not len(obj.data.polygons):
        raise SimulationError(f"{name} has no surface of its own that could be felt")
    if obj.rigid_body is None:
        body = add_body(stage, obj)
        driven = obj.animation_data is not None or obj.parent is not None or len(obj.constraints)
        body.kinematic = bool(driven)
        body.collision_collections = [False] * 20
    elif fits(stage, obj):
        return str(obj.rigid_body.collision_shape)
    else:
        body = obj.rigid_body
    body.collision_shape = "CONVEX_HULL" if body.type == "ACTIVE" else "MESH"
    body.mesh_source = "FINAL"
    body.use_margin = True
    body.collision_margin = _MARGIN * max(obj.dimensions)
    return str(body.collision_shape)


def add_body(stage: SceneCopy, obj: bpy.types.Object) -> bpy.types.RigidBodyObject:
    """Make an object of the copy a still rigid body, in a world of its own if there is none."""
    scene = stage.scene
    with bpy.context.temp_override(
        scene=scene,
        view_layer=stage.layer,
        object=obj,
        active_object=obj,
        selected_objects=[obj],
        selected_editable_objects=[obj],
    ):
        if scene.rigidbody_world is None:
            bpy.ops.rigidbody.world_add()
        bpy.ops.rigidbody.object_add(type="PASSIVE")
    world = scene.rigidbody_world
    if obj.rigid_body is None or world is None or obj.name not in world.collection.all_objects:
        raise SimulationError(f"{stage.name(obj)} can't be made a rigid body in a copy")
    return obj.rigid_body
