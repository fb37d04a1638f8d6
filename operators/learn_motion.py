# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing the scene of a lesson: as it is, or with something made otherwise."""

from typing import Any

import bpy

from ..addon.session import learning, lesson_runs


def _motion(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether a lesson of motion is open."""
    lesson = learning.open_now(context)
    if lesson is None or not lesson.of_motion:
        cls.poll_message_set("Open a lesson of simulated motion first")
        return False
    if context.mode != "OBJECT":
        cls.poll_message_set("Leave Edit Mode first (Tab): lessons are played in Object Mode")
        return False
    return True


class PLUMBLINE_OT_play_lesson(bpy.types.Operator):
    """Play the lesson's scene from its beginning, as it is; press again to stop"""

    bl_idname = "plumbline.play_lesson"
    bl_label = "Play the Lesson's Scene"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson of motion."""
        return _motion(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        lesson_runs.play(context)
        return {"FINISHED"}


class PLUMBLINE_OT_play_otherwise(bpy.types.Operator):
    """Play what happens with something made otherwise, beside how it should be, in a copy"""

    bl_idname = "plumbline.play_otherwise"
    bl_label = "Play It Otherwise"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a lesson of motion whose scene was checked."""
        if not _motion(cls, context):
            return False
        if lesson_runs.runs_of(context.scene, learning.open_now(context)) is None:
            cls.poll_message_set("The scene is still being run otherwise: wait a moment")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        try:
            lesson_runs.play_otherwise(context, learning.open_now(context))
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_play_lesson, PLUMBLINE_OT_play_otherwise)
