# SPDX-License-Identifier: GPL-3.0-or-later
"""A Blender scene as timber members: every visible mesh object or instance an oriented box.

Nothing is written to the scene. Objects that can't be members are counted and named in a sentence
(:mod:`.reading`); one that claims a role in its name becomes a finding.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import TimberStructure
from .fitting import Floats
from .gather import Gathered, gather, matrices_of, say_what_else_is_there, unique_names
from .meshes import PROBLEM_KINDS, LocalBoxes, MeshTable
from .reading import Reading, counted, listed, shown
from .solids import BOX_FILL, FARTHEST, FLAT, LONGEST, cuboid

#: Beyond this distance from the origin float32 positions are coarser than 1 mm, m.
FAR = 2.0**13
#: Axes of a box that the object's matrix leaves this square count as square (cosine).
SQUARE = 2e-5


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
    found = gather(depsgraph, chosen)
    say_what_else_is_there(scene, found, chosen, reading)
    matrices = matrices_of(depsgraph, found.rows)
    names = unique_names(found, depsgraph)
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


@dataclass
class _Placed:
    """World boxes of all entries, m; rows of ``problem`` entries are meaningless."""

    center: Floats
    axes: Floats
    size: Floats
    fill: Floats
    problem: list[str | None]


def _place(found: Gathered, matrices: Floats, unit: float) -> _Placed:
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
        far = np.abs(center).max(axis=1, initial=0.0) > FARTHEST
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
    for i in np.flatnonzero(far):
        problem[i] = problem[i] or "too far"
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
    if mesh in meshes.organic:
        solid = cuboid(local.center[mesh], local.axes[mesh], local.size[mesh])
        center, axes, size, fill = solid.moved(linear).box()
        return center, axes, size, fill * float(local.fill[mesh])
    return meshes.solid(mesh).moved(linear).box()


_WHY = {
    "empty mesh": ("has an empty mesh", "give it a shape or delete it"),
    "no faces": ("has vertices but no faces", "give it faces or delete it"),
    "not finite": (
        "has a coordinate that is no finite number (NaN or infinite)",
        "repair its mesh, its transform or its modifiers",
    ),
    "flat": ("is flat, with no volume", "give it a thickness or delete it"),
    "too far": (
        f"lies more than {FARTHEST / 1000:,.0f} km from the origin",
        "move it to the building",
    ),
    "too long": (
        f"is longer than {LONGEST:,.0f} m",
        "check its scale and the unit scale of the scene",
    ),
}


def _set_aside(
    names: list[str], found: Gathered, boxes: _Placed, reading: Reading
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
    found: Gathered,
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
