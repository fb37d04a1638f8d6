# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender scene as timber members: every visible mesh object or instance an oriented box.

Nothing is written to the scene. Objects that can't be members are counted and named in a sentence
(:mod:`.reading`); one that claims a role in its name becomes a finding.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy
import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import TimberStructure
from .fitting import Floats
from .meshes import PROBLEM_KINDS, LocalBoxes, MeshTable
from .reading import PATH_SEPARATOR, Reading, counted, listed, shown
from .solids import BOX_FILL, FLAT, LONGEST, cuboid

#: Custom property of an object, or of the object that instances it.
ROLE_PROPERTY = "plumbline_role"
#: Types that have no solid of their own but may evaluate to a mesh.
_MESH_LIKE = frozenset({"MESH", "CURVE", "SURFACE", "META", "FONT"})
#: Beyond this distance from the origin float32 positions are coarser than 1 mm, m.
FAR = 2.0**13
#: Axes of a box that the object's matrix leaves this square count as square (cosine).
SQUARE = 2e-5
#: Instances read from one scene at most: scattered forests must not exhaust memory.
MOST_INSTANCES = 200_000
#: A sheared solid with more vertices is fitted by the corners of its own box.
REFIT_UP_TO = 512


@dataclass
class _Gathered:
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


def structure_from_scene(
    scene: bpy.types.Scene | None = None,
    depsgraph: bpy.types.Depsgraph | None = None,
    only: Iterable[str | bpy.types.Object] | None = None,
) -> TimberStructure:
    """Members of ``scene`` (default: the open one) as evaluated by ``depsgraph``.

    Every visible mesh object or instance, with its modifiers, becomes the smallest oriented box
    round its vertices, in metres: exact for box-shaped meshes however modelled, scaled or rotated.
    Curves, surfaces and metaballs count by the mesh that they evaluate to; text objects are labels.
    Instances are named ``Instancer/Object``, further ones of the same name ``…#2``, ``…#3``.

    ``only`` restricts the reading to these objects (or names), and to what they instance.
    Never raises for what is in the scene: what can't be read is said in ``notes``, ``skipped`` and
    ``findings`` (check ``reading``). ``source["instancers"]`` names the object to select for each
    instanced member, ``source["fill"]`` the filled share of each box that is no box-shaped mesh.
    """
    scene = scene or bpy.context.scene
    depsgraph = depsgraph or _depsgraph_of(scene)
    chosen = None if only is None else {o if isinstance(o, str) else o.name for o in only}
    reading = Reading()
    unit = unit_scale(scene)
    if unit != 1.0:
        reading.note(
            f"One unit of scene {shown(scene.name)} is {unit:g} m (its unit scale); all lengths "
            "were converted to metres."
        )
    found = _gather(depsgraph, chosen)
    _say_what_else_is_there(scene, found, chosen, reading)
    matrices = _matrices(depsgraph, found.rows)
    names = _unique_names(found, depsgraph)
    boxes = _place(found, matrices, unit)
    keep = _set_aside(names, found, boxes, reading)
    _say_odd_shapes(names, found, boxes, keep, reading)
    kept = np.flatnonzero(keep)
    source = {
        "kind": "scene",
        "scene": scene.name,
        "file": bpy.data.filepath,
        "frame": scene.frame_current,
        "unit_scale": unit,
        "instancers": {names[i]: found.instancer[i] for i in kept if i in found.instancer},
        "fill": {names[i]: float(boxes.fill[i]) for i in kept if boxes.fill[i] < BOX_FILL},
    }
    return TimberStructure.from_boxes(
        [names[i] for i in kept],
        boxes.center[kept],
        boxes.axes[kept],
        boxes.size[kept],
        [found.roles[i] for i in kept],
        source=source,
        **reading.extra(),
    )


def object_of_member(
    name: str, structure: TimberStructure, scene: bpy.types.Scene | None = None
) -> bpy.types.Object | None:
    """The scene's object that shows a member: the object itself, or what instances it."""
    scene = scene or bpy.context.scene
    return scene.objects.get(structure.source.get("instancers", {}).get(name, name))


def _depsgraph_of(scene: bpy.types.Scene) -> bpy.types.Depsgraph:
    if scene == bpy.context.scene:
        return bpy.context.evaluated_depsgraph_get()
    layer = scene.view_layers[0]
    layer.update()
    return layer.depsgraph


def unit_scale(scene: bpy.types.Scene) -> float:
    """Metres in one unit of the scene; a scene without a unit system is in metres."""
    settings = scene.unit_settings
    scale = 1.0 if settings.system == "NONE" else float(settings.scale_length)
    return 1.0 if abs(scale - 1.0) < 1e-6 else scale


def _gather(depsgraph: bpy.types.Depsgraph, chosen: set[str] | None) -> _Gathered:
    """One pass over the instances of the depsgraph."""
    found = _Gathered()
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
            found.seen.add(name)
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
        found.rows.append(row)
        found.mesh.append(found.meshes.add(obj))
        found.names.append(name)
        found.roles.append(role)
    found.other_types.update(found.curves.values())
    return found


def _matrices(depsgraph: bpy.types.Depsgraph, rows: list[int]) -> Floats:
    """World matrices (n, 4, 4) of the chosen rows, in scene units."""
    flat = np.empty(16 * len(depsgraph.object_instances), np.float32)
    depsgraph.object_instances.foreach_get("matrix_world", flat)
    # Blender hands matrices out column by column.
    return flat.reshape(-1, 4, 4)[rows].transpose(0, 2, 1).astype(np.float64)


def _unique_names(found: _Gathered, depsgraph: bpy.types.Depsgraph) -> list[str]:
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


@dataclass
class _Placed:
    """World boxes of all entries, m; rows of ``problem`` entries are meaningless."""

    center: Floats
    axes: Floats
    size: Floats
    fill: Floats
    problem: list[str | None]


def _place(found: _Gathered, matrices: Floats, unit: float) -> _Placed:
    """Local boxes carried into the world; what a sheared matrix leaves askew is fitted again."""
    local = found.meshes.local_boxes()
    which = np.array(found.mesh, dtype=np.intp)
    linear = matrices[:, :3, :3] * unit
    offset = matrices[:, :3, 3] * unit
    with np.errstate(all="ignore"):
        edges = (local.axes[which] * local.size[which][:, :, None]) @ linear.transpose(0, 2, 1)
        size = np.linalg.norm(edges, axis=2)
        axes, square = _squared(edges, size)
        center = np.einsum("nij,nj->ni", linear, local.center[which]) + offset
    fill = local.fill[which].copy()
    problem = _problems(local, which, center, size, linear)
    for i in np.flatnonzero(~square):
        if problem[i] is None:
            fitted = _refit(found.meshes, local, int(which[i]), linear[i])
            center[i], axes[i], size[i], fill[i] = fitted
            center[i] += offset[i]
    for i in np.flatnonzero(size.min(axis=1, initial=np.inf) < FLAT):
        problem[i] = problem[i] or "flat"
    return _Placed(center, axes, size, fill, problem)


def _squared(edges: Floats, size: Floats) -> tuple[Floats, NDArray[np.bool_]]:
    """Unit axes (n, 3, 3) along box edges, and which of them the matrix left square.

    Float noise is taken out by squaring the shorter edges to the longest, whose direction is best.
    """
    unit = edges / size[:, :, None]
    cosines = np.abs(unit @ unit.transpose(0, 2, 1) - np.eye(3)).max(axis=(1, 2), initial=0.0)
    order = np.argsort(-size, axis=1, kind="stable")[:, :, None]
    first, second, third = np.moveaxis(np.take_along_axis(unit, order, axis=1), 1, 0)
    second = second - np.einsum("ni,ni->n", second, first)[:, None] * first
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    cross = np.cross(first, second)
    third = np.copysign(1.0, np.einsum("ni,ni->n", cross, third))[:, None] * cross
    axes = np.empty_like(unit)
    np.put_along_axis(axes, order, np.stack([first, second, third], axis=1), axis=1)
    return axes, cosines <= SQUARE


def _problems(
    local: LocalBoxes,
    which: NDArray[np.intp],
    center: Floats,
    size: Floats,
    linear: Floats,
) -> list[str | None]:
    """Why an entry can't be a member, ``None`` where it can."""
    state = local.state[which]
    with np.errstate(all="ignore"):
        finite = np.isfinite(linear).all(axis=(1, 2)) & np.isfinite(center).all(axis=1)
        longest = size.max(axis=1, initial=0.0)
    problem: list[str | None] = [None] * len(which)
    for i in np.flatnonzero(~finite):
        problem[i] = "not finite"
    for code, kind in PROBLEM_KINDS.items():
        for i in np.flatnonzero(state == code):
            problem[i] = kind
    for i in np.flatnonzero(~(longest <= LONGEST)):
        problem[i] = problem[i] or ("too long" if np.isfinite(longest[i]) else "not finite")
    with np.errstate(all="ignore"):
        thickest = local.size[which].min(axis=1, initial=np.inf) * np.linalg.norm(
            linear, axis=(1, 2)
        )
    for i in np.flatnonzero(thickest < FLAT):
        problem[i] = problem[i] or "flat"
    return problem


def _refit(
    meshes: MeshTable, local: LocalBoxes, mesh: int, linear: Floats
) -> tuple[Floats, Floats, Floats, float]:
    """Box round a sheared solid: centre (without the offset), axes, sizes, filled share."""
    solid = meshes.solid(mesh)
    if len(solid.vertices) > REFIT_UP_TO and local.fill[mesh] < BOX_FILL:
        solid = cuboid(local.center[mesh], local.axes[mesh], local.size[mesh])
        center, axes, size, fill = solid.moved(linear).box()
        return center, axes, size, fill * float(local.fill[mesh])
    return solid.moved(linear).box()


_WHY = {
    "empty mesh": ("has an empty mesh", "give it a shape or delete it"),
    "no faces": ("has vertices but no faces", "give it faces or delete it"),
    "not finite": (
        "has a coordinate that is no finite number (NaN or infinite)",
        "repair its mesh, its transform or its modifiers",
    ),
    "flat": ("is flat, with no volume", "give it a thickness or delete it"),
    "too long": (
        f"is longer than {LONGEST:,.0f} m",
        "check its scale and the unit scale of the scene",
    ),
}


def _set_aside(
    names: list[str], found: _Gathered, boxes: _Placed, reading: Reading
) -> NDArray[np.bool_]:
    """Which entries are members; the others are counted and named."""
    by_kind: dict[str, list[int]] = {}
    for i, kind in enumerate(boxes.problem):
        if kind is not None:
            by_kind.setdefault(kind, []).append(i)
    for kind, entries in by_kind.items():
        members = [
            (
                names[i],
                found.roles[i],
                boxes.center[i] if np.isfinite(boxes.center[i]).all() else None,
            )
            for i in entries
        ]
        reading.leave_out(kind, members, *_WHY[kind], always_fault=kind == "not finite")
    return np.array([p is None for p in boxes.problem], dtype=bool)


def _say_odd_shapes(
    names: list[str],
    found: _Gathered,
    boxes: _Placed,
    keep: NDArray[np.bool_],
    reading: Reading,
) -> None:
    """Notes on members that are read, but not quite as drawn."""
    odd = np.flatnonzero(keep & (boxes.fill < BOX_FILL))
    if len(odd):
        each = [f"{shown(names[i])} fills {boxes.fill[i]:.0%}" for i in odd]
        reading.note(
            f"{counted(len(odd), 'member is', 'members are')} no plain box and judged as the "
            f"smallest box round it: {listed(each)}."
        )
    with np.errstate(invalid="ignore"):
        far = np.flatnonzero(keep & (np.abs(boxes.center).max(axis=1, initial=0.0) > FAR))
    if len(far):
        reading.note(
            f"{counted(len(far), 'member')} more than {FAR / 1000:.0f} km from the origin "
            f"({listed([names[i] for i in far])}): positions there are coarser than 1 mm; move the "
            "building to the origin."
        )
    editing = found.meshes.in_edit_mode
    if editing:
        edited = [names[i] for i, mesh in enumerate(found.mesh) if mesh in editing]
        reading.note(f"Read as it stands in Edit Mode: {listed(edited)}.")


def _say_what_else_is_there(
    scene: bpy.types.Scene, found: _Gathered, chosen: set[str] | None, reading: Reading
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
