# SPDX-License-Identifier: GPL-3.0-or-later
"""How the checks of blocks are told: in groups, with what was asked, measured and scored."""

from __future__ import annotations

from collections.abc import Mapping

import bpy

from ..addon import bundled, review
from ..addon.block_words import asked, found, group_of
from ..addon.i18n import say, say_count
from ..addon.runs.wording import STATUS_WORDS, printable
from ..addon.words import check_title
from ..checks.result import CheckResult, Finding
from .text import is_wide, wrapped

_BOTTOM = "shape.is_bottom_surface_concave"
_GROUP_ICON = "DOT"


def draw_rules(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Which rules blocks are judged by, and which way a bottom bulges where a task asks for it."""
    state = context.window_manager.plumbline
    layout.prop(state, "block_profile")
    if _asks_for_bottom(context.scene):
        layout.prop(state, "bottom")


def _asks_for_bottom(scene: bpy.types.Scene) -> bool:
    task = bundled.known(scene.get(bundled.TASK_KEY))
    turns = task.brief.get("checks") if task is not None and task.kind == "voxel" else None
    return any(
        isinstance(call, Mapping) and call.get("fn") == _BOTTOM
        for turn in turns or ()
        for call in turn
    )


def in_groups(results: tuple[CheckResult, ...]) -> list[tuple[str, list[CheckResult]]]:
    """Checks by turn and group, in the order in which the task first asks for one of each."""
    groups: dict[str, list[CheckResult]] = {}
    several = any(result.id.startswith("turn") for result in results)
    for result in results:
        name = say(group_of(result.id) or "Other checks")
        if several:
            name = say("Turn {n}: {group}", n=result.figures.get("turn", 1), group=name)
        groups.setdefault(name, []).append(result)
    return list(groups.items())


def draw_group(layout: bpy.types.UILayout, name: str, results: list[CheckResult]) -> None:
    """A group's heading: how many of its checks are kept, and its score by the paper's count."""
    row = layout.row(align=True)
    row.label(text=name, icon=_GROUP_ICON)
    counted = row.row(align=True)
    counted.alignment = "RIGHT"
    passed = sum(result.status == "passed" for result in results)
    counted.label(text=say("{n} of {all}", n=passed, all=len(results)))


def outcome_words(result: CheckResult) -> str:
    """``passed``, or the score of a check that has no limit."""
    scored = result.figures.get("scored") and result.score is not None
    return f"{result.score:.3f}" if scored else say(STATUS_WORDS[result.status])


def draw_facts(layout: bpy.types.UILayout, context: bpy.types.Context, result: CheckResult) -> None:
    """What was asked and what was found, and the reason where there is no answer."""
    told = ((say("Asked"), asked(result.figures)), (say("Found"), found(result.figures)))
    lines = [f"{title}: {printable(words)}" for title, words in told if words]
    box = layout.column(align=True)
    box.scale_y = 0.8
    box.active = False
    for line in lines:
        wrapped(box, context, line, icon="BLANK1")
    if result.reason and result.status != "failed":
        wrapped(layout, context, printable(result.reason), icon="BLANK1")


def score_words(found: review.Review) -> str:
    """``score 5.83 of 7``: the sum over all checks, as the paper counts them; empty for nothing."""
    scores = [c.score for c in found.judgement.checks if c.score is not None]
    if not scores:
        return ""
    return say("score {n} of {all} checks", n=f"{sum(scores):.4g}", all=len(scores))


def draw_finding(
    layout: bpy.types.UILayout, finding: Finding, context: bpy.types.Context, icon: str
) -> None:
    """A row of the list of findings: which check, and the sentence where there is room for it."""
    if is_wide(context):
        split = layout.split(factor=0.3)
        split.label(text=check_title(finding.check), icon=icon)
        split.label(text=printable(finding.message))
        return
    split = layout.split(factor=0.7)
    split.label(text=check_title(finding.check), icon=icon)
    number = len(finding.detail.get("blocks", ()))
    split.label(text=say_count(number, "{n} block", "{n} blocks") if number else "")
