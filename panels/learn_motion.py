# SPDX-License-Identifier: GPL-3.0-or-later
"""What the panel *Learn* shows of lessons of motion: how they are played, and what was found."""

import bpy

from ..addon import review
from ..addon.lessons.model import Lesson
from ..addon.session import checking, learning, lesson_runs, playback, quizzing
from .text import wrapped

_BIG = 1.5  # height of the buttons that one presses most
_BOX = 0.9  # share of a line that a box leaves to writing


def draw_play(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The button that plays the scene as it is."""
    screen = context.window.screen if context.window is not None else None
    playing = screen is not None and screen.is_animation_playing
    row = layout.row()
    row.scale_y = _BIG
    row.operator(
        "plumbline.play_lesson",
        text="Stop" if playing else "Play It",
        icon="PAUSE" if playing else "PLAY",
    )


def draw_otherwise(layout: bpy.types.UILayout, lesson: Lesson) -> None:
    """The button that plays it with something made otherwise, where the lesson has that."""
    if not lesson.otherwise:
        return
    row = layout.row()
    row.scale_y = _BIG
    row.operator("plumbline.play_otherwise", text=lesson.otherwise, icon="MOD_PHYSICS")


def draw_found(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    """The finding that the lesson is about, in the words of the check."""
    found = review.of(context.scene)
    if found is None or checking.at_work(context.scene) is not None:
        layout.label(text="Running the scene …", icon="TIME")
        return
    told = [f for f in found.judgement.findings if f.check == lesson.show.check]
    if told:
        text = told[0].message
        wrapped(layout.box(), context, text[:1].upper() + text[1:] + ".", icon="CANCEL", share=_BOX)


def draw_verdict(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What the checks say of the whole scene, as a large line."""
    found = review.of(context.scene)
    box = layout.box()
    box.scale_y = 1.3
    if found is None or checking.at_work(context.scene) is not None:
        box.label(text="Running the scene …", icon="TIME")
    elif found.judgement.verdict == "passed":
        box.label(text="It obeys physics: no fault found", icon="CHECKMARK")
    else:
        box.alert = True
        failed = found.judgement.verdict == "failed"
        box.label(text="It fails" if failed else "It can't be judged", icon="CANCEL")


def draw_playing(layout: bpy.types.UILayout, context: bpy.types.Context) -> bool:
    """While a motion is shown: what is seen, and the way back; whether one is."""
    played = lesson_runs.playing()
    if played is not None:
        lesson, mended = played
        layout.label(text=lesson.title, icon="BOOKMARKS")
        wrapped(layout, context, lesson.mend.says if mended else lesson.show.say)
        _draw_back(layout)
        return True
    if not playback.is_playback(context.scene):
        return False
    of = learning.played(context)
    if of is None or quizzing.now() is not None:  # a title would tell the quiz's answer
        wrapped(layout, context, "This is a copy that shows a motion. Nothing here is kept.")
        layout.operator("plumbline.stop_motion", icon="LOOP_BACK")
        return True
    layout.label(text=of.title, icon="BOOKMARKS")
    _draw_outcome(layout, context)
    _draw_back(layout)
    return True


def _draw_outcome(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """What came of what is shown, in a sentence for each view that has one."""
    show = playback.now()
    told = [take for take in show.takes if take.says] if show is not None else []
    for take in told:
        box = layout.box()
        if len(told) > 1:
            box.label(text=take.title, icon="VIEW3D", translate=False)
        wrapped(box, context, take.says, share=_BOX)


def _draw_back(layout: bpy.types.UILayout) -> None:
    row = layout.row()
    row.scale_y = _BIG
    row.operator("plumbline.stop_motion", text="Back to the Lesson", icon="LOOP_BACK")
