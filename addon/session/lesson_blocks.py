# SPDX-License-Identifier: GPL-3.0-or-later
"""What lessons of blocks do otherwise: their blocks put back, and their stress shown.

Main thread only. A slider's program runs anew on the mended blocks each time, so that what it says
is what stands.
"""

from __future__ import annotations

import json
from typing import Any

import bpy

from ...checks.voxel.structure import VoxelStructure
from ..lessons.model import Lesson
from ..scene import blocks, one_scene
from ..scene.block_log import log_of_structure
from ..scene.block_nodes import MATERIAL_PROPERTY
from ..scene.plain import structure_from_plain, structure_to_plain
from . import stress
from .block_choices import stress_of


def kept(scene: bpy.types.Scene) -> str:
    """The blocks of a scene as text, for :func:`put_back`."""
    return json.dumps(structure_to_plain(blocks.structure_from_blocks(scene)))


def put_back(scene: bpy.types.Scene, text: str) -> None:
    """Have a scene show the blocks that were kept; nothing if the text is none of ours."""
    try:
        found = structure_from_plain(json.loads(text))
    except ValueError:
        return
    if isinstance(found, VoxelStructure):
        blocks.write_log(scene, log_of_structure(found))


def change(
    lesson: Lesson, said: dict[str, float], scene: bpy.types.Scene, window: bpy.types.Window
) -> None:
    """Run the program of each slider that stands elsewhere. Raises ``BuildError``."""
    for slider in lesson.sliders:
        if said[slider.id] != slider.default:
            program = f"{lesson.slider_program(slider)}\n\nchange({round(said[slider.id])})\n"
            one_scene.run(program, f"what_if_{slider.id} of lesson {lesson.id}", scene, window)


def overrides(lesson: Lesson) -> dict[str, Any]:
    """The fields of the brief by which its blocks are judged."""
    return {} if lesson.brief is None else {"turns": lesson.brief.turns}


def show_stress(scene: bpy.types.Scene, lesson: Lesson) -> None:
    """Solve the stress where the lesson is about it; colours go up to what is allowed."""
    limit = lesson.stress_limit
    if limit is None:
        return
    state = stress_of(bpy.context)
    state.show, state.auto_range, state.low, state.high = True, False, 0.0, limit / 1000.0
    try:
        stress.solve(scene, "fem", str(limit))
    except ValueError:
        stress.forget(scene)  # somebody deleted the blocks: the checks say so


def hide_stress(scene: bpy.types.Scene, lesson: Lesson | None) -> None:
    """Take it out of sight again, and let the colours fit what comes next."""
    if lesson is not None and lesson.stress_limit is not None:
        stress.forget(scene)
        stress_of(bpy.context).auto_range = True


def leftovers(scene: bpy.types.Scene) -> tuple[list[Any], list[Any]]:
    """Node groups and materials of a scene's blocks, for :func:`sweep` once the scene is gone."""
    obj = blocks.blocks_object(scene)
    if obj is None:
        return [], []
    groups = [m.node_group for m in obj.modifiers if m.type == "NODES" and m.node_group]
    materials = [
        node.inputs["Material"].default_value
        for group in groups
        for node in group.nodes
        if node.bl_idname == "GeometryNodeSetMaterial"
    ]
    ours = [m for m in materials if m is not None and m.get(MATERIAL_PROPERTY) is not None]
    return groups, list(dict.fromkeys(ours))


def sweep(left: tuple[list[Any], list[Any]]) -> None:
    """Remove what nothing uses any more."""
    for found in left:
        bpy.data.batch_remove([block for block in found if block.users == 0])
