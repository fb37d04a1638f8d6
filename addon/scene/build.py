# SPDX-License-Identifier: GPL-3.0-or-later
"""A structure as Blender objects: one box-shaped mesh object a member, made by the data API."""

from __future__ import annotations

import bpy
import numpy as np
from mathutils import Matrix

from ...checks.timber.structure import CORNER_SIGNS, TimberStructure
from .fitting import BOX_FACES
from .gather import ROLE_PROPERTY
from .members import unit_scale


def scene_from_structure(
    structure: TimberStructure, collection_name: str, scene: bpy.types.Scene | None = None
) -> bpy.types.Collection:
    """A new collection in ``scene`` (default: the open one) with an object for each member.

    Objects stand at the member's centre, turned along its axes, with unit scale: their local x is
    the length. Blender shortens or numbers a name that is too long or taken; the object's property
    ``plumbline_member`` keeps the member's own. Lengths are converted to the scene's unit.
    """
    scene = scene or bpy.context.scene
    collection = bpy.data.collections.new(collection_name)
    scene.collection.children.link(collection)
    unit = unit_scale(scene)
    stretch = np.concatenate([structure.half / unit, np.ones((len(structure), 1))], axis=1)
    matrices = np.zeros((len(structure), 4, 4))
    matrices[:, :3, :3] = structure.axes.transpose(0, 2, 1)
    matrices[:, :3, 3] = structure.center / unit
    matrices[:, 3, 3] = 1.0
    pattern = _box_mesh("plumbline_box")
    rows = zip(
        structure.names, structure.explicit_roles, stretch.tolist(), matrices.tolist(), strict=True
    )
    for name, role, half, matrix in rows:
        mesh = pattern.copy()
        mesh.name = name
        # Copies share cached bounds; unlike foreach_set, this tells them that vertices moved.
        mesh.transform(Matrix.Diagonal(half))
        obj = bpy.data.objects.new(name, mesh)
        obj.matrix_world = Matrix(matrix)
        if role is not None:
            obj[ROLE_PROPERTY] = role
        if obj.name != name:
            obj["plumbline_member"] = name
        collection.objects.link(obj)
    bpy.data.meshes.remove(pattern)
    return collection


def _box_mesh(name: str) -> bpy.types.Mesh:
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(CORNER_SIGNS.tolist(), [], BOX_FACES)
    mesh.update()
    return mesh
