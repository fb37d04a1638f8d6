# SPDX-License-Identifier: GPL-3.0-or-later
"""Members that a person puts into the open scene: box-shaped objects of their own, named by role.

Where they go is worked out in :mod:`.member_boxes`, in metres; here they become objects, in the
units of the scene.
"""

from __future__ import annotations

from collections.abc import Sequence

import bpy
import numpy as np
from mathutils import Matrix

from ...checks.timber.roles import role_by_words
from ...checks.timber.structure import CORNER_SIGNS
from .fitting import BOX_FACES, Floats
from .gather import ROLE_PROPERTY
from .member_boxes import Box, MemberError, highest, next_name
from .members import structure_from_scene, unit_scale


def cursor(scene: bpy.types.Scene) -> Floats:
    """Where the 3D cursor is, m."""
    return np.array(scene.cursor.location, dtype=np.float64) * unit_scale(scene)


def add(
    box: Box, role: str, scene: bpy.types.Scene, into: bpy.types.Collection
) -> bpy.types.Object:
    """A new member: its origin in its middle, its local X along it, with no scale to apply."""
    unit = unit_scale(scene)
    name = next_name(role, (obj.name for obj in bpy.data.objects))
    mesh = bpy.data.meshes.new(name)
    half = 0.5 * box.size / unit
    mesh.from_pydata((CORNER_SIGNS * half).tolist(), [], BOX_FACES)
    mesh.update()
    obj = bpy.data.objects.new(name, mesh)
    matrix = np.eye(4)
    matrix[:3, :3] = box.axes.T
    matrix[:3, 3] = box.center / unit
    obj.matrix_world = Matrix(matrix.tolist())
    into.objects.link(obj)
    return obj


def boxes_of(objects: Sequence[bpy.types.Object], scene: bpy.types.Scene) -> list[Box]:
    """The members that these objects are, as the checks read them.

    Raises :class:`MemberError` if one is none.
    """
    depsgraph = bpy.context.evaluated_depsgraph_get()
    found = structure_from_scene(scene, depsgraph, [obj.name for obj in objects])
    place = {name: i for i, name in enumerate(found.names)}
    missing = [obj.name for obj in objects if obj.name not in place]
    if missing:
        raise MemberError(f"{missing[0]} is no member: select solid, box-shaped objects")
    rows = [place[obj.name] for obj in objects]
    return [Box(found.center[i], found.axes[i], 2.0 * found.half[i]) for i in rows]


def repeat(
    obj: bpy.types.Object, offsets: Sequence[Floats], scene: bpy.types.Scene
) -> list[bpy.types.Object]:
    """Copies of a member moved by ``offsets``, m, each with a mesh and a number of its own.

    A name that says no role is kept as Blender numbers it.
    """
    unit = unit_scale(scene)
    base = obj.name.partition(".")[0].rpartition("_")[0]
    numbered = bool(base) and role_by_words(base) is not None
    number = highest(base, (other.name for other in bpy.data.objects)) if numbered else 0
    collections = [c for c in obj.users_collection if _shows(scene, c)] or [scene.collection]
    made = []
    for i, offset in enumerate(offsets):
        name = f"{base}_{number + 1 + i:02d}" if numbered else obj.name
        mesh = obj.data.copy()
        mesh.name = name
        copy = bpy.data.objects.new(name, mesh)
        copy.matrix_world = Matrix.Translation((offset / unit).tolist()) @ obj.matrix_world
        if ROLE_PROPERTY in obj:
            copy[ROLE_PROPERTY] = obj[ROLE_PROPERTY]
        for collection in collections:
            collection.objects.link(copy)
        made.append(copy)
    return made


def _shows(scene: bpy.types.Scene, collection: bpy.types.Collection) -> bool:
    return collection == scene.collection or collection in scene.collection.children_recursive
