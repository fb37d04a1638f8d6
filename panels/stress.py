# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Stress*: solving the stress of blocks, and how the view shows it."""

from __future__ import annotations

import bpy

from ..addon.block_surface import fitting_scale
from ..addon.i18n import say
from ..addon.session import blind, block_choices, blocks_now, stress
from ..addon.session.block_choices import PlumblineStress
from ..addon.session.kind_here import has_blocks
from ..addon.session.stress import Stress
from ..addon.stress_scale import times
from ..checks.voxel.cells import block_name
from ..checks.voxel.stress.score import told
from .text import wrapped

_STATUS_ICONS = {"passed": "CHECKMARK", "failed": "CANCEL"}


class PLUMBLINE_PT_stress(bpy.types.Panel):
    """Stress of the blocks under their own weight, as a heat map with the deformed shape"""

    bl_idname = "PLUMBLINE_PT_stress"
    bl_label = "Stress"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 9
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs blocks in the scene."""
        return has_blocks(context.scene)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """The greatest stress, even with the panel closed."""
        found = stress.of(context.scene)
        greatest = found.result.figures.get("greatest") if found is not None else None
        hidden = greatest is None or blind.hidden(context)
        self.layout.label(text="" if hidden else told(greatest))

    def draw(self, context: bpy.types.Context) -> None:
        """What is asked, what is at work, what was found, and how it is shown."""
        layout, scene = self.layout, context.scene
        if blocks_now.of(scene) is None:
            wrapped(layout, context, blocks_now.trouble(scene), icon="ERROR")
            return
        state = block_choices.stress_of(context)
        column = layout.column(align=True)
        column.prop(state, "method", text="")
        column.prop(state, "reference", text="")
        work = stress.at_work(scene)
        if work is None:
            row = layout.row()
            row.scale_y = 1.3
            row.operator("plumbline.solve_stress", icon="PLAY")
        else:
            row = layout.row(align=True)
            row.progress(factor=work.share or 0.0, text=work.words or "beginning", type="BAR")
            row.operator("plumbline.cancel_job", text="", icon="CANCEL").serial = work.serial
        if stress.trouble(scene):
            wrapped(layout, context, stress.trouble(scene), icon="ERROR")
        found = stress.of(scene)
        if found is None:
            return
        if blind.hidden(context):
            wrapped(layout, context, blind.NOTE, icon="INFO")
            return
        _draw_found(layout.box(), context, found)
        _draw_look(layout, state, found)


def _draw_found(layout: bpy.types.UILayout, context: bpy.types.Context, found: Stress) -> None:
    """The greatest stress and where, the score, and what is to be known of both."""
    result, field = found.result, found.field
    if stress.stale(context.scene):
        wrapped(layout, context, "The blocks are others now: solve again.", icon="ERROR")
    greatest = result.figures.get("greatest")
    if field is not None and greatest is not None:
        row = layout.row(align=True)
        icon = _STATUS_ICONS.get(result.status, "DOT")
        row.label(text=say("Greatest {stress}", stress=told(greatest)), icon=icon)
        row.operator("plumbline.clear_stress", text="", icon="X")
        layout.label(text=block_name(result.figures["at"]), icon="BLANK1")
        if result.score is not None and "reference" in result.figures:
            limit = told(result.figures["reference"])
            words = say(
                "Score {score}, reference {stress}", score=f"{result.score:.3f}", stress=limit
            )
            layout.label(text=words, icon="BLANK1")
        moved = say("Moves by {length}", length=_length(field.moved))
        layout.label(text=moved, icon="BLANK1")
    else:
        row = layout.row(align=True)
        row.label(text=say("No stress"), icon="CANCEL")
        row.operator("plumbline.clear_stress", text="", icon="X")
    if result.reason:
        wrapped(layout, context, result.reason, icon="INFO")


def _length(metres: float) -> str:
    """A displacement for people: ``"0.012 mm"``, ``"35 mm"``, ``"1.20 m"``."""
    if not metres < 1.0:
        return f"{metres:.2f} m"
    return f"{1000 * metres:.3g} mm"


def _draw_look(layout: bpy.types.UILayout, state: PlumblineStress, found: Stress) -> None:
    """Heat map, its range, and the deformed shape."""
    layout.prop(state, "show", icon="COLORSET_02_VEC", toggle=True)
    if found.field is None:
        return
    column = layout.column(align=True)
    column.enabled = state.show
    column.prop(state, "auto_range")
    if not state.auto_range:
        row = column.row(align=True)
        row.prop(state, "low")
        row.prop(state, "high")
    column.prop(state, "label")
    column = layout.column(align=True)
    column.enabled = state.show
    column.prop(state, "deform", icon="MOD_SIMPLEDEFORM", toggle=True)
    if not state.deform:
        return
    column.prop(state, "auto_scale")
    if state.auto_scale:
        scale = fitting_scale(found.structure, found.field.moved)
        column.label(text=say("Enlarged {scale} times", scale=times(scale)))
    else:
        column.prop(state, "scale")


CLASSES = (PLUMBLINE_PT_stress,)
