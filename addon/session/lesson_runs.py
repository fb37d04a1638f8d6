# SPDX-License-Identifier: GPL-3.0-or-later
"""Playing lessons of motion: the scene as it is, and with something made otherwise.

Main thread only. *Play* is Blender's own timeline, in which the solver works as ever. What happens
with something made otherwise is played from the runs that the check made, beside the control in
which the response comes.
"""

from __future__ import annotations

import re

import bpy

from ...checks.reconstruction.counterfactual import Runs
from ...checks.reconstruction.simulation import Simulation
from .. import review
from ..lessons.model import Lesson
from . import lesson_scene, playback
from .motion import Motion, Show, Take, moved_otherwise

# How checks of counterfactual criteria begin.
_COUNTERFACTUAL = "counterfactual."
#: What Blender puts behind a name that another scene has too; never the decimals of a figure.
_NUMBERED = re.compile(r"(?<=[A-Za-z_])\.\d{3}\b")

_playing: list[tuple[Show | None, Lesson, bool]] = []


def play(context: bpy.types.Context) -> None:
    """Play the scene from its beginning on the timeline; stop it if it plays."""
    window, scene = context.window, context.scene
    playing = window.screen is not None and window.screen.is_animation_playing
    if not playing:
        scene.frame_set(scene.frame_start)
    if bpy.app.background:  # there is no player: at least the whole run is there
        for frame in range(scene.frame_start, scene.frame_end + 1):
            scene.frame_set(frame)
        return
    with context.temp_override(window=window):
        bpy.ops.screen.animation_play()


def runs_of(scene: bpy.types.Scene, lesson: Lesson) -> Runs | None:
    """The altered runs that the last check made for the lesson's criterion, if there are any."""
    found = review.of(scene)
    if found is None or not isinstance(found.structure, Simulation):
        return None
    runs = found.structure.runs.get(lesson.show.check.removeprefix(_COUNTERFACTUAL))
    return runs if runs is not None and runs.branch is not None else None


def show_of(runs: Runs, scale: float, mended: bool, answers: tuple[str, str] = ("", "")) -> Show:
    """What happens otherwise, of a flawed scene beside the control in which the response comes.

    ``scale`` is how many metres a unit of the scene has, ``answers`` what was measured in each.
    """
    assert runs.branch is not None
    here, control = answers
    takes = [_take("This scene", Motion.of_run(runs.branch, scale), runs, scale, here)]
    if runs.positive is not None and not mended:
        sound = Motion.of_run(runs.positive, scale)
        takes.append(_take("As it should be", sound, runs, scale, control))
    return Show(tuple(takes))


def answers_of(scene: bpy.types.Scene, lesson: Lesson) -> tuple[str, str]:
    """What the last check measured in the altered scene and in its control, in words."""
    found = review.of(scene)
    told = [c for c in found.judgement.checks if c.id == lesson.show.check] if found else []
    figures = told[0].figures if told else {}
    here, control = (
        "".join(str(one["message"]) for one in (figures.get(key) or ())[:1])
        for key in ("responses", "positive")
    )
    return _NUMBERED.sub("", here), _NUMBERED.sub("", control)


def _take(title: str, motion: Motion, runs: Runs, scale: float, answer: str) -> Take:
    """A motion with what goes otherwise than in the scene as it was."""
    base = Motion.of_run(runs.baseline, scale) if runs.baseline is not None else motion
    return Take(title, motion, moved_otherwise(motion, base), answer=answer)


def play_otherwise(context: bpy.types.Context, lesson: Lesson) -> None:
    """Play what the check found with something made otherwise. Raises ``ValueError``."""
    scene = context.scene
    runs = runs_of(scene, lesson)
    if runs is None:
        raise ValueError("The scene wasn't run otherwise yet: turn to the step Show me first")
    mended = lesson_scene.mended(scene)
    scale = scene.unit_settings.scale_length
    show = show_of(runs, scale, mended, answers_of(scene, lesson))
    playback.play(context.window, show)
    _playing[:] = [(playback.now(), lesson, mended)]


def playing() -> tuple[Lesson, bool] | None:
    """The lesson that is played otherwise now, and whether it is mended; ``None`` for none."""
    if not _playing or playback.now() is None or playback.now() is not _playing[0][0]:
        return None
    return _playing[0][1:]
