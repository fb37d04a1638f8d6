# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that can't be copied or stepped, told before either is tried."""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np

from .steps import SimulationError

#: Modifiers that keep a simulation of their own.
_SIMULATING = frozenset({"CLOTH", "SOFT_BODY", "PARTICLE_SYSTEM", "FLUID", "DYNAMIC_PAINT"})

#: Collision shapes that a vertex without a place spoils: a hull of such ends Blender 5.0.
_MADE_OF_VERTICES = frozenset({"CONVEX_HULL", "MESH"})


def refuse_shared(scene: bpy.types.Scene, objects: Sequence[bpy.types.Object]) -> None:
    """Raise ``SimulationError`` for what a copy would share, and move in the original too.

    Also for two ``objects`` of one name, which only linked ones can have.
    """
    world = scene.rigidbody_world
    within = set(world.collection.all_objects) if world and world.collection else set()
    met: set[str] = set()
    for obj in objects:
        if obj.name in met:
            raise SimulationError(
                f"two objects of {scene.name} are called {obj.name}, one of them linked: rename "
                f"the one that isn't, or take one away"
            )
        met.add(obj.name)
        if obj.library is None:
            continue
        if obj in within or any(m.type in _SIMULATING for m in obj.modifiers):
            raise SimulationError(
                f"{obj.name} is linked from {obj.library.filepath} and takes part in the "
                f"simulation: no copy can be made of it; make it local first (Object, Relations, "
                f"Make Local)"
            )


def numberless(
    objects: Sequence[bpy.types.Object], graph: bpy.types.Depsgraph
) -> bpy.types.Object | None:
    """The first rigid body with a vertex that is no number, which ends Blender in its first step.

    Only where its collision shape is made of them; the evaluated mesh of ``graph`` counts as well.
    """
    met: set[int] = set()
    for obj in objects:
        body = obj.rigid_body
        if body is None or body.collision_shape not in _MADE_OF_VERTICES or obj.type != "MESH":
            continue
        meshes = [obj.data, obj.evaluated_get(graph).data] if obj.modifiers else [obj.data]
        for mesh in meshes:
            if mesh is None or (mesh is obj.data and mesh.session_uid in met):
                continue
            met.add(mesh.session_uid)
            places = np.empty(3 * len(mesh.vertices), np.float32)
            if len(places):
                mesh.attributes["position"].data.foreach_get("vector", places)
            if not np.isfinite(places).all():
                return obj
    return None
