# SPDX-License-Identifier: GPL-3.0-or-later
"""The quiz within the panel *Learn*: one question at a time, then the score."""

import bpy

from ..addon.lessons.quiz import Answer, Quiz, QuizQuestion
from ..addon.session import learning, quizzing
from .text import wrapped

_LETTERS = "ABCDEFGH"
_DOTS = 10  # in a row


def draw_quiz(layout: bpy.types.UILayout, context: bpy.types.Context, quiz: Quiz) -> None:
    """The question that is asked now, or how it went."""
    head = layout.row(align=True)
    if quiz.over:
        head.label(text="Quiz: the end", icon="QUESTION")
    elif quiz.reviewing:
        head.label(text=f"Once more: {quiz.at + 1} of {len(quiz.review)}", icon="LOOP_BACK")
    else:
        head.label(text=f"Question {quiz.number + 1} of {len(quiz.questions)}", icon="QUESTION")
    head.prop(learning.state_of(context), "caption", text="", icon="OUTLINER_OB_FONT")
    head.operator("plumbline.end_quiz", text="", icon="X")
    _draw_dots(layout, quiz)
    if quiz.over:
        _draw_end(layout, context, quiz)
    else:
        _draw_question(layout, context, quiz)


def _draw_dots(layout: bpy.types.UILayout, quiz: Quiz) -> None:
    """How each question went so far; many questions take several lines."""
    row = layout
    for number in range(len(quiz.questions)):
        if number % _DOTS == 0:
            row = layout.row(align=True)
            row.alignment = "LEFT"
        answer = quiz.first.get(number)
        icon = "RADIOBUT_OFF" if answer is None else "CHECKMARK" if answer.right else "X"
        row.label(text="", icon="LAYER_ACTIVE" if _is_now(quiz, number) else icon)


def _is_now(quiz: Quiz, number: int) -> bool:
    return not quiz.over and quiz.answer is None and number == quiz.number


def _draw_question(layout: bpy.types.UILayout, context: bpy.types.Context, quiz: Quiz) -> None:
    question, answer = quiz.question, quiz.answer
    wrapped(layout, context, question.ask)
    if not quizzing.in_sight(context.scene):
        layout.operator("plumbline.quiz_building", icon="HOME")
    if question.kind == "choice":
        _draw_choices(layout, context, question, answer)
    elif answer is None:
        _draw_pointing(layout, context)
    if answer is None:
        return
    _draw_answer(layout, context, question, answer)
    row = layout.row()
    row.scale_y = 1.5
    row.operator("plumbline.quiz_next", icon="TRIA_RIGHT")


def _draw_choices(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    question: QuizQuestion,
    answer: Answer | None,
) -> None:
    choices = question.lesson.question.choices
    for place, number in enumerate(question.order):
        choice = choices[number]
        split = layout.box().row(align=True).split(factor=0.16)
        button = split.column()
        button.scale_y = 1.4
        said = answer is not None and answer.said == choice.text
        shown = said or (answer is not None and choice.right)
        button.enabled = answer is None or shown  # signs are to be seen, letters are over
        button.operator(
            "plumbline.quiz_choose",
            text="" if shown else _LETTERS[place],
            icon=("CHECKMARK" if choice.right else "CANCEL") if shown else "NONE",
            depress=said,
        ).place = place
        wrapped(split.column(), context, choice.text, share=0.78)


def _draw_pointing(layout: bpy.types.UILayout, context: bpy.types.Context) -> None:
    active = context.view_layer.objects.active if context.view_layer is not None else None
    chosen = active is not None and active.select_get() and quizzing.in_sight(context.scene)
    text = f"This One: {active.name}" if chosen else "Click a member in the view"
    row = layout.row()
    row.scale_y = 1.5
    row.operator("plumbline.quiz_point", text=text, icon="RESTRICT_SELECT_OFF")


def _draw_answer(
    layout: bpy.types.UILayout,
    context: bpy.types.Context,
    question: QuizQuestion,
    answer: Answer,
) -> None:
    box = layout.box()
    icon = "CHECKMARK" if answer.right else "CANCEL"
    if question.kind == "find":
        line = box.row()
        line.alert = not answer.right
        words = "Right" if answer.right else "No"
        line.label(text=f"{words}: {answer.said}", icon=icon)
        icon = "NONE"
    wrapped(box, context, answer.why, icon=icon, alert=not answer.right, share=0.9)


def _draw_end(layout: bpy.types.UILayout, context: bpy.types.Context, quiz: Quiz) -> None:
    box = layout.box()
    box.scale_y = 1.4
    box.label(text=f"{quiz.score} of {len(quiz.questions)} right at first", icon="SOLO_ON")
    if quiz.wrong:
        wrapped(layout, context, "To look at again:", icon="LOOP_BACK")
        column = layout.column(align=True)
        for title in dict.fromkeys(quiz.questions[n].lesson.title for n in quiz.wrong):
            column.label(text=title, icon="DOT")
    layout.prop(learning.state_of(context), "pupil")
    row = layout.row(align=True)
    row.scale_y = 1.4
    row.operator("plumbline.save_quiz", icon="FILE_TICK")
    row.operator("plumbline.end_quiz", icon="X")
