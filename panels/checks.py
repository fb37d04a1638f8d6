# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Checks*: judge the open scene, and how each check came out."""

import bpy

from ..addon import review
from ..addon.words import STATUS_WORDS, VERDICT_WORDS, check_title, counted
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
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 1

    def draw(self, context: bpy.types.Context) -> None:
        """The rules, the button, the verdict, a row for each check."""
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
        _draw_checks(layout, context, found, state.filter_check)
        _draw_notes(layout, context, found.judgement.notes)


def _draw_verdict(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review
) -> None:
    verdict = found.judgement.verdict
    box = layout.box()
    box.alert = verdict == "failed"
    faults = counted(found.table.root_count, "fault") if len(found.table) else "no fault"
    box.label(text=f"{VERDICT_WORDS[verdict]}: {faults}", icon=VERDICT_ICONS[verdict])
    detail = box.column(align=True)
    detail.alert = False
    detail.scale_y = 0.8
    judged_as = f"rules: {found.judgement.profile}" + (f", task {found.task}" if found.task else "")
    detail.label(text=f"{counted(len(found.structure), 'member')} in {found.seconds:.2f} s")
    detail.label(text=judged_as)
    if found.stale:
        wrapped(layout, context, "Edited since this check: check again", icon="FILE_REFRESH")


def _draw_checks(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review, only: str
) -> None:
    column = layout.column(align=True)
    for result in found.judgement.checks:
        row = column.row(align=True)
        row.alert = result.status == "failed"
        title = check_title(result.id)
        if result.findings:
            button = row.operator(
                "plumbline.filter_check",
                text=title,
                icon=STATUS_ICONS[result.status],
                emboss=only == result.id,
                depress=only == result.id,
            )
            button.check = result.id
            count = row.row()
            count.alignment = "RIGHT"
            count.label(text=str(len(result.findings)))
        else:
            row.label(text=title, icon=STATUS_ICONS[result.status])
            outcome = row.row()
            outcome.alignment = "RIGHT"
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
        box.label(text=f"and {counted(len(notes) - _NOTES_SHOWN, 'more note')}", icon="BLANK1")


CLASSES = (PLUMBLINE_PT_checks,)
