# SPDX-License-Identifier: GPL-3.0-or-later
"""Marking what the checks have missed: a click at a member, then what is wrong with it."""

from typing import Any

import bpy

from ..addon import review
from ..addon.annotations import row as rows
from ..addon.session import blind, picking, sitting
from ..addon.words import check_title
from . import saying


class PLUMBLINE_OT_pick_fault(bpy.types.Operator):
    """Click the member in the view that is at fault, then choose what is wrong with it"""

    bl_idname = "plumbline.pick_fault"
    bl_label = "Mark a Fault"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name and a 3D view."""
        if not saying.needs_name(cls, context):
            return False
        if context.area is None or context.area.type != "VIEW_3D":
            cls.poll_message_set("Works in a 3D view: there is no member to click here")
            return False
        return True

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Wait for the click."""
        self._picked: picking.Picked | None = None
        context.window_manager.modal_handler_add(self)
        context.window.cursor_modal_set("EYEDROPPER")
        context.area.header_text_set(
            "Click the member that is at fault; Return takes the active one, Esc calls it off"
        )
        return {"RUNNING_MODAL"}

    def modal(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Let the view be turned; take a click or the active member."""
        if event.type in {"ESC", "RIGHTMOUSE"} and event.value == "PRESS":
            self._end(context)
            return {"CANCELLED"}
        if event.type in {"RET", "NUMPAD_ENTER"} and event.value == "PRESS":
            self._end(context)
            return _ask(self, picking.active(context))
        if event.type == "LEFTMOUSE":
            return self._clicked(context, event)
        return {"PASS_THROUGH"}

    def _clicked(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Take the member at the press; ask at the release, which the menu would else hear as its
        answer and mark a fault that nobody chose."""
        if event.value == "PRESS":
            self._picked = picking.under_pointer(context, event.mouse_x, event.mouse_y)
            if self._picked is None:
                self.report({"INFO"}, "There is no member; click one, or Esc")
        elif event.value == "RELEASE" and self._picked is not None:
            self._end(context)
            return _ask(self, self._picked)
        return {"RUNNING_MODAL"}

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Without a window to click in: the active member."""
        return _ask(self, picking.active(context))

    def cancel(self, context: bpy.types.Context) -> None:
        """Blender calls it off: another file, or it quits."""
        self._end(context)

    def _end(self, context: bpy.types.Context) -> None:
        context.window.cursor_modal_restore()
        if context.area is not None:
            context.area.header_text_set(None)


def _ask(operator: bpy.types.Operator, picked: picking.Picked | None) -> set[Any]:
    """Ask for the check."""
    if picked is None:
        operator.report({"ERROR"}, "No member is active; click one in the view")
        return {"CANCELLED"}
    picking.keep(picked)
    bpy.ops.wm.call_menu(name="PLUMBLINE_MT_fault")
    return {"FINISHED"}


class PLUMBLINE_OT_mark_fault(bpy.types.Operator):
    """Write down that this member is at fault: this check should have found it"""

    bl_idname = "plumbline.mark_fault"
    bl_label = "Mark a Fault of This Kind"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    member: bpy.props.StringProperty(name="Member", description="The member that is at fault")
    location: bpy.props.FloatVectorProperty(
        name="Place", description="Where to look, in metres", size=3, subtype="XYZ"
    )
    check: bpy.props.StringProperty(
        name="Check", description="Id of the check that should have found it"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a name."""
        return saying.needs_name(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Save it, with the tags and the comment that are ready."""
        location = tuple(round(x, 4) for x in self.location)
        subject = rows.missed_subject(self.check, self.member or None, location)
        found = review.of(context.scene)
        automatic = sitting.automatic(context.scene)
        if automatic is not None:
            automatic["found"] = any(
                f.check == self.check and f.subject == self.member for f in found.table.findings
            )
        said = {"automatic": automatic, "seconds": sitting.sitting(context).seconds}
        if saying.write(self, context, subject, **said, **saying.words(context)) is None:
            return {"CANCELLED"}
        saying.used(context)
        told = f"Marked: {self.member}, {check_title(self.check).lower()}"
        if automatic and automatic["found"] and not blind.hidden(context):
            told += ". The checks have found that, too"
        self.report({"INFO"}, told)
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_pick_fault, PLUMBLINE_OT_mark_fault)
