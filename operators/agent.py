# SPDX-License-Identifier: GPL-3.0-or-later
"""Letting an agent build: start, stop, permission for this session, going to a scene."""

from typing import Any

import bpy

from ..addon.session import current, starting, tries
from ..addon.session.consent import LASTS, WARNING, consent
from ..addon.session.gallery import redraw


class PLUMBLINE_OT_start_agent(bpy.types.Operator):
    """Let the agent build the chosen task; the window stays free, and every try becomes a scene"""

    bl_idname = "plumbline.start_agent"
    bl_label = "Start Agent"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a task, a model, and permission where it is to run in this session."""
        reason = starting.problem(context)
        if reason is not None:
            cls.poll_message_set(reason)
        return reason is None

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start it; what goes wrong later is said in the panel."""
        try:
            starting.start(context)
        except (starting.CantStart, OSError) as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_stop_agent(bpy.types.Operator):
    """Stop the agent; the scenes that it has built stay"""

    bl_idname = "plumbline.stop_agent"
    bl_label = "Stop Agent"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs a running episode."""
        if not current.running():
            cls.poll_message_set("No agent is running")
            return False
        return True

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Ask it to stop."""
        current.stop()
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_pause_agent(bpy.types.Operator):
    """Have the agent wait before its next question or program; press again to let it go on"""

    bl_idname = "plumbline.pause_agent"
    bl_label = "Pause Agent"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs a running episode."""
        if not current.running():
            cls.poll_message_set("No agent is running")
            return False
        return True

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """Turn it round."""
        if current.now().job.paused:
            current.resume()
        else:
            current.pause()
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_allow_session(bpy.types.Operator):
    """Allow code to run inside this Blender for half an hour; asks first and can be taken back"""

    bl_idname = "plumbline.allow_session"
    bl_label = "Allow Code in This Session"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Once is enough."""
        if consent.given:
            cls.poll_message_set("Code may run in this session already")
        return not consent.given

    def invoke(self, context: bpy.types.Context, _event: bpy.types.Event) -> set[Any]:
        """Show the warning; nothing is allowed without an answer to it."""
        return context.window_manager.invoke_props_dialog(
            self, width=580, confirm_text="Allow for 30 Minutes"
        )

    def draw(self, _context: bpy.types.Context) -> None:
        """The warning."""
        column = self.layout.column(align=True)
        for number, line in enumerate(WARNING):
            column.label(text=line, icon="ERROR" if number == 0 else "BLANK1")
        column.separator()
        column.label(text="It ends by itself after 30 minutes, and when another file is opened.")

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """The person has agreed."""
        consent.give()
        self.report({"INFO"}, f"Code may run in this session for {LASTS / 60:.0f} minutes")
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_revoke_session(bpy.types.Operator):
    """Take the permission back: no further code runs in this session"""

    bl_idname = "plumbline.revoke_session"
    bl_label = "Revoke"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs a permission."""
        if not consent.given:
            cls.poll_message_set("No code may run in this session anyway")
        return consent.given

    def execute(self, _context: bpy.types.Context) -> set[Any]:
        """It is over at once; code that runs just now ends by itself or by the alarm."""
        consent.revoke()
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_show_try(bpy.types.Operator):
    """Show the scene of this try, with what the checks found in it"""

    bl_idname = "plumbline.show_try"
    bl_label = "Show Try"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    key: bpy.props.IntProperty(name="Try", description="Number of the try")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode."""
        if context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first (Tab)")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Show it in this window."""
        if not tries.show(context, self.key):
            self.report({"INFO"}, "The scene of this try is no longer in the file")
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_step_try(bpy.types.Operator):
    """Show the try before or after this one, with its scene where it left one"""

    bl_idname = "plumbline.step_try"
    bl_label = "Step Through Tries"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    step: bpy.props.IntProperty(
        name="Step", description="-1 for the try before, 1 for the next one", default=1
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a try and Object Mode."""
        if tries.shown_key(context) is None:
            cls.poll_message_set("The agent has run no program yet")
            return False
        if context.mode != "OBJECT":
            cls.poll_message_set("Leave Edit Mode first (Tab)")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Show it; one without a scene is told about in the panel."""
        key = tries.beside(context, 1 if self.step > 0 else -1)
        if key is None:
            self.report({"INFO"}, f"This is the {'last' if self.step > 0 else 'first'} try")
            return {"CANCELLED"}
        tries.show(context, key)
        redraw()
        return {"FINISHED"}


class PLUMBLINE_OT_try_code(bpy.types.Operator):
    """Read the program of this try in a Text Editor, as a text of its own"""

    bl_idname = "plumbline.try_code"
    bl_label = "Code of This Try"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    key: bpy.props.IntProperty(
        name="Try", description="Number of the try; 0 is the one that is shown"
    )

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a try."""
        if tries.shown_key(context) is None:
            cls.poll_message_set("The agent has run no program yet")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it."""
        key = self.key or tries.shown_key(context)
        if key not in current.now().live.tries:
            self.report({"INFO"}, f"There is no try {key}")
            return {"CANCELLED"}
        tries.show_code(context, key)
        return {"FINISHED"}


class PLUMBLINE_OT_show_talk(bpy.types.Operator):
    """Read the whole conversation in a Text Editor: what was asked, answered, run and found"""

    bl_idname = "plumbline.show_talk"
    bl_label = "Whole Conversation"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Needs an episode."""
        if current.now() is None:
            cls.poll_message_set("No agent has run in this session")
            return False
        return True

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Open it as far as it has come."""
        try:
            tries.show_talk(context)
        except OSError as error:
            self.report({"INFO"}, f"Nothing was said yet ({error.strerror or error})")
            return {"CANCELLED"}
        return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_start_agent,
    PLUMBLINE_OT_pause_agent,
    PLUMBLINE_OT_stop_agent,
    PLUMBLINE_OT_allow_session,
    PLUMBLINE_OT_revoke_session,
    PLUMBLINE_OT_show_try,
    PLUMBLINE_OT_step_try,
    PLUMBLINE_OT_try_code,
    PLUMBLINE_OT_show_talk,
)
