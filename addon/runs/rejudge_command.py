# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline rejudge RUN``: judge what a run built with today's checks, beside the old results.

The old run is only read. What comes out is a run folder of its own, with the scenes, programs and
transcripts of the old one, so that it can be reported, exported and judged again like any other.
"""

from __future__ import annotations

import argparse
import contextlib
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ... import tasks as task_files
from ...checks.result import Judgement
from ..agent.agents import Assignment, Built
from ..agent.bench import BenchError, Execution, Scene
from ..agent.transcript import FILE as TRANSCRIPT
from ..agent.transcript import PICTURES
from ..kinds import OWN_PROFILE, how_many, read_as
from ..sandbox.client import WorkerError
from ..sandbox.errand import reading_time
from . import construction_records, versions, wording
from .attempts import draw, link_file
from .cli import INTERRUPTED, NOT_JUDGED, UNREADABLE, exit_code
from .closing import closing_lines
from .console import Console
from .judging import READ_TIMEOUT, InputError
from .output import RecordOutput
from .progress import Progress
from .records import Result
from .report import write_report
from .report_overview import changes, root_faults
from .run_tasks import tasks_of
from .runfolder import (
    OUTPUT,
    PROGRAM,
    SCENE,
    Run,
    RunFolderError,
    RunWriter,
    free_folder,
    key_of,
    now,
    read_run,
)
from .scores import summary_of
from .seats import WorkerSeat
from .table import verdict_word
from .verdicts import (
    expectation_of,
    first_line,
    judgement_of,
    not_judged,
    program_check,
    without_scene,
)


def rejudge(options: argparse.Namespace, terminal: Console) -> int:
    """Judge every attempt of the run again; the exit code is that of what came out."""
    try:
        run = read_run(options.run)
    except RunFolderError as error:
        terminal.warn(str(error))
        return UNREADABLE
    for note in run.notes:
        terminal.warn(note)
    asked = dict(run.header["sessions"][-1]["asked"])
    profile = options.profile or asked.get("profile") or OWN_PROFILE
    asked.update(profile=profile, rejudged=str(options.run))
    out = Path(options.out) if options.out else _beside(run.path)
    with contextlib.closing(WorkerSeat()) as seat:
        try:
            used = {**versions.own(), **seat.versions()}
            with RunWriter(out, asked, used, agent=run.header["sessions"][-1].get("agent")) as new:
                return _Again(run, new, profile, seat, terminal, options).all()
        except (BenchError, WorkerError) as error:
            terminal.warn(first_line(error))
            return NOT_JUDGED
        except RunFolderError as error:
            terminal.warn(str(error))
            return UNREADABLE


def _beside(path: Path) -> Path:
    """A folder that isn't there yet, beside the run's and named after it."""
    base = path.resolve()
    return free_folder(base.with_name(f"{base.name}-rejudged"))


class _Again:
    """One go through a run."""

    def __init__(
        self,
        run: Run,
        writer: RunWriter,
        profile: str,
        seat: WorkerSeat,
        terminal: Console,
        options: argparse.Namespace,
    ) -> None:
        self.run = run
        self.writer = writer
        self.profile = profile
        self.seat = seat
        self.terminal = terminal
        self.options = options
        self.tasks = dict(tasks_of(run))

    def all(self) -> int:
        """Judge all; one that can't be is said and the rest goes on."""
        unreadable = False
        terminal, records = self.terminal, self.run.records
        progress = Progress(terminal.err, terminal.err_style, len(records))
        with RecordOutput(terminal, self.options.json, self.options.json_out) as output:
            try:
                for old in records:
                    name = str(old.get("attempt") or old.get("task"))
                    progress.started(name)
                    try:
                        new = self._one(old)
                    except InputError as error:
                        terminal.warn(str(error))
                        unreadable = True
                        progress.finished(name)
                        continue
                    self.writer.append(new)
                    progress.finished(name, new)
                    progress.clear()
                    output.record(new)
                    self._say(new)
                    progress.draw()
            except KeyboardInterrupt:
                self.writer.finish({"interrupted": True})
                terminal.warn(f"interrupted; {self.run.path} is as it was")
                return INTERRUPTED
            finally:
                progress.clear()
            unreadable = unreadable or output.failed
        return self._close(unreadable)

    def _close(self, unreadable: bool) -> int:
        records = read_run(self.writer.path).records
        changed = Counter(
            (record["rejudged"]["verdict"], record["verdict"])
            for record in records
            if record["rejudged"]["verdict"] != record["verdict"]
        )
        listed = [{"from": a, "to": b, "attempts": n} for (a, b), n in sorted(changed.items())]
        self.writer.finish({**summary_of(records), "changed": listed})
        path = write_report(self.writer.path)
        if not self.options.json:
            for line in closing_lines(records):
                self.terminal.line(line)
            self.terminal.line(_changed(listed))
            self.terminal.line(f"report: {path}")
        return exit_code((record["verdict"] for record in records), unreadable)

    def _say(self, record: Mapping[str, Any]) -> None:
        before = record["rejudged"]["verdict"]
        came, went = changes(record)
        if self.options.json or (before == record["verdict"] and not came and not went):
            return
        style = self.terminal.style
        told = f"was {wording.VERDICT_WORDS[before]}" if before != record["verdict"] else "faults"
        told += f", new: {', '.join(came[:3])}" if came else ""
        told += f", gone: {', '.join(went[:3])}" if went else ""
        name = wording.printable(str(record.get("attempt")))
        self.terminal.line(
            f"{verdict_word(record['verdict'], style)}  {name}  {wording.printable(told)}"
        )

    def _one(self, old: Mapping[str, Any]) -> dict[str, Any]:
        """The new record of an old one. Raises ``InputError`` where the task is gone."""
        source = self.run.folder_of(old)
        folder = self.writer.attempt(key_of(old))
        if source is not None:
            _take_over(source, folder)
        task = self.tasks.get(str(old.get("task")))
        if task is None:
            raise InputError(
                f"{self.run.path}: the task {old.get('task')} is gone, so {old.get('attempt')} "
                "can't be judged again; put it back where the run had it"
            )
        result = self._result(old, task, folder)
        record = {**_judged(old, task, result).to_record(), **_who(old)}
        if not self.options.no_pictures and (folder / SCENE).is_file() and record["checks"]:
            self._draw(record, folder)
        return record

    def _result(self, old: Mapping[str, Any], task: task_files.Task, folder: Path) -> Result:
        if old.get("environment"):
            fault = old["environment"]
            return not_judged(self.profile, fault["kind"], fault["message"], task=task)
        program = program_check(old)
        scene = folder / SCENE
        if not scene.is_file():
            findings = program.findings if program else ()
            if not findings:
                raise InputError(f"{folder}: the scene is gone, so it can't be judged again")
            return Result(without_scene(self.profile, findings, task), versions=versions.own())
        begin = time.perf_counter()
        built = Built(self._read(scene, read_as(task)), "", "finished")
        read = time.perf_counter() - begin
        judgement = judgement_of(_assignment(old, task), built, self.profile)
        if program is not None:
            judgement = replace(judgement, checks=(program, *judgement.checks))
        total = time.perf_counter() - begin
        return Result(
            judgement,
            timing={"started": now(), "read": read, "judge": total - read, "total": total},
            versions={**versions.own(), **self.seat.versions()},
        )

    def _read(self, scene: Path, asked: Mapping[str, Any]) -> Execution:
        """What stands in a scene, read where what a program left is read: in the box."""
        worker = self.seat.worker
        try:
            patience = reading_time(asked, READ_TIMEOUT)
            answer = worker.request("inspect", timeout=patience, blend=scene.read_bytes(), **asked)
        except WorkerError as error:
            if error.stage != "read":
                raise
            return Execution("finished", worker.isolation, unreadable=error.message)
        return Execution("finished", worker.isolation, structure=answer["structure"])

    def _draw(self, record: Mapping[str, Any], folder: Path) -> None:
        if not how_many(record["metrics"]):
            return
        try:
            bench = self.seat.bench(folder)
            draw(record, bench, Scene(folder / SCENE), folder)
        except BenchError as error:
            self.terminal.warn(f"{folder}: no picture could be made: {first_line(error)}")


def _take_over(source: Path, folder: Path) -> None:
    """The files of the old attempt that still hold: all but pictures of its findings."""
    for name in (SCENE, PROGRAM, OUTPUT, TRANSCRIPT):
        if (source / name).is_file():
            link_file(source / name, folder / name)
    if (source / PICTURES).is_dir():
        (folder / PICTURES).mkdir()
        for picture in (source / PICTURES).iterdir():
            link_file(picture, folder / PICTURES / picture.name)


def _assignment(old: Mapping[str, Any], task: task_files.Task) -> Assignment:
    """What was asked for then; a twin that is gone is expected nothing of."""
    twin = None
    with contextlib.suppress(KeyError):
        twin = task.twin(old["variant"]) if old.get("variant") else None
    return Assignment(task, str(old.get("agent")), twin, old.get("epoch", 1))


def _judged(old: Mapping[str, Any], task: task_files.Task, result: Result) -> Result:
    """The result with what the old record says of the attempt, and what was found then."""
    judgement: Judgement = result.judgement
    if not result.environment:
        judgement = replace(judgement, metrics={**old["metrics"], **judgement.metrics})
    assignment = _assignment(old, task)
    expected = None if result.environment else expectation_of(assignment, judgement)
    return replace(
        result,
        judgement=judgement,
        expectation=expected,
        problem=old.get("problem") or construction_records.told(task),
        source=None,
        usage=old.get("usage"),
        isolation=old.get("isolation"),
        rejudged={
            "verdict": old["verdict"],
            "profile": old["profile"],
            "faults": root_faults(old),
            "plumbline": old["versions"].get("plumbline"),
        },
    )


def _who(old: Mapping[str, Any]) -> dict[str, Any]:
    """What of the old record names the attempt: judging again doesn't change it."""
    names = ("task", "title", "variant", "epoch", "agent", "harness", "model", "effort")
    return {name: old.get(name) for name in (*names, "protocol", "end", "attempt")}


def _changed(listed: Sequence[Mapping[str, Any]]) -> str:
    if not listed:
        return "no verdict has changed"
    told = (
        f"{one['attempts']} from {wording.VERDICT_WORDS[one['from']]} to "
        f"{wording.VERDICT_WORDS[one['to']]}"
        for one in listed
    )
    return f"verdicts changed: {', '.join(told)}"
