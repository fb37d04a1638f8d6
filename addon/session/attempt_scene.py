# SPDX-License-Identifier: GPL-3.0-or-later
"""An attempt of the open run in a scene of its own, judged again by today's checks.

Its .blend may hold anything: its scripts are left out (:mod:`.disarm`), and nothing of it is run.
Main thread only; the file is looked at in a job first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import bpy

from ...checks.timber.structure import StructureError
from ...tasks import Task
from .. import bundled
from ..comparing import Side, compare
from ..review import Review
from ..runs.browsing import name_of
from ..runs.judging import PROFILES
from ..runs.records import Result
from ..runs.run_tasks import task_of
from ..runs.verdicts import program_check
from ..scene.blendfile import inspect
from . import checking, jobs, opened, scenes
from .following import frame
from .gallery import redraw
from .job import Job
from .open_run import OpenRun, Today
from .opened import OpenedAttempt
from .scenes import Landed

Then = Callable[[], None]
#: Shows a scene somewhere; told whether it has just come.
Reveal = Callable[[bpy.types.Scene, bool], None]


class NoScene(RuntimeError):
    """An attempt has no scene to be shown; one sentence says why."""


def scene_of(found: OpenRun, row: int) -> bpy.types.Scene | None:
    """The scene of an attempt in this file, ``None`` if it is not (or no longer) there."""
    landed = found.landed.get(row)
    return landed.scene if landed is not None else None


def show(
    context: bpy.types.Context,
    found: OpenRun,
    row: int,
    then: Then = lambda: None,
    reveal: Reveal | None = None,
) -> None:
    """Bring the scene of an attempt in, show it (``reveal``: in this window), judge it again.

    ``then`` is called once all is done. Raises :class:`NoScene`.
    """
    record = found.run.records[row]
    window = context.window
    reveal = reveal or (lambda scene, anew: _reveal(window, scene, anew))
    scene = scene_of(found, row)
    if scene is not None:
        reveal(scene, False)
        if row in found.today:
            then()
        else:
            _judge(found, row, scene, then)
        return
    if row != found.chosen:
        found.choose(row)
    blend = found.files.scene
    if blend is None:
        raise NoScene(found.files.why)
    if row in found.coming:
        return
    title = _title(record)
    found.coming.add(row)
    found.trouble.pop(row, None)

    def bring(job: Job) -> tuple[Landed, Task | None]:
        job.tell("progress", words="looking at the file")
        inspect(blend)
        task = task_of(found.run, record)
        job.tell("progress", words="bringing it in")
        landed = job.main.call(lambda: scenes.land(blend, title), scenes.busy)
        return landed, task

    def done(brought: tuple[Landed, Task | None]) -> None:
        found.coming.discard(row)
        _take_in(found, row, *brought)
        scene = scene_of(found, row)
        if scene is None:
            return
        reveal(scene, True)
        scenes.push_undo(f"Plumbline: {title}")
        _judge(found, row, scene, then)

    def failed(sentence: str) -> None:
        found.coming.discard(row)
        found.trouble[row] = sentence
        redraw()

    jobs.start(f"Opening {title}", bring, done, failed)


def _title(record: Mapping[str, Any]) -> str:
    return f"{name_of(record, agent=True)} · run"


def _take_in(found: OpenRun, row: int, landed: Landed, task: Task | None) -> None:
    """Let the scene know where it is from and what it was built for."""
    found.landed[row] = landed
    record, scene = found.run.records[row], landed.scene
    if scene is None:
        return
    if task is not None:
        if bundled.known(task.id) is None:
            bundled.offer([task])
        scene[bundled.TASK_KEY] = task.id
    opened.remember(
        scene,
        OpenedAttempt(found.run.path, str(record["attempt"]), record, record.get("task")),
    )


def _reveal(window: bpy.types.Window | None, scene: bpy.types.Scene, anew: bool) -> None:
    windows = bpy.context.window_manager.windows
    window = window if window in list(windows) else scenes.main_window()
    if window is None:
        return
    window.scene = scene
    if anew:
        frame(window, scene)


def _judge(found: OpenRun, row: int, scene: bpy.types.Scene, then: Then) -> None:
    """Judge it by today's checks, with the record's profile and its task's brief."""
    record = found.run.records[row]

    def judged(review: Review) -> None:
        today = today_record(record, review)
        found.today[row] = Today(today, compare(Side(record), Side(today)))
        redraw()
        then()

    def failed(sentence: str) -> None:
        found.trouble[row] = sentence
        redraw()

    kind, profile = record["kind"], record["profile"]
    if profile not in PROFILES.get(kind, ()):
        failed(f"This version can't judge a {kind} structure by {profile}; see the record instead")
        return
    try:
        checking.check(scene, str(record["profile"]), judged, failed)
    except (StructureError, ValueError) as error:
        failed(str(error))


def today_record(record: Mapping[str, Any], review: Review) -> dict[str, Any]:
    """The judgement as a record; what the program itself did wrong then still counts."""
    judgement = review.judgement
    program = program_check(record)
    if program is not None:
        judgement = replace(judgement, checks=(program, *judgement.checks))
    return Result(judgement, task=record.get("task")).to_record()


def remove_all(found: OpenRun) -> int:
    """Take the scenes of this run out of the file again; how many there were."""
    count = 0
    for row, landed in list(found.landed.items()):
        if landed.scene is not None and len(bpy.data.scenes) > 1:
            scenes.remove(landed)
            count += 1
        found.landed.pop(row, None)
        found.today.pop(row, None)
    return count


def program_of(found: OpenRun) -> tuple[str, str] | None:
    """Name and text of the chosen attempt's program. Raises ``OSError``."""
    path: Path | None = found.files.program
    record = found.record
    if path is None or record is None:
        return None
    return f"{name_of(record)}.py", path.read_text(encoding="utf-8", errors="replace")
