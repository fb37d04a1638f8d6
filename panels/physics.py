# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Physics*: what can be asked of this structure, and what was found."""

import bpy

from ..addon.session import playback, probing
from ..addon.session.probing import Result
from ..addon.simulation import probes
from ..addon.simulation.probes import Probe
from .text import wrapped

_GROUPS = (
    ("probe", "What happens", "PHYSICS"),
    ("counterfactual", "What would happen", "MOD_PHYSICS"),
)
_FINDINGS_SHOWN = 5


class PLUMBLINE_PT_physics(bpy.types.Panel):
    """Ask physics: what falls, what tips, what would happen without this member"""

    bl_idname = "PLUMBLINE_PT_physics"
    bl_label = "Physics"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 6
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """The motion that is shown, what is at work, the probes, and their results."""
        layout, scene = self.layout, context.scene
        if playback.is_playback(scene):
            wrapped(layout, context, "This is a copy that shows a motion.", icon="INFO")
            row = layout.row()
            row.scale_y = 1.5
            row.operator("plumbline.stop_motion", icon="SNAP_FACE")
            return
        kind = probing.kind_of(scene)
        found = probes.probes_for(kind)
        if not found:
            sentence = f"There is no simulation for {kind} structures in this version yet."
            wrapped(layout, context, sentence, icon="INFO")
        _draw_work(layout, context)
        for group, title, icon in _GROUPS:
            members = [probe for probe in found if probe.group == group]
            if members:
                layout.label(text=title, icon=icon)
            for probe in members:
                _draw_probe(layout.box(), context, probe)
        if probing.trouble(scene):
            wrapped(layout, context, probing.trouble(scene), icon="ERROR")
        for result in probing.results(scene):
            _draw_result(layout.box(), context, result)


def _draw_work(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    work = probing.at_work(context.scene)
    if work is None:
        return
    row = layout.row(align=True)
    row.label(text=f"{work.title}: {work.words or 'beginning'}", icon="TIME")
    row.operator("plumbline.stop_probe", text="", icon="X")


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
