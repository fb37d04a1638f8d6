# SPDX-License-Identifier: GPL-3.0-or-later
"""The lesson that is open in the window, and how far it has come. Main thread only.

Which lesson it is stands in its scene; so when that scene is deleted, undone or left, the panel
offers the lessons again, whatever is remembered here.
"""

from typing import Any

import bpy

from .. import review
from ..lessons import loader
from ..lessons.model import STEP_TIPS, STEPS, Lesson, LessonError
from ..review import Review
from . import (
    caption,
    checking,
    following,
    lesson_blocks,
    lesson_scene,
    playback,
    probing,
    quizzing,
    viewing,
    what_if,
)
from .gallery import redraw

_STEP_ITEMS = tuple((step, title, STEP_TIPS[step]) for step, title in STEPS)
_BEFORE = "plumbline_before"

_unread = [""]  # why lesson files can't be read
_trouble = [""]


class PlumblineLearn(bpy.types.PropertyGroup):
    """Where the person is in a lesson, and how a quiz is to be."""

    lesson: bpy.props.StringProperty(name="Lesson", description="Id of the lesson that is open")
    step: bpy.props.EnumProperty(
        name="Step", description="Where in the lesson we are", items=_STEP_ITEMS
    )
    answer: bpy.props.IntProperty(
        name="Answer", description="The answer that was chosen, -1 for none", default=-1
    )
    caption: bpy.props.BoolProperty(
        name="Large caption",
        description="Write the step of the lesson large into the 3D view, for a whole class",
        update=lambda _state, _context: redraw(),
    )
    pupil: bpy.props.StringProperty(
        name="Name", description="Who answers; it is only written into the result that is saved"
    )
    quiz_count: bpy.props.IntProperty(
        name="Questions", description="How many questions are asked", default=8, min=1, max=60
    )
    quiz_seed: bpy.props.IntProperty(
        name="Mix",
        description="The same number gives the same questions in the same order, for a whole class",
        default=1,
        min=0,
    )
    quiz_settings: bpy.props.BoolProperty(
        name="Settings of the quiz",
        description="Set who answers, how many questions there are, and how they are mixed",
    )
    quiz_finds: bpy.props.BoolProperty(
        name="Find the fault in the view",
        description="Ask also to click the member that is at fault",
        default=True,
    )


def state_of(context: bpy.types.Context) -> PlumblineLearn:
    """The state of this window manager."""
    return context.window_manager.plumbline_learn


def lessons() -> tuple[Lesson, ...]:
    """All lessons; none if their files can't be read, and then :func:`trouble` says why."""
    try:
        found = loader.bundled()
    except LessonError as error:
        _unread[0] = str(error)
        return ()
    _unread[0] = ""
    return found


def trouble() -> str:
    """What is in the way as a sentence, empty if nothing is."""
    return _unread[0] or _trouble[0] or what_if.trouble()


def open_now(context: bpy.types.Context) -> Lesson | None:
    """The lesson of the scene that the window shows, ``None`` for any other scene."""
    try:
        return lesson_scene.lesson_of(context.scene)
    except LessonError as error:
        _unread[0] = str(error)
        return None


def played(context: bpy.types.Context) -> Lesson | None:
    """The lesson whose scene the motion is of that the window shows, ``None`` if none is shown."""
    if not playback.is_playback(context.scene):
        return None
    try:
        return lesson_scene.lesson_of(playback.source())
    except LessonError as error:
        _unread[0] = str(error)
        return None


def open_lesson(
    context: bpy.types.Context, lesson: Lesson, title: str | None = None
) -> bpy.types.Scene:
    """Build the lesson's house in a scene of its own and show it whole, nothing coloured yet.

    The scene is called after the lesson, or ``title`` where that would tell the answer.

    Lessons that were open are closed, unless somebody added objects to their scenes. Raises
    ``BuildError``.
    """
    window = context.window
    _trouble[0] = ""
    before = window.scene
    came_from = before.name if not before.get(lesson_scene.LESSON_KEY) else before.get(_BEFORE, "")
    scene = lesson_scene.build(lesson, window, title or f"Lesson: {lesson.title}")
    scene[_BEFORE] = came_from
    for other in list(bpy.data.scenes):
        if other != scene and other.get(lesson_scene.LESSON_KEY):
            _close(other, scene)
    state = state_of(context)
    state.lesson, state.step, state.answer = lesson.id, "see", -1
    viewing.state_of(context).mode = "finding"
    following.frame(window, scene)
    return scene


def leave(context: bpy.types.Context) -> None:
    """Go back to the scene that was open before, and take the lesson's away."""
    window, scene = context.window, context.scene
    name = str(scene.get(_BEFORE, ""))
    other = bpy.data.scenes.get(name)
    if other is None or other == scene:
        rest = [s for s in bpy.data.scenes if s.get(lesson_scene.LESSON_KEY) is None]
        other = rest[0] if rest else bpy.data.scenes.new("Scene")
    window.scene = other
    _close(scene, other)
    redraw()


def _close(scene: bpy.types.Scene, instead: bpy.types.Scene) -> None:
    """Take a lesson's scene away; if a person's own objects are in it, it only stops being one."""
    review.forget(scene)
    what_if.forget(scene)
    lesson_blocks.hide_stress(scene, lesson_scene.lesson_of(scene))
    if lesson_scene.has_guests(scene):
        del scene[lesson_scene.LESSON_KEY]
        return
    for window in what_if.windows():
        if window.scene == scene:
            window.scene = instead
    lesson_scene.remove(scene)


def go(context: bpy.types.Context, step: str) -> None:
    """Turn to a step: *See* and *Question* show nothing of the answer yet."""
    state = state_of(context)
    state.step = step
    found = review.of(context.scene)
    if step in ("see", "question"):
        viewing.state_of(context).mode = "finding"
        lesson_blocks.hide_stress(context.scene, open_now(context))
        if found is not None:
            found.active = -1
    if step == "show" and not lesson_scene.mended(context.scene):
        show_me(context)
    if step == "what_if" and lesson_scene.mended(context.scene):
        what_if.recheck(context.scene)
    redraw()


def show_me(context: bpy.types.Context) -> None:
    """Check the building and go to the finding that the lesson is about."""
    lesson, scene = open_now(context), context.scene
    if lesson is None:
        return
    viewing.state_of(context).mode = lesson.show.colours
    lesson_blocks.show_stress(scene, lesson)
    uid = scene.session_uid
    checking.check(
        scene,
        what_if.profile_of(lesson),
        then=lambda found: _choose(uid, lesson, found),
        failed=_failed,
        keep=True,
    )


def _choose(uid: int, lesson: Lesson, found: Review) -> None:
    """Go to the root finding of the lesson's check, wherever we are called from."""
    row = next(
        (
            i
            for i, f in enumerate(found.table.findings)
            if f.check == lesson.show.check and f.is_root
        ),
        None,
    )
    place = _place(uid)
    if row is None or place is None:
        return
    with bpy.context.temp_override(**place):
        if bpy.ops.plumbline.show_finding.poll():
            bpy.ops.plumbline.show_finding(row=row)


def _place(uid: int) -> dict[str, Any] | None:
    """Where a click into the view of that scene would come from, ``None`` if it isn't shown."""
    for window in what_if.windows():
        if window.scene.session_uid != uid or window.screen is None:
            continue
        areas = [area for area in window.screen.areas if area.type == "VIEW_3D"]
        if not areas:
            return {"window": window}
        area = max(areas, key=lambda a: a.width * a.height)
        region = next(r for r in area.regions if r.type == "WINDOW")
        return {"window": window, "area": area, "region": region}
    return None


def _failed(sentence: str) -> None:
    _trouble[0] = sentence
    redraw()


def mend(context: bpy.types.Context) -> None:
    """Mend the building, and check it again. Raises ``BuildError``."""
    lesson, scene = open_now(context), context.scene
    if lesson is None:
        return
    if lesson.of_motion:
        what_if.recheck(_mended_anew(context.window, lesson, scene))
        return
    lesson_scene.mend(lesson, scene, context.window)
    if lesson.of_blocks:
        following.frame(context.window, scene)  # its stress is one of the whole
    what_if.recheck(scene)


def _mended_anew(
    window: bpy.types.Window, lesson: Lesson, scene: bpy.types.Scene
) -> bpy.types.Scene:
    """The sound scene in the place of the flawed one, which is closed."""
    title, before = scene.name, scene.get(_BEFORE, "")
    made = lesson_scene.build_mended(lesson, window, title)
    made[_BEFORE] = before
    _close(scene, made)
    if bpy.data.scenes.get(title) is None:
        made.name = title
    following.frame(window, made)
    return made


CLASSES = (PlumblineLearn, *probing.CLASSES)


def attach() -> None:
    """Put the state on every window manager; the classes are registered before."""
    bpy.types.WindowManager.plumbline_learn = bpy.props.PointerProperty(type=PlumblineLearn)
    what_if.attach()
    probing.attach()
    caption.attach()


def detach() -> None:
    """Take it away again, with handlers, timers, the caption and the quiz."""
    caption.detach()
    playback.detach()
    probing.detach()
    what_if.detach()
    quizzing.end()
    _unread[0] = _trouble[0] = ""
    loader.bundled.cache_clear()
    del bpy.types.WindowManager.plumbline_learn
