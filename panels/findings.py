# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Findings*: what is at fault, searched and sorted, and the chosen one in full."""

from typing import Any

import bpy

from ..addon import review
from ..addon.runs.wording import count
from ..addon.words import check_title, comparison, subject
from ..checks.result import Finding
from .text import wrapped

_ROWS, _MOST_ROWS = 5, 8  # the chosen finding stands below the list and must be in sight


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
        """The finding at a place: what kind, which member, its figure or the check."""
        table = review.of(context.scene).table
        row = table.view(data.query()).shown[index]
        draw_row(layout, table.findings[row], follows=table.parent[row] != row)

    def draw_filter(self, _context: bpy.types.Context, layout: bpy.types.UILayout) -> None:
        """Search and order stand above the list, in sight; here the signs are explained."""
        column = layout.column(align=True)
        column.label(text="a member is at fault", icon="CANCEL")
        column.label(text="something is missing there", icon="CURSOR")
        column.label(text="follows from the fault above it", icon="FORWARD")

    def filter_items(
        self, context: bpy.types.Context, data: Any, _property: str
    ) -> tuple[list[int], list[int]]:
        """How many places are filled, kept until the filters or the findings change."""
        found = review.of(context.scene)
        if found is None:
            return [0] * len(data.rows), []
        view = found.table.view(data.query(), len(data.rows), self.bitflag_filter_item)
        return view.flags, []


def draw_row(layout: bpy.types.UILayout, finding: Finding, follows: bool) -> None:
    """One row of the list."""
    row = layout.row(align=True)
    if follows:
        row.separator(factor=2.0)
    split = row.split(factor=0.56 if follows else 0.6)
    # The sign says already that it is a place; what matters in a narrow row is which one.
    split.label(text=subject(finding).removeprefix("place "), icon=row_icon(finding, follows))
    figures = comparison(finding)
    split.label(text=figures if figures else check_title(finding.check))


def row_icon(finding: Finding, follows: bool) -> str:
    """The sign of a row: at fault, missing there, or only following from another fault."""
    if follows:
        return "FORWARD"
    return "CURSOR" if finding.subject_kind == "place" else "CANCEL"


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


class PLUMBLINE_PT_findings(bpy.types.Panel):
    """What is at fault: click a finding to go to the member"""

    bl_idname = "PLUMBLINE_PT_findings"
    bl_label = "Findings"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 3

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many faults there are, even with the panel closed."""
        found = review.of(context.scene)
        if found is not None and len(found.table):
            self.layout.label(text=f"{found.table.root_count:,}")

    def draw(self, context: bpy.types.Context) -> None:
        """Filters, the list, the chosen finding."""
        layout = self.layout
        found = review.of(context.scene)
        if found is None:
            layout.label(text="Not checked yet", icon="INFO")
            return
        if not len(found.table):
            layout.label(text="Nothing at fault", icon="CHECKMARK")
            return
        state = context.window_manager.plumbline
        _draw_filters(layout, state)
        in_object_mode = context.mode == "OBJECT"
        if not in_object_mode:
            wrapped(layout, context, "Leave Edit Mode (Tab) to go to a finding", icon="INFO")
        body = layout.column()
        body.enabled = in_object_mode
        body.template_list(
            "PLUMBLINE_UL_findings", "", state, "rows", state, "active_row",
            rows=_ROWS, maxrows=_MOST_ROWS,
        )  # fmt: skip
        _draw_count(layout, state, found)
        if found.chosen is not None:
            _draw_chosen(layout, context, found)


def _draw_filters(layout: bpy.types.UILayout, state: Any) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    row.prop(state, "filter_text", text="", icon="VIEWZOOM")
    row.prop(state, "roots_only", text="", icon="OUTLINER")
    row = column.row(align=True)
    label = check_title(state.filter_check) if state.filter_check else "All checks"
    row.menu("PLUMBLINE_MT_filter_check", text=label)
    row.prop(state, "sort", text="")
    row.prop(state, "reverse", text="", icon="SORT_DESC" if state.reverse else "SORT_ASC")


def _draw_count(layout: bpy.types.UILayout, state: Any, found: review.Review) -> None:
    table = found.table
    row = layout.row(align=True)
    following = len(table) - table.root_count
    text = count(table.root_count, "fault")
    if following:
        text += f", {count(following, 'consequence')}"
    shown = len(table.view(state.query()).shown)
    if shown != len(table):
        text = f"{shown:,} of {len(table):,} shown"
    row.label(text=text)
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
    box.label(
        text=subject(finding), icon=row_icon(finding, table.parent[found.active] != found.active)
    )
    wrapped(box, context, finding.message)
    for note in found.told:
        wrapped(box, context, note, icon="INFO")
    facts = box.column(align=True)
    facts.scale_y = 0.85
    _fact(facts, "Check", check_title(finding.check))
    figures = comparison(finding)
    if figures:
        _fact(facts, "Measured", figures)
    if finding.clause:
        _fact(facts, "Clause", finding.clause)
    root = table.parent[found.active]
    if root != found.active:
        _fact(facts, "Follows from", "")
        facts.operator(
            "plumbline.show_finding", text=subject(table.findings[root]), icon="LOOP_BACK"
        ).row = root
    following = table.consequences.get(found.active, ())
    if following:
        _fact(facts, "Leads to", count(len(following), "other finding"))
    space = context.space_data
    if space is not None and space.type == "VIEW_3D":
        box.prop(space.shading, "show_xray", text="See through the building")


def _fact(layout: bpy.types.UILayout, name: str, value: str) -> None:
    split = layout.split(factor=0.35)
    split.label(text=name)
    split.label(text=value)


CLASSES = (
    PLUMBLINE_UL_findings,
    PLUMBLINE_MT_filter_check,
    PLUMBLINE_PT_findings,
)
