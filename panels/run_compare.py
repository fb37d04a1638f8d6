# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Compare Two*: two attempts of the open run, and all that differs between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import bpy

from ..addon import words
from ..addon.comparing import Comparison
from ..addon.runs import wording
from ..addon.runs.wording import STATUS_WORDS, VERDICT_WORDS, count, printable
from ..addon.session import attempt_scene, blind, open_run
from ..addon.session.open_run import OpenRun
from .text import wrapped

#: Things of a kind that a list names; the rest is counted.
_NAMED = 6
_FIGURES_SHOWN = 12


def is_kept_back(context: bpy.types.Context, found: OpenRun, row: int) -> bool:
    """Whether what the checks said of an attempt is hidden from this person for now."""
    annotating = context.window_manager.plumbline_annotating
    if not annotating.blind:
        return False
    scene = attempt_scene.scene_of(found, row)
    return scene is None or context.scene != scene or blind.hidden(context)


def finding_words(finding: Mapping[str, Any]) -> str:
    """Check and member, for people."""
    return printable(f"{words.check_title(finding['check'])}: {finding['subject']}")


class PLUMBLINE_PT_compare(bpy.types.Panel):
    """Two attempts beside each other, and all that differs between them"""

    bl_idname = "PLUMBLINE_PT_compare"
    bl_parent_id = "PLUMBLINE_PT_runs"
    bl_label = "Compare Two"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"

    @classmethod
    def poll(cls, _context: bpy.types.Context) -> bool:
        """Shown once one of the two is chosen."""
        found = open_run.now()
        return found is not None and (found.a >= 0 or found.b >= 0)

    def draw(self, context: bpy.types.Context) -> None:
        """Who is A and B, the buttons, the table."""
        layout, found = self.layout, open_run.now()
        column = layout.column(align=True)
        for side, row in (("A", found.a), ("B", found.b)):
            name = printable(found.table.rows[row].name) if row >= 0 else "not chosen yet"
            column.label(text=f"{side}: {name}")
        row = layout.row(align=True)
        row.operator("plumbline.compare_attempts", icon="WINDOW")
        row.operator("plumbline.flip_sides", text="Flip", icon="UV_SYNC_SELECT")
        compared = found.compared
        if compared is None:
            return
        if any(is_kept_back(context, found, row) for row in (found.a, found.b)):
            wrapped(layout, context, blind.NOTE)
            return
        how = "As recorded then" if found.as_recorded else "Both judged by today's checks"
        layout.label(text=how)
        blocks = found.run.records[found.a].get("kind") == "voxel"
        _draw_compared(layout, context, compared, "block" if blocks else "member")


def _draw_compared(
    layout: bpy.types.UILayout, context: bpy.types.Context, compared: Comparison, counted: str
) -> None:
    box = layout.box()
    _pair_row(box, "", "A", "B")
    _pair_row(box, "Verdict", *(VERDICT_WORDS[one] for one in compared.verdicts))
    different = [pair for pair in compared.checks if not pair.same]
    for pair in different:
        _pair_row(
            box,
            words.check_title(pair.check),
            _came_out(pair.a, pair.faults_a),
            _came_out(pair.b, pair.faults_b),
        )
    alike = len(compared.checks) - len(different)
    if alike:
        box.label(text=f"{count(alike, 'check')} came out alike")
    _draw_findings(layout, context, compared)
    _draw_members(layout, context, compared, counted)
    if compared.figures:
        box = layout.box()
        for figure in compared.figures[:_FIGURES_SHOWN]:
            cells = ("" if x is None else wording.figure(x) for x in (figure.a, figure.b))
            _pair_row(box, printable(figure.name.replace("_", " ")), *cells)


def _came_out(status: str | None, faults: int) -> str:
    if status is None:
        return "not asked"
    return count(faults, "fault") if status == "failed" and faults else STATUS_WORDS[status]


def _pair_row(layout: bpy.types.UILayout, name: str, a: str, b: str) -> None:
    split = layout.split(factor=0.44)
    split.label(text=name)
    right = split.split(factor=0.5)
    right.label(text=a)
    right.label(text=b)


def _draw_findings(
    layout: bpy.types.UILayout, context: bpy.types.Context, compared: Comparison
) -> None:
    box = layout.box()
    for title, findings in (("Only in A", compared.only_a), ("Only in B", compared.only_b)):
        box.label(text=f"{title}: {count(len(findings), 'finding')}")
        for finding in findings[:_NAMED]:
            wrapped(box, context, finding_words(finding), icon="DOT")
        if len(findings) > _NAMED:
            box.label(text=f"and {len(findings) - _NAMED:,} more", icon="BLANK1")
    box.label(text=f"In both: {count(len(compared.both), 'finding')}")


def _draw_members(
    layout: bpy.types.UILayout, context: bpy.types.Context, compared: Comparison, counted: str
) -> None:
    members, box = compared.members, layout.box()
    if members is None:
        what = f"{counted}s".capitalize()
        wrapped(box, context, f"{what} can't be compared: one of the two has no scene here")
        return
    for title, names in (("only in A", members.only_a), ("only in B", members.only_b)):
        box.label(text=f"{count(len(names), counted)} {title}")
        if names:
            wrapped(box, context, _some(names), icon="DOT")
    box.label(text=f"{count(len(members.moved), counted)} moved or changed")
    if members.moved:
        told = [f"{name} by {wording.length(far)}" for name, far in members.moved]
        wrapped(box, context, _some(told), icon="DOT")
    box.label(text=f"{count(members.alike, counted)} alike")


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
    return printable(", ".join(names[:_NAMED])) + more


CLASSES = (PLUMBLINE_PT_compare,)
