# SPDX-License-Identifier: GPL-3.0-or-later
"""Running a chosen text on the open scene, and opening the copy from before."""

from pathlib import Path
from typing import Any

import bpy

from ..addon.sandbox.policy import vet
from ..addon.session import choices, current, direct, place
from ..addon.session.consent import consent
from ..addon.session.gallery import redraw


def code_of(context: bpy.types.Context) -> tuple[str, str]:
    """The chosen code and its name; both empty if there is none."""
    chosen = choices.of(context)
    if chosen.source == "text":
        text = bpy.data.texts.get(chosen.text)
        return (text.as_string(), text.name) if text is not None else ("", "")
    found = current.now()
    return (found.live.code, "the agent's last program") if found is not None else ("", "")


class PLUMBLINE_OT_run_in_session(bpy.types.Operator):
    """Run the chosen code on the open scene: looked through first, a copy saved, one undo step"""

    bl_idname = "plumbline.run_in_session"
    bl_label = "Run in This Session"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs permission, code and Object Mode, and no agent at work."""
        reason = None
        if not consent.given:
            reason = "Running code in this session needs your permission: press Allow"
        elif current.running():
            reason = "An agent is at work: stop it first"
        elif context.mode != "OBJECT":
            reason = "Leave Edit Mode first (Tab)"
        elif not code_of(context)[0].strip():
            reason = "Choose a text with code in it, or let an agent write some"
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Run it; how it went is said in the panel too."""
        code, name = code_of(context)
        seconds = choices.of(context).code_seconds
        try:
            done = direct.run_on_open_scene(code, name, consent, vet, place.checkpoints(), seconds)
        except (direct.NotAllowed, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        direct.remember(done)
        redraw()
        if done.ran.outcome != "finished":
            self.report({"WARNING"}, f"{name}: {done.ran.message}")
        return {"CANCELLED"} if done.problems else {"FINISHED"}


class PLUMBLINE_OT_open_checkpoint(bpy.types.Operator):
    """Open the copy of this file that was saved before code ran; what you did since is lost"""

    bl_idname = "plumbline.open_checkpoint"
    bl_label = "Open Copy from Before"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    path: bpy.props.StringProperty(name="Copy", description="The .blend to open")

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> set[Any]:
        """Ask first: the open file is closed by this."""
        return context.window_manager.invoke_confirm(self, event)

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Open it, without running scripts that may be in it."""
        if not Path(self.path).is_file():
            self.report({"ERROR"}, f"{self.path} is no longer there")
            return {"CANCELLED"}
        bpy.ops.wm.open_mainfile(filepath=self.path, use_scripts=False)
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_run_in_session, PLUMBLINE_OT_open_checkpoint)
