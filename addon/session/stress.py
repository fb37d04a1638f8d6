# SPDX-License-Identifier: GPL-3.0-or-later
"""The stress of the blocks of an open scene: solved as a job, kept, and judged. Main thread only.

The scene is only read. What was found stays until it is solved again, and says so once the blocks
are others.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent
from numpy.typing import NDArray

from ...checks.result import CheckResult
from ...checks.voxel.brief import VoxelBrief
from ...checks.voxel.stress import fem, score
from ...checks.voxel.stress.named import limit_of
from ...checks.voxel.stress.score import Field, Method
from ...checks.voxel.structure import VoxelError, VoxelStructure
from .. import bundled
from . import blocks_now, jobs
from .block_choices import stress_of
from .gallery import redraw
from .job import Job

_serials = count(1)


@dataclass(frozen=True)
class Stress:
    """What was found for one scene: ``field``, or no stress and why, in ``result``.

    ``hanging`` are rows of blocks that hang on nothing, (k,). ``blocks`` is the serial of what was
    read; ``serial`` is another for each solving.
    """

    serial: int
    blocks: int
    structure: VoxelStructure
    field: Field | None
    hanging: NDArray[np.int64]
    result: CheckResult
    seconds: float = 0.0


_found: dict[int, Stress] = {}
_at_work: dict[int, jobs.Work] = {}
_trouble: dict[int, str] = {}


def of(scene: bpy.types.Scene) -> Stress | None:
    """What was found for a scene, ``None`` if nothing was."""
    return _found.get(scene.session_uid)


def stale(scene: bpy.types.Scene) -> bool:
    """Whether the blocks are others than those that were solved."""
    found, now = of(scene), blocks_now.of(scene)
    return found is not None and (now is None or now.serial != found.blocks)


def at_work(scene: bpy.types.Scene) -> jobs.Work | None:
    """The solver that is at work for a scene, ``None`` if none is."""
    work = _at_work.get(scene.session_uid)
    return work if work is not None and not work.job.over else None


def trouble(scene: bpy.types.Scene) -> str:
    """Why the last solving or judging came to nothing; empty if it didn't."""
    return _trouble.get(scene.session_uid, "")


def brief_of(scene: bpy.types.Scene) -> VoxelBrief | None:
    """The brief of the voxel task that a scene was built for, ``None`` if there is none."""
    task = bundled.known(scene.get(bundled.TASK_KEY))
    if task is None or task.kind != "voxel":
        return None
    brief = bundled.brief_of(task.id)
    return brief if isinstance(brief, VoxelBrief) else None


def solve(
    scene: bpy.types.Scene,
    method: Method,
    reference: str,
    then: Callable[[Stress], None] = lambda _: None,
    wait: float = jobs.MOMENT,
) -> jobs.Work:
    """Solve the stress of a scene's blocks as a job; the scene itself is left alone.

    Raises ``ValueError`` where there are no blocks that can be read.
    """
    now = blocks_now.of(scene)
    if now is None or not len(now.structure):
        raise ValueError(blocks_now.trouble(scene) or "There is no block in this scene")
    running = at_work(scene)
    if running is not None:
        running.cancel()
    uid, brief = scene.session_uid, brief_of(scene)
    _trouble.pop(uid, None)

    def done(found: Stress) -> None:
        _at_work.pop(uid, None)
        _found[uid] = found
        redraw()
        then(found)

    def failed(sentence: str) -> None:
        _at_work.pop(uid, None)
        _trouble[uid] = sentence
        redraw()

    def steps(job: Job) -> Stress:
        return _solved(job, now, method, reference, brief)

    work = jobs.start(f"Stress of {scene.name}", steps, done, failed, wait=0.0)
    if not work.job.over:
        _at_work[uid] = work
    return work


def _solved(
    job: Job, now: blocks_now.BlocksNow, method: Method, reference: str, brief: VoxelBrief | None
) -> Stress:
    """The work of the job's thread: no ``bpy`` here."""

    def progress(done: int, total: int) -> None:
        job.gate()
        job.tell("progress", done=done, total=total, words="solving")

    structure = now.structure
    none = np.zeros(0, dtype=np.int64)
    try:
        field = score.field_of(structure, method, progress)
    except score.REFUSALS as error:
        rows = error.rows if isinstance(error, fem.Unsupported) else none
        result = score.refused(structure, error, {"solver": method})
        return Stress(next(_serials), now.serial, structure, None, rows, result, job.seconds)
    job.cancel.check()
    result = _judged(structure, field, reference, brief)
    return Stress(next(_serials), now.serial, structure, field, none, result, job.seconds)


def _judged(
    structure: VoxelStructure, field: Field, reference: str, brief: VoxelBrief | None
) -> CheckResult:
    try:
        limit = limit_of(reference, field.method, brief)
    except VoxelError as error:
        unjudged = score.judged(structure, field, None)
        return replace(unjudged, reason="; ".join(filter(None, [str(error), field.note])))
    if limit is None:
        return score.judged(structure, field, None)
    return score.judged(structure, field, limit.pascals, limit.name)


def judge_again(context: bpy.types.Context) -> None:
    """Judge what was found against the reference that is chosen now; nothing is solved anew."""
    scene = context.scene
    found = of(scene)
    if found is None or found.field is None:
        return
    uid, reference, brief = scene.session_uid, stress_of(context).reference, brief_of(scene)
    structure, field = found.structure, found.field

    def done(result: CheckResult) -> None:
        kept = _found.get(uid)
        if kept is not None and kept.serial == found.serial:
            _found[uid] = replace(kept, result=result)
        redraw()

    def failed(sentence: str) -> None:
        _trouble[uid] = sentence

    jobs.start(
        "Reference of the stress",
        lambda _job: _judged(structure, field, reference, brief),
        done,
        failed,
    )


def forget(scene: bpy.types.Scene) -> None:
    """Drop what was found for a scene, and call off what is at work."""
    running = at_work(scene)
    if running is not None:
        running.cancel()
    for kept in (_found, _at_work, _trouble):
        kept.pop(scene.session_uid, None)


@persistent
def _forget_all(*_: Any) -> None:
    for kept in (_found, _at_work, _trouble):
        kept.clear()


CLASSES: tuple[type, ...] = ()


def attach() -> None:
    """Begin to notice that another file comes."""
    bpy.app.handlers.load_pre.append(_forget_all)


def detach() -> None:
    """Forget everything."""
    if _forget_all in bpy.app.handlers.load_pre:
        bpy.app.handlers.load_pre.remove(_forget_all)
    _forget_all()
