# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person built, judged and stored as an attempt like everybody's.

A run folder with one record, of the same shape as ``plumbline run --agent human`` writes it. No
``bpy``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ...checks.result import Judgement
from ...tasks import Task
from ..agent.agents import Assignment, Built
from ..agent.bench import BenchError, Scene
from ..agent.human import HARNESS, HUMAN, person_facts, work_figures
from ..agent.transcript import Transcript
from ..runs import versions
from ..runs.attempts import draw, link_file
from ..runs.records import Result
from ..runs.report import write_report
from ..runs.runfolder import PROGRAM, SCENE
from ..runs.seats import WorkerSeat
from ..runs.storage import explained, write_whole
from ..runs.verdicts import judgement_of
from .job import Job
from .recording import Recording, Wish

#: What was built until somebody gave up: kept, not judged.
LEFT = "left.blend"
GAVE_UP = "the person left it out"


@dataclass(frozen=True)
class Work:
    """What there is to store of an attempt: ``blend`` is the scene, ``seconds`` without pauses.

    ``blender`` is its version, ``started`` when it began (ISO 8601).
    """

    task: Task
    profile: str
    person: str
    blend: Path | None
    seconds: float
    tries: int | None
    live: bool
    started: str
    blender: str


@dataclass(frozen=True)
class Stored:
    """An attempt in its run folder."""

    run: Path
    attempt: str
    record: Mapping[str, Any]


def hand_in(run: Path, work: Work, judgement: Judgement, members: int, judging: float) -> Stored:
    """Store what was judged, ``judging`` s long. Raises what :class:`Recording` raises."""
    judgement = replace(judgement, metrics={"members": members, **judgement.metrics})
    return _store(run, work, judgement, "finished", None, judging)


def give_up(run: Path, work: Work) -> Stored:
    """Store that the person gave up; what stood then is kept beside it, and not judged."""
    built = Built(None, "", "gave_up", GAVE_UP)
    judgement = judgement_of(Assignment(work.task, HUMAN), built, work.profile)
    return _store(run, work, judgement, "gave_up", GAVE_UP, 0.0)


def _store(
    run: Path, work: Work, judgement: Judgement, end: str, message: str | None, judging: float
) -> Stored:
    used = {"blender": work.blender}
    recording = Recording(run, work.task, Wish(HUMAN, work.profile), used)
    try:
        recording.describe({"protocol": HUMAN, **person_facts(work.person)})
        folder = recording.folder
        if work.blend is not None:
            target = folder / (SCENE if end == "finished" else LEFT)
            with explained(target):
                link_file(work.blend, target)
        write_whole(folder / PROGRAM, "")
        figures = work_figures(work.seconds, work.tries)
        _write_transcript(folder, work, end, message, figures)
        notes = (*judgement.notes, *_notes(work))
        judgement = replace(judgement, metrics={**judgement.metrics, **figures}, notes=notes)
        timing = {
            "started": work.started,
            "build": work.seconds,
            "judge": judging,
            "total": work.seconds + judging,
        }
        result = Result(
            judgement,
            harness=HARNESS,
            end=end,
            timing=timing,
            versions={**versions.own(), **used},
        )
        record = recording.keep(result)
    finally:
        recording.close()
    return Stored(run, recording.name, record)


def _notes(work: Work) -> list[str]:
    notes = []
    if work.live:
        notes.append("the checks ran by themselves while it was built")
    if work.tries is None:
        notes.append("how often it was checked before was not counted, as the person chose")
    return notes


def _write_transcript(
    folder: Path, work: Work, end: str, message: str | None, figures: Mapping[str, Any]
) -> None:
    with Transcript(folder) as transcript:
        transcript.event("episode", task=work.task.id, agent=HUMAN, profile=work.profile)
        transcript.event("note", what="by hand", message=_told(work), **figures)
        transcript.event("end", end=end, message=message)


def _told(work: Work) -> str:
    tries = "checks not counted" if work.tries is None else f"{work.tries} checks before"
    return f"built in an open Blender in {work.seconds:.0f} s, {tries}"


def draw_later(stored: Stored) -> Any:
    """The work of a job that adds the picture of what was handed in, and to the report.

    Raises ``BenchError`` where it can't be drawn; the record stands without it.
    """

    def work(job: Job) -> None:
        folder = stored.run / stored.attempt
        seat = WorkerSeat()
        forget = job.cancel.on_request(seat.kill)
        try:
            job.tell("progress", words="a second Blender draws what you built")
            draw(stored.record, seat.bench(folder), Scene(folder / SCENE), folder)
        except BenchError:
            job.cancel.check()
            raise
        finally:
            forget()
            seat.close()
        write_report(stored.run)

    return work
