# SPDX-License-Identifier: GPL-3.0-or-later
"""The quiz that is going on in the window, one at most. Main thread only.

It lives as long as Blender runs and belongs to no scene: whatever is deleted, undone or opened
meanwhile, the question stays and its building can be shown again.
"""

from __future__ import annotations

import bpy

from .. import review
from ..lessons.quiz import Answer, Quiz
from ..scene import one_scene
from . import lesson_scene

_quiz: list[Quiz] = []


def now() -> Quiz | None:
    """The quiz, ``None`` while there is none."""
    return _quiz[0] if _quiz else None


def begin(quiz: Quiz) -> None:
    """Make it the one that goes on; one before it is gone."""
    _quiz[:] = [quiz]


def end() -> None:
    """There is no quiz any more."""
    _quiz.clear()


def in_sight(scene: bpy.types.Scene) -> bool:
    """Whether the window shows the building of the present question, with its fault."""
    quiz = now()
    if quiz is None or quiz.over or scene is None:
        return False
    same = scene.get(lesson_scene.LESSON_KEY) == quiz.question.lesson.id
    return bool(same and not lesson_scene.mended(scene))


def helped(scene: bpy.types.Scene) -> bool:
    """Whether the checks were asked about the building before the answer was given."""
    return in_sight(scene) and review.of(scene) is not None


def choose(scene: bpy.types.Scene, place: int) -> Answer | None:
    """Answer by a choice."""
    quiz = now()
    return quiz.choose(place, helped(scene)) if quiz is not None else None


def point_at_active(context: bpy.types.Context) -> Answer | None:
    """Answer by the member that is active in the building; ``None`` if there is none."""
    quiz, scene = now(), context.scene
    active = context.view_layer.objects.active if context.view_layer is not None else None
    if quiz is None or not in_sight(scene) or active is None or not active.select_get():
        return None
    # The name may carry a number because another scene has the same member.
    return quiz.point_at(one_scene.plain(active.name), helped(scene))
