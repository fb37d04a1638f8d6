# SPDX-License-Identifier: GPL-3.0-or-later
"""One pass over what a scene shows: mesh instances with their names and roles, the rest counted."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import bpy
import numpy as np

from .fitting import Floats
from .meshes import MeshTable
from .reading import PATH_SEPARATOR, Reading, counted, listed, shown

#: Custom property of an object, or of the object that instances it.
ROLE_PROPERTY = "plumbline_role"
#: Custom property of an object whose name was taken in the file that it was brought into: the name
#: that it had, and that it is known by in its run.
NAME_PROPERTY = "plumbline_name"
#: Instances read from one scene at most: scattered forests must not exhaust memory.
MOST_INSTANCES = 200_000
#: Types that have no solid of their own but may evaluate to a mesh.
_MESH_LIKE = frozenset({"MESH", "CURVE", "SURFACE", "META", "FONT"})


@dataclass
class Gathered:
    """What one pass over the instances finds: one entry a mesh instance, and the rest counted."""

    meshes: MeshTable = field(default_factory=MeshTable)
    rows: list[int] = field(default_factory=list)  # index in the depsgraph's list of instances
    mesh: list[int] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    roles: list[str | None] = field(default_factory=list)
    instancer: dict[int, str] = field(default_factory=dict)  # entry -> object in the scene
    seen: set[str] = field(default_factory=set)
    other_types: Counter[str] = field(default_factory=Counter)
    labels: list[str] = field(default_factory=list)
    curves: dict[str, str] = field(default_factory=dict)  # name -> type, of those without a mesh
    from_curves: list[str] = field(default_factory=list)
    odd_roles: list[str] = field(default_factory=list)
    cut_at: int | None = None


def gather(depsgraph: bpy.types.Depsgraph, chosen: set[str] | None) -> Gathered:
    """Everything that the depsgraph shows, restricted to the ``chosen`` names and their instances.

    A collection's own hiding (the eye in the outliner) leaves its objects in the depsgraph, so that
    visibility is asked of the view layer.
    """
    found = Gathered()
    layer = depsgraph.view_layer
    visible = {obj.name for obj in layer.objects if obj.visible_get(view_layer=layer)}
    taken: set[str] = set()
    for row, instance in enumerate(depsgraph.object_instances):
        if row >= MOST_INSTANCES:
            found.cut_at = len(depsgraph.object_instances)
            break
        obj = instance.object
        kind = obj.type
        name = obj.name
        if instance.is_instance:
            parent = instance.parent
            owner = parent.name
            kind_of_owner = parent.type
        else:
            owner, kind_of_owner = name, kind
        if owner not in visible:
            continue
        found.seen.add(owner)
        if chosen is not None and name not in chosen and owner not in chosen:
            continue
        if kind != "MESH":
            if not instance.is_instance:
                if kind == "FONT":
                    found.labels.append(name)
                elif kind in _MESH_LIKE:
                    found.curves[name] = kind
                elif not obj.is_instancer:
                    found.other_types[kind] += 1
            continue
        if not instance.show_self or (owner == name and kind_of_owner == "FONT"):
            continue
        role = obj.get(ROLE_PROPERTY)
        entry = len(found.rows)
        if instance.is_instance:
            if owner == name:
                if found.curves.pop(name, None):
                    found.from_curves.append(name)
            else:
                name = f"{owner}{PATH_SEPARATOR}{name}"
            found.instancer[entry] = owner
            if role is None:
                role = parent.get(ROLE_PROPERTY)
        if role is not None and not isinstance(role, str):
            found.odd_roles.append(name)
            role = None
        own = _own_name(obj, name, taken)
        if own is not None:
            found.instancer.setdefault(entry, name)
            name = own
        taken.add(name)
        found.rows.append(row)
        found.mesh.append(found.meshes.add(obj, name, role))
        found.names.append(name)
        found.roles.append(role)
    found.other_types.update(found.curves.values())
    return found


def _own_name(obj: bpy.types.Object, name: str, taken: set[str]) -> str | None:
    """The name that an object had in its own file; ``None`` if it has it still, or it is taken."""
    own = obj.get(NAME_PROPERTY)
    if not isinstance(own, str) or own == name or own in taken or name != obj.name:
        return None
    number = name.removeprefix(f"{own}.")
    return own if number != name and number.isdecimal() else None


def matrices_of(depsgraph: bpy.types.Depsgraph, rows: list[int]) -> Floats:
    """World matrices (n, 4, 4) of the chosen rows, in scene units."""
    flat = np.empty(16 * len(depsgraph.object_instances), np.float32)
    depsgraph.object_instances.foreach_get("matrix_world", flat)
    # Blender hands matrices out column by column.
    return flat.reshape(-1, 4, 4)[rows].transpose(0, 2, 1).astype(np.float64)


def unique_names(found: Gathered, depsgraph: bpy.types.Depsgraph) -> list[str]:
    """Names made unique by ``#2``, ``#3`` in the order of the instances' persistent ids."""
    names = list(found.names)
    if len(set(names)) == len(names):
        return names
    ids = np.empty(8 * len(depsgraph.object_instances), np.int32)
    depsgraph.object_instances.foreach_get("persistent_id", ids)
    ids = ids.reshape(-1, 8)[found.rows]
    groups: dict[str, list[int]] = {}
    for i, name in enumerate(names):
        groups.setdefault(name, []).append(i)
    taken = set(groups)
    for name, entries in groups.items():
        number = 1
        # Nested instances list the innermost id first: compare from the outermost inwards.
        for i in sorted(entries, key=lambda i: tuple(ids[i][::-1]))[1:]:
            number += 1
            while f"{name}#{number}" in taken:
                number += 1
            names[i] = f"{name}#{number}"
            taken.add(names[i])
    return names


def say_what_else_is_there(
    scene: bpy.types.Scene, found: Gathered, chosen: set[str] | None, reading: Reading
) -> None:
    """Counts and sentences for what is in the scene but is no member."""
    hidden = [
        obj.name
        for obj in scene.objects
        if obj.name not in found.seen
        and obj.type in _MESH_LIKE
        and (chosen is None or obj.name in chosen)
    ]
    if hidden and found.cut_at is None:
        reading.skip("hidden", len(hidden))
        reading.note(
            f"{counted(len(hidden), 'hidden object was', 'hidden objects were')} not read: "
            f"{listed(hidden)}. Unhide what belongs to the building."
        )
    others = sum(found.other_types.values())
    if others:
        reading.skip("not a mesh", others)
        kinds = ", ".join(
            counted(n, kind.lower().replace("_", " "), kind.lower().replace("_", " "))
            for kind, n in sorted(found.other_types.items())
        )
        reading.note(f"{counted(others, 'object is', 'objects are')} no mesh: {kinds}.")
    if found.labels:
        reading.skip("text", len(found.labels))
        reading.note(
            f"{counted(len(found.labels), 'text object')} taken for labels, not for members: "
            f"{listed(found.labels)}."
        )
    if found.from_curves:
        reading.note(
            f"Read by the mesh that they make (curves, surfaces, metaballs): "
            f"{listed(found.from_curves)}."
        )
    if found.odd_roles:
        reading.note(
            f"The property {ROLE_PROPERTY} holds no text and was ignored on "
            f"{listed(found.odd_roles)}."
        )
    if chosen is not None:
        missing = sorted(chosen - {obj.name for obj in scene.objects})
        if missing:
            reading.note(f"Not in scene {shown(scene.name)}: {listed(missing)}.")
    if found.cut_at is not None:
        reading.skip("beyond the limit", found.cut_at - MOST_INSTANCES)
        reading.fault(
            scene.name,
            f"Scene {shown(scene.name)} has {found.cut_at:,} instances and only the first "
            f"{MOST_INSTANCES:,} were read: hide what doesn't belong to the building.",
            subject_kind="place",
        )
