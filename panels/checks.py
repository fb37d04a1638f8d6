# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Checks*: judge the open scene, and how each check came out."""

import bpy

from ..addon import review
from ..addon.i18n import say, say_count
from ..addon.runs.wording import STATUS_WORDS, VERDICT_WORDS
from ..addon.session import blind, checking, live_check
from ..addon.session.kind_here import kind_here
from ..addon.words import check_title
from ..checks.result import CheckResult
from . import block_checks, motion_checks
from .jobs import draw_jobs
from .text import is_wide, wrapped

STATUS_ICONS = {
    "passed": "CHECKMARK",
    "failed": "CANCEL",
    "vacuous": "REMOVE",
    "not_applicable": "REMOVE",
    "not_run": "QUESTION",
    "inconclusive": "QUESTION",
}

VERDICT_ICONS = {"passed": "CHECKMARK", "failed": "CANCEL", "not_judged": "QUESTION"}

_NOTES_SHOWN = 5


class PLUMBLINE_PT_checks(bpy.types.Panel):
    """Judge the open scene and see which rules it keeps"""

    bl_idname = "PLUMBLINE_PT_checks"
    bl_label = "Checks"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 2

    def draw(self, context: bpy.types.Context) -> None:
        """The rules, the button, what is at work, the verdict."""
        layout = self.layout
        kind = kind_here(context.scene)
        if kind == "voxel":
            block_checks.draw_rules(layout, context)
        elif kind == "reconstruction":
            _draw_motion(layout, context)
        else:
            layout.prop(context.window_manager.plumbline, "profile")
        found = review.of(context.scene)
        _draw_buttons(layout, context, found)
        _draw_live(layout, context)
        draw_jobs(layout, context)
        if found is None:
            return
        if blind.hidden(context):
            wrapped(layout, context, blind.NOTE, icon="HIDE_ON")
            return
        _draw_verdict(layout, context, found)


class PLUMBLINE_PT_each_check(bpy.types.Panel):
    """How each check came out, and what was noticed while reading the scene"""

    bl_idname = "PLUMBLINE_PT_each_check"
    bl_parent_id = "PLUMBLINE_PT_checks"
    bl_label = "Each Check"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_options = {"DEFAULT_CLOSED"}  # findings come first: they must be in sight below

    @classmethod
    def poll(cls, context: bpy.types.Context) -> bool:
        """Nothing to show before the first check, and nothing that is to stay hidden."""
        return review.of(context.scene) is not None and not blind.hidden(context)

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many there are of each outcome, even with the panel closed."""
        found = review.of(context.scene)
        if found is None:  # gone since the poll
            return
        row = self.layout.row(align=True)
        for icon, number in outcome_counts(found).items():
            row.label(text=str(number), icon=icon)

    def draw(self, context: bpy.types.Context) -> None:
        """A row for each check, then the notes."""
        found = review.of(context.scene)
        if found is None:
            return
        state = context.window_manager.plumbline
        _draw_checks(self.layout, context, found, state.filter_check)
        _draw_notes(self.layout, context, found.judgement.notes)


def outcome_counts(found: review.Review) -> dict[str, int]:
    """Number of checks under each status icon, in the order of ``STATUS_ICONS``."""
    icons = [STATUS_ICONS[result.status] for result in found.judgement.checks]
    return {i: icons.count(i) for i in dict.fromkeys(STATUS_ICONS.values()) if i in icons}


def _draw_motion(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What is simulated: the frames, and that the scene itself stays as it is."""
    scene = context.scene
    frames = say("frames {first} to {last}", first=scene.frame_start, last=scene.frame_end)
    layout.label(text=say("Simulated on a copy: {frames}", frames=frames), icon="PHYSICS")


def _draw_buttons(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review | None
) -> None:
    button = layout.row(align=True)
    button.scale_y = 1.4
    button.operator("plumbline.check_scene", icon="VIEWZOOM")
    live = context.window_manager.plumbline_live
    button.prop(live, "on", text="Live", icon="FILE_REFRESH", toggle=True)
    if found is not None:
        button.operator("plumbline.clear_review", text="", icon="X")


def _draw_live(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What keeps the scene from being checked by itself, if it should be."""
    if not context.window_manager.plumbline_live.on or context.scene is None:
        return
    reason = live_check.why_off(context.scene)
    if reason is None and live_check.waits_for():
        reason = live_check.waits_for().capitalize()
    if reason is not None:
        wrapped(layout, context, reason, icon="PAUSE")


def _draw_verdict(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    verdict = found.judgement.verdict
    checking_now = checking.at_work(context.scene) is not None
    if checking_now:
        layout.label(text="Checking... This is the answer from before:", icon="SORTTIME")
    box = layout.box()
    box.active = not checking_now
    box.alert = verdict == "failed"
    faults = say("no fault")
    if len(found.table):
        faults = say_count(found.table.root_count, "{n} fault", "{n} faults")
    told = say(VERDICT_WORDS[verdict]).capitalize()
    box.label(text=f"{told}: {faults}", icon=VERDICT_ICONS[verdict])
    detail = box.column(align=True)
    detail.alert = False
    detail.scale_y = 0.8
    for line in _verdict_facts(context, found):
        detail.label(text=line)
    if found.older:
        older = say_count(
            len(found.older),
            "{n} answer is from before an edit: check again",
            "{n} answers are from before an edit: check again",
        )
        wrapped(layout, context, older, icon="TIME")
    if found.stale:
        wrapped(layout, context, "Edited since this check: check again", icon="FILE_REFRESH")


def counted(found: review.Review) -> str:
    """How much was judged: members, blocks or bodies."""
    number = len(found.structure)
    if found.kind == "voxel":
        return say_count(number, "{n} block", "{n} blocks")
    if found.in_motion:
        return say_count(number, "{n} body", "{n} bodies")
    return say_count(number, "{n} member", "{n} members")


def _verdict_facts(context: bpy.types.Context, found: review.Review) -> list[str]:
    """How much was judged, how long it took, by what, and what became other."""
    members = counted(found)
    lines = [say("{members} in {seconds} s", members=members, seconds=f"{found.seconds:.2f}")]
    if found.kind == "voxel" and block_checks.score_words(found):
        lines.append(block_checks.score_words(found))
    if found.in_motion:
        lines += motion_checks.facts(found)
    if found.task:
        lines.append(say("by the brief of {task}", task=found.task))
    if "bottom" in found.overrides:
        lines.append(say("bottom surface: {way}", way=found.overrides["bottom"]))
    elif found.overrides and "turns" not in found.overrides:  # a lesson's own checks
        lines.append(f"with another {', '.join(found.overrides).replace('_', ' ')}")
    if found.judgement.profile != context.window_manager.plumbline.rules(found.kind):
        lines.append(say("by the rules: {rules}", rules=found.judgement.profile))
    changes = found.changes
    if changes is not None and (changes.mended or changes.new):
        words = [
            f"{number:,} {word}"
            for number, word in ((len(changes.mended), "mended"), (len(changes.new), "new"))
            if number
        ]
        lines.append(f"{', '.join(words)} since the check before")
    return lines


def _draw_checks(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review, only: str
) -> None:
    column = layout.column(align=True)
    column.active = checking.at_work(context.scene) is None
    if found.kind == "voxel":
        for name, results in block_checks.in_groups(found.judgement.checks):
            block_checks.draw_group(column, name, results)
            for result in results:
                _draw_check(column, context, found, result, only)
        return
    for result in found.judgement.checks:
        _draw_check(column, context, found, result, only)


def _draw_check(
    column: bpy.types.UILayout,
    context: bpy.types.Context,
    found: review.Review,
    result: CheckResult,
    only: str,
) -> None:
    """A check: how it came out, how many findings it has, why it has no answer."""
    blocks = found.kind == "voxel"
    row = column.row(align=True)
    title = row.row(align=True)
    title.alert = result.status == "failed"
    title.active = result.id not in found.older
    title.label(text=check_title(result.id), icon=STATUS_ICONS[result.status])
    outcome = row.row(align=True)
    outcome.alignment = "RIGHT"
    if result.id in found.older:
        outcome.label(text="older", icon="TIME")
    if is_wide(context) and result.id in found.timing:
        outcome.label(text=milliseconds(found.timing[result.id]))
    if result.findings:
        outcome.operator(
            "plumbline.filter_check",
            text=str(len(result.findings)),
            icon="FILTER",
            depress=only == result.id,
        ).check = result.id
    else:
        words = block_checks.outcome_words(result) if blocks else STATUS_WORDS[result.status]
        outcome.label(text=words)
    if result.id != "reading":
        outcome.operator(
            "plumbline.check_one", text="", icon="FILE_REFRESH", emboss=False
        ).check = result.id
    if blocks:
        block_checks.draw_facts(column, context, result)
    elif found.in_motion:
        motion_checks.draw_facts(column, context, result)
        _draw_reason(column, context, result)
    else:
        _draw_reason(column, context, result)


def milliseconds(seconds: float) -> str:
    """How long a check took: ``12 ms``, ``1.3 s``."""
    if seconds < 0.0005:
        return "< 1 ms"
    return f"{1000 * seconds:.0f} ms" if seconds < 0.9995 else f"{seconds:.1f} s"


def _draw_reason(
    layout: bpy.types.UILayout, context: bpy.types.Context, result: CheckResult
) -> None:
    """Why a check has no answer where the verdict needs one; a neutral blank needs no words."""
    open_question = result.status in ("not_run", "inconclusive")
    missing = result.status == "vacuous" and result.required
    if result.reason and (open_question or missing or result.degraded):
        wrapped(layout, context, result.reason, icon="BLANK1")


def _draw_notes(
    layout: bpy.types.UILayout, context: bpy.types.Context, notes: tuple[str, ...]
) -> None:
    if not notes:
        return
    box = layout.box()
    for note in notes[:_NOTES_SHOWN]:
        wrapped(box, context, note, icon="INFO")
    if len(notes) > _NOTES_SHOWN:
        rest = say_count(len(notes) - _NOTES_SHOWN, "and {n} more note", "and {n} more notes")
        box.label(text=rest, icon="BLANK1")


CLASSES = (PLUMBLINE_PT_checks, PLUMBLINE_PT_each_check)
