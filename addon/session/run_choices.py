# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person chooses in the panel *Run Folder*: filters, and the row that is looked at."""

from typing import Any

import bpy

from ..runs.browsing import RunQuery
from . import open_run

VERDICTS = (
    ("ALL", "All", "Attempts with any verdict"),
    ("failed", "Failed", "Only attempts that failed"),
    ("passed", "Passed", "Only attempts that passed"),
    ("not_judged", "Not judged", "Only attempts that have no verdict"),
)
ALL_TASKS = ("ALL", "All tasks", "Attempts of every task")

# Blender keeps no reference to the texts of a computed enum: ours stay here, for the open run.
_tasks: list[tuple[str, str, str]] = [ALL_TASKS]


def _task_items(_state: Any, _context: Any) -> list[tuple[str, str, str]]:
    return _tasks


def _filtered(state: Any, _context: Any) -> None:
    fit_rows(state)


def _get_active(state: Any) -> int:
    """Place of the chosen attempt in the list as it is shown now, -1 if it is not."""
    found = open_run.now()
    return found.table.view(state.query()).place.get(found.chosen, -1) if found else -1


def _set_active(state: Any, place: int) -> None:
    found = open_run.now()
    shown = found.table.view(state.query()).shown if found else ()
    if found is not None and 0 <= place < len(shown):
        found.choose(shown[place])


class PlumblineRunRow(bpy.types.PropertyGroup):
    """A blank row of the list of attempts, which stands for a place in it, not for an attempt."""


class PlumblineRun(bpy.types.PropertyGroup):
    """Choices of the person in the panel Run Folder."""

    filter_text: bpy.props.StringProperty(
        name="Search",
        description="Show only attempts with these words in task, agent, verdict or failed checks",
        options={"TEXTEDIT_UPDATE"},
        update=_filtered,
    )
    filter_verdict: bpy.props.EnumProperty(
        name="Verdict",
        description="Show only attempts with this verdict",
        items=VERDICTS,
        update=_filtered,
    )
    filter_task: bpy.props.EnumProperty(
        name="Task",
        description="Show only attempts at this task",
        items=_task_items,
        update=_filtered,
    )
    rows: bpy.props.CollectionProperty(type=PlumblineRunRow)
    active_row: bpy.props.IntProperty(
        name="Attempt",
        description="Click to read how this attempt went",
        get=_get_active,
        set=_set_active,
    )

    def query(self) -> RunQuery:
        """What the filters ask for."""
        verdict = "" if self.filter_verdict == "ALL" else self.filter_verdict
        # An enum of another run's tasks reads as an empty text.
        task = "" if self.filter_task in ("ALL", "") else self.filter_task
        return RunQuery(self.filter_text, verdict, task)


def fit_rows(state: Any) -> None:
    """Give the list widget exactly as many blank rows as pass the filters."""
    found = open_run.now()
    wanted = len(found.table.view(state.query()).shown) if found is not None else 0
    if len(state.rows) > wanted:
        state.rows.clear()
    for _ in range(wanted - len(state.rows)):
        state.rows.add()


def _another_run() -> None:
    """Another run is open, or none: its tasks are offered, and nothing is filtered."""
    found = open_run.now()
    _tasks[:] = [ALL_TASKS, *((t, t, "") for t in (found.table.tasks if found else ()))]
    for window_manager in bpy.data.window_managers:
        state = window_manager.plumbline_run
        state.property_unset("filter_text")
        state.property_unset("filter_verdict")
        state.property_unset("filter_task")
        fit_rows(state)


CLASSES = (PlumblineRunRow, PlumblineRun)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_run = bpy.props.PointerProperty(type=PlumblineRun)
    open_run.on_change(_another_run)


def detach() -> None:
    """Take it away again."""
    open_run.close()
    open_run.on_change(lambda: None)
    del bpy.types.WindowManager.plumbline_run
