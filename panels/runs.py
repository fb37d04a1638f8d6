# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Run Folder*: attempts of a stored run, one by one or two beside each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy

from ..addon.comparing import Comparison
from ..addon.runs import wording
from ..addon.runs.wording import VERDICT_WORDS, count, printable
from ..addon.session import attempt_scene, blind, open_run, recent, thumbnails
from ..addon.session.open_run import OpenRun, Today
from . import run_compare
from .agent_live import ENDS
from .checks import VERDICT_ICONS
from .jobs import draw_jobs
from .run_compare import finding_words, is_kept_back
from .text import wrapped

_ROWS, _MOST_ROWS = 4, 5  # the chosen attempt stands below the list and must be in sight
#: Things of a kind that a list names; the rest is counted.
_NAMED = 6


class PLUMBLINE_UL_attempts(bpy.types.UIList):
    """Attempts of a run: click a row to read how it went"""

    bl_idname = "PLUMBLINE_UL_attempts"

    def draw_item(
        self,
        context: bpy.types.Context,
        layout: bpy.types.UILayout,
        data: Any,
        _item: Any,
        _icon: int,
        _active_data: Any,
        _active_property: str,
        index: int = 0,
        _flag: int = 0,
    ) -> None:
        """The attempt at a place of the list: how it came out, and its name."""
        found = open_run.now()
        shown = found.table.view(data.query()).shown if found is not None else ()
        if found is None or index >= len(shown):  # gone while the list was being drawn
            return
        number = shown[index]
        row = found.table.rows[number]
        kept_back = is_kept_back(context, found, number)
        icon = "LAYER_USED" if kept_back else VERDICT_ICONS[row.verdict]
        side = {found.a: "A  ", found.b: "B  "}.get(number, "")
        split = layout.split(factor=0.72, align=True)
        split.label(text=side + printable(row.name), icon=icon)
        split.label(text="" if kept_back else printable(row.said))

    def draw_filter(self, _context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Search and filters stand above the list, in sight."""
        layout.label(text="Search and filters stand above the list")

    def filter_items(
        self, _context: bpy.types.Context, data: Any, _property: str
    ) -> tuple[list[int], list[int]]:
        """There are exactly as many rows as pass the filters."""
        return [], []


class PLUMBLINE_MT_recent_runs(bpy.types.Menu):
    """Runs that were opened lately, and episodes of this window"""

    bl_idname = "PLUMBLINE_MT_recent_runs"
    bl_label = "Recent Runs"
    bl_description = __doc__

    def draw(self, _context: bpy.types.Context) -> None:
        """Both lists, the newest first."""
        runs, episodes = recent.shown()
        if not runs and not episodes:
            self.layout.label(text="Nothing yet: open a run, or let an agent build")
        self._listed("Opened lately", runs, "FILE_FOLDER")
        self._listed("Built in this window", episodes, "LIGHT")

    def _listed(self, title: str, paths: Sequence[Path], icon: str) -> None:
        if not paths:
            return
        self.layout.label(text=title)
        for path in paths:
            entry = self.layout.operator("plumbline.open_run", text=path.name, icon=icon)
            entry.directory = str(path)


class _Tab:
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"


class PLUMBLINE_PT_runs(_Tab, bpy.types.Panel):
    """Open any run: look at its attempts, judge them again, compare two"""

    bl_idname = "PLUMBLINE_PT_runs"
    bl_label = "Run Folder"
    bl_description = __doc__
    bl_order = 7
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """Whether a run is open, even with the panel closed."""
        found = open_run.now()
        if found is not None:
            self.layout.label(text=count(len(found.table), "attempt"))

    def draw(self, context: bpy.types.Context) -> None:
        """The run, its attempts, the chosen one."""
        layout = self.layout
        row = layout.row(align=True)
        # A folder that is given would be opened without asking.
        row.operator("plumbline.open_run", text="Open...", icon="FILE_FOLDER").directory = ""
        row.operator("plumbline.recent_runs", text="Recent", icon="TIME")
        draw_jobs(layout, context)
        found = open_run.now()
        if found is None:
            wrapped(layout, context, "Open a folder that holds run.json to see what was built")
            return
        row.operator("plumbline.close_run", text="", icon="X")
        _draw_run(layout, context, found)
        _draw_list(layout, context, found)
        if found.record is not None:
            _draw_attempt(layout, context, found, found.record)


def _draw_run(layout: bpy.types.UILayout, context: bpy.types.Context, found: OpenRun) -> None:
    asked = found.run.header["sessions"][-1]["asked"]
    box = layout.box()
    row = box.row()
    row.label(text=printable(found.run.path.name), icon="FILE_CACHE")
    report = row.row()
    report.enabled = not context.window_manager.plumbline_annotating.blind
    report.operator("plumbline.run_report", text="Report", icon="URL")
    parts = [str(asked[name]) for name in ("agent", "protocol", "profile") if asked.get(name)]
    told = count(len(found.table), "attempt")
    if not context.window_manager.plumbline_annotating.blind:
        counts = found.table.verdicts
        verdicts = [f"{counts[v]:,} {word}" for v, word in VERDICT_WORDS.items() if counts[v]]
        told += f": {', '.join(verdicts)}" if verdicts else ""
    wrapped(box, context, printable(f"{', '.join(parts)}. {told}"))
    for note in found.run.notes[:_NAMED]:
        wrapped(box, context, note, icon="ERROR")
    if len(found.run.notes) > _NAMED:
        box.label(text=f"and {count(len(found.run.notes) - _NAMED, 'damaged line')} more")


def _draw_list(layout: bpy.types.UILayout, context: bpy.types.Context, found: OpenRun) -> None:
    state = context.window_manager.plumbline_run
    column = layout.column(align=True)
    column.prop(state, "filter_text", text="", icon="VIEWZOOM")
    row = column.row(align=True)
    verdicts = row.row(align=True)
    verdicts.enabled = not context.window_manager.plumbline_annotating.blind
    verdicts.prop(state, "filter_verdict", text="")
    if len(found.table.tasks) > 1:
        row.prop(state, "filter_task", text="")
    layout.template_list(
        "PLUMBLINE_UL_attempts",
        "",
        state,
        "rows",
        state,
        "active_row",
        rows=_ROWS,
        maxrows=_MOST_ROWS,
    )
    shown = len(found.table.view(state.query()).shown)
    if shown < len(found.table):
        layout.label(text=f"{shown:,} of {count(len(found.table), 'attempt')} shown")


def _draw_attempt(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    found: OpenRun,
    record: Mapping[str, Any],
) -> None:
    """The chosen attempt: its scene, how it was judged, what there is to read."""
    row = layout.row(align=True)
    row.scale_y = 1.3
    row.operator("plumbline.step_attempt", text="", icon="TRIA_LEFT").step = -1
    here = attempt_scene.scene_of(found, found.chosen)
    row.operator("plumbline.open_attempt", icon="SCENE_DATA", depress=here == context.scene)
    row.operator("plumbline.step_attempt", text="", icon="TRIA_RIGHT").step = 1
    box = layout.box()
    wrapped(box, context, printable(found.table.rows[found.chosen].name))
    if is_kept_back(context, found, found.chosen):
        wrapped(box, context, blind.NOTE)
    else:
        _draw_verdicts(box, context, found, record)
    if found.files.why:
        wrapped(box, context, f"No scene: {printable(found.files.why)}", icon="GHOST_DISABLED")
    trouble = found.trouble.get(found.chosen)
    if trouble:
        wrapped(box, context, printable(trouble), icon="ERROR", alert=True)
    wrapped(box, context, ", ".join(_facts(record)))
    _draw_readings(layout, context, found)


def _draw_verdicts(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    found: OpenRun,
    record: Mapping[str, Any],
) -> None:
    """The recorded verdict, today's beside it, and whether they differ."""
    today: Today | None = found.today.get(found.chosen)
    column = layout.column(align=True)
    _verdict(column, "Recorded", record["verdict"])
    if today is not None:
        _verdict(column, "Today", today.record["verdict"])
        wrapped(layout, context, _difference(today.against))
        return
    if found.files.scene is not None:
        column.label(text="Today: not judged yet", icon="BLANK1")
    if found.files.scene is None and found.worst:
        layout.label(text="Found then (nothing to show it on)")
        for message in found.worst:
            wrapped(layout, context, printable(message), icon="DOT")


def _verdict(layout: bpy.types.UILayout, when: str, verdict: str) -> None:
    layout.label(text=f"{when}: {VERDICT_WORDS[verdict]}", icon=VERDICT_ICONS[verdict])


def _difference(against: Comparison) -> str:
    """What today's checks say otherwise, in a sentence."""
    if against.same_verdict and against.same_findings:
        return "Today's checks say the same as was recorded"
    parts = [] if against.same_verdict else ["another verdict"]
    parts += [f"{len(against.only_b):,} new"] if against.only_b else []
    parts += [f"{len(against.only_a):,} gone"] if against.only_a else []
    named = [finding_words(one) for one in (*against.only_b, *against.only_a)[:2]]
    return f"Today's checks differ: {', '.join(parts)}" + (
        f" ({', '.join(named)})" if named else ""
    )


def _facts(record: Mapping[str, Any]) -> list[str]:
    """Who built it, how it ended, what it cost."""
    who = [record.get("agent"), record.get("protocol"), record.get("effort")]
    facts = [printable(str(part)) for part in who if part]
    end, fault = record.get("end"), record.get("environment")
    if fault:
        facts.append(f"fault of the environment ({printable(str(fault['kind']))})")
    elif end:
        facts.append(ENDS.get(end, printable(str(end))).lower())
    if record.get("usage"):
        facts.append(wording.usage(record["usage"]))
    total = record["timing"].get("total")
    facts += [wording.seconds(float(total))] if total else []
    return [fact for fact in facts if fact]


def _draw_readings(layout: bpy.types.UILayout, context: bpy.types.Context, found: OpenRun) -> None:
    row = layout.row(align=True)
    row.operator("plumbline.attempt_code", text="Code", icon="FILE_SCRIPT")
    talk = row.row(align=True)  # the model was told what the checks found
    talk.enabled = not is_kept_back(context, found, found.chosen)
    talk.operator("plumbline.attempt_talk", text="Conversation", icon="TEXT")
    if found.files.folder is not None:
        row.operator("wm.path_open", text="", icon="FILE_FOLDER").filepath = str(found.files.folder)
    row = layout.row(align=True)
    row.label(text="Compare")
    for side in ("A", "B"):
        chosen = getattr(found, side.lower()) == found.chosen
        row.operator("plumbline.use_side", text=f"As {side}", depress=chosen).side = side


class PLUMBLINE_PT_run_pictures(_Tab, bpy.types.Panel):
    """Pictures that lie with the attempt: of its faults, and those that the model was shown"""

    bl_idname = "PLUMBLINE_PT_run_pictures"
    bl_parent_id = "PLUMBLINE_PT_runs"
    bl_label = "Pictures"
    bl_description = __doc__
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs some; pictures show faults, so that blind mode hides them."""
        found = open_run.now()
        return (
            found is not None
            and bool(thumbnails.shown())
            and not is_kept_back(context, found, found.chosen)
        )

    def draw(self, _context: bpy.types.Context) -> None:
        """Each with the button that opens it at its full size."""
        grid = self.layout.grid_flow(columns=2, even_columns=True, align=True)
        for path, icon in thumbnails.shown():
            column = grid.column(align=True)
            column.template_icon(icon, scale=6.0)
            column.operator("wm.path_open", text=path.stem[:12]).filepath = str(path)


CLASSES = (
    PLUMBLINE_UL_attempts,
    PLUMBLINE_MT_recent_runs,
    PLUMBLINE_PT_runs,
    PLUMBLINE_PT_run_pictures,
    *run_compare.CLASSES,
)
