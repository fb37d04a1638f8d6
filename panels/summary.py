# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Plumbline* among the scene's properties: how the scene stands, in short."""

from __future__ import annotations

import time

import bpy

from ..addon import bundled, properties, review
from ..addon.i18n import say
from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.session import blind, checking
from ..addon.session.kind_here import kind_here
from .checks import VERDICT_ICONS
from .findings import severity_words
from .jobs import draw_jobs
from .text import wrapped

_WITHOUT_TASK = {
    "timber": "none: the usual loads",
    "voxel": "none: only what always holds",
    "reconstruction": "none: all fifteen probes",
}
_COUNTED = {"voxel": ("Blocks", "block", "blocks"), "reconstruction": ("Bodies", "body", "bodies")}


class PLUMBLINE_PT_summary(bpy.types.Panel):
    """How this scene stands by the checks, in short"""

    bl_idname = "PLUMBLINE_PT_summary"
    bl_label = "Plumbline"
    bl_description = __doc__
    bl_space_type = "PROPERTIES"
    bl_region_type = "WINDOW"
    bl_context = "scene"

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """The verdict, even with the panel closed."""
        found = review.of(context.scene)
        if found is not None and not blind.hidden(context):
            verdict = found.judgement.verdict
            self.layout.label(text=VERDICT_WORDS[verdict], icon=VERDICT_ICONS[verdict])

    def draw(self, context: bpy.types.Context) -> None:
        """What is judged, by what, and how it came out; the buttons."""
        layout = self.layout
        found = review.of(context.scene)
        facts = layout.column(align=True)
        for name, value in _facts(context, found):
            row = facts.split(factor=0.35)
            row.label(text=name)
            row.label(text=value)
        if found is not None and blind.hidden(context):
            wrapped(layout, context, blind.NOTE, icon="HIDE_ON")
        elif found is not None:
            _draw_verdict(layout, context, found)
        draw_jobs(layout, context)
        buttons = layout.row(align=True)
        buttons.operator("plumbline.check_scene", icon="VIEWZOOM")
        buttons.operator("plumbline.show_tab", text="Open Tab", icon="MENU_PANEL")


def _facts(context: bpy.types.Context, found: review.Review | None) -> list[tuple[str, str]]:
    scene = context.scene
    task = found.task if found is not None else scene and scene.get(bundled.TASK_KEY)
    kind = found.kind if found is not None else kind_here(scene)
    profile = (
        found.judgement.profile
        if found is not None
        else context.window_manager.plumbline.rules(kind)
    )
    facts = [
        ("Task", str(task) if task else _WITHOUT_TASK.get(kind, "none")),
        ("Rules", properties.profile_title(kind, profile)),
    ]
    if found is None:
        return [*facts, ("Last check", "not checked yet")]
    title, one, several = _COUNTED.get(kind, ("Members", "member", "members"))
    size = count(len(found.structure), one, several)
    return [
        *facts,
        (title, size),
        ("Last check", f"{_ago(found)}, {found.seconds:.2f} s"),
    ]


def _ago(found: review.Review) -> str:
    return time.strftime("%H:%M", time.localtime(found.when))


def _draw_verdict(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    verdict = found.judgement.verdict
    box = layout.box()
    box.alert = verdict == "failed"
    box.active = checking.at_work(context.scene) is None
    words = severity_words(found.table) or say("no fault")
    told = say(VERDICT_WORDS[verdict]).capitalize()
    box.label(text=f"{told}: {words}", icon=VERDICT_ICONS[verdict])
    if found.stale or found.older:
        wrapped(layout, context, "Edited since this check: check again", icon="FILE_REFRESH")


CLASSES = (PLUMBLINE_PT_summary,)
