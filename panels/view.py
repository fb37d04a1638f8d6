# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Colours*: what the colours in the 3D view mean, and how to change them."""

import bpy

from ..addon import review
from ..addon.colouring import measured_checks
from ..addon.i18n import say, say_count
from ..addon.runs.wording import printable
from ..addon.session import blind, ghosts, standing, viewing
from ..addon.words import check_title
from .overlay_shown import active_member, keep
from .text import wrapped

# Blocks show by themselves what they are made of, and no check of theirs measures each of them.
_BLOCK_MODES = ("finding", "verdict", "check")
# Bodies show by themselves how they move, and their margins are those of findings alone.
_MOTION_MODES = ("finding", "verdict", "check", "role")
_BLOCKS_LACK = (
    "Blocks have no load path and no target to be compared with: many constructions pass. Where "
    "loads go is shown by the panel Stress"
)


class PLUMBLINE_MT_margin_check(bpy.types.Menu):
    """The margins of one check, or the worst of all"""

    bl_idname = "PLUMBLINE_MT_margin_check"
    bl_label = "Margins"
    bl_description = __doc__

    def draw(self, context: bpy.types.Context) -> None:
        """All checks that measured something."""
        layout = self.layout
        layout.operator("plumbline.margin_of", text="Worst of all checks").check = ""
        found = review.of(context.scene)
        if found is None:
            return
        layout.separator()
        for check in _measured(found):
            layout.operator("plumbline.margin_of", text=check_title(check)).check = check


def _measured(found: review.Review) -> tuple[str, ...]:
    checks: tuple[str, ...] = keep(
        ("measured", found.serial), lambda: measured_checks(found.judgement)
    )
    return checks


class PLUMBLINE_PT_colours(bpy.types.Panel):
    """What the colours of the members in the 3D view mean"""

    bl_idname = "PLUMBLINE_PT_colours"
    bl_label = "Colours"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_parent_id = "PLUMBLINE_PT_findings"

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a checked scene whose result may be seen."""
        return review.of(context.scene) is not None and not blind.hidden(context)

    def draw(self, context: bpy.types.Context) -> None:
        """The mode, what it needs, and what is done with the rest."""
        layout = self.layout
        state = viewing.state_of(context)
        found = review.of(context.scene)
        blocks = found.kind == "voxel"
        modes = layout.column(align=True)
        if blocks or found.in_motion:
            for mode in _BLOCK_MODES if blocks else _MOTION_MODES:
                modes.prop_enum(state, "mode", mode)
        else:
            modes.prop(state, "mode", expand=True)
        if state.mode == "margin":
            label = check_title(state.check) if state.check else "Worst of all checks"
            layout.menu("PLUMBLINE_MT_margin_check", text=label)
        column = layout.column(align=True)
        faded = column.row()
        faded.active = (blocks or state.mode != "finding") and not state.isolate
        faded.prop(state, "ghost", icon="GHOST_ENABLED")
        through = column.row()
        through.active = blocks or state.mode != "finding" or state.isolate
        through.prop(state, "xray", icon="XRAY")
        legend = column.row()
        legend.active = state.mode != "finding"
        legend.prop(state, "legend", icon="PRESET")
        layout.operator(
            "plumbline.isolate_finding",
            text="Show Everything" if state.isolate else "Isolate Chosen Finding",
            depress=state.isolate,
            icon="ZOOM_SELECTED",
        )
        if blocks:
            wrapped(layout, context, _BLOCKS_LACK, icon="INFO")
            return
        if found.in_motion:
            layout.prop(state, "energy", icon="GRAPH")
            return
        layout.prop(state, "load_path", icon="SORT_ASC")
        if state.load_path:
            _say_whose(layout, context, found)
        if ghosts.task_of(found) is not None:
            layout.prop(state, "target", icon="MOD_BUILD")
            if state.target:
                _say_differences(layout, context, found)


def _say_whose(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    if found.stale:
        wrapped(layout, context, "Edited since the check: check again to see it", icon="INFO")
        return
    name = active_member(standing.of(found, context.scene), context)
    if name is None:
        wrapped(layout, context, "Select a member of the structure to see its path", icon="INFO")
    else:
        wrapped(layout, context, f"Load of {name}")


def _how_many(kind: str, number: int) -> str:
    """How many members differ in a way, in words."""
    if kind == "missing":
        return say_count(number, "{n} member is missing", "{n} members are missing")
    if kind == "extra":
        return say_count(number, "{n} member is extra", "{n} members are extra")
    if kind == "displaced":
        return say_count(number, "{n} member is displaced", "{n} members are displaced")
    if kind == "turned":
        return say_count(number, "{n} member is turned", "{n} members are turned")
    return say_count(number, "{n} member has another size", "{n} members have another size")


def _say_differences(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    """How the structure differs from its target: by kind, then by role, with the figures."""
    why = ghosts.withheld(context)
    if why is not None:
        wrapped(layout, context, why, icon="INFO")
        return
    known = ghosts.of(found)
    if known is None:
        ghosts.soon()
        wrapped(layout, context, "Comparing with the target", icon="SORTTIME")
        return
    box = layout.box().column(align=True)
    for kind, roles in known.by_role.items():
        column = box.column(align=True)
        column.label(text=_how_many(kind, sum(roles.values())))
        for role, number in sorted(roles.items(), key=lambda item: (-item[1], item[0])):
            name = printable(role) if role else say("without a role")
            row = column.row()
            row.separator(factor=2.0)
            row.label(text=f"{number:,} {name}")
    if not known.findings and known.why is None:
        wrapped(box, context, "Nothing differs from the target", icon="CHECKMARK")
    if known.why is not None:
        wrapped(box, context, known.why, icon="ERROR")
    if known.values:
        figures = "  ".join(f"{name} {value:.3f}" for name, value in known.values.items())
        box.label(text=figures)
    if known.findings:
        layout.operator("plumbline.list_differences", icon="TEXT")


CLASSES = (PLUMBLINE_MT_margin_check, PLUMBLINE_PT_colours)
