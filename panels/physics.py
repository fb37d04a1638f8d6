# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Physics*: what can be asked of this scene, and what was found."""

import bpy

from ..addon.i18n import say
from ..addon.session import blind, playback, probes_here, probing, stepping
from ..addon.session.motion import Show
from ..addon.session.probing import Result
from ..addon.simulation import probes
from ..addon.simulation.probes import Probe
from . import physics_probes
from .jobs import time_left
from .text import wrapped

_FINDINGS_SHOWN = 5
_MARKS_SHOWN = 8
#: Probes that have a place of their own elsewhere in the panel.
_ELSEWHERE = ("what_if",)


class PLUMBLINE_PT_physics(bpy.types.Panel):
    """Ask physics: does it move as it should, what falls, what would happen otherwise"""

    bl_idname = "PLUMBLINE_PT_physics"
    bl_label = "Physics"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 6
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many probes found faults, even with the panel closed."""
        found = probes_here.of(context.scene)
        if found is not None and not blind.hidden(context):
            failed = sum(check.status == "failed" for check in found.judgement.checks)
            if failed:
                self.layout.label(text=str(failed), icon="CANCEL")

    def draw(self, context: bpy.types.Context) -> None:
        """What is shown, what is at work, what can be asked, and the answers."""
        layout, scene = self.layout, context.scene
        if playback.is_playback(scene):
            _draw_playback(layout, context, playback.now())
            return
        draw_work(layout, context)
        if probes_here.offered(scene):
            physics_probes.draw(layout, context)
        else:
            _draw_static(layout, context)
        if stepping.trouble(scene):
            wrapped(layout.box(), context, stepping.trouble(scene), icon="ERROR")
        for result in probing.results(scene):
            _draw_result(layout.box(), context, result)


def _draw_playback(
    layout: bpy.types.UILayout, context: bpy.types.Context, show: Show | None
) -> None:
    """The way back, what each view shows, and the moments on the timeline."""
    row = layout.row()
    row.scale_y = 1.6
    row.operator("plumbline.stop_motion", icon="LOOP_BACK")
    wrapped(layout, context, "This is a copy that shows a motion. Nothing here is kept.")
    if show is None:
        return
    row = layout.row(align=True)
    row.operator("screen.animation_play", text="Play or Pause", icon="PLAY")
    row.prop(context.scene, "frame_current", text="Frame")
    frame = context.scene.frame_current
    for take in show.takes:
        box = layout.box()
        box.label(text=take.title, icon="VIEW3D", translate=False)
        if take.says:
            wrapped(box, context, take.says)
        moved = take.count(frame)
        if moved:
            words = say("{n} of {all} moved by now", n=moved, all=int(take.counted.sum()))
            box.label(text=words, icon="FORCE_FORCE")
    if show.marks:
        layout.label(text="Moments", icon="MARKER_HLT")
    column = layout.column(align=True)
    for mark in show.marks[:_MARKS_SHOWN]:
        words = say("Frame {frame}: {what}", frame=mark.frame, what=mark.title)
        entry = column.operator("plumbline.show_moment", text=words, translate=False)
        entry.frame, entry.body = mark.frame, mark.title.partition(":")[0].partition(",")[0]


def draw_work(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What is simulated for this scene, how far it is, and the button that stops it."""
    work = stepping.at_work(context.scene)
    if work is None:
        return
    box = layout.box()
    row = box.row(align=True)
    row.label(text=work.title, icon="TIME", translate=False)
    row.operator("plumbline.stop_probe", text="Stop", icon="X")
    share = work.share
    box.progress(factor=share or 0.0, text=f"{share:.0%}" if share is not None else "", type="BAR")
    if work.left is not None:
        box.label(text=time_left(work.left))


def _draw_static(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What can be asked of a structure that stands still."""
    kind = probing.kind_of(context.scene)
    found = [p for p in probes.probes_for(kind) if p.id not in _ELSEWHERE]
    if not found:
        sentence = say("There is no simulation for {kind} structures in this version.", kind=kind)
        wrapped(layout, context, sentence, icon="INFO")
    for probe in found:
        _draw_probe(layout.box(), context, probe)


def _draw_probe(layout: bpy.types.UILayout, context: bpy.types.Context, probe: Probe) -> None:
    """What it asks, its parameters, the button."""
    wrapped(layout, context, probe.explanation)
    values = context.window_manager.plumbline_physics.values
    column = layout.column(align=True)
    for parameter in probe.parameters:
        item = values.get(f"{probe.id}.{parameter.id}")
        ends = f"{parameter.low:g} to {parameter.high:g} {parameter.unit}".rstrip()
        if item is not None:
            column.prop(item, "value", text=f"{parameter.title} ({ends})")
    row = layout.row()
    row.scale_y = 1.3
    if probe.id == probes.FALL:
        row.operator("plumbline.let_it_fall", icon="FORCE_FORCE")
        return
    row.operator("plumbline.run_probe", text=probe.title, icon="PLAY").probe = probe.id


def _draw_result(layout: bpy.types.UILayout, context: bpy.types.Context, result: Result) -> None:
    outcome = result.outcome
    row = layout.row(align=True)
    row.label(text=result.probe.title, icon="CHECKMARK" if not outcome.findings else "CANCEL")
    if outcome.trajectory is not None:
        row.operator("plumbline.play_motion", icon="PLAY").serial = result.serial
    wrapped(layout, context, outcome.says)
    for finding in outcome.findings[:_FINDINGS_SHOWN]:
        wrapped(layout, context, finding.message, icon="DOT")
    if len(outcome.findings) > _FINDINGS_SHOWN:
        layout.label(text=f"and {len(outcome.findings) - _FINDINGS_SHOWN} more", icon="BLANK1")


CLASSES = (PLUMBLINE_PT_physics,)
