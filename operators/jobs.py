# SPDX-License-Identifier: GPL-3.0-or-later
"""Calling off what is at work, and taking away messages about what went wrong."""

from typing import Any

import bpy

from ..addon.session import jobs
from ..addon.session.gallery import redraw


class PLUMBLINE_OT_cancel_job(bpy.types.Operator):
    """Call this off; what was there before stays"""

    bl_idname = "plumbline.cancel_job"
    bl_label = "Cancel"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    serial: bpy.props.IntProperty(name="Work", description="Which piece of work, by its number")

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs something that is at work."""
        if jobs.now():
            return True
        cls.poll_message_set("Nothing is at work")
        return False

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Ask it to stop; it may have ended meanwhile."""
        work = jobs.find(self.serial)
        if work is not None:
            work.cancel()
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_dismiss_failure(bpy.types.Operator):
    """I have read this: take the message away"""

    bl_idname = "plumbline.dismiss_failure"
    bl_label = "Dismiss"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    serial: bpy.props.IntProperty(name="Message", description="Which message, by its number")

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Take it away."""
        jobs.dismiss(self.serial)
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_copy_failure(bpy.types.Operator):
    """Copy this message to the clipboard, with the technical details for whoever can mend it"""

    bl_idname = "plumbline.copy_failure"
    bl_label = "Copy Message"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    serial: bpy.props.IntProperty(name="Message", description="Which message, by its number")

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Copy it."""
        failure = next((f for f in jobs.failures() if f.serial == self.serial), None)
        if failure is None:
            self.report({"WARNING"}, "That message is gone")
            return {"CANCELLED"}
        lines = [f"{failure.title}: {failure.sentence}", failure.trace or ""]
        context.window_manager.clipboard = "\n\n".join(line for line in lines if line)
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_cancel_job, PLUMBLINE_OT_dismiss_failure, PLUMBLINE_OT_copy_failure)
