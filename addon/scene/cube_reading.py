# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks from a scene whose program made cubes itself: boxes of 1 m at whole coordinates."""

from __future__ import annotations

import re
from typing import Any

import bpy
import numpy as np

from ...checks.voxel.cells import REACH, block_name
from ...checks.voxel.structure import UNKNOWN, VoxelError, VoxelStructure
from .block_log import MOST_ACTIONS
from .members import structure_from_scene, unit_scale
from .reading import counted, listed

# What Blender adds to a name that is taken.
_NUMBER = re.compile(r"\.\d{3,}$")
# A cube may differ from 1 m, and its centre from a whole coordinate, by so much, m.
_NEAR = 0.02


def structure_from_cubes(scene: bpy.types.Scene) -> VoxelStructure:
    """Every visible mesh that is a box of 1 m at whole coordinates as a block.

    Its material is the name of the Blender material in its first slot, in lower case with ``_`` for
    spaces, else the object's name without a number. There is no placement order. Raises
    :class:`~plumbline.checks.voxel.structure.VoxelError` for too many.
    """
    layer = scene.view_layers[0]
    layer.update()
    boxes = structure_from_scene(scene, layer.depsgraph)
    if len(boxes) > MOST_ACTIONS:
        raise VoxelError(
            f"the scene holds {len(boxes):,} objects, more than the {MOST_ACTIONS:,} that are read"
        )
    source: dict[str, Any] = {
        "kind": "scene",
        "scene": scene.name,
        "file": bpy.data.filepath,
        "unit_scale": unit_scale(scene),
    }
    notes = [note for note in boxes.notes if "no plain box" not in note]
    if not len(boxes):
        return VoxelStructure.empty(ordered=False, notes=tuple(notes), source=source)
    # Task axes are (x, z, -y) of Blender's: up is the third there.
    centre = np.stack([boxes.center[:, 0], boxes.center[:, 2], -boxes.center[:, 1]], axis=1)
    # How far a box reaches along each axis: 1 m exactly for a cube that stands square.
    reach = 2.0 * np.einsum("nij,ni->nj", np.abs(boxes.axes), boxes.half)
    near = np.rint(centre)
    square = (np.abs(reach - 1.0) <= _NEAR).all(axis=1)
    square &= (np.abs(centre - near) <= _NEAR).all(axis=1) & (np.abs(near) <= REACH).all(axis=1)
    instancers = boxes.source.get("instancers", {})
    kept = np.flatnonzero(square)
    if len(kept):
        notes.append(
            f"{counted(len(kept), 'cube was', 'cubes were')} read as blocks without a placement "
            "order: build by place_block to have one."
        )
    if len(kept) < len(boxes):
        others = [boxes.names[i] for i in np.flatnonzero(~square)]
        notes.append(
            f"{counted(len(others), 'object')} that no cube of 1 m at whole coordinates fits "
            f"{'was' if len(others) == 1 else 'were'} left out: {listed(others)}. Blocks are cubes "
            "with edges of 1 m along the axes, their centres on whole numbers, as (2, 0, 3)."
        )
    shown_by = [instancers.get(boxes.names[i], boxes.names[i]) for i in kept]
    materials = [_material(scene, name) for name in shown_by]
    cells = near[kept].astype(np.int64)
    source["instancers"] = dict(zip(map(block_name, cells), shown_by, strict=True))
    return VoxelStructure(cells, tuple(materials), False, tuple(notes), source)


def cubes_beside(scene: bpy.types.Scene) -> tuple[str, ...]:
    """A sentence on cubes of 1 m in a scene that has blocks of ours, which nobody reads then."""
    unit = unit_scale(scene)
    names = [
        obj.name
        for obj in scene.objects
        if obj.type == "MESH" and not obj.hide_render and _is_cube(obj, unit)
    ]
    if not names:
        return ()
    what = counted(len(names), "cube that stands", "cubes that stand")
    verb = "was" if len(names) == 1 else "were"
    return (f"{what} beside the blocks {verb} not read: {listed(names)}; build by place_block.",)


def _is_cube(obj: bpy.types.Object, unit: float) -> bool:
    if len(obj.data.vertices) != 8 or len(obj.data.polygons) != 6:
        return False
    return all(abs(size * unit - 1.0) <= _NEAR for size in obj.dimensions)


def _material(scene: bpy.types.Scene, name: str) -> str:
    obj = scene.objects.get(name)
    slots = obj.material_slots if obj is not None else ()
    first = next((slot.material.name for slot in slots if slot.material is not None), None)
    found = _NUMBER.sub("", first if first is not None else name)
    return found.strip().lower().replace(" ", "_") or UNKNOWN
