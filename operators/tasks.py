# SPDX-License-Identifier: GPL-3.0-or-later
"""Choosing a task, opening one from disk, and loading it into a scene of its own."""

from pathlib import Path
from typing import Any

import bpy

from ..addon import bundled, task_choice
from ..addon.preferences import look
from ..addon.properties import profile_title
from ..addon.scene.new_scene import BuildError, build_in_new_scene, empty_scene
from ..addon.session import brief_text, following, jobs, picture_window, task_pictures
from ..tasks import TaskError


def hindrance(context: bpy.types.Context) -> str | None:
    """Why no new scene can be opened now, as a sentence; ``None`` if one can."""
    reason = bundled.trouble()
    if reason is None and context.mode != "OBJECT":
        reason = "Leave Edit Mode first (Tab): a new scene can only be opened in Object Mode"
    return reason


class PLUMBLINE_OT_build_task(bpy.types.Operator):
    """Build the chosen building in a new scene of its own; your open scenes stay as they are"""

    bl_idname = "plumbline.build_task"
    bl_label = "Build in New Scene"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs readable tasks and Object Mode."""
        reason = hindrance(context)
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Run the program; on failure nothing of it is left and the reason is reported."""
        state = context.window_manager.plumbline
        task = bundled.find(state.task)
        try:
            scene = _built(context, task, state)
        except (BuildError, TaskError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        scene[bundled.TASK_KEY] = task.id
        scene[bundled.VARIANT_KEY] = state.variant
        following.frame(context.window, scene)
        self.report({"INFO"}, f"Built {scene.name}. Your other scenes are in the scene menu above")
        return {"FINISHED"}


def _built(context: bpy.types.Context, task: Any, state: Any) -> bpy.types.Scene:
    """The scene that was asked for. Raises ``BuildError``."""
    if state.variant == bundled.EMPTY or not task.has_program:
        rules = profile_title(task.kind, state.rules(task.kind))
        brief_text.write(task, rules, look(context).units)
        return empty_scene(f"{task.title}: to build", context.window)
    variant = next(v for v in bundled.variants(task.id) if v.id == state.variant)
    sound = variant.id == bundled.SOUND
    title = task.title if sound else f"{task.title}: {variant.title}"
    return build_in_new_scene(variant.program(), title, f"{task.id}/{variant.id}", context.window)


# Blender keeps no reference to the texts of a computed enum.
_found: list[tuple[str, str, str]] = []


def _every_task(_operator: Any, _context: Any) -> list[tuple[str, str, str]]:
    tasks = bundled.all_tasks()
    if len(_found) != len(tasks) or any(a[0] != t.id for a, t in zip(_found, tasks, strict=True)):
        _found[:] = [(t.id, f"{t.title}  ({t.id})", t.description) for t in tasks]
    return _found


class PLUMBLINE_OT_find_task(bpy.types.Operator):
    """Choose another task: type a few letters of its name, then Enter"""

    bl_idname = "plumbline.find_task"
    bl_label = "Find Task"
    bl_description = __doc__
    bl_options = {"REGISTER", "INTERNAL"}
    bl_property = "task"

    task: bpy.props.EnumProperty(name="Task", description="The task to choose", items=_every_task)

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs readable tasks."""
        reason = bundled.trouble()
        if reason is not None:
            cls.poll_message_set(f"No task can be read: {reason}")
        return reason is None

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Blender's own search: letters, arrows, Enter."""
        context.window_manager.invoke_search_popup(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Choose it."""
        context.window_manager.plumbline.task = self.task
        _redraw(context)
        return {"FINISHED"}


class PLUMBLINE_OT_open_tasks(bpy.types.Operator):
    """Offer tasks of your own: choose a pack (a folder or a .dhpack file) or a task.json"""

    bl_idname = "plumbline.open_tasks"
    bl_label = "Open Tasks from Disk"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    filepath: bpy.props.StringProperty(
        name="Folder",
        description="A pack (a folder or a .dhpack file), the folder of a task, or its task.json",
        subtype="FILE_PATH",
        options={"SKIP_SAVE"},
    )
    filter_glob: bpy.props.StringProperty(default="*.json;*.dhpack", options={"HIDDEN"})
    filter_folder: bpy.props.BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Ask for the folder."""
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read it beside the window; what was found is offered and the first of it chosen."""
        path = Path(bpy.path.abspath(self.filepath))
        told: list[str] = []

        def done(pack: Any) -> None:
            bundled.offer(pack.tasks, pack.left_out)
            task_choice.forget()
            for manager in bpy.data.window_managers:
                task_choice.fit_rows(manager)
                manager.plumbline.task = pack.tasks[0].id
            told.append(_offered(pack.tasks))

        faults: list[str] = []
        work = jobs.start(
            "Opening tasks", lambda _job: bundled.open_pack(path), done, faults.append
        )
        if faults:
            self.report({"ERROR"}, faults[0])
            return {"CANCELLED"}
        self.report({"INFO"}, told[0] if told else f"{work.title}: {path}")
        left_out = bundled.left_out()
        if told and left_out is not None:
            self.report({"WARNING"}, left_out)
        _redraw(context)
        return {"FINISHED"}


def _offered(found: Any) -> str:
    return found[0].title if len(found) == 1 else f"{len(found):,} tasks, first {found[0].title}"


class PLUMBLINE_OT_make_task_pictures(bpy.types.Operator):
    """Draw the sound building from five sides, once; a second Blender does it meanwhile"""

    bl_idname = "plumbline.make_task_pictures"
    bl_label = "Make Pictures"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a task whose building is known, and nobody at it already."""
        chosen = context.window_manager.plumbline.task
        reason = None
        if bundled.known(chosen) is None:
            reason = f"No task can be read: {bundled.trouble()}"
        elif task_pictures.working(chosen) is not None:
            reason = "They are being made"
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start the job; the panel shows how it goes."""
        found = task_pictures.make(bundled.find(context.window_manager.plumbline.task))
        if found.why is not None:
            self.report({"WARNING"}, found.why)
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_show_task_picture(bpy.types.Operator):
    """Show this picture large, in a window of its own"""

    bl_idname = "plumbline.show_task_picture"
    bl_label = "Show Picture"
    bl_description = __doc__
    bl_options = {"REGISTER", "INTERNAL"}

    view: bpy.props.StringProperty(name="View", description="From which side it was drawn")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs pictures."""
        found = task_pictures.of(context.window_manager.plumbline.task)
        if found is not None and found.paths:
            return True
        cls.poll_message_set("There are no pictures of this task yet: press Make Pictures")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it in an image editor."""
        found = task_pictures.of(context.window_manager.plumbline.task)
        path = found.paths.get(self.view) if found is not None else None
        if path is None:
            self.report({"ERROR"}, f"There is no picture {self.view!r}")
            return {"CANCELLED"}
        try:
            picture_window.show(context, path)
        except RuntimeError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            area.tag_redraw()


CLASSES = (
    PLUMBLINE_OT_build_task,
    PLUMBLINE_OT_find_task,
    PLUMBLINE_OT_open_tasks,
    PLUMBLINE_OT_make_task_pictures,
    PLUMBLINE_OT_show_task_picture,
)
