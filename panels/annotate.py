# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Annotate*: what a person says of a finding and of the whole structure."""

from typing import Any

import bpy

from ..addon import review
from ..addon.annotations.row import TAGS, Row
from ..addon.runs.wording import count, place, printable
from ..addon.session import annotating, blind, exporting, picking, sitting
from ..addon.session.kind_here import kind_here
from ..addon.session.sitting import Sitting
from ..addon.words import check_title, subject
from .jobs import draw_jobs
from .text import wrapped

_LISTED = 8

_JUDGMENTS = (("agree", "Agree", "CHECKMARK"), ("disagree", "Disagree", "X"))
_OPINIONS = (("sound", "Sound", "CHECKMARK"), ("faulty", "Faulty", "CANCEL"))
_UNSURE = ("unsure", "Unsure", "QUESTION")
_ICONS = {key: icon for key, _, icon in (*_JUDGMENTS, *_OPINIONS, _UNSURE)}


class PLUMBLINE_PT_annotate(bpy.types.Panel):
    """Say what you think of the findings and of the structure; everything is saved at once"""

    bl_idname = "PLUMBLINE_PT_annotate"
    bl_label = "Annotate"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 4
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How far one is, even with the panel closed."""
        found, here = review.of(context.scene), sitting.sitting(context)
        if found is not None and here is not None and not blind.hidden(context):
            done, total = here.progress(found, context.window_manager.plumbline.query())
            if total:
                self.layout.label(text=f"{done:,} / {total:,}")

    def draw(self, context: bpy.types.Context) -> None:
        """The name, the structure, the chosen finding, what was missed, what was said."""
        layout = self.layout
        state = sitting.state_of(context)
        layout.prop(sitting.holder_of(context), "annotator", text="", icon="USER")
        here = sitting.sitting(context)
        if here is None:
            wrapped(layout, context, "Write your name: your judgments are kept under it", "INFO")
            return
        layout.prop(state, "blind", icon="HIDE_ON" if state.blind else "HIDE_OFF")
        hidden = blind.hidden(context)
        _draw_structure(layout, context, here, hidden)
        found = review.of(context.scene)
        if found is not None and len(found.table) and not hidden:
            _draw_finding(layout, context, here, found, state)
        _draw_words(layout, state)
        row = layout.row()
        row.scale_y = 1.2
        if kind_here(context.scene) == "voxel":
            row.operator(
                "plumbline.pick_fault", text="Mark a Fault: Click a Block", icon="EYEDROPPER"
            )
        else:
            row.operator(
                "plumbline.pick_fault", text="Mark a Fault: Click a Member", icon="EYEDROPPER"
            )
        _draw_said(layout, context, here, state)


def _draw_structure(
    layout: bpy.types.UILayout, context: bpy.types.Context, here: Sitting, hidden: bool
) -> None:
    said = here.structure or {}
    box = layout.box()
    if here.of.get("edited"):
        wrapped(box, context, "Edited since it was loaded: you judge what is there now", "INFO")
    box.label(text="The structure as a whole", icon="HOME")
    if hidden:
        box.label(text="The checks are hidden till then", icon="HIDE_ON")
    row = box.row(align=True)
    row.scale_y = 1.2
    for key, words, icon in (*_OPINIONS, _UNSURE):
        row.operator(
            "plumbline.judge_structure", text=words, icon=icon, depress=said.get("opinion") == key
        ).opinion = key
    row = box.row(align=True)
    row.label(text="Rating")
    for rating in range(1, 6):
        row.operator(
            "plumbline.rate_structure", text=str(rating), depress=said.get("rating") == rating
        ).rating = rating


def _draw_finding(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    here: Sitting,
    found: review.Review,
    state: Any,
) -> None:
    done, total = here.progress(found, context.window_manager.plumbline.query())
    box = layout.box()
    row = box.row(align=True)
    row.progress(
        factor=done / total if total else 0.0,
        text=f"{done:,} of {count(total, 'finding')} judged",
    )
    row.prop(state, "step", text="", icon="AUTO")
    row.operator("plumbline.next_unjudged", text="", icon="FORWARD")
    finding = found.chosen
    if finding is None:
        box.label(text="Choose a finding in the list", icon="INFO")
        return
    box.label(text=f"{check_title(finding.check)}: {subject(finding)}")
    said = here.said(found, found.active) or {}
    row = box.row(align=True)
    row.scale_y = 1.2
    for key, words, icon in (*_JUDGMENTS, _UNSURE):
        row.operator(
            "plumbline.judge_finding", text=words, icon=icon, depress=said.get("judgment") == key
        ).judgment = key


def _draw_words(layout: bpy.types.UILayout, state: Any) -> None:
    """Tags and a comment, which go with the next judgment."""
    given = [tag.strip() for tag in state.tags.split(",")]
    column = layout.column(align=True)
    column.label(text="With your next judgment:")
    flow = column.grid_flow(columns=2, align=True, even_columns=True, row_major=True)
    for tag in TAGS:
        flow.operator("plumbline.toggle_tag", text=tag.capitalize(), depress=tag in given).tag = tag
    column.prop(state, "tags", text="", icon="BOOKMARKS", placeholder="Tags, with commas")
    column.prop(state, "comment", text="", icon="TEXT", placeholder="Comment")


def _draw_said(
    layout: bpy.types.UILayout, context: bpy.types.Context, here: Sitting, state: Any
) -> None:
    """What one has said, the last first, each with a button that takes it back."""
    for note in (*here.notes, *([here.desk.told] if here.desk.told else [])):
        wrapped(layout, context, note, icon="ERROR")
    standing = list(here.standing.values())
    if not standing:
        return
    header = layout.row(align=True)
    header.label(text=f"You said ({len(standing):,})")
    if len(standing) > _LISTED:
        header.prop(state, "first")
    start = max(1, min(state.first, len(standing))) if len(standing) > _LISTED else 1
    column = layout.column(align=True)
    for index in range(len(standing) - start, max(-1, len(standing) - start - _LISTED), -1):
        row = column.row(align=True)
        word, icon = _said(standing[index])
        row.label(text=f"{word}: {_of(standing[index])}", icon=icon)
        row.operator("plumbline.withdraw_judgment", text="", icon="X", emboss=False).place = index


def _said(row: Row) -> tuple[str, str]:
    """What was said in a word, and its sign."""
    if row["subject"]["type"] == "missed":
        return "Fault", "EYEDROPPER"
    word = row["opinion"] or row["judgment"]
    if word is None:
        return f"{row['rating']} of 5", "SOLO_ON"
    rating = f", {row['rating']} of 5" if row["rating"] else ""
    return word.capitalize() + rating, _ICONS[word]


def _of(row: Row) -> str:
    """Of what, short enough for a row of the list."""
    about = row["subject"]
    if about["type"] == "structure":
        return "the structure"
    if about["type"] in ("finding", "missed"):
        where = about.get("member") or place(about.get("location"))
        return f"{printable(where)} ({check_title(about['check']).lower()})"
    return f"{about['type']} {printable(str(about['id']))}"


class PLUMBLINE_PT_words(bpy.types.Panel):
    """Tags and a comment for the next judgment, where the pointer is"""

    bl_idname = "PLUMBLINE_PT_words"
    bl_label = "Tags and Comment"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "HEADER"  # shown by a key only, as Blender's own field for a new name is

    def draw(self, context: bpy.types.Context) -> None:
        """Two fields; the first is being written in already, Tab goes to the other."""
        layout = self.layout
        state = sitting.state_of(context)
        layout.label(text="With your next judgment")
        row = layout.row()
        row.activate_init = True
        row.prop(state, "comment", text="", icon="TEXT", placeholder="Comment")
        layout.prop(state, "tags", text="", icon="BOOKMARKS", placeholder="Tags, with commas")


class PLUMBLINE_MT_fault(bpy.types.Menu):
    """What is wrong with the member that was pointed at"""

    bl_idname = "PLUMBLINE_MT_fault"
    bl_label = "What Is Wrong?"
    bl_description = __doc__

    def draw(self, context: bpy.types.Context) -> None:
        """A check an entry."""
        layout = self.layout
        picked = picking.kept()
        if picked is None:
            layout.label(text="No member was pointed at", icon="INFO")
            return
        layout.label(text=printable(picked.member), icon="EYEDROPPER")
        layout.separator()
        for check in annotating.faults(context):
            other = check == annotating.OTHER
            words = "Something else (say in the comment)" if other else check_title(check)
            entry = layout.operator("plumbline.mark_fault", text=words)
            entry.member, entry.location, entry.check = picked.member, picked.location, check


class PLUMBLINE_MT_structure(bpy.types.Menu):
    """What you think of the structure as a whole"""

    bl_idname = "PLUMBLINE_MT_structure"
    bl_label = "The Structure as a Whole"
    bl_description = __doc__

    def draw(self, _context: bpy.types.Context) -> None:
        """Opinions, then ratings; each has a letter or a digit that chooses it."""
        layout = self.layout
        for key, words, icon in (*_OPINIONS, _UNSURE):
            layout.operator("plumbline.judge_structure", text=words, icon=icon).opinion = key
        layout.separator()
        for rating in range(1, 6):
            words = f"{rating} of 5"
            layout.operator("plumbline.rate_structure", text=words, icon="SOLO_ON").rating = rating


class PLUMBLINE_PT_annotations(bpy.types.Panel):
    """What everybody said of this run: how far they agree, and files for other programs"""

    bl_idname = "PLUMBLINE_PT_annotations"
    bl_parent_id = "PLUMBLINE_PT_annotate"
    bl_label = "Agreement and Export"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_options = {"DEFAULT_CLOSED"}

    def draw(self, context: bpy.types.Context) -> None:
        """Three files, and what the last one came to."""
        layout = self.layout
        draw_jobs(layout, context)
        column = layout.column(align=True)
        export = "plumbline.export_annotations"
        column.operator(export, text="Agreement Page", icon="URL").form = "page"
        row = column.row(align=True)
        row.operator(export, text="Table (CSV)", icon="SPREADSHEET").form = "csv"
        row.operator(export, text="BCF", icon="EXPORT").form = "bcf"
        if exporting.told is not None:
            sentence, failed = exporting.told
            wrapped(layout, context, sentence, icon="ERROR" if failed else "CHECKMARK")


CLASSES = (
    PLUMBLINE_MT_fault,
    PLUMBLINE_MT_structure,
    PLUMBLINE_PT_words,
    PLUMBLINE_PT_annotate,
    PLUMBLINE_PT_annotations,
)
