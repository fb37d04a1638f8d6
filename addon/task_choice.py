# SPDX-License-Identifier: GPL-3.0-or-later
"""Which task the person has chosen, how they look for one, and what of it is to be loaded.

A class to inherit for the state of the window. The list widget only gets as many blank rows as
there are tasks and asks the index what they say.
"""

from typing import Any

import bpy

from . import bundled
from .i18n import CONTEXT
from .task_index import Query, View

#: What of a task is loaded: three ways to choose a variant.
LOADS = (
    ("sound", "Sound", "The known-good building, without a fault", "CHECKMARK", 0),
    ("flawed", "Flawed", "The same building with one fault built in on purpose", "ERROR", 1),
    ("empty", "Empty", "An empty scene with the brief beside it, to build in", "FILE_NEW", 2),
)
_PLACE = {identifier: number for identifier, *_, number in LOADS}

_EMPTY = (bundled.EMPTY, "Empty scene", "Nothing but the brief: build it yourself")
_NONE = [("NONE", "No tasks", "No task could be read")]  # the panel says why: `bundled.trouble`

# Blender keeps no reference to the texts of a computed enum: ours stay in these caches.
_variants: dict[str, list[tuple[str, str, str]]] = {}
_filters: dict[str, list[tuple[str, str, str]]] = {}


def variant_items(state: Any, _context: Any) -> list[tuple[str, str, str]]:
    """What of the chosen task can be loaded."""
    task = bundled.known(state.task)
    if task is None:
        return _NONE
    if task.id not in _variants:
        found = [(v.id, v.title, v.explanation) for v in bundled.variants(task.id)]
        _variants[task.id] = [*found, _EMPTY]
    return _variants[task.id]


def _kind_items(_state: Any, _context: Any) -> list[tuple[str, str, str]]:
    kinds = bundled.index().kinds
    return _filter("kind", "All kinds", [(k, k.capitalize(), f"Only {k} tasks") for k in kinds])


def _style_items(state: Any, _context: Any) -> list[tuple[str, str, str]]:
    kind = state.task_kind
    styles = bundled.index().styles("" if kind == "ALL" else kind)
    return _filter(f"style/{kind}", "All styles", [(s, s, f"Only tasks: {s}") for s in styles])


def _filter(name: str, title: str, found: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    if name not in _filters:
        _filters[name] = [("ALL", title, "Show every task"), *found]
    return _filters[name]


def forget() -> None:
    """Other tasks are offered now: no text that was shown before holds."""
    _variants.clear()
    _filters.clear()


def _get_task(state: Any) -> str:
    """The chosen task; the first that there is until somebody has chosen."""
    tasks = bundled.index().tasks
    chosen = str(state.task_chosen)
    return chosen if chosen in tasks else next(iter(tasks), "")


def _set_task(state: Any, task: str) -> None:
    if bundled.known(task) is not None:
        state.task_chosen = task
        state.variant = _first_variant(task)
        from .session import task_pictures  # it needs the window, which this file is part of

        task_pictures.look_up(task)


def _first_variant(task: str) -> str:
    """The known-good building, or an empty scene where the task brings none."""
    return next((v.id for v in bundled.variants(task)), bundled.EMPTY)


def _get_load(state: Any) -> int:
    variant = state.variant
    return _PLACE.get(variant, _PLACE["flawed"])


def _set_load(state: Any, place: int) -> None:
    wanted = LOADS[place][0]
    if wanted == bundled.SOUND and bundled.known(state.task) is not None:
        state.variant = _first_variant(state.task)
    elif wanted != "flawed":
        state.variant = wanted
    elif _get_load(state) != place:
        twins = (
            [v.id for v in bundled.variants(state.task)[1:]] if bundled.known(state.task) else []
        )
        if twins:
            state.variant = twins[0]


def view_of(state: Any) -> View:
    """The tasks that the filters leave, kept until they change."""
    kind, style = state.task_kind, state.task_style
    query = Query(
        state.task_text, "" if kind == "ALL" else kind, "" if style in ("ALL", "") else style
    )
    return bundled.index().view(query)


def _get_row(state: Any) -> int:
    return view_of(state).place.get(state.task, -1)


def _set_row(state: Any, place: int) -> None:
    shown = view_of(state).shown
    if 0 <= place < len(shown):
        state.task = shown[place]


def _kind_chosen(state: Any, _context: Any) -> None:
    state.task_style = "ALL"


class PlumblineTaskRow(bpy.types.PropertyGroup):
    """A blank row of the list of tasks, which stands for a place in it, not for a task."""


class TaskChoice:
    """Fields of the window's state that are about tasks."""

    task: bpy.props.StringProperty(
        name="Task", description="Id of the chosen task", get=_get_task, set=_set_task
    )
    task_chosen: bpy.props.StringProperty(options={"HIDDEN"})
    variant: bpy.props.EnumProperty(
        name="Version",
        description="The sound building, or the same with one fault built in on purpose",
        items=variant_items,
    )
    load_as: bpy.props.EnumProperty(
        name="Load",
        description="What of the task is built",
        items=LOADS,
        get=_get_load,
        set=_set_load,
        translation_context=CONTEXT,
    )
    task_text: bpy.props.StringProperty(
        name="Search",
        description="Show only tasks with these words in their name, style, description, or in "
        "what is wrong with one of their flawed twins",
        options={"TEXTEDIT_UPDATE"},
    )
    task_kind: bpy.props.EnumProperty(
        name="Kind",
        description="Show only tasks of one kind",
        items=_kind_items,
        update=_kind_chosen,
    )
    task_style: bpy.props.EnumProperty(
        name="Style", description="Show only tasks of one style", items=_style_items
    )
    task_rows: bpy.props.CollectionProperty(type=PlumblineTaskRow)
    task_row: bpy.props.IntProperty(
        name="Task", description="Click to choose the task", get=_get_row, set=_set_row
    )


def fit_rows(window_manager: bpy.types.WindowManager) -> None:
    """Give the list widget exactly as many blank rows as there are tasks."""
    rows = window_manager.plumbline.task_rows
    wanted = len(bundled.index())
    if len(rows) > wanted:
        rows.clear()
    for _ in range(wanted - len(rows)):
        rows.add()


def _fit_all() -> None:
    for window_manager in bpy.data.window_managers:
        fit_rows(window_manager)


def fit_soon() -> None:
    """Have the rows made as soon as Blender is done with what it does: drawing changes nothing."""
    if not bpy.app.timers.is_registered(_fit_all):
        bpy.app.timers.register(_fit_all, first_interval=0.0)


CLASSES = (PlumblineTaskRow,)


def detach() -> None:
    """Nothing of it is left, thumbnails included."""
    from .session import task_pictures

    task_pictures.free()
    forget()
    bundled.forget_opened()
    if bpy.app.timers.is_registered(_fit_all):
        bpy.app.timers.unregister(_fit_all)
