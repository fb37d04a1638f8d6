# SPDX-License-Identifier: GPL-3.0-or-later
"""The sliders of a lesson: the building follows them, and is judged anew. Main thread only.

A slider is a custom property of the lesson's scene, which is ours, and Blender itself makes an undo
step of each drag. The building follows a moment later, between two redraws: also after an undo,
since what is undone is the slider, and the building is whatever the sliders say.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import bpy
from bpy.app.handlers import persistent

from .. import bundled
from ..kinds import KINDS
from ..lessons import meter, tipping
from ..lessons.model import Lesson, LessonError, Slider
from ..review import Review
from ..scene.new_scene import BuildError
from . import checking, jobs, lesson_blocks, lesson_scene
from .gallery import redraw

#: Between a slider that moves and the building that follows, s.
_SOON = 0.02

_trouble = [""]
_meters: dict[int, dict[str, meter.Meter]] = {}
_tips: dict[tuple[str, str], float | None] = {}
_checking: dict[int, jobs.Work] = {}
_again: set[int] = set()


def trouble() -> str:
    """What is in the way as a sentence, empty if nothing is."""
    return _trouble[0]


def profile_of(lesson: Lesson) -> str:
    """The rules that a lesson's building is judged by."""
    return KINDS[lesson.kind].profile


def windows() -> list[bpy.types.Window]:
    """Every window that is open."""
    return [w for manager in bpy.data.window_managers for w in manager.windows]


def forget(scene: bpy.types.Scene) -> None:
    """Drop what was measured in a scene that goes."""
    _meters.pop(scene.session_uid, None)
    _checking.pop(scene.session_uid, None)
    _again.discard(scene.session_uid)


def recheck(scene: bpy.types.Scene) -> None:
    """Judge the building with the loads that the sliders say; the former result stays till then."""
    lesson = lesson_scene.lesson_of(scene)
    if lesson is None:
        return
    uid = scene.session_uid
    # A check that is at work is let finish: while a slider is dragged its figure goes along.
    under_way = _checking.get(uid)
    if under_way is not None and not under_way.job.over and not under_way.stopping:
        _again.add(uid)
        return
    _again.discard(uid)

    def done(found: Review) -> None:
        _checking.pop(uid, None)
        _trouble[0] = ""
        sliders = lesson.sliders
        _meters[uid] = {s.id: meter.read(found.judgement, s) for s in sliders}
        for shown in [s for s in bpy.data.scenes if s.session_uid == uid and uid not in _again]:
            lesson_blocks.show_stress(shown, lesson)
        if uid in _again:
            for again in [s for s in bpy.data.scenes if s.session_uid == uid]:
                recheck(again)
        redraw()

    brief = lesson_scene.brief(lesson, scene)
    try:
        work = checking.check(
            scene, profile_of(lesson), done, _failed, brief=brief, keep=True, wait=0.0
        )
    except ValueError as error:
        _failed(str(error))
        return
    if not work.job.over:
        _checking[uid] = work


def meter_of(scene: bpy.types.Scene, slider: Slider) -> meter.Meter | None:
    """What the last check said of the slider's member, ``None`` before the first."""
    return _meters.get(scene.session_uid, {}).get(slider.id)


def tip_of(lesson: Lesson, slider: Slider) -> float | None:
    """Where it tips over by our tables, kept; ``None`` where nothing tips or can be asked."""
    key = (lesson.id, slider.id)
    if key not in _tips:
        try:
            brief = None if lesson.of_blocks else bundled.brief_of(lesson.task)
            _tips[key] = tipping.tip_of(slider, brief)
        except ValueError as error:
            _trouble[0] = f"{lesson.title}, {slider.title}: {error}"
            _tips[key] = None
    return _tips[key]


def set_slider(context: bpy.types.Context, slider: Slider, value: float) -> None:
    """Put a slider somewhere, as dragging it does, and let the building follow at once."""
    scene = context.scene
    scene[lesson_scene.slider_key(slider)] = slider.taken(value)
    settle(scene, context.window)


def settle(scene: bpy.types.Scene, window: bpy.types.Window) -> None:
    """Let the building follow its sliders, and judge it. Never raises."""
    lesson = lesson_scene.lesson_of(scene)
    if lesson is None or not lesson_scene.mended(scene):
        return
    try:
        lesson_scene.apply(lesson, scene, window)
    except (BuildError, LessonError) as error:
        _failed(str(error))
        return
    recheck(scene)


@persistent
def _updated(scene: bpy.types.Scene, *_: Any) -> None:
    """A slider may have moved: the building follows in a moment, not within Blender's update."""
    if scene.get(lesson_scene.LESSON_KEY) is None or bpy.app.background:
        return
    lesson = lesson_scene.lesson_of(scene)
    if lesson is not None and lesson_scene.behind(lesson, scene):
        _later(_follow, _SOON)


@persistent
def _undone(scene: bpy.types.Scene, *_: Any) -> None:
    """Undo and redo bring back what the sliders said; the building follows whatever it shows."""
    if scene.get(lesson_scene.LESSON_KEY) is None:
        return
    if not bpy.app.background and lesson_scene.mended(scene):
        _later(_follow_all, _SOON)


def _later(work: Callable[[], None], seconds: float) -> None:
    if not bpy.app.timers.is_registered(work):
        bpy.app.timers.register(work, first_interval=seconds)


def _follow() -> None:
    """Rebuild what is behind its sliders."""
    for window in windows():
        lesson = lesson_scene.lesson_of(window.scene)
        if lesson is not None and lesson_scene.behind(lesson, window.scene):
            settle(window.scene, window)


def _follow_all() -> None:
    """Rebuild after an undo, whatever the building seems to show."""
    for window in windows():
        settle(window.scene, window)


def _failed(sentence: str) -> None:
    _trouble[0] = sentence
    redraw()


def _handlers() -> tuple[tuple[list[Any], Callable[..., None]], ...]:
    lists = bpy.app.handlers
    return (
        (lists.depsgraph_update_post, _updated),
        (lists.undo_post, _undone),
        (lists.redo_post, _undone),
    )


def attach() -> None:
    """Begin to follow the sliders."""
    for handlers, handler in _handlers():
        handlers.append(handler)


def detach() -> None:
    """Stop following, and forget everything."""
    for handlers, handler in _handlers():
        if handler in handlers:
            handlers.remove(handler)
    for work in (_follow, _follow_all):
        if bpy.app.timers.is_registered(work):
            bpy.app.timers.unregister(work)
    _meters.clear()
    _checking.clear()
    _again.clear()
    _tips.clear()
    _trouble[0] = ""
