# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Run in This Session*: a text of the person's choice, on the open scene."""

from __future__ import annotations

import bpy

from ..addon.session import choices, direct
from .agent import draw_permission
from .agent_live import OUTCOMES
from .text import wrapped

_PROBLEMS_SHOWN = 4
_OUTPUT_SHOWN = 3


class PLUMBLINE_PT_session_run(bpy.types.Panel):
    """Run code of your choice on the open scene, with a copy saved before and one undo step"""

    bl_idname = "PLUMBLINE_PT_session_run"
    bl_parent_id = "PLUMBLINE_PT_agent"
    bl_label = "Run in This Session"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """What is run, permission, the button, and how the last run went."""
        layout = self.layout
        chosen = choices.of(context)
        layout.prop(chosen, "source", text="")
        if chosen.source == "text":
            layout.prop_search(chosen, "text", bpy.data, "texts", text="")
        draw_permission(layout, context)
        layout.operator("plumbline.run_in_session", icon="CONSOLE")
        for done in direct.last:
            _draw_last(layout, context, done)


def _draw_last(layout: bpy.types.UILayout, context: bpy.types.Context, done: direct.Direct) -> None:
    box = layout.box()
    icon, words = OUTCOMES.get(done.ran.outcome, ("CHECKMARK", "ran to its end"))
    box.label(text=f"{done.name}: {words}", icon=icon)
    for problem in done.problems[:_PROBLEMS_SHOWN]:
        wrapped(box, context, f"Line {problem.line}: {problem.message}")
    if not done.problems and done.ran.message:
        wrapped(box, context, done.ran.message)
    for line in done.ran.output.strip().splitlines()[-_OUTPUT_SHOWN:]:
        wrapped(box, context, line, icon="CONSOLE")
    if done.ran.left:
        wrapped(box, context, f"Taken away after it: {', '.join(done.ran.left)}", icon="INFO")
    if done.checkpoint is not None:
        wrapped(box, context, "Ctrl Z takes it back in one step, or:", icon="LOOP_BACK")
        box.operator("plumbline.open_checkpoint").path = str(done.checkpoint)


CLASSES = (PLUMBLINE_PT_session_run,)
