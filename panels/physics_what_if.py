# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *What If*: who is meant, what is otherwise, and what came of it."""

import bpy

from ..addon.i18n import say
from ..addon.physics_words import CHANGES, FALLS
from ..addon.session import interventions_here, otherwise, playback, stepping
from ..addon.session.interventions_here import NEEDS, PlumblineChange
from ..addon.session.otherwise import Compared
from .physics import draw_work
from .text import wrapped

#: The fields of each kind, in the order in which they are drawn.
_FIELDS = {
    "release": ("offset", "rotation"),
    "velocity": ("linear", "spin"),
    "friction": ("value",),
    "restitution": ("value",),
    "field": ("times",),
    "add_support": ("centre", "size"),
    "shift": ("offset",),
    "weaken": ("share",),
    "push": ("push", "force"),
}
_NAMED = 6
_SHARE = 0.92  # of a line, in a panel within a panel


class PLUMBLINE_PT_what_if(bpy.types.Panel):
    """What would happen if something were otherwise: both runs side by side"""

    bl_idname = "PLUMBLINE_PT_what_if"
    bl_parent_id = "PLUMBLINE_PT_physics"
    bl_label = "What If"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 1

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Not while a motion is shown: that is its answer."""
        return context.scene is not None and not playback.is_playback(context.scene)

    def draw(self, context: bpy.types.Context) -> None:
        """The changes, the button, the answers."""
        layout, asked = self.layout, interventions_here.state(context)
        static = otherwise.is_static(context.scene)
        for slot, change in enumerate(interventions_here.changes_of(asked)):
            _draw_change(layout.box(), context, change, slot, static)
        layout.operator("plumbline.add_change", icon="ADD")
        layout.prop(asked, "compare")
        if asked.compare:
            _draw_change(layout.box(), context, asked.third, -1, static)
        if static:
            layout.prop(asked, "seconds")
        if stepping.at_work(context.scene) is None:
            row = layout.row()
            row.scale_y = 1.5
            row.operator("plumbline.compare_runs", icon="PLAY")
        else:
            draw_work(layout, context)
        said = otherwise.missing(context)
        if said:
            wrapped(layout, context, said, icon="INFO", share=_SHARE)
        for found in otherwise.of(context.scene):
            _draw_answer(layout.box(), context, found)


def _draw_change(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    change: PlumblineChange,
    slot: int,
    static: bool,
) -> None:
    """One change: what, who, how much."""
    field = "falls" if static else ("control" if slot < 0 else "kind")
    kind = interventions_here.kind_of(change, static, slot < 0)
    row = layout.row(align=True)
    row.prop(change, field, text="")
    if slot > 0:
        row.operator("plumbline.remove_change", text="", icon="X").slot = slot
    wrapped(layout, context, (FALLS if static else CHANGES)[kind][1], share=_SHARE)
    if NEEDS[kind] != (0, 0):
        _draw_members(layout, change, slot)
    column = layout.column()
    if kind == "gravity":
        column.prop(change, "gravity", text="")
        if change.gravity == "TIMES":
            column.prop(change, "times")
        elif change.gravity == "VECTOR":
            column.prop(change, "vector")
    elif kind == "mass":
        row = column.row(align=True)
        row.prop(change, "amount", text="")
        row.prop(change, "times" if change.amount == "TIMES" else "mass", text="")
    for name in _FIELDS.get(kind, ()):
        column.prop(change, name)
    if not static and kind != "none":
        row = column.row(align=True)
        row.prop(change, "late")
        if change.late:
            row.prop(change, "at_frame", text="")


def _draw_members(layout: bpy.types.UILayout, change: PlumblineChange, slot: int) -> None:
    """Who is meant, and the button that takes what is selected."""
    names = interventions_here.names_of(change)
    column = layout.column(align=True)
    for name in names[:_NAMED]:
        column.label(text=name, icon="OBJECT_DATA", translate=False)
    if len(names) > _NAMED:
        column.label(text=say("and {n} more", n=len(names) - _NAMED), icon="BLANK1")
    column.operator("plumbline.use_selected", icon="RESTRICT_SELECT_OFF").slot = slot


def _draw_answer(layout: bpy.types.UILayout, context: bpy.types.Context, found: Compared) -> None:
    """What came of a question, and the way to see it again."""
    row = layout.row(align=True)
    row.label(text=found.title, icon="QUESTION", translate=False)
    row.operator(
        "plumbline.forget_comparison", text="", icon="X", emboss=False
    ).serial = found.serial
    for sentence in found.says:
        wrapped(layout, context, sentence, share=_SHARE)
    layout.operator("plumbline.play_comparison", icon="PLAY").serial = found.serial


CLASSES = (PLUMBLINE_PT_what_if,)
