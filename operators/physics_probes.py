# SPDX-License-Identifier: GPL-3.0-or-later
"""The probes on a simulated scene: asking them, and going to what they found."""

from typing import Any

import bpy

from ..addon.i18n import say
from ..addon.physics_words import PROBES
from ..addon.scene.members import unit_scale
from ..addon.session import moments, playback, probes_here
from ..checks.result import Finding
from .physics import began, may_run

#: No frame is meant; Blender's own are within a million (MAXFRAME).
_NO_FRAME = -2_000_000


class PLUMBLINE_OT_run_probes(bpy.types.Operator):
    """Simulate this scene on a copy and ask whether its motion is physics; nothing is changed"""

    bl_idname = "plumbline.run_probes"
    bl_label = "Run the Probes"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    only: bpy.props.StringProperty(
        name="Probe",
        description="Id of the one probe to ask; empty asks all",
        options={"SKIP_SAVE"},
    )

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What all ask, or the one."""
        if properties.only in PROBES:
            return say("Ask this alone. {what}", what=say(PROBES[properties.only][1]))
        return cls.bl_description

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a simulated scene, Object Mode and nothing at work."""
        if not probes_here.offered(context.scene):
            cls.poll_message_set("Nothing in this scene is simulated: no rigid body, no cloth")
            return False
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start it."""
        if self.only and self.only not in probes_here.asked(context.scene):
            self.report({"ERROR"}, f"There is no probe {self.only!r}")
            return {"CANCELLED"}
        return began(self, context, lambda: probes_here.run(context.scene, self.only or None))


class PLUMBLINE_OT_show_moment(bpy.types.Operator):
    """Go to the frame and the body of what was found"""

    bl_idname = "plumbline.show_moment"
    bl_label = "Show the Moment"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    check: bpy.props.StringProperty(name="Probe", description="Id of the probe that found it")
    number: bpy.props.IntProperty(name="Finding", description="Number of its finding", min=0)
    body: bpy.props.StringProperty(name="Body", description="Name of the body")
    frame: bpy.props.IntProperty(name="Frame", description="The frame to go to", default=_NO_FRAME)

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode: something is selected."""
        if context.mode == "OBJECT":
            return True
        cls.poll_message_set("Leave Edit Mode first (Tab): bodies are selected in Object Mode")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Move the playhead, select the body, aim the view."""
        scene = context.scene
        finding = _finding(scene, self.check, self.number)
        body, frame, place = self.body, None if self.frame == _NO_FRAME else self.frame, None
        if finding is not None:
            body, frame = finding.subject, finding.frame
            if finding.location is not None:
                place = [c / unit_scale(scene) for c in finding.location]
        told = moments.go(context, body, frame, place, probes_here.of(scene))
        if told:
            self.report({"WARNING"}, "; ".join(told))
        return {"FINISHED"}


def _finding(scene: bpy.types.Scene, check: str, number: int) -> Finding | None:
    """The finding that is meant; it becomes the chosen one, which the view draws."""
    found = probes_here.of(scene)
    result = probes_here.check_of(found, check) if found is not None else None
    if found is None or result is None or number >= len(result.findings):
        return None
    finding = result.findings[number]
    found.active = probes_here.row_of(found, finding)
    return finding


class PLUMBLINE_OT_watch_probes(bpy.types.Operator):
    """Play the motion that the probes judged, in a copy, with a mark where something was found"""

    bl_idname = "plumbline.watch_probes"
    bl_label = "Watch the Judged Motion"
    bl_description = __doc__
    bl_options = {"REGISTER", "UNDO"}

    frame: bpy.props.IntProperty(
        name="Frame", description="The frame to stand still at; -1 plays from the beginning",
        default=-1, options={"SKIP_SAVE"},
    )  # fmt: skip

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs what probes found, Object Mode, and nothing at work."""
        if context.scene is not None and probes_here.of(context.scene) is None:
            cls.poll_message_set("The probes weren't run yet: press Run the Probes")
            return False
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        found = probes_here.of(context.scene)
        show = probes_here.show_of(context.scene, found)
        playback.play(context.window, show, self.frame if self.frame >= 0 else None)
        return {"FINISHED"}


CLASSES = (PLUMBLINE_OT_run_probes, PLUMBLINE_OT_show_moment, PLUMBLINE_OT_watch_probes)
