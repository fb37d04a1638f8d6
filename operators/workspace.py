# SPDX-License-Identifier: GPL-3.0-or-later
"""Our workspace, made or shown."""

from typing import Any

import bpy

from ..addon.session import workspace


class PLUMBLINE_OT_add_workspace(bpy.types.Operator):
    """Make a workspace for judging, with a large view and our tab; your others stay as they are"""

    bl_idname = "plumbline.add_workspace"
    bl_label = "Add Plumbline Workspace"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a window."""
        if context.window is None or bpy.app.background:
            cls.poll_message_set("A workspace needs a window, and this Blender has none")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Make it, or show the one that is there."""
        was_there = workspace.find() is not None
        workspace.show(context.window)
        if was_there:
            self.report({"INFO"}, "The workspace Plumbline was there already")
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_add_workspace,)
