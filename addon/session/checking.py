# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking an open scene without holding up the window. Main thread only."""

from __future__ import annotations

from collections.abc import Callable

import bpy

from .. import properties, review
from ..review import Review
from . import jobs
from .gallery import redraw
from .job import Job


def check(
    scene: bpy.types.Scene,
    profile: str,
    then: Callable[[Review], None] = lambda _: None,
    failed: Callable[[str], None] = lambda _: None,
) -> jobs.Work:
    """Read the scene now and judge it as a job; its result is kept, then ``then`` is called.

    The scene must be shown or have a view layer; it isn't changed. An earlier result is gone at
    once, so that it can't be taken for the answer. Raises ``StructureError`` for a scene that can't
    be read; what can't be judged goes to ``failed`` as a sentence.
    """
    review.forget(scene)
    uid = scene.session_uid
    reading = review.read_scene(scene, profile, _graph(scene))

    def judge(job: Job) -> Review:
        return review.judge_reading(reading)

    def done(found: Review) -> None:
        still = next((s for s in bpy.data.scenes if s.session_uid == uid), None)
        if still is None:
            return
        review.keep(still, found)
        for window_manager in bpy.data.window_managers:
            properties.fit_rows(window_manager)
        then(found)
        redraw()

    return jobs.start(f"Checking {scene.name}", judge, done, failed)


def _graph(scene: bpy.types.Scene) -> bpy.types.Depsgraph:
    if scene == bpy.context.scene:
        return bpy.context.evaluated_depsgraph_get()
    layer = scene.view_layers[0]
    layer.update()
    return layer.depsgraph
