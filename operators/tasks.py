# SPDX-License-Identifier: GPL-3.0-or-later
"""Loading a bundled task into a scene of its own."""

from typing import Any

import bpy

from ..addon import bundled
from ..addon.scene.new_scene import BuildError, build_in_new_scene


class PLUMBLINE_OT_build_task(bpy.types.Operator):
    """Build the chosen building in a new scene of its own; your open scenes stay as they are"""

    bl_idname = "plumbline.build_task"
    bl_label = "Build in New Scene"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs readable tasks and Object Mode."""
        reason = bundled.trouble()
        if reason is None and context.mode != "OBJECT":
            reason = "Leave Edit Mode first (Tab): a new scene can only be opened in Object Mode"
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Run the program; on failure nothing of it is left and the reason is reported."""
        state = context.window_manager.plumbline
        task = bundled.find(state.task)
        variant = next(v for v in bundled.variants(task.id) if v.id == state.variant)
        sound = variant.id == bundled.SOUND
        title = task.title if sound else f"{task.title}: {variant.title}"
        label = f"{task.id}/{variant.id}"
        try:
            scene = build_in_new_scene(variant.program(), title, label, context.window)
        except BuildError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        scene[bundled.TASK_KEY] = task.id
        scene[bundled.VARIANT_KEY] = variant.id
        self.report({"INFO"}, f"Built {scene.name}. Your other scenes are in the scene menu above")
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_build_task,)
