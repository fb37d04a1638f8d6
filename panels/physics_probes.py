# SPDX-License-Identifier: GPL-3.0-or-later
"""The fifteen probes in the panel *Physics*: each a sentence that holds or doesn't."""

import bpy

from ..addon import preferences
from ..addon.i18n import say, say_count
from ..addon.physics_words import fault_title, probe_title
from ..addon.review import Review
from ..addon.runs.wording import STATUS_WORDS, printable
from ..addon.session import blind, playback, probes_here
from ..addon.words import comparison
from ..checks.result import CheckResult, Finding
from .checks import STATUS_ICONS, outcome_counts
from .text import is_wide, wrapped

_SHOWN = 4
#: Statuses of probes that had nothing to look at: they stand together at the end, in one line each.
_QUIET = ("vacuous", "not_applicable")


class PLUMBLINE_PT_probes(bpy.types.Panel):
    """Every probe with what came of it; each can be asked alone"""

    bl_idname = "PLUMBLINE_PT_probes"
    bl_parent_id = "PLUMBLINE_PT_physics"
    bl_label = "Each Probe"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 0
    bl_options = {"DEFAULT_CLOSED"}

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Where there is motion to ask about, and nothing that is to stay hidden."""
        scene = context.scene
        if playback.is_playback(scene) or not probes_here.offered(scene):
            return False
        return probes_here.of(scene) is None or not blind.hidden(context)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many there are of each outcome, even with the panel closed."""
        found = probes_here.of(context.scene)
        if found is not None:
            row = self.layout.row(align=True)
            for icon, number in outcome_counts(found).items():
                row.label(text=str(number), icon=icon)

    def draw(self, context: bpy.types.Context) -> None:
        """A row for each."""
        _draw_list(self.layout, context, probes_here.of(context.scene))


def draw(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The button, the answer in one line, what is at fault, and every probe."""
    found = probes_here.of(context.scene)
    if found is not None and blind.hidden(context):
        wrapped(layout, context, blind.NOTE, icon="HIDE_ON")
        return
    row = layout.row()
    row.scale_y = 1.5
    row.operator("plumbline.run_probes", icon="PHYSICS")
    if found is None:
        wrapped(layout, context, "Is this motion physics? Fifteen probes measure it on a copy.")
        return
    _draw_answer(layout, context, found)
    for check in found.judgement.checks:
        if check.status == "failed":
            _draw_failed(layout.box(), context, check)
    for note in found.judgement.notes[:_SHOWN]:
        wrapped(layout, context, note, icon="INFO")


def _draw_answer(layout: bpy.types.UILayout, context: bpy.types.Context, found: Review) -> None:
    """What it comes to, in one line, and the way to watch it."""
    failed = sum(check.status == "failed" for check in found.judgement.checks)
    passed = sum(check.status == "passed" for check in found.judgement.checks)
    box = layout.box()
    line = box.row(align=True)
    line.alert = failed > 0
    if failed:
        words = say_count(failed, "{n} probe found faults", "{n} probes found faults")
        line.label(text=words, icon="CANCEL")
    elif passed:
        line.label(text="Nothing speaks against it", icon="CHECKMARK")
    else:
        line.label(text="There was nothing to judge", icon="QUESTION")
    row = box.row(align=True)
    row.operator("plumbline.watch_probes", text="Watch It", icon="PLAY")
    if found.stale:
        wrapped(box, context, "Edited since: run the probes again", icon="FILE_REFRESH")


def _draw_failed(
    layout: bpy.types.UILayout, context: bpy.types.Context, check: CheckResult
) -> None:
    """A probe that found something, and where: each a button to its frame and body."""
    row = layout.row()
    row.alert = True
    row.label(text=fault_title(check.id), icon="CANCEL")
    for number, finding in enumerate(check.findings[:_SHOWN]):
        _draw_moment(layout, context, check, number, finding)
    rest = len(check.findings) - _SHOWN
    if rest > 0:
        layout.label(text=say_count(rest, "and {n} more", "and {n} more"), icon="BLANK1")


def _draw_moment(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    check: CheckResult,
    number: int,
    finding: Finding,
) -> None:
    column = layout.column(align=True)
    row = column.row(align=True)
    name = printable(finding.subject)
    words = name
    if finding.frame is not None:
        words = say("Frame {frame}: {what}", frame=finding.frame, what=name)
    figures = comparison(finding, preferences.look(context).units)
    if figures and is_wide(context):
        words = f"{words}   {figures}"
    entry = row.operator("plumbline.show_moment", text=words, icon="RESTRICT_SELECT_OFF")
    entry.check, entry.number = check.id, number
    if finding.frame is not None:
        row.operator("plumbline.watch_probes", text="", icon="PLAY").frame = finding.frame
    wrapped(column, context, finding.message)


def _draw_list(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: Review | None
) -> None:
    """Every probe in a line: how it came out, what it says, and the button to ask it alone."""
    told = {check.id: check for check in found.judgement.checks} if found is not None else {}
    column = layout.column(align=True)
    every = list(told) or probes_here.asked(context.scene)
    quiet = [name for name in every if name in told and told[name].status in _QUIET]
    for name in every:
        if name not in quiet:
            _draw_line(column, context, name, told.get(name))
    if quiet:
        column.separator()
        column.label(text="Nothing here to ask these:")
    for name in quiet:
        _draw_line(column, context, name, told[name])


def _draw_line(
    column: bpy.types.UILayout,
    context: bpy.types.Context,
    name: str,
    check: CheckResult | None,
) -> None:
    row = column.row(align=True)
    title = row.row(align=True)
    title.active = check is None or check.status not in _QUIET
    title.alert = check is not None and check.status == "failed"
    icon = STATUS_ICONS[check.status] if check is not None else "LAYER_USED"
    title.label(text=probe_title(name), icon=icon)
    if check is not None and is_wide(context):
        outcome = row.row()
        outcome.alignment = "RIGHT"
        outcome.label(text=STATUS_WORDS[check.status])
    entry = row.operator("plumbline.run_probes", text="", icon="FILE_REFRESH", emboss=False)
    entry.only = name
    if check is not None and check.status in ("not_run", "inconclusive") and check.reason:
        wrapped(column, context, check.reason, icon="BLANK1")


CLASSES = (PLUMBLINE_PT_probes,)
