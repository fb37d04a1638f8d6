# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks: playing the placement order, writing them to a file, and reading them from one."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import bpy

from ..addon.scene import blocks
from ..addon.session import blocks_now, following, stress
from ..addon.voxel_files import SUFFIXES, BlocksError, read_blocks
from ..addon.voxel_files.writing import dump_blocks
from ..checks.voxel.structure import VoxelStructure


def _some_blocks(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    if blocks_now.of(context.scene) is None:
        why = blocks_now.trouble(context.scene)
        cls.poll_message_set(why or "There are no blocks in this scene")
        return False
    return True


def _object_mode(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    if context.mode != "OBJECT":
        cls.poll_message_set("Leave Edit Mode first (Tab): blocks change in Object Mode")
        return False
    return True


class PLUMBLINE_OT_animate_blocks(bpy.types.Operator):
    """Keyframe the placement order from the first frame on, so that the timeline plays it"""

    bl_idname = "plumbline.animate_blocks"
    bl_label = "Animate Placement"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    per_second: bpy.props.FloatProperty(
        name="Blocks per second",
        description="How many placements and removals are played in a second; at 0 as many as fit "
        "the frames of the scene",
        default=0.0,
        min=0.0,
        soft_max=1000.0,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks in a scene, and Object Mode."""
        return _object_mode(cls, context) and _some_blocks(cls, context)

    def invoke(self, context: bpy.types.Context, _event: Any) -> set[Any]:
        """Offer the speed that fits the frames of the scene."""
        self.per_second = _fitting_speed(context.scene)
        return context.window_manager.invoke_props_dialog(self)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Set the keys."""
        speed = self.per_second or _fitting_speed(context.scene)
        try:
            last = blocks_now.animate(context.scene, speed)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        self.report({"INFO"}, f"The last block comes at frame {last}: press Space to play")
        return {"FINISHED"}


def _fitting_speed(scene: bpy.types.Scene) -> float:
    now = blocks_now.of(scene)
    fps = scene.render.fps / scene.render.fps_base
    seconds = max(scene.frame_end - scene.frame_start, 1) / fps
    return max(now.actions if now is not None else 1, 1) / seconds


class PLUMBLINE_OT_export_blocks(bpy.types.Operator):
    """Write the blocks as a log of placements, a line of JSON for each turn of the task"""

    bl_idname = "plumbline.export_blocks"
    bl_label = "Export Blocks…"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    filepath: bpy.props.StringProperty(
        name="File", description="Where to write; ends in .jsonl", subtype="FILE_PATH"
    )
    filter_glob: bpy.props.StringProperty(
        description="What the file browser shows", default="*.jsonl", options={"HIDDEN"}
    )
    check_existing: bpy.props.BoolProperty(
        description="Ask before a file is overwritten", default=True, options={"HIDDEN"}
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks in a scene."""
        return _some_blocks(cls, context)

    def invoke(self, context: bpy.types.Context, _event: Any) -> set[Any]:
        """Ask where."""
        if not self.filepath:
            self.filepath = f"{bpy.path.clean_name(context.scene.name)}.jsonl"
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Write it."""
        structure = blocks_now.of(context.scene).structure
        path = Path(bpy.path.abspath(self.filepath))
        if path.suffix.lower() != ".jsonl":
            self.report({"ERROR"}, f"{path.name}: no such format; end its name in .jsonl")
            return {"CANCELLED"}
        brief = stress.brief_of(context.scene)
        text = dump_blocks(
            structure,
            checks=brief.turns if brief is not None else (),
            ts=datetime.now(UTC).isoformat(timespec="seconds"),
        )
        try:
            path.write_text(text, encoding="utf-8", newline="\n")
        except OSError as error:
            self.report({"ERROR"}, f"{path}: can't be written ({error.strerror}); choose another")
            return {"CANCELLED"}
        self.report({"INFO"}, f"Wrote {len(structure):,} blocks to {path.name}")
        return {"FINISHED"}


class PLUMBLINE_OT_import_blocks(bpy.types.Operator):
    """Read blocks from a Mindcraft action file, a log of ours, or a schematic"""

    bl_idname = "plumbline.import_blocks"
    bl_label = "Import Blocks…"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    filepath: bpy.props.StringProperty(
        name="File",
        description=f"A file that ends in {', '.join(SUFFIXES)}",
        subtype="FILE_PATH",
    )
    filter_glob: bpy.props.StringProperty(
        description="What the file browser shows",
        default=";".join(f"*{suffix}" for suffix in SUFFIXES),
        options={"HIDDEN"},
    )
    problem: bpy.props.IntProperty(
        name="Problem",
        description="Which problem of the file, counted from 1; 0 is the last one",
        default=0,
        min=0,
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode."""
        return _object_mode(cls, context)

    def invoke(self, context: bpy.types.Context, _event: Any) -> set[Any]:
        """Ask which file."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read it, and show it here, or in a new scene where there are blocks already."""
        path = Path(bpy.path.abspath(self.filepath))
        try:
            found = read_blocks(path)
        except BlocksError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        if self.problem > len(found.runs):
            last = len(found.runs)
            self.report({"ERROR"}, f"{path.name} has no problem {self.problem}; the last is {last}")
            return {"CANCELLED"}
        run = found.runs[self.problem - 1]  # 0: the last
        for fault in run.faults:
            self.report({"WARNING"}, fault)
        structure = VoxelStructure(
            run.blocks.positions,
            run.blocks.materials,
            run.blocks.ordered,
            run.blocks.notes,
            run.blocks.source,
            earlier=run.turns[:-1],
        )
        _show(context, structure, path.stem)
        self.report({"INFO"}, f"Read {len(structure):,} blocks from {path.name}")
        return {"FINISHED"}


def _show(context: bpy.types.Context, structure: VoxelStructure, name: str) -> None:
    scene = context.scene
    if blocks.blocks_object(scene) is not None:
        scene = bpy.data.scenes.new(name)
        context.window.scene = scene
    blocks.add_blocks(structure, scene)
    if context.window is not None:
        following.frame(context.window, scene)


CLASSES = (
    PLUMBLINE_OT_animate_blocks,
    PLUMBLINE_OT_export_blocks,
    PLUMBLINE_OT_import_blocks,
)
