# SPDX-License-Identifier: GPL-3.0-or-later
"""A voxel construction in a Blender scene: one object whose points are the placements, in order.

A block (x, y, z) of the task stands at Blender's (x, -z, y), its centre at the integer point, 1 m
wide. The object is marked by a property, never found by its name; see :mod:`.block_nodes` for how
it is drawn and :mod:`.block_log` for what its attributes mean.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Literal

import bpy
import numpy as np
from mathutils import Matrix

from ...checks.voxel.cells import to_blender
from ...checks.voxel.structure import VoxelError, VoxelStructure
from ..block_colours import clear_share
from .block_api import NAMES as API_NAMES
from .block_api import block_names
from .block_log import BlockLog, Rows, log_of_rows, log_of_structure
from .block_nodes import draw_as_cubes
from .block_reading import MARK, PALETTE, SCHEMA, TURNS, UNORDERED, blocks_object, rows_of
from .block_tree import COVERED, MATERIAL, ORDER, UNTIL, WRITTEN
from .cube_reading import cubes_beside, structure_from_cubes
from .members import structure_from_scene, unit_scale
from .plain import Standing, Structure

__all__ = [
    "BlockSession",
    "BlocksLost",
    "add_blocks",
    "blocks_object",
    "kind_of_scene",
    "log_from_scene",
    "rows_of",
    "standing_structure",
    "structure_from_blocks",
    "structure_of_scene",
    "write_log",
]

NAME = "Blocks"
#: With more blocks than this their edges aren't drawn in the viewport.
MOST_OUTLINED = 20_000


def add_blocks(
    structure: VoxelStructure, scene: bpy.types.Scene, name: str = NAME
) -> bpy.types.Object:
    """Show ``structure`` in ``scene``, instead of the blocks that it may have."""
    obj = write_log(scene, log_of_structure(structure))
    obj.name = name
    return obj


def write_log(scene: bpy.types.Scene, log: BlockLog) -> bpy.types.Object:
    """Write a record into the scene's blocks, which are made if there are none."""
    rows = log.rows()
    obj = blocks_object(scene)
    if obj is None:
        obj = bpy.data.objects.new(NAME, bpy.data.meshes.new(NAME))
        scene.collection.objects.link(obj)
    else:
        _replace_mesh(obj)
    obj.parent = None
    obj.matrix_world = Matrix.Identity(4)
    unit = unit_scale(scene)
    _fill_mesh(obj.data, rows, unit)
    obj[MARK] = SCHEMA
    obj[PALETTE] = json.dumps(rows.palette, ensure_ascii=False)
    obj[TURNS] = json.dumps(rows.turns)
    if rows.ordered:
        obj.pop(UNORDERED, None)
    else:
        obj[UNORDERED] = True
    draw_as_cubes(obj, rows.palette, 1.0 / unit, log.actions)
    # Edges tell blocks of one material apart; beyond so many they are but a veil, and slow.
    obj.show_wire = obj.show_all_edges = len(log) <= MOST_OUTLINED
    return obj


def _replace_mesh(obj: bpy.types.Object) -> None:
    """An empty mesh of the same name: what edited the old one must not shine through."""
    old = obj.data
    name = old.name
    obj.data = bpy.data.meshes.new(name)
    if not old.users:
        bpy.data.meshes.remove(old)
        obj.data.name = name


def _fill_mesh(mesh: bpy.types.Mesh, rows: Rows, unit: float) -> None:
    places = (to_blender(rows.cells) / unit).astype(np.float32)
    mesh.vertices.add(len(places))
    if len(places):
        mesh.attributes["position"].data.foreach_set("vector", places.ravel())
    whole = {ORDER: rows.order, UNTIL: rows.until, MATERIAL: rows.material}
    covered = rows.covered([clear_share(name) > 0.0 for name in rows.palette])
    whole.update(zip(COVERED, covered.T, strict=True))
    for name, values in whole.items():
        attribute = mesh.attributes.new(name, "INT", "POINT")
        attribute.data.foreach_set("value", values.astype(np.int32))
    written = mesh.attributes.new(WRITTEN, "FLOAT_VECTOR", "POINT")
    written.data.foreach_set("vector", places.ravel())
    mesh.update()


def log_from_scene(scene: bpy.types.Scene) -> BlockLog:
    """The record of the scene's blocks, to go on from; an empty one where there are none."""
    obj = blocks_object(scene)
    return BlockLog() if obj is None else log_of_rows(rows_of(obj, scene))


def structure_from_blocks(scene: bpy.types.Scene) -> VoxelStructure:
    """The blocks of a scene as they stand, with what stood after each turn that is over.

    A scene without blocks of ours is read by its cubes (:mod:`.cube_reading`). Never raises for
    what is odd in it, which is said in ``notes``; only for more blocks than can be read
    (:class:`~plumbline.checks.voxel.structure.VoxelError`).
    """
    obj = blocks_object(scene)
    if obj is None:
        return structure_from_cubes(scene)
    source = {
        "kind": "scene",
        "scene": scene.name,
        "file": bpy.data.filepath,
        "object": obj.name,
        "unit_scale": unit_scale(scene),
    }
    rows = rows_of(obj, scene)
    return replace(rows, notes=(*rows.notes, *cubes_beside(scene))).structure(source=source)


class BlocksLost(RuntimeError):
    """The blocks of a program can't be written to the scene; one sentence says why."""


class BlockSession:
    """The record that a program builds into, begun from what its scene holds.

    Made before the program runs; :meth:`flush` afterwards writes what it did to the scene. Where
    the scene's blocks can't be read, each of the ``names`` raises ``ValueError`` with the reason.
    """

    def __init__(self, scene: bpy.types.Scene) -> None:
        self._uid = scene.session_uid
        self.names: dict[str, Any]
        try:
            self._log = log_from_scene(scene)
            self.names = {**block_names(self._log)}
        except VoxelError as error:
            self._log = BlockLog()
            self.names = dict.fromkeys(API_NAMES, _refusing(str(error)))
        self._before = self._state()

    def _state(self) -> tuple[int, int]:
        return self._log.actions, len(self._log.turns)

    def flush(self, otherwise: bpy.types.Scene | None = None) -> None:
        """Write the blocks to their scene, or if that is gone to ``otherwise``.

        Raises :class:`BlocksLost` for a record that the program itself has damaged.
        """
        try:
            if self._state() == self._before:
                return
            here = (scene for scene in bpy.data.scenes if scene.session_uid == self._uid)
            scene = next(here, otherwise)
            if scene is not None:
                write_log(scene, self._log)
            self._before = self._state()
        except Exception as error:
            raise BlocksLost(
                f"what it built of blocks can't be written ({type(error).__name__}: {error}): "
                "build by place_block and the like only"
            ) from error


def _refusing(why: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise ValueError(why)

    return refuse


def structure_of_scene(
    scene: bpy.types.Scene, kind: str | None = None, rubric: Mapping[str, Any] | None = None
) -> Structure:
    """What a scene holds, read as ``kind``; ``None``: as :func:`kind_of_scene` says.

    Of kind ``reconstruction`` copies of it are run now, also those that the ``rubric`` asks for.
    Raises ``ValueError`` for a kind that no scene is read as, and for what can't be run.
    """
    if kind is None:
        return standing_structure(scene)
    if kind == "voxel":
        return structure_from_blocks(scene)
    if kind == "timber":
        return structure_from_scene(scene)
    if kind == "reconstruction":
        return _simulation(scene, rubric)
    raise ValueError(f"no scene is read as {kind!r}, only as timber, voxel or reconstruction")


def standing_structure(scene: bpy.types.Scene) -> Standing:
    """What stands in a scene in the present frame: its blocks if it has any, else its members."""
    if blocks_object(scene) is not None:
        return structure_from_blocks(scene)
    return structure_from_scene(scene)


def _simulation(scene: bpy.types.Scene, rubric: Mapping[str, Any] | None) -> Structure:
    from ...checks.reconstruction.brief import ReconstructionBrief
    from ..simulation.experiments import simulate
    from ..simulation.steps import finish

    brief = None if rubric is None else ReconstructionBrief.from_mapping(rubric)
    return finish(simulate(scene, brief))


def kind_of_scene(scene: bpy.types.Scene) -> Literal["voxel", "timber"]:
    """Which kind of structure a scene holds: ``voxel`` if it has blocks of ours."""
    return "timber" if blocks_object(scene) is None else "voxel"
