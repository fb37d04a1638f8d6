# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Task*: which building, what of it is loaded, what is asked, and how it should look."""

from typing import Any

import bpy

from ..addon import bundled, task_choice
from ..addon.brief_words import Line, lines_of
from ..addon.i18n import say
from ..addon.preferences import look
from ..addon.runs.wording import count, printable
from ..addon.session import blind, task_pictures, workspace
from ..tasks import Task
from .text import wrapped

_ROWS, _MOST_ROWS = 4, 8
#: Sizes of thumbnails, in units of Blender's buttons.
_LARGE, _SMALL = 7.0, 3.4


class _InTheTab:
    """Where all these panels are."""

    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"


class PLUMBLINE_PT_task(_InTheTab, bpy.types.Panel):
    """Load a building to look at or to practise on; it opens in a scene of its own"""

    bl_idname = "PLUMBLINE_PT_task"
    bl_label = "Task"
    bl_description = __doc__
    bl_order = 0

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """The way to our workspace, until it is there."""
        if workspace.find() is None:
            self.layout.operator("plumbline.add_workspace", text="", icon="WORKSPACE", emboss=False)

    def draw(self, context: bpy.types.Context) -> None:
        """The building, what of it, what is wrong with it, and the button."""
        layout = self.layout
        state = context.window_manager.plumbline
        trouble = bundled.trouble()
        task = bundled.known(state.task)
        if trouble is not None:
            wrapped(layout, context, f"No task: {trouble}", icon="ERROR")
        elif task is not None:
            row = layout.row(align=True)
            row.operator("plumbline.find_task", text=task.title, icon="VIEWZOOM")
            row.operator("plumbline.open_tasks", text="", icon="FILE_FOLDER")
            _draw_version(layout, context, state, task)
        layout.operator("plumbline.build_task", icon="ADD")
        _draw_unknown(layout, context)


def _draw_unknown(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """A scene that was built for a task which nobody has opened here: its brief isn't known."""
    wanted = context.scene.get(bundled.TASK_KEY)
    if wanted is None or bundled.known(wanted) is not None:
        return
    wrapped(
        layout,
        context,
        f"This scene was built for {printable(str(wanted))}, which isn't open here: open its "
        "folder, or it is checked by the usual loads",
        icon="INFO",
    )


def _draw_version(
    layout: bpy.types.UILayout, context: bpy.types.Context, state: Any, task: Task
) -> None:
    column = layout.column(align=True)
    if not task.has_program:
        wrapped(layout, context, "This task brings no known-good building: build it yourself")
        return
    column.row(align=True).prop(state, "load_as", expand=True)
    if state.variant == bundled.EMPTY:
        wrapped(layout, context, "Nothing but the brief: build it yourself, then check it")
        return
    chosen = next((v for v in bundled.variants(task.id) if v.id == state.variant), None)
    if chosen is None:
        return
    if blind.hidden(context):
        return  # its name and its explanation tell what the annotator is to find
    if chosen.id != bundled.SOUND:
        column.prop(state, "variant", text="")
    wrapped(layout, context, chosen.explanation)


class PLUMBLINE_UL_tasks(bpy.types.UIList):
    """Tasks: click one to choose it"""

    bl_idname = "PLUMBLINE_UL_tasks"

    def draw_item(
        self,
        _context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        _item: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
        index: int = 0,
        _flag: int = 0,
    ) -> None:
        """The task at a place: its title, and its style or how many flawed twins it has."""
        shown = task_choice.view_of(data).shown
        task = bundled.known(shown[index]) if index < len(shown) else None
        if task is None:
            return
        split = layout.split(factor=0.62)
        split.label(text=task.title, icon="FILE_FOLDER" if bundled.is_own(task.id) else "HOME")
        split.label(text=task.style)

    def draw_filter(self, _context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Search stands above the list, in sight; here the signs are explained."""
        column = layout.column(align=True)
        column.label(text="comes with Plumbline", icon="HOME")
        column.label(text="opened from your disk", icon="FILE_FOLDER")

    def filter_items(
        self, _context: bpy.types.Context, data: Any, _property: str
    ) -> tuple[list[int], list[int]]:
        """How many places are filled, kept until the filters change."""
        return task_choice.view_of(data).flagged(len(data.task_rows), self.bitflag_filter_item), []


class PLUMBLINE_PT_task_browse(_InTheTab, bpy.types.Panel):
    """Look through all tasks, by kind, by style, or by words in their description"""

    bl_idname = "PLUMBLINE_PT_task_browse"
    bl_label = "All Tasks"
    bl_description = __doc__
    bl_parent_id = "PLUMBLINE_PT_task"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 0

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs tasks."""
        return bundled.trouble() is None

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """How many there are, even with the panel closed."""
        self.layout.label(text=f"{len(bundled.index()):,}")

    def draw(self, context: bpy.types.Context) -> None:
        """Filters, the list, and how many are shown."""
        layout = self.layout
        state = context.window_manager.plumbline
        everything = len(bundled.index())
        if len(state.task_rows) != everything:
            task_choice.fit_soon()
        column = layout.column(align=True)
        column.prop(state, "task_text", text="", icon="VIEWZOOM")
        row = column.row(align=True)
        row.prop(state, "task_kind", text="")
        row.prop(state, "task_style", text="")
        layout.template_list(
            "PLUMBLINE_UL_tasks", "", state, "task_rows", state, "task_row",
            rows=_ROWS, maxrows=_MOST_ROWS,
        )  # fmt: skip
        left_out = bundled.left_out()
        if left_out is not None:
            wrapped(layout, context, left_out, icon="ERROR")
        shown = len(task_choice.view_of(state).shown)
        if not shown:
            layout.label(text="No task has all these words", icon="INFO")
        elif shown != everything:
            layout.label(text=f"{shown:,} of {count(everything, 'task')}")


class PLUMBLINE_PT_task_brief(_InTheTab, bpy.types.Panel):
    """What is to be built, how it should look, and by which values it is judged"""

    bl_idname = "PLUMBLINE_PT_task_brief"
    bl_label = "Brief and Pictures"
    bl_description = __doc__
    bl_parent_id = "PLUMBLINE_PT_task"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a task."""
        return bundled.known(context.window_manager.plumbline.task) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """Whether there are pictures, even with the panel closed."""
        found = task_pictures.of(context.window_manager.plumbline.task)
        if found is not None and found.icons:
            self.layout.label(text="", icon="IMAGE_DATA")

    def draw(self, context: bpy.types.Context) -> None:
        """Description, pictures, values."""
        task = bundled.known(context.window_manager.plumbline.task)
        if task is None:
            return
        _draw_pictures(self.layout, context, task)
        if len(task.prompts) > 1:
            for number, prompt in enumerate(task.prompts, start=1):
                box = self.layout.box()
                box.label(text=say("Turn {n} of {all}", n=number, all=len(task.prompts)))
                wrapped(box, context, prompt)
        else:
            wrapped(self.layout, context, task.description)
        draw_lines(self.layout, context, lines(task, look(context).units))


_lines: dict[tuple[int, str], tuple[Task, list[Line]]] = {}


def lines(task: Task, system: str) -> list[Line]:
    """The task's brief in words, worked out once."""
    key = id(task), system
    if key not in _lines or _lines[key][0] is not task:
        if len(_lines) > 64:
            _lines.clear()
        _lines[key] = task, lines_of(task, system)
    return _lines[key][1]


def draw_lines(layout: bpy.types.UILayout, context: bpy.types.Context, found: list[Line]) -> None:
    """What is asked, one thing a line: its name, then the value, broken where it is long."""
    column = layout.column(align=True)
    for line in found:
        split = column.split(factor=0.34)
        split.label(text=line.label)
        wrapped(split, context, line.value, share=0.66)


def _draw_pictures(layout: bpy.types.UILayout, context: bpy.types.Context, task: Task) -> None:
    """Thumbnails, or how to come by them."""
    found = task_pictures.of(task.id)
    if found is None:
        task_pictures.look_up_soon(task.id)
        return
    work = task_pictures.working(task.id)
    if work is not None:
        wrapped(layout, context, f"Pictures are being made: {work.words}", icon="SORTTIME")
    elif found.icons:
        _draw_thumbnails(layout, found)
    else:
        if found.why is not None:
            wrapped(layout, context, f"No pictures: {found.why}", icon="INFO")
        if task.kind != "voxel":
            layout.operator("plumbline.make_task_pictures", icon="IMAGE_DATA")


def _draw_thumbnails(layout: bpy.types.UILayout, found: task_pictures.Pictures) -> None:
    views = list(found.icons)
    _draw_one(layout.column(align=True), found, views[0], _LARGE)
    grid = layout.grid_flow(row_major=True, columns=2, even_columns=True, align=True)
    for view in views[1:]:
        _draw_one(grid.column(align=True), found, view, _SMALL)


def _draw_one(
    layout: bpy.types.UILayout, found: task_pictures.Pictures, view: str, scale: float
) -> None:
    layout.template_icon(icon_value=found.icons[view], scale=scale)
    button = layout.operator(
        "plumbline.show_task_picture", text=task_pictures.TITLES[view], icon="FULLSCREEN_ENTER"
    )
    button.view = view


CLASSES = (
    PLUMBLINE_PT_task,
    PLUMBLINE_UL_tasks,
    PLUMBLINE_PT_task_browse,
    PLUMBLINE_PT_task_brief,
)
