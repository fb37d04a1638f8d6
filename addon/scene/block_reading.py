# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the object of blocks as it stands: moved, copied, deleted or edited by whomever.

Anybody can have written the file, so that nothing in it is trusted: what has the wrong type is
left out and said in a sentence.
"""

from __future__ import annotations

import json
from typing import Any

import bmesh
import bpy
import numpy as np
from numpy.typing import NDArray

from ...checks.voxel.cells import REACH, Ints
from ...checks.voxel.structure import UNKNOWN, VoxelError
from .block_log import MOST_ACTIONS, MOST_MATERIALS, STANDS, Rows, checked_rows
from .block_tree import MATERIAL, ORDER, UNTIL
from .members import unit_scale
from .reading import counted, listed, shown

#: Marks the object that holds blocks.
MARK, SCHEMA = "plumbline_blocks", "plumbline.blocks/1"
#: JSON lists on the object: material ids by index, counts of actions at the end of each turn.
PALETTE, TURNS = "plumbline_palette", "plumbline_turns"
#: Set where the order of the rows is not that of placement.
UNORDERED = "plumbline_unordered"

# So far from a whole coordinate a block still stands on it, in blocks (float32 and hand's work).
_NEAR = 1e-3
_MOST_TURNS = 50
_LONGEST_ID = 200


def blocks_object(scene: bpy.types.Scene) -> bpy.types.Object | None:
    """The object that holds the scene's blocks, ``None`` if there is none.

    Of several the first by name: objects are in no order that lasts.
    """
    found = _marked(scene)
    return found[0] if found else None


def _marked(scene: bpy.types.Scene) -> list[bpy.types.Object]:
    marked = [o for o in scene.objects if o.type == "MESH" and o.get(MARK) == SCHEMA]
    return sorted(marked, key=lambda obj: obj.name)


def rows_of(obj: bpy.types.Object, scene: bpy.types.Scene) -> Rows:
    """The placements that an object of blocks holds.

    Raises :class:`~plumbline.checks.voxel.structure.VoxelError` for too many of them.
    """
    notes: list[str] = []
    others = [shown(o.name) for o in _marked(scene) if o != obj]
    if others:
        notes.append(
            f"Only the blocks of {shown(obj.name)} were read, not those of "
            f"{listed(others)}: delete all but one."
        )
    points, values = _raw(obj, notes)
    ordered = not obj.get(UNORDERED)
    n = len(points)
    order = values.get(ORDER)
    if order is None:
        order, ordered = np.arange(n, dtype=np.int64), False
        if n:
            notes.append(
                f"{shown(obj.name)} has no whole numbers {ORDER!r} on its points: the "
                "placement order is unknown."
            )
    until = values.get(UNTIL, np.full(n, STANDS, dtype=np.int64))
    material = values.get(MATERIAL, np.full(n, -1, dtype=np.int64))
    cells, kept = _cells(_in_world(obj, scene, points), notes)
    palette = _palette(obj, notes)
    if palette is None:
        palette, material = (UNKNOWN,), np.zeros(n, dtype=np.int64)
    turns = _turns(obj, notes)
    more: dict[str, Any] = {"turns": turns, "ordered": ordered, "notes": notes}
    return checked_rows(cells, order[kept], until[kept], material[kept], palette, **more)


def _raw(obj: bpy.types.Object, notes: list[str]) -> tuple[NDArray[Any], dict[str, Ints]]:
    """Points (n, 3) in the object's frame, and the attributes that are whole numbers, (n,)."""
    mesh = obj.data
    if obj.mode == "EDIT":
        notes.append(f"Read as it stands in Edit Mode: {shown(obj.name)}.")
        return _edited(mesh)
    n = len(mesh.vertices)
    _refuse_many(n, obj)
    points = np.empty(3 * n, dtype=np.float32)
    mesh.vertices.foreach_get("co", points)
    found = {}
    for name in (ORDER, UNTIL, MATERIAL):
        attribute = mesh.attributes.get(name)
        if attribute is None or attribute.data_type != "INT" or attribute.domain != "POINT":
            continue
        numbers = np.empty(n, dtype=np.int32)
        attribute.data.foreach_get("value", numbers)
        found[name] = numbers.astype(np.int64)
    return points.reshape(n, 3), found


def _edited(mesh: bpy.types.Mesh) -> tuple[NDArray[Any], dict[str, Ints]]:
    shape = bmesh.from_edit_mesh(mesh)
    points = np.array([v.co for v in shape.verts], dtype=np.float64).reshape(-1, 3)
    found = {}
    for name in (ORDER, UNTIL, MATERIAL):
        layer = shape.verts.layers.int.get(name)
        if layer is not None:
            found[name] = np.array([v[layer] for v in shape.verts], dtype=np.int64)
    return points, found


def _refuse_many(count: int, obj: bpy.types.Object) -> None:
    if count > MOST_ACTIONS:
        raise VoxelError(
            f"{shown(obj.name)} holds {count:,} blocks, more than the {MOST_ACTIONS:,} that are "
            "read: delete what doesn't belong to the construction"
        )


def _in_world(
    obj: bpy.types.Object, scene: bpy.types.Scene, points: NDArray[Any]
) -> NDArray[np.float64]:
    """Points in the task's axes, in blocks."""
    if obj.parent is None and not obj.constraints:
        matrix = np.array(obj.matrix_basis, dtype=np.float64)  # never out of date
    else:
        scene.view_layers[0].update()  # else it stands where it stood before it was moved
        matrix = np.array(obj.matrix_world, dtype=np.float64)
    with np.errstate(all="ignore"):
        world = (points @ matrix[:3, :3].T + matrix[:3, 3]) * unit_scale(scene)
    return np.stack([world[:, 0], world[:, 2], -world[:, 1]], axis=1) + 0.0  # no minus zero


def _cells(places: NDArray[np.float64], notes: list[str]) -> tuple[Ints, Ints]:
    """Nearest cells (m, 3) of the points that have one, and which points these are, (m,)."""
    with np.errstate(invalid="ignore"):
        usable = (np.isfinite(places) & (np.abs(places) <= REACH)).all(axis=1)
    if not usable.all():
        notes.append(
            f"{counted(int((~usable).sum()), 'block is', 'blocks are')} left out for standing at "
            f"no finite place within {REACH:,} blocks of the origin, the first is point "
            f"{int(np.flatnonzero(~usable)[0])} of the mesh."
        )
    kept = np.flatnonzero(usable)
    near = np.rint(places[kept])
    off = np.flatnonzero(np.abs(places[kept] - near).max(axis=1, initial=0.0) > _NEAR)
    cells = near.astype(np.int64)
    if len(off):
        first = places[kept[off[0]]].tolist()
        x, y, z = cells[off[0]].tolist()
        notes.append(
            f"{counted(len(off), 'block stands', 'blocks stand')} between whole coordinates and "
            f"{'was' if len(off) == 1 else 'were'} read at the nearest, the first at "
            f"{_told(first)} as block ({x}, {y}, {z})."
        )
    return cells, kept


def _told(place: list[float]) -> str:
    return "(" + ", ".join(f"{value:.4g}" for value in place) + ")"


def _json_list(obj: bpy.types.Object, key: str) -> list[Any] | None:
    try:
        value = json.loads(obj.get(key, ""))
    except (TypeError, ValueError, RecursionError):
        return None
    return value if isinstance(value, list) else None


def _palette(obj: bpy.types.Object, notes: list[str]) -> tuple[str, ...] | None:
    value = _json_list(obj, PALETTE)
    fits = value is not None and len(value) <= MOST_MATERIALS
    if not fits or not all(isinstance(v, str) and len(v) <= _LONGEST_ID for v in value or ()):
        notes.append(
            f"{shown(obj.name)}: its property {PALETTE} is no JSON list of at most "
            f"{MOST_MATERIALS:,} block ids, so that the materials are unknown."
        )
        return None
    return tuple(value or ())


def _turns(obj: bpy.types.Object, notes: list[str]) -> tuple[int, ...]:
    if TURNS not in obj:
        return ()
    value = _json_list(obj, TURNS)
    whole = value is not None and all(type(v) is int and 0 <= v < STANDS for v in value)
    if value is None or not whole or len(value) > _MOST_TURNS or value != sorted(value):
        notes.append(
            f"{shown(obj.name)}: its property {TURNS} is no JSON list of at most {_MOST_TURNS} "
            "growing counts, so that it counts as built in one turn."
        )
        return ()
    return tuple(value)
