# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Findings*: what is at fault, searched and sorted, and the chosen one in full."""

from typing import Any

import bpy

from ..addon import preferences, review
from ..addon.findings import FindingsTable, Query, Severity
from ..addon.i18n import say, say_count
from ..addon.pictures.kind import pictures_of
from ..addon.runs.wording import printable
from ..addon.session import blind, checking, learning, playback, pointing, quizzing, viewing
from ..addon.session.kind_here import has_blocks
from ..addon.words import check_title, comparison, subject
from ..checks.result import Finding
from . import block_checks, motion_checks
from .text import is_wide, wrapped

# The chosen finding stands below the list and must be in sight.
_LEAST_ROWS, _ROWS, _MOST_ROWS = 2, 5, 8
# So few findings are found without searching.
_FEW = 5
_RELATED_SHOWN = 6
# Checks whose faults are seen best by letting the structure fall.
_FALLS = ("load_path", "physical_plausibility.is_ground_connected")


class PLUMBLINE_UL_findings(bpy.types.UIList):
    """Findings: click a row to go to the member"""

    bl_idname = "PLUMBLINE_UL_findings"

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
        """The finding at a place: how grave, which member, its figure or the check."""
        found = review.of(context.scene)
        if found is None:  # gone while the list was being drawn
            return
        table = found.table
        shown = table.view(data.query()).shown
        if index >= len(shown):
            return
        row = shown[index]
        if found.kind == "voxel":
            icon = row_icon(table.findings[row], table.severities[row])
            block_checks.draw_finding(layout, table.findings[row], context, icon)
            return
        units = preferences.look(context).units
        draw_row(layout, table.findings[row], table.severities[row], units, is_wide(context))

    def draw_filter(self, _context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Search and order stand above the list, in sight; here the signs are explained."""
        column = layout.column(align=True)
        column.label(text="severe: far beyond the limit, or no matter of degree", icon="CANCEL")
        column.label(text="a fault: up to 10 % beyond the limit", icon="ERROR")
        column.label(text="something is missing there", icon="CURSOR")
        column.label(text="follows from the fault above it", icon="FORWARD")

    def filter_items(
        self, context: bpy.types.Context, data: Any, _property: str
    ) -> tuple[list[int], list[int]]:
        """How many places are filled, kept until the filters or the findings change."""
        found = review.of(context.scene)
        if found is None or len(data.rows) < len(found.table):
            return [0] * len(data.rows), []
        view = found.table.view(data.query(), len(data.rows), self.bitflag_filter_item)
        return view.flags, []


def draw_row(
    layout: bpy.types.UILayout, finding: Finding, severity: Severity, units: str, wide: bool
) -> None:
    """One row of the list: how grave, which member, which check, measured against limit.

    A narrow sidebar has room for the figures or, where there are none, the check.
    """
    row = layout.row(align=True)
    follows = severity == "follows"
    if follows:
        row.separator(factor=2.0)
    # The sign says already that it is a place; what matters in a narrow row is which one.
    name = subject(finding).removeprefix("place ")
    icon = row_icon(finding, severity)
    figures = comparison(finding, units)
    if wide:
        split = row.split(factor=0.36 if follows else 0.4)
        split.label(text=name, icon=icon)
        rest = split.split(factor=0.55)
        rest.label(text=check_title(finding.check))
        rest.label(text=figures)
        return
    split = row.split(factor=0.56 if follows else 0.6)
    split.label(text=name, icon=icon)
    split.label(text=figures if figures else check_title(finding.check))


def row_icon(finding: Finding, severity: Severity) -> str:
    """The sign of a row: how grave, something missing there, or only following from another."""
    if severity == "follows":
        return "FORWARD"
    if finding.subject_kind == "place":
        return "CURSOR"
    return "CANCEL" if severity == "severe" else "ERROR"


class PLUMBLINE_MT_filter_check(bpy.types.Menu):
    """Show only the findings of one check"""

    bl_idname = "PLUMBLINE_MT_filter_check"
    bl_label = "Check"
    bl_description = __doc__

    def draw(self, context: bpy.types.Context) -> None:
        """All checks that have findings."""
        state = context.window_manager.plumbline
        found = review.of(context.scene)
        if state.filter_check:
            entry = self.layout.operator("plumbline.filter_check", text="All checks", icon="X")
            entry.check = state.filter_check
        for check in found.table.checks if found else ():
            entry = self.layout.operator("plumbline.filter_check", text=check_title(check))
            entry.check = check


class PLUMBLINE_MT_filter_role(bpy.types.Menu):
    """Show only findings about members of one role"""

    bl_idname = "PLUMBLINE_MT_filter_role"
    bl_label = "Role"
    bl_description = __doc__

    def draw(self, context: bpy.types.Context) -> None:
        """All roles that have findings."""
        state = context.window_manager.plumbline
        found = review.of(context.scene)
        if state.filter_role:
            entry = self.layout.operator("plumbline.filter_role", text="All roles", icon="X")
            entry.role = state.filter_role
        for role in found.table.roles if found else ():
            self.layout.operator("plumbline.filter_role", text=printable(role)).role = role


class PLUMBLINE_PT_findings(bpy.types.Panel):
    """What is at fault: click a finding to go to the member"""

    bl_idname = "PLUMBLINE_PT_findings"
    bl_label = "Findings"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 3

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not in a lesson or the quiz: they ask what is wrong, and need the place."""
        if quizzing.now() is not None:
            return False
        return learning.open_now(context) is None and learning.played(context) is None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many faults there are, even with the panel closed."""
        found = review.of(context.scene)
        if found is not None and len(found.table) and not blind.hidden(context):
            self.layout.label(text=f"{found.table.root_count:,}")

    def draw(self, context: bpy.types.Context) -> None:
        """Filters, the list, the chosen finding."""
        layout = self.layout
        if playback.is_playback(context.scene):
            wrapped(layout, context, "This is a copy that shows a motion", icon="INFO")
            return
        found = review.of(context.scene)
        if found is None:
            busy = checking.at_work(context.scene) is not None
            layout.label(text="Checking..." if busy else "Not checked yet", icon="INFO")
        elif blind.hidden(context):
            wrapped(layout, context, blind.NOTE, icon="HIDE_ON")
        elif not len(found.table):
            layout.label(text="Nothing at fault", icon="CHECKMARK")
        else:
            _draw_findings(layout, context, found)
        if has_blocks(context.scene):
            _draw_pointed(layout, context)


def _draw_findings(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    state = context.window_manager.plumbline
    if len(found.table) > _FEW or _is_filtered(state):
        _draw_filters(layout, state, found)
    in_object_mode = context.mode == "OBJECT"
    if not in_object_mode:
        wrapped(layout, context, "Leave Edit Mode (Tab) to go to a finding", icon="INFO")
    body = layout.column()
    body.enabled = in_object_mode
    body.active = checking.at_work(context.scene) is None
    body.template_list(
        "PLUMBLINE_UL_findings", "", state, "rows", state, "active_row",
        rows=max(_LEAST_ROWS, min(_ROWS, len(found.table))), maxrows=_MOST_ROWS,
    )  # fmt: skip
    _draw_count(layout, state, found)
    if found.chosen is not None:
        _draw_chosen(layout, context, found)


def _draw_pointed(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The way to ask what a block is, and what the last answer was."""
    layout.operator("plumbline.point_at_block", icon="EYEDROPPER")
    pointed = pointing.of(context.scene)
    if pointed is not None:
        wrapped(layout, context, printable(pointed.caption), icon="MESH_CUBE")


def _is_filtered(state: Any) -> bool:
    """Whether something may be hidden from the list, or it stands in another order."""
    return state.query() != Query()


def _draw_filters(layout: bpy.types.UILayout, state: Any, found: review.Review) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(state, "filter_text", text="", icon="VIEWZOOM")
    row.prop(state, "roots_only", text="", icon="OUTLINER")
    row = column.row(align=True)
    blocks = found.kind == "voxel"
    label = check_title(state.filter_check) if state.filter_check else say("All checks")
    row.menu("PLUMBLINE_MT_filter_check", text=label)
    if state.filter_role or found.table.roles:
        every = say("All materials") if blocks else say("All roles")
        row.menu("PLUMBLINE_MT_filter_role", text=printable(state.filter_role) or every)
    row = column.row(align=True)
    row.prop(state, "sort", text="")
    row.prop(state, "reverse", text="", icon="SORT_DESC" if state.reverse else "SORT_ASC")


def severity_words(table: FindingsTable) -> str:
    """``2 severe, 1 fault, 14 follow``; empty where there is no finding."""
    number = table.severity_counts
    words = []
    if number["severe"]:
        words.append(say_count(number["severe"], "{n} severe", "{n} severe"))
    if number["fault"]:
        words.append(say_count(number["fault"], "{n} fault", "{n} faults"))
    if number["follows"]:
        words.append(say_count(number["follows"], "{n} follows", "{n} follow"))
    return ", ".join(words)


def _draw_count(layout: bpy.types.UILayout, state: Any, found: review.Review) -> None:
    table = found.table
    row = layout.row(align=True)
    shown = len(table.view(state.query()).shown)
    filtered = say("{shown} of {all} shown", shown=f"{shown:,}", all=f"{len(table):,}")
    row.label(text=severity_words(table) if shown == len(table) else filtered)
    row.prop(
        state, "show_highlight", text="", icon="HIDE_OFF" if state.show_highlight else "HIDE_ON"
    )
    row.operator("plumbline.step_finding", text="", icon="TRIA_UP").step = -1
    row.operator("plumbline.step_finding", text="", icon="TRIA_DOWN").step = 1


def _draw_chosen(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    finding, table = found.chosen, found.table
    box = layout.box()
    head = box.row(align=True)
    number = len(finding.detail.get("blocks", ())) if found.kind == "voxel" else 0
    named = subject(finding)
    if number > 1 and finding.subject_kind == "member":
        named = say("{block} and {n} more", block=named, n=f"{number - 1:,}")
    head.label(text=named, icon=row_icon(finding, table.severities[found.active]))
    head.operator("plumbline.copy_finding", text="", icon="COPYDOWN", emboss=False)
    wrapped(box, context, finding.message)
    for note in found.told:
        wrapped(box, context, note, icon="INFO")
    if not found.in_motion and finding.check in _FALLS:
        row = box.row()
        row.scale_y = 1.2
        entry = row.operator("plumbline.let_it_fall", text="Watch It Fall", icon="FORCE_FORCE")
        entry.member = finding.subject
    facts = box.column(align=True)
    facts.scale_y = 0.85
    _fact(facts, "Check", check_title(finding.check))
    figures = comparison(finding, preferences.look(context).units)
    if figures:
        _fact(facts, "Measured", figures)
    if finding.frame is not None and found.in_motion:
        _fact(facts, "Frame", motion_checks.frames_of(finding))
    if finding.clause:
        _fact(facts, "Clause", printable(finding.clause))
    _draw_family(facts, found)
    _draw_related(box, finding)
    _draw_looks(box, context, found)


def _draw_family(layout: bpy.types.UILayout, found: review.Review) -> None:
    """What the chosen finding follows from, and how many follow from it."""
    table = found.table
    root = table.parent[found.active]
    if root != found.active:
        _fact(layout, "Follows from", "")
        layout.operator(
            "plumbline.show_finding", text=subject(table.findings[root]), icon="LOOP_BACK"
        ).row = root
    following = table.consequences.get(found.active, ())
    if following:
        _fact(
            layout, "Leads to", say_count(len(following), "{n} other finding", "{n} other findings")
        )


def _draw_related(layout: bpy.types.UILayout, finding: Finding) -> None:
    """The members that take part, each a button that leads there."""
    related = [name for name in dict.fromkeys(finding.related) if name != finding.subject]
    if not related:
        return
    column = layout.column(align=True)
    column.label(text="Takes part" if len(related) == 1 else "Take part")
    grid = column.grid_flow(columns=2, even_columns=True, align=True)
    for name in related[:_RELATED_SHOWN]:
        grid.operator("plumbline.show_member", text=printable(name)).member = name
    if len(related) > _RELATED_SHOWN:
        column.label(text=f"and {len(related) - _RELATED_SHOWN:,} more")


def _draw_looks(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    """How the view shows it: the way of the load, and what stands before it."""
    if found.in_motion:
        layout.prop(viewing.state_of(context), "energy", icon="GRAPH")
    elif pictures_of(found.kind) is not None and found.explained is not None:
        layout.prop(
            viewing.state_of(context), "load_path", text="Show its load path", icon="SORT_ASC"
        )
    space = context.space_data
    if space is not None and space.type == "VIEW_3D":
        if found.in_motion:
            layout.prop(space.shading, "show_xray", text="See through the scene")
        else:
            layout.prop(space.shading, "show_xray", text="See through the building")


def _fact(layout: bpy.types.UILayout, name: str, value: str) -> None:
    split = layout.split(factor=0.35)
    split.label(text=name)
    split.label(text=value)


CLASSES = (
    PLUMBLINE_UL_findings,
    PLUMBLINE_MT_filter_check,
    PLUMBLINE_MT_filter_role,
    PLUMBLINE_PT_findings,
)
