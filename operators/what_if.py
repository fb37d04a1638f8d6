# SPDX-License-Identifier: GPL-3.0-or-later
"""What if: who is meant, what is otherwise, and the runs that are compared."""

from typing import Any

import bpy

from ..addon.physics_words import named
from ..addon.session import interventions_here, otherwise, picked, playback
from ..addon.session.interventions_here import PlumblineChange
from ..addon.session.otherwise import Compared
from .physics import began, may_run

#: Which change is meant: 0 is the first, -1 that of the third view.
_SLOT = "Which change is meant: 0 is the first one, -1 that of the third view"


def change_at(context: bpy.types.Context, slot: int) -> PlumblineChange | None:
    """The change of a slot, ``None`` if there is none."""
    asked = interventions_here.state(context)
    if slot < 0:
        return asked.third
    every = interventions_here.changes_of(asked)
    return every[slot] if slot < len(every) else None


class PLUMBLINE_OT_use_selected(bpy.types.Operator):
    """Take what is selected in the view for those that are meant"""

    bl_idname = "plumbline.use_selected"
    bl_label = "Use Selected"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    slot: bpy.props.IntProperty(name="Change", description=_SLOT)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs something selected that could be meant."""
        if picked.names(context):
            return True
        cls.poll_message_set(picked.advice(context))
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Take their names."""
        change = change_at(context, self.slot)
        if change is None:
            self.report({"ERROR"}, "This change was taken away")
            return {"CANCELLED"}
        names = picked.names(context)
        change.members.clear()
        for name in names:
            change.members.add().name = name
        self.report({"INFO"}, f"Meant: {named(names)}")
        return {"FINISHED"}


class PLUMBLINE_OT_add_change(bpy.types.Operator):
    """Make something else otherwise too, in the same run"""

    bl_idname = "plumbline.add_change"
    bl_label = "And Also"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Add it."""
        interventions_here.state(context).more.add()
        return {"FINISHED"}


class PLUMBLINE_OT_remove_change(bpy.types.Operator):
    """Take this change away again; the others stay"""

    bl_idname = "plumbline.remove_change"
    bl_label = "Take This Change Away"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    slot: bpy.props.IntProperty(name="Change", description=_SLOT, min=1)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Remove it; the first one always stays."""
        more = interventions_here.state(context).more
        if not 1 <= self.slot <= len(more):
            self.report({"ERROR"}, "There is no such change")
            return {"CANCELLED"}
        more.remove(self.slot - 1)
        return {"FINISHED"}


class PLUMBLINE_OT_compare_runs(bpy.types.Operator):
    """Run the scene as it is and as it would be, on copies, and play both side by side"""

    bl_idname = "plumbline.compare_runs"
    bl_label = "Run and Compare"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs members where the change is about some, Object Mode, and nothing at work."""
        missing = otherwise.missing(context)
        if missing:
            cls.poll_message_set(missing)
            return False
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start it; what comes of it is played as soon as it is there."""
        uid, window = context.scene.session_uid, context.window

        def then(found: Compared) -> None:
            if window.scene.session_uid == uid:
                playback.play(window, found.show)

        return began(self, context, lambda: otherwise.compare(context, then))


class PLUMBLINE_OT_forget_comparison(bpy.types.Operator):
    """Drop this comparison and the motions that are kept for it"""

    bl_idname = "plumbline.forget_comparison"
    bl_label = "Drop This Comparison"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    serial: bpy.props.IntProperty(name="Comparison", description="Number of the comparison")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Drop it."""
        otherwise.forget(context.scene, self.serial)
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_use_selected,
    PLUMBLINE_OT_add_change,
    PLUMBLINE_OT_remove_change,
    PLUMBLINE_OT_compare_runs,
    PLUMBLINE_OT_forget_comparison,
)
