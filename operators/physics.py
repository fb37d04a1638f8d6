# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking physics: probes on copies of the scene, and the motions that they found, played."""

from typing import Any

import bpy

from ..addon.i18n import say
from ..addon.physics_words import PROBES
from ..addon.scene.members import unit_scale
from ..addon.session import moments, otherwise, playback, probes_here, probing
from ..addon.session.motion import Motion, Show, Take, marks_of, moved_from_start
from ..addon.session.probing import Result
from ..addon.simulation import probes
from ..addon.simulation.probes import Probe
from ..checks.result import Finding

#: No frame is meant; Blender's own are within a million (MAXFRAME).
_NO_FRAME = -2_000_000


def reason_not_to(context: bpy.types.Context) -> str | None:
    """Why nothing can be simulated now: copies are made in Object Mode, one at a time."""
    if context.mode != "OBJECT":
        return "Leave Edit Mode first (Tab): what is being edited can't be copied"
    if playback.is_playback(context.scene):
        return "Stop the motion that is shown first"
    if probing.at_work(context.scene) is not None:
        return "A simulation of this scene is at work: wait for it or stop it"
    return None


def may_run(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Whether something can be simulated now; says why not to who asks."""
    reason = reason_not_to(context)
    if reason is not None:
        cls.poll_message_set(reason)
    return reason is None


def began(operator: bpy.types.Operator, context: bpy.types.Context, begin: Any) -> set[Any]:
    """Begin a simulation; what is in its way is an error in words."""
    try:
        begin()
    except ValueError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    trouble = probing.trouble(context.scene)
    if trouble:
        operator.report({"ERROR"}, trouble)
        return {"CANCELLED"}
    return {"FINISHED"}


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
        if not moments.go(context, body, frame, place):
            self.report({"WARNING"}, f"{body} can't be selected here; its frame is shown")
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


class PLUMBLINE_OT_run_probe(bpy.types.Operator):
    """Ask physics on a copy of this scene; the scene itself is not changed"""

    bl_idname = "plumbline.run_probe"
    bl_label = "Run"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    probe: bpy.props.StringProperty(name="Probe", description="Id of the probe")

    @classmethod
    def description(cls, _context: Any, properties: Any) -> str:
        """What the probe asks."""
        found = probes.find(properties.probe)
        return found.explanation if found is not None else cls.bl_description

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode and no other probe at work."""
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Start it."""
        found = probes.find(self.probe)
        if found is None:
            self.report({"ERROR"}, f"There is no probe {self.probe!r}")
            return {"CANCELLED"}
        return _run(self, context, found)


class PLUMBLINE_OT_let_it_fall(bpy.types.Operator):
    """Turn gravity on and watch what comes down, in a copy of this scene"""

    bl_idname = "plumbline.let_it_fall"
    bl_label = "Let It Fall"
    bl_description = __doc__
    bl_options = {"REGISTER"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs something that stands still."""
        kind = probing.kind_of(context.scene)
        if not any(probe.id == probes.FALL for probe in probes.probes_for(kind)):
            cls.poll_message_set(
                "This scene is simulated already: press Play, or Run the Probes"
                if kind == "reconstruction"
                else f"There is no simulation yet in which a {kind} structure falls"
            )
            return False
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Run it, and play what it found as soon as it is there."""
        return _run(self, context, probes.find(probes.FALL), show=True)


class PLUMBLINE_OT_stop_probe(bpy.types.Operator):
    """Stop the simulation that is at work for this scene"""

    bl_idname = "plumbline.stop_probe"
    bl_label = "Stop"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs one at work."""
        if probing.at_work(context.scene) is not None:
            return True
        cls.poll_message_set("No simulation of this scene is at work")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Call it off; its copy goes within moments."""
        probing.at_work(context.scene).cancel()
        return {"FINISHED"}


class PLUMBLINE_OT_play_motion(bpy.types.Operator):
    """Play the motion that was found, in a copy of this scene"""

    bl_idname = "plumbline.play_motion"
    bl_label = "Play"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    serial: bpy.props.IntProperty(name="Result", description="Number of the result")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode, and nothing at work."""
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        found = probing.result(context.scene, self.serial)
        if found is None or found.outcome.trajectory is None:
            self.report({"ERROR"}, "This result holds no motion")
            return {"CANCELLED"}
        playback.play(context.window, show_of(context.scene, found))
        return {"FINISHED"}


class PLUMBLINE_OT_play_comparison(bpy.types.Operator):
    """Play the runs beside each other on one timeline: as it is, and as it would be"""

    bl_idname = "plumbline.play_comparison"
    bl_label = "Play Side by Side"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    serial: bpy.props.IntProperty(name="Comparison", description="Number of the comparison")

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs Object Mode, and nothing at work."""
        return may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        found = otherwise.find(context.scene, self.serial)
        if found is None:
            self.report({"ERROR"}, "This comparison isn't kept any more: run it again")
            return {"CANCELLED"}
        playback.play(context.window, found.show)
        return {"FINISHED"}


class PLUMBLINE_OT_stop_motion(bpy.types.Operator):
    """Stop, and go back to your scene and your view; the copy is taken away"""

    bl_idname = "plumbline.stop_motion"
    bl_label = "Stop and Go Back"
    bl_description = __doc__
    bl_options = {"INTERNAL", "UNDO"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs a motion that is shown."""
        if playback.is_playback(context.scene):
            return True
        cls.poll_message_set("No motion is shown in this scene")
        return False

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Stop it."""
        playback.stop(in_view=not bpy.app.background)
        return {"FINISHED"}


def show_of(scene: bpy.types.Scene, found: Result) -> Show:
    """What a probe found, as it is played."""
    motion = Motion.of_probe(found.outcome.trajectory, unit_scale(scene))
    take = Take(found.probe.title, motion, moved_from_start(motion), found.outcome.says)
    return Show((take,), marks_of([(f.frame, f.subject) for f in found.outcome.findings]))


def _run(
    operator: bpy.types.Operator, context: bpy.types.Context, probe: Probe, show: bool = False
) -> set[Any]:
    uid = context.scene.session_uid
    window = context.window

    def then(result: Result) -> None:
        if show and result.outcome.trajectory is not None and window.scene.session_uid == uid:
            playback.play(window, show_of(window.scene, result))

    given = probing.given(context, probe)
    return began(operator, context, lambda: probing.run(context, probe, given, then))


CLASSES = (
    PLUMBLINE_OT_run_probes,
    PLUMBLINE_OT_show_moment,
    PLUMBLINE_OT_watch_probes,
    PLUMBLINE_OT_run_probe,
    PLUMBLINE_OT_let_it_fall,
    PLUMBLINE_OT_stop_probe,
    PLUMBLINE_OT_play_motion,
    PLUMBLINE_OT_play_comparison,
    PLUMBLINE_OT_stop_motion,
)
