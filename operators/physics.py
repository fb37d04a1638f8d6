# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking physics: running a probe on a copy of the scene, and playing the motion that it found."""

from typing import Any

import bpy

from ..addon.session import playback, probing
from ..addon.session.probing import Result
from ..addon.simulation import probes
from ..addon.simulation.probes import Probe


def _may_run(cls: type[bpy.types.Operator], context: bpy.types.Context) -> bool:
    """Copies are made in Object Mode, one probe at a time for a scene, never of a playback."""
    reason = None
    if context.mode != "OBJECT":
        reason = "Leave Edit Mode first (Tab): what is being edited can't be copied"
    elif playback.is_playback(context.scene):
        reason = "Stop the motion that is shown first"
    elif probing.at_work(context.scene) is not None:
        reason = "A probe of this scene is at work: wait for it or stop it"
    if reason is not None:
        cls.poll_message_set(reason)
    return reason is None


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
        return _may_run(cls, context)

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
        """Needs a probe of that kind."""
        kind = probing.kind_of(context.scene)
        if not any(probe.id == probes.FALL for probe in probes.probes_for(kind)):
            cls.poll_message_set(f"There is no simulation yet in which a {kind} structure falls")
            return False
        return _may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Run it, and play what it found as soon as it is there."""
        return _run(self, context, probes.find(probes.FALL), show=True)


class PLUMBLINE_OT_stop_probe(bpy.types.Operator):
    """Stop the probe that is at work for this scene"""

    bl_idname = "plumbline.stop_probe"
    bl_label = "Stop"
    bl_description = __doc__
    bl_options = {"INTERNAL"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Needs one at work."""
        if probing.at_work(context.scene) is not None:
            return True
        cls.poll_message_set("No probe of this scene is at work")
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
        return _may_run(cls, context)

    def execute(self, context: bpy.types.Context) -> set[Any]:
        """Play it."""
        found = [r for r in probing.results(context.scene) if r.serial == self.serial]
        if not found or found[0].outcome.trajectory is None:
            self.report({"ERROR"}, "This result holds no motion")
            return {"CANCELLED"}
        try:
            playback.play(context.window, found[0].outcome.trajectory)
        except ValueError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        return {"FINISHED"}


class PLUMBLINE_OT_stop_motion(bpy.types.Operator):
    """Stop, and go back to your scene; the copy is taken away"""

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
        playback.stop()
        return {"FINISHED"}


def _run(
    operator: bpy.types.Operator, context: bpy.types.Context, probe: Probe, show: bool = False
) -> set[Any]:
    uid = context.scene.session_uid
    window = context.window

    def then(result: Result) -> None:
        trajectory = result.outcome.trajectory
        if show and trajectory is not None and window.scene.session_uid == uid:
            playback.play(window, trajectory)

    try:
        probing.run(context, probe, probing.given(context, probe), then)
    except ValueError as error:
        operator.report({"ERROR"}, str(error))
        return {"CANCELLED"}
    trouble = probing.trouble(context.scene)
    if trouble:
        operator.report({"ERROR"}, trouble)
        return {"CANCELLED"}
    return {"FINISHED"}


CLASSES = (
    PLUMBLINE_OT_run_probe,
    PLUMBLINE_OT_let_it_fall,
    PLUMBLINE_OT_stop_probe,
    PLUMBLINE_OT_play_motion,
    PLUMBLINE_OT_stop_motion,
)
