# SPDX-License-Identifier: GPL-3.0-or-later
"""What a checked scene lacks against its task's target: worked out as a job, kept, and withheld
from those who are to find out for themselves. Main thread only.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import tempfile
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import bpy

from ...checks.result import Finding
from ...checks.timber.metrics.findings import differences, summary
from ...checks.timber.metrics.topology import topology
from ...checks.timber.structure import TimberStructure
from ...tasks import Task
from .. import bundled, review
from ..agent.bench import BenchError
from ..i18n import say
from ..runs.nearness import wanted
from ..runs.seats import WorkerSeat
from ..runs.storage import make_folder, write_whole
from ..runs.wording import printable
from ..scene.plain import members_from_plain
from ..words import check_title
from . import blind, by_hand_session, jobs, learning, place, quizzing
from .gallery import redraw
from .job import Job

#: Folder of ours that structures of targets are kept in, by the program that builds them.
FOLDER = "targets"
#: How long the program of a task may take, s.
_BUILD_SECONDS = 120.0
#: Comparisons and targets that are kept.
_MOST = 8

CLASSES: tuple[type, ...] = ()


@dataclass(frozen=True)
class Compared:
    """How a review differs from its target.

    ``findings`` are one a member, ``values`` the metrics C, M, V and T; ``why`` is a sentence where
    something could not be told.
    """

    findings: tuple[Finding, ...] = ()
    values: Mapping[str, float] = field(default_factory=dict)
    why: str | None = None

    @property
    def by_role(self) -> dict[str, dict[str, int]]:
        """How many members of each role differ, by kind."""
        return summary(self.findings)


_found: OrderedDict[int, Compared] = OrderedDict()
_targets: OrderedDict[tuple[str, str], TimberStructure] = OrderedDict()
_works: dict[int, jobs.Work] = {}


def of(found: review.Review) -> Compared | None:
    """What is known of a review, ``None`` as long as nothing is."""
    return _found.get(found.serial)


def working(found: review.Review) -> jobs.Work | None:
    """The job that compares this review now."""
    work = _works.get(found.serial)
    return work if work is not None and work in jobs.now() else None


def listing(known: Compared) -> str:
    """Everything that differs, a line a member, below a line for each kind."""
    lines: list[str] = []
    for kind, roles in known.by_role.items():
        lines += ["", f"{check_title(kind)} ({sum(roles.values()):,})", ""]
        lines += [f"  {printable(f.message)}" for f in known.findings if f.check == kind]
    return "\n".join(lines[1:]) + "\n"


def withheld(context: bpy.types.Context) -> str | None:
    """Why nobody may see ghosts here now, as a sentence; ``None`` if they may.

    They would give away what blind judges, pupils and people who build by hand are asked.
    """
    if blind.hidden(context):
        return blind.NOTE
    if quizzing.now() is not None or learning.open_now(context) is not None:
        return say("Not in a lesson: the fault is yours to find")
    session = by_hand_session.now()
    if session is not None and context.scene.session_uid == session.uid:
        return say("Not while you build it by hand: hand it in first")
    return None


def task_of(found: review.Review) -> Task | None:
    """The task whose target a review can be compared with, ``None`` without one."""
    task = bundled.known(found.task) if found.task else None
    # Many constructions of blocks pass, and none of them is the one that was meant.
    return task if task is not None and task.kind == "timber" else None


def soon() -> None:
    """Compare what is shown as soon as Blender is done with what it does: drawing starts no job."""
    if not bpy.app.timers.is_registered(_ask_windows):
        bpy.app.timers.register(_ask_windows, first_interval=0.0)


def _ask_windows() -> None:
    for manager in bpy.data.window_managers:
        for window in manager.windows:
            if manager.plumbline_view.target:
                ask(window.scene)


def ask(scene: bpy.types.Scene) -> None:
    """Compare a scene's review with its target, unless that is done or under way."""
    found = review.of(scene)
    task = task_of(found) if found is not None else None
    if found is None or task is None or of(found) is not None or working(found) is not None:
        return
    serial, key = found.serial, (task.id, str(task.path))

    def done(made: tuple[TimberStructure, Compared]) -> None:
        _keep(_targets, key, made[0])
        _keep(_found, serial, made[1])
        redraw()

    def failed(why: str) -> None:
        _keep(_found, serial, Compared(why=why))
        redraw()

    work = _comparing(task, _targets.get(key), found.structure, place.own_folder(FOLDER))
    for over in [known for known, job in _works.items() if job not in jobs.now()]:
        del _works[over]
    _works[serial] = jobs.start(f"Comparing {scene.name} with its target", work, done, failed)


def _keep(among: OrderedDict[Any, Any], key: Any, value: Any) -> None:
    among[key] = value
    while len(among) > _MOST:
        among.popitem(last=False)


def _comparing(
    task: Task, known: TimberStructure | None, built: TimberStructure, folder: Path
) -> Callable[[Job], tuple[TimberStructure, Compared]]:
    def work(job: Job) -> tuple[TimberStructure, Compared]:
        aim = known if known is not None else _target(task, folder, job)
        job.cancel.check()
        near = topology(aim, built)
        every = differences(near)
        return aim, Compared(every or (), near.values, near.note)

    return work


def _target(task: Task, folder: Path, job: Job) -> TimberStructure:
    """What a task asks for: its ground truth, what was kept, or what its program builds anew.

    Raises ``BenchError``, ``TaskError`` and ``StorageError`` in a sentence.
    """
    truth = wanted(task)
    if truth is not None:
        return truth
    if not task.has_program:
        nothing = "This task brings neither a ground truth nor a known-good program"
        raise BenchError(task.why_no_truth() or nothing)
    program = task.program()
    kept = folder / f"{hashlib.sha256(program.encode('utf-8')).hexdigest()}.json"
    with contextlib.suppress(OSError, ValueError):
        return members_from_plain(json.loads(kept.read_text(encoding="utf-8")))
    job.tell("progress", words="a second Blender builds what the task asks for")
    seat = WorkerSeat(_BUILD_SECONDS)
    forget = job.cancel.on_request(seat.kill)
    try:
        with tempfile.TemporaryDirectory(prefix="plumbline-target-") as steps:
            built = seat.bench(Path(steps), None).execute(program, None, "target")
    finally:
        forget()
        seat.close()
    job.cancel.check()
    if not built.ok or not built.structure:
        why = built.message or built.unreadable or "it left nothing that can be read"
        raise BenchError(f"{task.id}: its known-good program failed: {why}")
    make_folder(folder)
    write_whole(kept, json.dumps(built.structure))
    return members_from_plain(built.structure)


def attach() -> None:
    """Nothing to do: the state is in :mod:`.viewing`."""


def detach() -> None:
    """Forget everything."""
    if bpy.app.timers.is_registered(_ask_windows):
        bpy.app.timers.unregister(_ask_windows)
    for kept in (_found, _targets, _works):
        kept.clear()
