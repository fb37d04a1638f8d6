# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline run``: tasks in, a run folder with results and a report out."""

from __future__ import annotations

import argparse
import contextlib
import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from ... import tasks as task_files
from ..agent.agents import Agent, AgentError, Assignment
from ..agent.bench import BenchError
from ..agent.registry import REPLAY, agent_for
from ..kinds import common_profile
from . import versions, wording
from .asked import Asked, asked_of
from .attempts import Settings, is_ours
from .budget import RunBudget
from .cli import INTERRUPTED, NOT_JUDGED, UNREADABLE, exit_code
from .closing import attempt_lines, closing_lines, compared_with
from .console import Console
from .output import RecordOutput
from .progress import Progress
from .report import write_report
from .runfolder import RunFolderError, RunWriter, free_folder, key_of, read_run
from .runner import Doing, Finished, Started, key
from .runner import run as run_attempts
from .scores import summary_of
from .seats import Seat, WorkerSeat
from .targets import Targets
from .verdicts import first_line

DEFAULT_OUT = Path("runs")

#: So many tasks that can not be begun are named.
_MOST_REFUSED = 5
_UNSAFE = re.compile(r"[^A-Za-z0-9._+-]+")


def run(options: argparse.Namespace, terminal: Console) -> int:
    """Make the run that the options ask for; the exit code says how it ended."""
    try:
        if options.resume and options.out is None:
            raise RunFolderError("--resume needs --out DIR, the run to go on with")
        asked = asked_of(options, read_run(options.out) if options.resume else None)
        asked.contained()
        agent = agent_for(asked.agent, asked.agent_options())
    except (AgentError, RunFolderError) as error:
        terminal.warn(str(error))
        return UNREADABLE
    with contextlib.closing(agent):
        try:
            todo, unreadable = _assignments(agent, asked, terminal)
        except AgentError as error:
            terminal.warn(str(error))
            return UNREADABLE
        if not todo:
            if not unreadable:
                terminal.warn(_nothing_to_do(asked))
            return UNREADABLE
        try:
            profile = common_profile({one.task.kind for one in todo}, asked.profile)
        except ValueError as error:
            terminal.warn(f"{error}; leave --profile out, or choose other tasks")
            return UNREADABLE
        asked = replace(asked, profile=profile)
        return _run(asked, agent, todo, unreadable, options, terminal)


def _run(
    asked: Asked,
    agent: Agent,
    todo: Sequence[Assignment],
    unreadable: bool,
    options: argparse.Namespace,
    terminal: Console,
) -> int:
    """Open the run folder and make the attempts."""
    with contextlib.closing(_seat(asked)) as first:
        try:
            header = {**versions.own(), **first.versions()}
        except BenchError as error:
            terminal.warn(first_line(error))
            return NOT_JUDGED
        try:
            out = Path(options.out) if options.out else _new_folder(asked.agent)
            with RunWriter(out, asked.plain(), header, options.resume, agent.describe()) as writer:
                session = _Session(asked, agent, writer, terminal, options)
                return session.run(todo, unreadable, first)
        except RunFolderError as error:
            terminal.warn(str(error))
            return UNREADABLE


def _seat(asked: Asked) -> WorkerSeat:
    return WorkerSeat(asked.timeout, asked.contained())


def _assignments(agent: Agent, asked: Asked, terminal: Console) -> tuple[list[Assignment], bool]:
    """All that is to be built, repetition after repetition, and whether a task was unreadable."""
    found: dict[str, task_files.Task] = {}
    unreadable = False
    doubles: list[str] = []
    for selector in asked.tasks:
        try:
            pack = task_files.gather([selector])
        except task_files.TaskError as error:
            terminal.warn(str(error))
            unreadable = True
            continue
        for sentence in pack.told():
            terminal.warn(sentence)
        unreadable = unreadable or bool(pack.left_out)
        doubles += [
            f"{task.path}: has the id of {found[task.id].path}"
            for task in pack.tasks
            if found.setdefault(task.id, task).path != task.path
        ]
    if doubles:
        others = f", as {len(doubles) - 1:,} others" if len(doubles) > 1 else ""
        terminal.warn(f"{doubles[0]} and was left out{others}; run it into a folder of its own")
    unreadable = unreadable or bool(doubles)
    once: list[Assignment] = []
    refused: list[str] = []
    for task in list(found.values())[: asked.limit]:
        try:
            once += agent.assignments([task])
        except task_files.TaskError as error:
            refused.append(str(error))
    for sentence in refused[:_MOST_REFUSED]:
        terminal.warn(sentence)
    if len(refused) > _MOST_REFUSED:
        terminal.warn(f"and {len(refused) - _MOST_REFUSED:,} more tasks could not be begun")
    unreadable = unreadable or bool(refused)
    idle = set(list(found)[: asked.limit]) - {one.task.id for one in once}
    if asked.edit_from and idle and once:
        terminal.warn(f"nothing sound in {asked.edit_from} to edit for {', '.join(sorted(idle))}")
    if agent.name.startswith(REPLAY):  # has the repetitions of the run that it repeats
        if asked.epochs > 1:
            raise AgentError(
                f"{agent.name} repeats what that run did, once each; leave out --epochs"
            )
        return sorted(once, key=lambda one: one.epoch), unreadable
    epochs = range(1, asked.epochs + 1)
    return [replace(one, epoch=epoch) for epoch in epochs for one in once], unreadable


def _nothing_to_do(asked: Asked) -> str:
    if asked.agent.startswith(REPLAY):
        return f"the chosen tasks have no attempts in {asked.agent.removeprefix(REPLAY)}"
    if asked.edit_from:
        return f"nothing sound in {asked.edit_from} to edit for the chosen tasks"
    return "the chosen tasks have no flawed twins; choose others with --tasks"


def _new_folder(agent: str) -> Path:
    """A folder that no run has yet, named after the time and the agent."""
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S")
    name = _UNSAFE.sub("-", agent).strip("-.")[:60] or "agent"
    return free_folder(DEFAULT_OUT / f"{stamp}-{name}")


class _Session:
    """One sitting at a run: drives the engine, prints, sums up."""

    def __init__(
        self,
        asked: Asked,
        agent: Agent,
        writer: RunWriter,
        terminal: Console,
        options: argparse.Namespace,
    ) -> None:
        self.asked = asked
        self.agent = agent
        self.writer = writer
        self.terminal = terminal
        self.options = options
        self.settings = Settings(
            asked.profile,
            not options.no_pictures,
            asked.limits(),
            asked.protocol,
            similarity=not is_ours(agent),
        )
        self.remarks: list[str] = []
        self.say: Callable[[str], None] = (lambda _: None) if options.json else terminal.line

    def run(self, todo: Sequence[Assignment], unreadable: bool, first: Seat) -> int:
        """Make what is not finished yet; returns the exit code over the whole run."""
        for note in self.writer.notes:
            self.terminal.warn(note)
        if self.options.out is None:
            self.say(f"run folder: {self.writer.path}")
        left = [one for one in todo if key(one) not in self.writer.finished]
        if len(left) < len(todo):
            self.say(f"{wording.count(len(todo) - len(left), 'attempt')} finished before")
        wanted = {key(one) for one in todo}
        before = read_run(self.writer.path).records
        with RecordOutput(self.terminal, self.options.json, self.options.json_out) as output:
            try:
                budget = self._attempts(left, output, first, before)
            except KeyboardInterrupt:
                return self._interrupted(len(todo))
            unreadable = unreadable or output.failed
        records = [r for r in read_run(self.writer.path).records if key_of(r) in wanted]
        self.writer.finish(summary_of(records))
        path = write_report(self.writer.path)
        for line in closing_lines(records):
            self.say(line)
        if self.asked.agent.startswith(REPLAY):
            self.say(compared_with(self.asked.agent.removeprefix(REPLAY), records))
        missing = len(todo) - len(records)
        if missing:
            self.terminal.warn(_stopped(missing, budget, self.writer.path))
        self.say(f"report: {path}")
        verdicts = [record["verdict"] for record in records]
        return exit_code([*verdicts, *["not_judged"] * missing], unreadable)

    def _attempts(
        self,
        todo: Sequence[Assignment],
        output: RecordOutput,
        first: Seat,
        before: Sequence[dict],
    ) -> RunBudget:
        # The Blender that told its version is warm: the first thread gets it.
        warm = [first]
        progress = Progress(self.terminal.err, self.terminal.err_style, len(todo))
        budget = RunBudget(self.asked.budget_cost)
        for record in before:
            budget.spend({**record, "environment": None})
        events = run_attempts(
            todo,
            self.agent,
            self.writer,
            self.settings,
            lambda: warm.pop() if warm else _seat(self.asked),
            self.asked.workers,
            budget=budget,
            targets=Targets(self.writer.path, self.remarks.append),
        )
        done = 0
        try:
            for event in events:
                if isinstance(event, Started):
                    progress.started(event.assignment.name)
                elif isinstance(event, Doing):
                    progress.doing(event.assignment.name, event.what)
                elif isinstance(event, Finished):
                    done += 1
                    progress.finished(event.assignment.name, event.record)
                    progress.clear()
                    output.record(event.record)
                    for line in attempt_lines(event, done, len(todo), self.terminal.style):
                        self.say(line)
                progress.draw()
        finally:
            progress.clear()
            events.close()
            for remark in self.remarks:
                self.terminal.warn(remark)
        return budget

    def _interrupted(self, total: int) -> int:
        done = len(read_run(self.writer.path).finished)
        self.writer.finish({"interrupted": True})
        self.terminal.warn(
            f"interrupted; {done} of {total} attempts are kept: go on with "
            f"`plumbline run --resume --out {self.writer.path}`"
        )
        return INTERRUPTED


def _stopped(missing: int, budget: RunBudget, path: Path) -> str:
    """Why attempts were not made."""
    what = wording.count(missing, "attempt")
    if budget.fault is not None:
        return (
            f"{what} not made, since every one would meet the same fault: {budget.fault} "
            f"Then go on with `plumbline run --resume --out {path}`"
        )
    if budget.unknown:
        return (
            f"{what} not made: the cost of this model is unknown, so --budget-cost can't be kept; "
            f"go on without it with `plumbline run --resume --out {path} --budget-cost inf`"
        )
    return (
        f"{what} not made: the budget of ${budget.dollars:g} is used up (${budget.spent:.4f}); "
        f"go on with `plumbline run --resume --out {path} --budget-cost DOLLARS`"
    )
