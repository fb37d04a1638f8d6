# SPDX-License-Identifier: GPL-3.0-or-later
"""Panel *Learn*: lessons on why houses stand, and fall; a step at a time, and a quiz."""

import bpy

from ..addon import preferences
from ..addon.lessons.model import STEPS, Lesson, Slider
from ..addon.lessons.quiz import Quiz
from ..addon.session import learning, lesson_scene, quizzing, what_if
from ..addon.simulation import probes
from . import learn_motion
from .quiz import draw_quiz
from .text import wrapped

_BIG = 1.5  # height of the buttons that one presses most
_BOX = 0.9  # share of a line that a box leaves to writing
_LETTERS = "ABCDEFGH"
_LEVELS = {1: "First steps", 2: "Going on", 3: "For experts"}
#: What the lessons of other kinds are headed by, and with which icon.
_OTHERS = {
    "voxel": ("Built of blocks", "MESH_CUBE"),
    "reconstruction": ("Simulated motion", "PHYSICS"),
}


class PLUMBLINE_PT_learn(bpy.types.Panel):
    """Lessons: see a fault, understand the rule, mend it, and ask what if"""

    bl_idname = "PLUMBLINE_PT_learn"
    bl_label = "Learn"
    bl_description = __doc__
    bl_space_type = "VIEW_3D"
    bl_region_type = "UI"
    bl_category = "Plumbline"
    bl_order = 5
    bl_options = {"DEFAULT_CLOSED"}

    def draw_header_preset(self, context: bpy.types.Context) -> None:
        """How far one is, even with the panel closed."""
        quiz: Quiz | None = quizzing.now()
        if quiz is not None:
            done = f"{min(len(quiz.first), len(quiz.questions))}/{len(quiz.questions)}"
        elif learning.open_now(context) or learning.played(context):
            steps = [step for step, _ in STEPS]
            done = f"{steps.index(learning.state_of(context).step) + 1}/{len(STEPS)}"
        else:
            done = str(len(learning.lessons()) or "")
        self.layout.label(text=done)

    def draw(self, context: bpy.types.Context) -> None:
        """The quiz if there is one, else the open lesson, else all lessons."""
        layout = self.layout
        quiz: Quiz | None = quizzing.now()
        lesson = learning.open_now(context)
        if learn_motion.draw_playing(layout, context):
            return
        if quiz is not None:
            draw_quiz(layout, context, quiz)
        elif lesson is not None:
            _draw_lesson(layout, context, lesson)
        else:
            _draw_lessons(layout, context)
        if learning.trouble():
            wrapped(layout, context, learning.trouble(), icon="ERROR")


def _draw_lessons(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """Every lesson as a button, easy ones first, and the way into the quiz."""
    state = learning.state_of(context)
    lessons = learning.lessons()
    if lessons:
        _draw_quiz_settings(layout, context)
    group: tuple[str, str] | None = None
    column = layout.column(align=True)
    for lesson in lessons:
        title, icon = _OTHERS.get(lesson.kind) or (_LEVELS[lesson.level], "BOOKMARKS")
        here = (lesson.kind, title)
        if group != here:
            group = here
            column = layout.column(align=True)
            column.label(text=title, icon=icon)
        row = column.row(align=True)
        row.scale_y = 1.25
        opened = state.lesson == lesson.id
        button = row.operator(
            "plumbline.open_lesson", text=lesson.title, icon="TIME" if opened else "PLAY"
        )
        button.lesson = lesson.id


def _draw_quiz_settings(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    """The button above the lessons, where it is in sight; what may be set only if one asks."""
    state = learning.state_of(context)
    row = layout.row(align=True)
    row.scale_y = 1.25
    row.operator("plumbline.start_quiz", icon="QUESTION")
    row.prop(state, "quiz_settings", text="", icon="PREFERENCES")
    if not state.quiz_settings:
        return
    box = layout.box()
    column = box.column(align=True)
    column.prop(state, "pupil")
    column.prop(state, "quiz_count")
    column.prop(state, "quiz_seed")
    box.prop(state, "quiz_finds")


def _draw_lesson(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    state = learning.state_of(context)
    head = layout.row(align=True)
    head.label(text=lesson.title, icon="BOOKMARKS")
    head.prop(state, "caption", text="", icon="OUTLINER_OB_FONT")
    head.operator("plumbline.leave_lesson", text="", icon="X")
    _draw_dots(layout, state.step)
    body = layout.column()
    _STEPS[state.step](body, context, lesson)
    _draw_ways(layout, state.step)


def _draw_dots(layout: bpy.types.UILayout, step: str) -> None:
    """One dot for each step: a click turns to it."""
    row = layout.row(align=True)
    row.scale_y = 1.1
    reached = [one for one, _ in STEPS].index(step)
    for place, (one, _) in enumerate(STEPS):
        icon = "RADIOBUT_ON" if place <= reached else "RADIOBUT_OFF"
        button = row.operator("plumbline.lesson_step", text="", icon=icon, depress=place == reached)
        button.step = one
    title = layout.row()
    title.label(text=f"{reached + 1}. {dict(STEPS)[step]}")


def _draw_ways(layout: bpy.types.UILayout, step: str) -> None:
    """Back and next, large."""
    ids = [one for one, _ in STEPS]
    place = ids.index(step)
    row = layout.row(align=True)
    row.scale_y = _BIG
    back = row.row(align=True)
    back.enabled = place > 0
    back.operator("plumbline.lesson_step", text="Back", icon="TRIA_LEFT").step = ids[
        max(place - 1, 0)
    ]
    if place + 1 < len(ids):
        button = row.operator("plumbline.lesson_step", text=STEPS[place + 1][1], icon="TRIA_RIGHT")
        button.step = ids[place + 1]
    else:
        row.operator("plumbline.leave_lesson", text="Done", icon="CHECKMARK")


def _draw_see(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    wrapped(layout, context, lesson.see)
    if lesson.of_motion:
        learn_motion.draw_play(layout, context)


def _draw_question(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    wrapped(layout, context, lesson.question.ask)
    chosen = learning.state_of(context).answer
    for place, choice in enumerate(lesson.question.choices):
        box = layout.box()
        row = box.row(align=True)
        split = row.split(factor=0.16)
        button = split.column()
        button.scale_y = 1.4
        icon = ("CHECKMARK" if choice.right else "CANCEL") if place == chosen else "NONE"
        button.operator(
            "plumbline.answer",
            text="" if place == chosen else _LETTERS[place],
            icon=icon,
            depress=place == chosen,
        ).choice = place
        wrapped(split.column(), context, choice.text, share=0.78)
        if place == chosen:
            wrapped(box, context, choice.why, icon="INFO", alert=not choice.right, share=_BOX)


def _draw_show(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    if lesson_scene.mended(context.scene):
        wrapped(layout, context, "The fault is mended. Undo (Ctrl Z) brings it back.", icon="INFO")
        return
    wrapped(layout, context, lesson.show.say)
    row = layout.row()
    row.scale_y = 1.2
    row.operator("plumbline.lesson_step", text="Show Me Again", icon="VIEWZOOM").step = "show"
    if lesson.of_motion:
        learn_motion.draw_found(layout, context, lesson)
        learn_motion.draw_play(layout, context)
        learn_motion.draw_otherwise(layout, lesson)
    _draw_fall(layout, context, lesson)


def _draw_rule(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    wrapped(layout, context, lesson.rule.says, icon="CHECKMARK", share=_BOX)
    layout.label(text=lesson.rule.clause, icon="TEXT")
    box = layout.box()
    box.label(text=f"Why: {lesson.rule.physics}", icon="LIGHT")
    wrapped(box, context, lesson.rule.why, share=_BOX)


def _draw_mend(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    if not lesson_scene.mended(context.scene):
        row = layout.row()
        row.scale_y = 2.0
        row.operator("plumbline.mend_lesson", text=lesson.mend.button, icon="MODIFIER")
        return
    wrapped(layout, context, lesson.mend.says)
    _draw_verdict(layout, context, lesson)


def _draw_verdict(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    """What the checks say of the whole building, as a large line."""
    if lesson.of_motion:
        learn_motion.draw_verdict(layout, context)
        return
    meters = [what_if.meter_of(context.scene, slider) for slider in lesson.sliders]
    found = next((meter for meter in meters if meter is not None), None)
    box = layout.box()
    box.scale_y = 1.3
    if found is None:
        box.label(text="Checking …", icon="TIME")
    elif found.verdict == "passed":
        box.label(text="It stands: no fault found", icon="CHECKMARK")
    else:
        box.alert = True
        faults = "1 fault" if found.faults == 1 else f"{found.faults} faults"
        words = f"It fails: {faults}" if found.verdict == "failed" else "It can't be judged"
        box.label(text=words, icon="CANCEL")


def _draw_what_if(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    if not lesson_scene.mended(context.scene):
        text = "Mend the building first, then try out how far one can go."
        if lesson.of_motion:
            text = "Mend the scene first, then play it as it should be."
        wrapped(layout, context, text)
        row = layout.row()
        row.scale_y = _BIG
        row.operator("plumbline.mend_lesson", text=lesson.mend.button, icon="MODIFIER")
        return
    if lesson.of_motion:
        learn_motion.draw_play(layout, context)
        learn_motion.draw_otherwise(layout, lesson)
    said = lesson_scene.values(lesson, context.scene)
    for slider in lesson.sliders:
        _draw_slider(layout.box(), context, lesson, slider, said[slider.id])
    _draw_verdict(layout, context, lesson)
    _draw_fall(layout, context, lesson)


def _draw_slider(
    box: bpy.types.UILayout,
    context: bpy.types.Context,
    lesson: Lesson,
    slider: Slider,
    value: float,
) -> None:
    """The slider, what it says, how near to its limit that is, and where it tips over."""
    units = preferences.look(context).units
    wrapped(box, context, slider.ask, share=_BOX)
    row = box.row(align=True)
    row.scale_y = 1.3
    row.prop(
        context.scene, f'["{lesson_scene.slider_key(slider)}"]', text=slider.title, slider=True
    )
    back = row.operator("plumbline.what_if", text="", icon="LOOP_BACK")
    back.slider, back.value = slider.id, slider.default
    found = what_if.meter_of(context.scene, slider)
    line = box.row()
    line.alert = found is not None and not found.holds
    words = f": {found.words}" if found is not None else ""
    icon = "BLANK1" if found is None else "CHECKMARK" if found.holds else "CANCEL"
    line.label(text=f"{slider.words(value, units)}{words}", icon=icon)
    tip = what_if.tip_of(lesson, slider)
    if tip is None:
        return
    column = box.column(align=True)
    button = column.operator(
        "plumbline.what_if", text=f"Tips over at {slider.words(tip, units)}", icon="TRACKER"
    )
    button.slider, button.value = slider.id, tip
    too_far = f"Too far: {slider.words(slider.beyond, units)}"
    button = column.operator("plumbline.what_if", text=too_far, icon="FORWARD")
    button.slider, button.value = slider.id, slider.beyond
    wrapped(box, context, f"Why there: {slider.tip.because}.", share=_BOX)


def _draw_fall(layout: bpy.types.UILayout, context: bpy.types.Context, lesson: Lesson) -> None:
    """Let it fall, where something can."""
    if not lesson.fall:
        return
    row = layout.row()
    row.scale_y = 1.2
    row.operator("plumbline.let_it_fall", icon="FORCE_FORCE")
    if any(probe.id == "fall" for probe in probes.probes_for(lesson.kind)):
        wrapped(layout, context, lesson.fall)


_STEPS = {
    "see": _draw_see,
    "question": _draw_question,
    "show": _draw_show,
    "rule": _draw_rule,
    "mend": _draw_mend,
    "what_if": _draw_what_if,
}

CLASSES = (PLUMBLINE_PT_learn,)
