# SPDX-License-Identifier: GPL-3.0-or-later
"""The step of a lesson written large into the 3D view, for the last row of a class room.

A draw handler of its own, which does nothing while it is switched off or no lesson is open.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import blf
import bpy
import gpu
from gpu_extras.batch import batch_for_shader

from .. import preferences, review
from ..lessons.model import STEPS, Lesson
from ..palette import RGB
from . import lesson_scene, quizzing, stress, what_if
from .block_choices import stress_of

_TITLE, _TEXT, _NUMBER = 15.0, 22.0, 34.0  # points, before the interface scale
_LINE, _PAD = 1.35, 0.8  # in text sizes
_MOST_LINES = 9
_MARGIN = 12.0
_LEGEND = 190.0  # what the legend takes in the lower left corner
_STRESS = 310.0  # and that of a stress in the lower right one
_STRIP = 190.0  # what the energy of a simulation takes above the lower edge
_PLATE = (0.06, 0.06, 0.07, 0.9)
_WHITE: RGB = (1.0, 1.0, 1.0)
_GREY: RGB = (0.72, 0.75, 0.78)
_BAR_END = 1.5  # how much of what is allowed the bar shows

_handles: list[Any] = []


@dataclass(frozen=True)
class Caption:
    """What is written: a line above, sentences, and one with its share of the limit as a bar."""

    title: str
    sentences: tuple[str, ...]
    number: str = ""
    used: float | None = None
    holds: bool = True


def attach() -> None:
    """Hang the caption into every 3D view."""
    if not _handles:
        add = bpy.types.SpaceView3D.draw_handler_add
        _handles.append(add(draw, (), "WINDOW", "POST_PIXEL"))


def detach() -> None:
    """Take it out again."""
    while _handles:
        bpy.types.SpaceView3D.draw_handler_remove(_handles.pop(), "WINDOW")


def attached() -> int:
    """Number of draw handlers in place."""
    return len(_handles)


def caption_of(context: bpy.types.Context) -> Caption | None:
    """What is to be read now, ``None`` for nothing."""
    quiz = quizzing.now()
    if quiz is not None:
        if quiz.over:
            return Caption("Quiz", (f"{quiz.score} of {len(quiz.questions)} right",))
        question = quiz.question
        choices = question.lesson.question.choices
        letters = [f"{'ABCDEFGH'[i]}  {choices[c].text}" for i, c in enumerate(question.order)]
        place = f"Question {quiz.number + 1} of {len(quiz.questions)}"
        return Caption(place, (question.ask, *letters))
    lesson = lesson_scene.lesson_of(context.scene)
    if lesson is None:
        return None
    return _of_step(lesson, context)


def _of_step(lesson: Lesson, context: bpy.types.Context) -> Caption:
    state, scene = context.window_manager.plumbline_learn, context.scene
    title = f"{lesson.title}  ·  {dict(STEPS)[state.step]}"
    if state.step == "question":
        choices = lesson.question.choices
        letters = [f"{'ABCDEFGH'[i]}  {choice.text}" for i, choice in enumerate(choices)]
        return Caption(title, (lesson.question.ask, *letters))
    if state.step == "what_if" and lesson.sliders and lesson_scene.mended(scene):
        return _of_slider(title, lesson, scene)
    mended = lesson_scene.mended(scene)
    stands = "It obeys physics" if lesson.of_motion else "It stands"
    done = f"{stands}: the checks find no fault any more." if mended else ""
    says = {
        "see": (lesson.see,),
        "show": (lesson.show.say,),
        "rule": (lesson.rule.says, f"({lesson.rule.clause})"),
        "mend": (lesson.mend.says if done else lesson.mend.button, done),
        "what_if": (_to_try(lesson, mended),),
    }
    return Caption(title, tuple(filter(None, says[state.step])))


def _to_try(lesson: Lesson, mended: bool) -> str:
    """What the last step asks for."""
    if lesson.of_motion and mended:
        return lesson.mend.says
    return lesson.sliders[0].ask if lesson.sliders else "Mend it first."


def _of_slider(title: str, lesson: Lesson, scene: bpy.types.Scene) -> Caption:
    """The slider that was moved farthest from where it began."""
    said = lesson_scene.values(lesson, scene)
    slider = max(lesson.sliders, key=lambda s: abs(said[s.id] - s.default) / (s.high - s.low))
    units = preferences.look(bpy.context).units
    words = f"{slider.title}: {slider.words(said[slider.id], units)}"
    found = what_if.meter_of(scene, slider)
    if found is None:
        return Caption(title, (words,))
    return Caption(title, (words,), found.words, found.used, found.holds)


def draw() -> None:
    """Draw it; Blender calls this at every redraw of a view."""
    context = bpy.context
    state = getattr(context.window_manager, "plumbline_learn", None)
    if state is None or not state.caption:
        return
    found = caption_of(context)
    if found is not None:
        _paint(context, found)


def _paint(context: bpy.types.Context, found: Caption) -> None:
    scale = context.preferences.system.ui_scale or 1.0
    left, right, low = _room(context, scale)
    size, small, big = _TEXT * scale, _TITLE * scale, _NUMBER * scale
    pad = _PAD * size
    lines: list[str] = []
    for sentence in found.sentences:
        lines += broken(sentence, int(right - left - 2 * pad), int(size))
    lines = lines[:_MOST_LINES]
    high = low + 2 * pad + len(lines) * _LINE * size + _LINE * small
    high += _LINE * big if found.number else 0.0
    _fill((left, low, right, high), _PLATE)
    y = high - pad - small
    _write(found.title, left + pad, y, small, _GREY)
    for line in lines:
        y -= _LINE * size
        _write(line, left + pad, y, size, _WHITE)
    if found.number:
        colours = preferences.look(context).palette
        colour = colours.sound if found.holds else colours.fault
        y -= _LINE * big
        _write(found.number, left + pad, y, big, colour)
        blf.size(0, big)
        start = left + 2 * pad + blf.dimensions(0, found.number)[0]
        if found.used is not None:
            _bar((start, y, right - pad, y + 0.7 * big), found.used, colour)


def _bar(place: tuple[float, float, float, float], used: float, colour: RGB) -> None:
    """How much of what is allowed is used, with a mark at the limit."""
    left, low, right, high = place
    if right - left < 40.0:
        return
    share = min(max(used, 0.0), _BAR_END) / _BAR_END
    _fill(place, (0.25, 0.25, 0.27, 1.0))
    _fill((left, low, left + share * (right - left), high), (*colour, 1.0))
    limit = left + (right - left) / _BAR_END
    _fill((limit - 2.0, low - 5.0, limit + 2.0, high + 5.0), (1.0, 1.0, 1.0, 1.0))


def _room(context: bpy.types.Context, scale: float) -> tuple[float, float, float]:
    """Left, right and lower end of what tools, sidebar and the last operator leave free."""
    view = context.region
    left, right, low = 0.0, float(view.width), 0.0
    for region in context.area.regions:
        if region.width <= 1 or region.height <= 1:
            continue
        if region.type == "UI" and region.alignment == "RIGHT":
            right = min(right, float(region.x - view.x))
        elif region.type == "TOOLS":
            left = max(left, float(region.x - view.x + region.width))
    margin = _MARGIN * scale
    viewing = context.window_manager.plumbline_view
    if viewing.legend and viewing.mode != "finding" and review.of(context.scene) is not None:
        left += _LEGEND * scale
    if stress_of(context).show and stress.of(context.scene) is not None:
        right -= _STRESS * scale
    found = review.of(context.scene)
    if found is not None and found.in_motion:
        low += _STRIP * scale
    return left + margin, max(right - margin, left + 20 * margin), low + 3 * margin


@lru_cache(maxsize=64)
def broken(sentence: str, width: int, size: int) -> tuple[str, ...]:
    """The sentence broken at spaces into lines of at most ``width`` pixels."""
    blf.size(0, size)
    lines: list[str] = []
    for word in sentence.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and blf.dimensions(0, longer)[0] <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return tuple(lines)


def _write(text: str, x: float, y: float, size: float, colour: RGB) -> None:
    blf.size(0, size)
    blf.position(0, x, y, 0)
    blf.color(0, *colour, 1.0)
    blf.draw(0, text)


def _fill(
    place: tuple[float, float, float, float], colour: tuple[float, float, float, float]
) -> None:
    left, low, right, high = place
    shader = gpu.shader.from_builtin("UNIFORM_COLOR")
    corners = [(left, low, 0.0), (right, low, 0.0), (right, high, 0.0), (left, high, 0.0)]
    batch = batch_for_shader(shader, "TRI_FAN", {"pos": corners})
    gpu.state.blend_set("ALPHA")
    shader.bind()
    shader.uniform_float("color", colour)
    batch.draw(shader)
    gpu.state.blend_set("NONE")
