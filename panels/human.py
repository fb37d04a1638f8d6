# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Build by Hand*: a person builds the chosen task and is judged like everybody."""

from typing import Any

import bpy

from ..addon import bundled, review
from ..addon.preferences import look
from ..addon.properties import profile_title
from ..addon.runs.wording import VERDICT_WORDS, count
from ..addon.session import blind, by_hand
from ..addon.session import by_hand_session as attempts
from ..addon.session.building_aids import Aid, Step, aid_for
from ..addon.session.by_hand_clock import clock_words
from ..addon.session.by_hand_session import Session
from .task import draw_lines, lines
from .text import wrapped

#: Attempts that were broken off and are offered; older ones stay on the disk.
_MOST_DRAFTS = 3
#: How much of the panel's width a sentence with a sign has within a box.
_BOXED = 0.9


class PLUMBLINE_PT_human(bpy.types.Panel):
    """Build the chosen task yourself, against the clock or not, and have it judged"""

    bl_idname = "PLUMBLINE_PT_human"
    bl_label = "Build by Hand"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_parent_id = "PLUMBLINE_PT_task"
    bl_options = {"DEFAULT_CLOSED"}
    bl_order = 2

    def draw_header_preset(self, _context: bpy.types.Context) -> None:
        """The clock, even with the panel closed."""
        session = attempts.now()
        if session is not None:
            icon = "PLAY" if session.clock.running else "PAUSE"
            self.layout.label(text=clock_words(session.clock.seconds), icon=icon)

    def draw(self, context: bpy.types.Context) -> None:
        """Before, during, after."""
        session = attempts.now()
        if session is None:
            _draw_last(self.layout, context)
            _draw_before(self.layout, context)
        else:
            _draw_building(self.layout, context, session)


def _draw_before(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What happens when one begins, who builds, and what was broken off."""
    chosen = by_hand.choices(context)
    task = bundled.known(context.window_manager.plumbline.task)
    if task is not None:
        state = context.window_manager.plumbline
        rules = profile_title(task.kind, state.rules(task.kind))
        for line in (
            f"1. Begin: an empty scene for {task.title}",
            "2. Build it with Blender's tools or Add Member",
            f"3. Hand in: it is judged by the rules {rules}",
        ):
            wrapped(layout, context, line)
    column = layout.column(align=True)
    column.prop(chosen, "person", text="Name")
    column.prop(chosen, "count_tries")
    layout.operator("plumbline.begin_by_hand", text="Begin", icon="PLAY")
    for kept in attempts.unfinished()[:_MOST_DRAFTS]:
        box = layout.box()
        words = clock_words(kept.draft.seconds)
        wrapped(
            box,
            context,
            f"Broken off: {kept.draft.title} after {words}",
            icon="RECOVER_LAST",
            share=_BOXED,
        )
        box.operator("plumbline.take_up_by_hand", icon="PLAY").draft = kept.folder.name


def _draw_last(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """How the last attempt ended."""
    outcome = by_hand.last()
    if outcome is None:
        return
    box = layout.box()
    seconds = clock_words(outcome.stored.record["metrics"]["work_seconds"])
    if outcome.end == "gave_up":
        wrapped(box, context, f"{outcome.title}: given up after {seconds}", icon="X", share=_BOXED)
    elif blind.hidden(context):
        wrapped(
            box,
            context,
            f"{outcome.title}: handed in after {seconds}",
            icon="CHECKMARK",
            share=_BOXED,
        )
    else:
        passed = outcome.verdict == "passed"
        text = f"{outcome.title}: {VERDICT_WORDS[outcome.verdict]}, "
        text += f"{count(outcome.faults, 'fault')}, after {seconds}"
        wrapped(
            box,
            context,
            text,
            icon="CHECKMARK" if passed else "CANCEL",
            alert=not passed,
            share=_BOXED,
        )
        if not passed:
            wrapped(box, context, "What is wrong is listed under Findings")
    box.operator("plumbline.open_by_hand_folder", icon="FILE_FOLDER")


def _draw_building(
    layout: bpy.types.UILayout, context: bpy.types.Context, session: Session
) -> None:
    """The clock, the ways to end it, the aid, the brief."""
    _draw_clock(layout, context, session)
    if session.trouble is not None:
        wrapped(layout, context, session.trouble, icon="ERROR", alert=True)
    if session.scene is None:
        wrapped(layout, context, "You went back to before its scene. Redo (Ctrl Shift Z), or:")
        layout.operator("plumbline.bring_back_by_hand", icon="LOOP_BACK")
        return
    if context.scene != session.scene:
        wrapped(layout, context, f"You are building {session.task.title} in another scene")
        layout.operator("plumbline.show_by_hand", icon="SCENE_DATA")
        return
    aid = aid_for(session.task.kind)
    if aid is not None:
        _draw_aid(layout, context, aid)
    else:
        wrapped(layout, context, "Build with Blender's own tools", icon="TOOL_SETTINGS")
    _draw_brief(layout, context, session)


def _draw_clock(layout: bpy.types.UILayout, context: bpy.types.Context, session: Session) -> None:
    """How long it has taken, and what can be done with what stands."""
    running = session.clock.running
    column = layout.column(align=True)
    row = column.row(align=True)
    row.operator(
        "plumbline.pause_by_hand",
        text=f"{clock_words(session.clock.seconds)}  {'Pause' if running else 'Go On'}",
        icon="PAUSE" if running else "PLAY",
    )
    row.operator("plumbline.give_up", icon="X")
    row = column.row(align=True)
    row.scale_y = 1.4
    tries = f"Try ({session.tries})" if session.tries else "Try"
    row.operator("plumbline.try_by_hand", text=tries, icon="VIEWZOOM")
    row.operator("plumbline.hand_in", icon="EXPORT")
    if session.handing_in:
        column.label(text="What you handed in is being judged", icon="SORTTIME")
    elif session.scene is not None:
        _draw_tried(column, context, review.of(session.scene))


def _draw_tried(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: review.Review | None
) -> None:
    """What the last check said, in a line: the findings themselves are listed further down."""
    if found is None or blind.hidden(context):
        return
    passed = found.judgement.verdict == "passed"
    text = f"{VERDICT_WORDS[found.judgement.verdict].capitalize()}: "
    text += count(found.table.root_count, "fault")
    text += ", edited since" if found.stale else "" if passed else ", see Findings"
    wrapped(layout, context, text, icon="CHECKMARK" if passed else "CANCEL")


def _draw_brief(layout: bpy.types.UILayout, context: bpy.types.Context, session: Session) -> None:
    box = layout.box()
    wrapped(box, context, session.task.description)
    draw_lines(box, context, lines(session.task, look(context).units))


def _draw_aid(layout: bpy.types.UILayout, context: bpy.types.Context, aid: Aid) -> None:
    settings = getattr(context.window_manager, aid.settings)
    for step in aid.steps:
        box = layout.box()
        box.label(text=step.title)
        _draw_step(box, settings, step)


def _draw_step(layout: bpy.types.UILayout, settings: Any, step: Step) -> None:
    column = layout.column()
    column.use_property_split = True
    column.use_property_decorate = False
    for name in step.fields:
        if step.shown(name, settings):
            column.prop(settings, name)
    for extra in step.extras:
        if step.shown(extra.operator, settings):
            layout.operator(extra.operator, text=extra.text, icon=extra.icon)
    layout.operator(step.button.operator, text=step.button.text, icon=step.button.icon)


CLASSES = (PLUMBLINE_PT_human,)
