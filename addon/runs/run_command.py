# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline run``: tasks in, a run folder with results and a report out."""

from __future__ import annotations

import argparse
import os
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ... import tasks as task_files
from ..agent.scripted import FLAWED, SCRIPTED, AgentError, Assignment, assignments, check_agent
from ..sandbox.client import BlenderWorker, WorkerError
from . import versions, wording
from .attempts import Settings, first_line
from .cli import INTERRUPTED, NOT_JUDGED, UNREADABLE, exit_code
from .console import Console
from .output import RecordOutput
from .progress import Progress
from ..ranking import findings_of, grouped
from .report import write_report
from .runfolder import Run, RunFolderError, RunWriter, key_of, read_run
from .runner import Finished, Started, key
from .runner import run as run_attempts
from .table import verdict_word

DEFAULT_OUT = Path("runs")


@dataclass(frozen=True)
class Asked:
    """What a run is asked for, after defaults and what a resumed run was asked before."""

    tasks: tuple[str, ...] = task_files.SMOKE
    agent: str = SCRIPTED
    protocol: str = "atomic"
    profile: str = "engineering"
    limit: int | None = None
    seed: int = 0
    timeout: float = 120.0
    workers: int = 1


def run(options: argparse.Namespace, terminal: Console) -> int:
    """Make the run that the options ask for; the exit code says how it ended."""
    try:
        if options.resume and options.out is None:
            raise RunFolderError("--resume needs --out DIR, the run to go on with")
        before = read_run(options.out) if options.resume else None
        asked = _asked(options, before)
        check_agent(asked.agent)
    except (AgentError, RunFolderError) as error:
        terminal.warn(str(error))
        return UNREADABLE
    todo, unreadable = _assignments(asked, terminal)
    if not todo:
        if not unreadable:
            terminal.warn("the chosen tasks have no flawed twins; choose others with --tasks")
        return UNREADABLE
    with BlenderWorker() as first:
        try:
            used = first.request("versions")
        except WorkerError as error:
            terminal.warn(first_line(error))
            return NOT_JUDGED
        header = {**versions.own(), "blender": used.get("blender")}
        try:
            out = Path(options.out) if options.out else _new_folder(asked.agent)
            with RunWriter(out, _plain(asked), header, options.resume) as writer:
                session = _Session(asked, writer, terminal, options)
                return session.run(todo, unreadable, first)
        except RunFolderError as error:
            terminal.warn(str(error))
            return UNREADABLE


def _asked(options: argparse.Namespace, before: Run | None) -> Asked:
    """What was said now, else what the resumed run was asked, else the defaults."""
    kept = dict(before.header["sessions"][-1]["asked"]) if before else {}
    names = Asked.__dataclass_fields__
    values = {name: value for name, value in kept.items() if name in names}
    values.update({n: v for n in names if (v := getattr(options, n, None)) is not None})
    values["tasks"] = tuple(values.get("tasks", task_files.SMOKE))
    return Asked(**values)


def _plain(asked: Asked) -> dict[str, Any]:
    return {name: getattr(asked, name) for name in Asked.__dataclass_fields__}


def _assignments(asked: Asked, terminal: Console) -> tuple[list[Assignment], bool]:
    """All programs to run, and whether some task could not be read."""
    found: dict[str, task_files.Task] = {}
    unreadable = False
    for selector in asked.tasks:
        try:
            for task in task_files.select([selector]):
                found.setdefault(task.id, task)
        except task_files.TaskError as error:
            terminal.warn(str(error))
            unreadable = True
    todo: list[Assignment] = []
    for task in list(found.values())[: asked.limit]:
        try:
            todo += assignments(asked.agent, [task])
        except task_files.TaskError as error:
            terminal.warn(str(error))
            unreadable = True
    return todo, unreadable


def _new_folder(agent: str) -> Path:
    """A folder that no run has yet, named after the time and the agent."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    base = DEFAULT_OUT / f"{stamp}-{agent}"
    return next(
        path
        for number in range(1, 1000)
        if not os.path.lexists(
            path := base.with_name(f"{base.name}{f'-{number}' if number > 1 else ''}")
        )
    )


class _Session:
    """One sitting at a run: drives the engine, prints, sums up."""

    def __init__(
        self, asked: Asked, writer: RunWriter, terminal: Console, options: argparse.Namespace
    ) -> None:
        self.asked = asked
        self.writer = writer
        self.terminal = terminal
        self.options = options
        self.settings = Settings(asked.profile, asked.timeout, not options.no_pictures)
        self.say: Callable[[str], None] = (lambda _: None) if options.json else terminal.line

    def run(self, todo: Sequence[Assignment], unreadable: bool, first: BlenderWorker) -> int:
        """Make what is not finished yet; returns the exit code over the whole run."""
        for note in self.writer.notes:
            self.terminal.warn(note)
        left = [one for one in todo if key(one) not in self.writer.finished]
        if len(left) < len(todo):
            self.say(f"{wording.count(len(todo) - len(left), 'attempt')} finished before")
        wanted = {key(one) for one in todo}
        with RecordOutput(self.terminal, self.options.json, self.options.json_out) as output:
            try:
                self._attempts(left, output, first)
            except KeyboardInterrupt:
                return self._interrupted(len(todo))
            unreadable = unreadable or output.failed
        records = [r for r in read_run(self.writer.path).records if key_of(r) in wanted]
        self.writer.finish(_summary(records))
        path = write_report(self.writer.path)
        for line in _closing(records, self.asked.agent):
            self.say(line)
        self.say(f"report: {path}")
        return exit_code((record["verdict"] for record in records), unreadable)

    def _attempts(
        self, todo: Sequence[Assignment], output: RecordOutput, first: BlenderWorker
    ) -> None:
        # The Blender that told its version is warm: the first thread gets it.
        warm = [first]
        progress = Progress(self.terminal.err, self.terminal.err_style, len(todo))
        events = run_attempts(
            todo,
            self.writer,
            self.settings,
            self.asked.workers,
            make_worker=lambda: warm.pop() if warm else BlenderWorker(),
        )
        done = 0
        try:
            for event in events:
                if isinstance(event, Started):
                    progress.started(event.assignment.name)
                elif isinstance(event, Finished):
                    done += 1
                    progress.finished(event.assignment.name)
                    progress.clear()
                    output.record(event.record)
                    for line in _attempt_lines(event, done, len(todo), self.terminal):
                        self.say(line)
                progress.draw()
        finally:
            progress.clear()
            events.close()

    def _interrupted(self, total: int) -> int:
        done = len(read_run(self.writer.path).finished)
        self.writer.finish({"interrupted": True})
        self.terminal.warn(
            f"interrupted; {done} of {total} attempts are kept: go on with "
            f"`plumbline run --resume --out {self.writer.path}`"
        )
        return INTERRUPTED


def _attempt_lines(event: Finished, number: int, total: int, terminal: Console) -> Iterator[str]:
    """One line an attempt, one more for what is wrong with it."""
    record, style = event.record, terminal.style
    groups = grouped(findings_of(record))
    found = sum(1 + len(group.followers) for group in groups)
    parts = [
        wording.tally(len(groups), found, record["verdict"]),
        wording.seconds(record["timing"]["total"]),
    ]
    expectation = record["expectation"]
    if expectation:
        parts.insert(0, "as planted" if expectation["met"] else "NOT as planted")
    name = style.paint(wording.printable(event.assignment.name), "bold")
    place = f"{number:>{len(str(total))}}/{total}"
    yield f"{place}  {verdict_word(record['verdict'], style)}  {name}  {style.dot.join(parts)}"
    if record["environment"]:
        yield from _aside(record["environment"]["message"], terminal)
    elif groups:
        root = groups[0].root
        yield from _aside(f"{root['check']}, {root['subject']}: {root['message']}", terminal)


def _aside(text: str, terminal: Console) -> Iterator[str]:
    style = terminal.style
    room = style.width - 4
    yield style.paint(f"    {wording.clip(wording.printable(text), room, style.ellipsis)}", "dim")


def _summary(records: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The figures of a run: verdicts, faults of the environment beside them, planted defects."""
    verdicts = Counter(record["verdict"] for record in records)
    planted = [r["expectation"] for r in records if r.get("expectation")]
    summary: dict[str, Any] = {
        "attempts": len(records),
        **{verdict: verdicts[verdict] for verdict in ("passed", "failed", "not_judged")},
        "environment": dict(
            Counter(r["environment"]["kind"] for r in records if r.get("environment"))
        ),
    }
    if planted:
        summary["planted"] = {
            "twins": len(planted),
            "root_as_expected": sum(one["met"] for one in planted),
            "nothing_unexpected": sum(not one["differences"] for one in planted),
        }
    return summary


def _closing(records: Sequence[Mapping[str, Any]], agent: str) -> Iterator[str]:
    summary = _summary(records)
    verdicts = ", ".join(
        f"{summary[verdict]} {word}" for verdict, word in wording.VERDICT_WORDS.items()
    )
    yield ""
    yield f"{wording.count(len(records), 'attempt')}: {verdicts}"
    if summary["environment"]:
        faults = ", ".join(f"{n} {kind}" for kind, n in summary["environment"].items())
        yield f"faults of the environment: {faults} (--resume tries them again)"
    if agent == FLAWED and "planted" in summary:
        planted = summary["planted"]
        yield (
            f"planted defects: {planted['root_as_expected']} of {planted['twins']} named first, "
            f"{planted['nothing_unexpected']} with nothing unexpected beside them"
        )
        yield from map(_difference, (r for r in records if r["expectation"]["differences"]))


def _difference(record: Mapping[str, Any]) -> str:
    """The first way in which a twin's findings are not the expected ones, and how many more."""
    first, *others = record["expectation"]["differences"]
    more = f" (and {len(others):,} more)" if others else ""
    name = f"{record['task']} [{record['variant']}]"
    return f"  {wording.printable(f'{name}: {first}{more}')}"
