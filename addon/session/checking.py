# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking an open scene without holding up the window. Main thread only."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import bpy

from ...checks.reconstruction.simulation import Simulation
from .. import properties, review
from ..review import Reading, Review
from ..scene.members import unit_scale
from ..words import check_title
from . import edits, jobs, lesson_scene, stepping
from .gallery import redraw
from .job import Job

_at_work: dict[int, jobs.Work] = {}


def check(
    scene: bpy.types.Scene,
    profile: str,
    then: Callable[[Review], None] = lambda _: None,
    failed: Callable[[str], None] = lambda _: None,
    *,
    brief: Mapping[str, Any] | None = None,
    only: str | None = None,
    keep: bool = False,
    wait: float = jobs.MOMENT,
) -> jobs.Work:
    """Read the scene now and judge it as a job; its result is kept, then ``then`` is called.

    The scene must be shown or have a view layer; it isn't changed. An earlier result is gone at
    once, so that it can't be taken for the answer; with ``keep`` or ``only`` it stays, and
    :func:`at_work` tells that a newer one is on its way. A check of this scene that is still at
    work is called off. ``brief`` holds fields of the brief that stand in the place of the task's,
    ``only`` the id of the one check whose answer is to be made anew. Blocks of a lesson are judged
    by its own checks. A scene in motion is simulated on copies first, a step at a time, so that
    the window stays free; what the person edits meanwhile makes the result stale.

    Raises ``ValueError`` for a scene that can't be read; what can't be judged goes to
    ``failed`` as a sentence. Either way the earlier result is gone then.
    """
    call_off(scene)
    former = review.of(scene)
    if only is not None and (former is None or former.judgement.profile != profile):
        only = None
    if not keep and only is None:
        review.forget(scene)
    uid = scene.session_uid
    try:
        fields = {**lesson_scene.own_checks(scene), **(brief or {})}
        reading = review.read_scene(scene, profile, _graph(scene), fields)
    except Exception:
        review.forget(scene)
        raise

    edits.watch(scene, reading.poses)

    def done(found: Review) -> None:
        _at_work.pop(uid, None)
        still = _scene(uid)
        if still is not None:
            found.stale = edits.edited_meanwhile(still)
            then(_take_in(still, found, only))
        redraw()

    def not_judged(sentence: str) -> None:
        _at_work.pop(uid, None)
        still = _scene(uid)
        if still is not None:
            edits.edited_meanwhile(still)
            review.forget(still)
        failed(sentence)

    title = f"Checking {scene.name}"
    if reading.steps is None:
        work = jobs.start(title, _judging(reading), done, not_judged, wait)
    else:
        work = _simulated(scene, title, reading, done, not_judged, wait)
    if not work.job.over:
        _at_work[uid] = work
    return work


def at_work(scene: bpy.types.Scene | None) -> jobs.Work | None:
    """The check of this scene that is under way, ``None`` if there is none."""
    work = _at_work.get(scene.session_uid) if scene is not None else None
    return work if work is not None and not work.job.over and not work.stopping else None


def call_off(scene: bpy.types.Scene) -> None:
    """End the check of this scene that is under way, if there is one."""
    work = _at_work.pop(scene.session_uid, None)
    if work is not None:
        if work is stepping.at_work(scene):
            stepping.call_off(scene)
        work.cancel()
        edits.edited_meanwhile(scene)


def _simulated(
    scene: bpy.types.Scene,
    title: str,
    reading: Reading,
    done: Callable[[Review], None],
    not_judged: Callable[[str], None],
    wait: float,
) -> jobs.Work:
    """Simulate, then judge; both are one piece of work to whoever looks."""
    unit = unit_scale(scene)

    def judged(made: Simulation, job: Job) -> Review:
        run = made.trajectory
        whole = replace(run, source={"unit_scale": unit, **run.source})
        structure = replace(made, trajectory=whole)
        return _judging(replace(reading, structure=structure))(job)

    assert reading.steps is not None
    try:
        return stepping.start(
            scene, title, reading.steps(), done, judged, otherwise=not_judged, wait=wait
        )
    except ValueError:
        edits.edited_meanwhile(scene)
        review.forget(scene)
        raise


def _judging(reading: Reading) -> Callable[[Job], Review]:
    def judge(job: Job) -> Review:
        def progress(step: str, done: int, total: int) -> None:
            job.cancel.check()
            words = check_title(step) if step else ""
            job.tell("progress", done=done, total=total, words=words)

        return review.judge_reading(reading, progress)

    return judge


def _take_in(scene: bpy.types.Scene, found: Review, only: str | None) -> Review:
    """Make a result the one that is shown, and leave the person where they stand; returns it."""
    former = review.of(scene)
    if former is not None:
        if only is not None:
            found = review.one_anew(former, found, only)
        review.take_over(former, found)
    review.keep(scene, found)
    for window_manager in bpy.data.window_managers:
        properties.fit_rows(window_manager)
    return found


def _scene(uid: int) -> bpy.types.Scene | None:
    return next((s for s in bpy.data.scenes if s.session_uid == uid), None)


def _graph(scene: bpy.types.Scene) -> bpy.types.Depsgraph:
    if scene == bpy.context.scene:
        return bpy.context.evaluated_depsgraph_get()
    layer = scene.view_layers[0]
    layer.update()
    return layer.depsgraph
