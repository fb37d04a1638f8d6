# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Checks*: judge the open scene, and how each check came out."""

import bpy

from ..addon import review
from ..addon.runs.wording import STATUS_WORDS, VERDICT_WORDS, count
from ..addon.words import check_title
from ..checks.result import CheckResult
from .text import wrapped

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
        """The rules, the button, the verdict."""
        layout = self.layout
        state = context.window_manager.plumbline
        layout.prop(state, "profile")
        button = layout.row(align=True)
        button.scale_y = 1.4
        button.operator("plumbline.check_scene", icon="VIEWZOOM")
        found = review.of(context.scene)
        if found is None:
            return
        button.operator("plumbline.clear_review", text="", icon="X")
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
        """Nothing to show before the first check."""
        return review.of(context.scene) is not None

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How many there are of each outcome, even with the panel closed."""
        row = self.layout.row(align=True)
        for icon, number in outcome_counts(review.of(context.scene)).items():
            row.label(text=str(number), icon=icon)

    def draw(self, context: bpy.types.Context) -> None:
        """A row for each check, then the notes."""
        found = review.of(context.scene)
        state = context.window_manager.plumbline
        _draw_checks(self.layout, context, found, state.filter_check)
        _draw_notes(self.layout, context, found.judgement.notes)


def outcome_counts(found: review.Review) -> dict[str, int]:
    """Number of checks under each status icon, in the order of ``STATUS_ICONS``."""
    icons = [STATUS_ICONS[result.status] for result in found.judgement.checks]
    return {i: icons.count(i) for i in dict.fromkeys(STATUS_ICONS.values()) if i in icons}


def _draw_verdict(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    verdict = found.judgement.verdict
    box = layout.box()
    box.alert = verdict == "failed"
    faults = count(found.table.root_count, "fault") if len(found.table) else "no fault"
    box.label(text=f"{VERDICT_WORDS[verdict].capitalize()}: {faults}", icon=VERDICT_ICONS[verdict])
    detail = box.column(align=True)
    detail.alert = False
    detail.scale_y = 0.8
    detail.label(text=f"{count(len(found.structure), 'member')} in {found.seconds:.2f} s")
    if found.task:
        detail.label(text=f"by the brief of {found.task}")
    if found.judgement.profile != context.window_manager.plumbline.profile:
        detail.label(text=f"by the rules: {found.judgement.profile}")
    if found.stale:
        wrapped(layout, context, "Edited since this check: check again", icon="FILE_REFRESH")


def _draw_checks(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review, only: str
) -> None:
    column = layout.column(align=True)
    for result in found.judgement.checks:
        row = column.row(align=True)
        title = row.row(align=True)
        title.alert = result.status == "failed"
        title.label(text=check_title(result.id), icon=STATUS_ICONS[result.status])
        outcome = row.row(align=True)
        outcome.alignment = "RIGHT"
        if result.findings:
            outcome.operator(
                "plumbline.filter_check",
                text=str(len(result.findings)),
                icon="FILTER",
                depress=only == result.id,
            ).check = result.id
        else:
            outcome.label(text=STATUS_WORDS[result.status])
        _draw_reason(column, context, result)


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
        box.label(text=f"and {count(len(notes) - _NOTES_SHOWN, 'more note')}", icon="BLANK1")


CLASSES = (PLUMBLINE_PT_checks, PLUMBLINE_PT_each_check)
