# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking the open scene, and clearing what a check left in the window."""

from typing import Any

import bpy

from ..addon import properties, review
from ..addon.runs.wording import VERDICT_WORDS, count
from ..checks.timber.brief import BriefError
from ..checks.timber.structure import StructureError


class PLUMBLINE_OT_check_scene(bpy.types.Operator):
    """Judge what stands in this scene, member by member; nothing in the scene is changed"""

    bl_idname = "plumbline.check_scene"
    bl_label = "Check Scene"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode: edits in progress are not part of the scene yet."""
        if context.mode == "OBJECT":
            return True
        cls.poll_message_set("Leave Edit Mode first (Tab): unfinished edits can't be judged")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Read and judge; findings are listed in the panel."""
        state = context.window_manager.plumbline
        window = context.window
        window.cursor_modal_set("WAIT")
        try:
            found = review.review_scene(
                context.scene, state.profile, context.evaluated_depsgraph_get()
            )
        except (StructureError, BriefError) as error:  # sentences for people
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        finally:
            window.cursor_modal_restore()
        properties.fit_rows(context.window_manager)
        state.filter_check = ""
        _redraw(context)
        self.report({"INFO"}, _summary(found))
        return {"FINISHED"}


class PLUMBLINE_OT_clear_review(bpy.types.Operator):
    """Forget the result for this scene and take the highlight out of the view"""

    bl_idname = "plumbline.clear_review"
    bl_label = "Clear Result"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a result."""
        if review.of(context.scene) is not None:
            return True
        cls.poll_message_set("There is no result to clear: this scene was not checked yet")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Drop the review of this scene."""
        review.forget(context.scene)
        properties.fit_rows(context.window_manager)
        _redraw(context)
        return {"FINISHED"}


def _summary(found: review.Review) -> str:
    members = count(len(found.structure), "member")
    faults = count(found.table.root_count, "fault")
    return f"{members}: {VERDICT_WORDS[found.judgement.verdict]}, {faults}"


def _redraw(context: bpy.types.Context) -> None:
    for window in context.window_manager.windows:
        for area in window.screen.areas:
            if area.type == "VIEW_3D":
                area.tag_redraw()


CLASSES = (PLUMBLINE_OT_check_scene, PLUMBLINE_OT_clear_review)
