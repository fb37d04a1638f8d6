# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking physics: probes on copies of the scene, and the motions that they found, played."""

from typing import Any

import bpy

from ..addon.i18n import say
from ..addon.scene.members import unit_scale
from ..addon.session import otherwise, playback, probing
from ..addon.session.motion import (
    Motion,
    Show,
    Take,
    marks_of,
    moved_by_frame,
    moved_from_start,
    still,
)
from ..addon.session.probing import Result
from ..addon.simulation import probes
from ..addon.simulation.probes import Probe


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

    member: bpy.props.StringProperty(
        name="Member",
        description="The member to keep an eye on: it is red from the beginning",
        options={"SKIP_SAVE"},
    )

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
        return _run(self, context, probes.find(probes.FALL), True, self.member)


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


def show_of(scene: bpy.types.Scene, found: Result, member: str = "") -> Show:
    """What a probe found, as it is played; what falls beside how it stands.

    ``member`` is the one that is marked from the beginning.
    """
    outcome = found.outcome
    motion = Motion.of_probe(outcome.trajectory, unit_scale(scene))
    frames = {f.subject: f.frame for f in outcome.findings}
    moved = moved_by_frame(motion, frames) if frames else moved_from_start(motion)
    at_fault = frozenset({member}) & frozenset(motion.names)
    leader = next(iter(frames), "")
    takes = [Take(found.probe.title, motion, moved, outcome.says, at_fault, leader)]
    if found.probe.id == probes.FALL:
        before = still(motion)
        takes.insert(0, Take(say("As it stands"), before, moved_from_start(before), "", at_fault))
    return Show(tuple(takes), marks_of([(f.frame, f.subject) for f in outcome.findings]))


def _run(
    operator: bpy.types.Operator,
    context: bpy.types.Context,
    probe: Probe,
    show: bool = False,
    member: str = "",
) -> set[Any]:
    uid = context.scene.session_uid
    window = context.window

    def then(result: Result) -> None:
        if show and result.outcome.trajectory is not None and window.scene.session_uid == uid:
            playback.play(window, show_of(window.scene, result, member))

    given = probing.given(context, probe)
    return began(operator, context, lambda: probing.run(context, probe, given, then))


CLASSES = (
    PLUMBLINE_OT_run_probe,
    PLUMBLINE_OT_let_it_fall,
    PLUMBLINE_OT_stop_probe,
    PLUMBLINE_OT_play_motion,
    PLUMBLINE_OT_play_comparison,
    PLUMBLINE_OT_stop_motion,
)
