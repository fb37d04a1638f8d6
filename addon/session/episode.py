# SPDX-License-Identifier: GPL-3.0-or-later
"""One episode inside an open Blender, from the agent's name to the judgement of what it built.

The work of a :class:`.job.Job`: all of it runs in the job's thread, and only what touches the open
file is handed to the main thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

from ...checks.result import Judgement
from ...tasks import Task
from ..agent.agents import Agent, AgentError, Assignment, Built, Limits, Target, Workshop
from ..agent.bench import Bench, BenchError
from ..agent.providers.base import ProviderError
from ..runs.storage import write_whole
from ..runs.verdicts import judgement_of
from .bridge import Hindrance
from .job import Job
from .watching import HeardTranscript, Wall, WatchedBench, doing

PROGRAM = "program.py"
STEPS = "steps"


@dataclass(frozen=True)
class Asked:
    """What the person asked for. ``folder`` is the episode's own, empty or not yet there."""

    task: Task
    folder: Path
    profile: str = "engineering"
    limits: Limits = field(default_factory=Limits)


@dataclass(frozen=True)
class Means:
    """What an episode is made with, all of it called in the thread.

    ``agent`` makes the agent, ``own`` a bench in a process of its own, given the folder for its
    files, ``bench`` the one that the agent's code runs on, given ``own`` as well; they may raise
    what their makers raise. ``target`` makes what should be built, and notes why it can't.
    ``close`` lets go of what the benches hold; ``kill`` breaks off whatever they do, from any
    thread.
    """

    agent: Callable[[], Agent]
    own: Callable[[Path], Bench]
    bench: Callable[[Path, Bench, Job], Bench]
    gallery: Wall
    hindrance: Hindrance
    target: Callable[[Assignment, Callable[[str], None]], Target | None] = lambda _a, _note: None
    close: Callable[[], None] = lambda: None
    kill: Callable[[], None] = lambda: None
    watch: Callable[[WatchedBench], None] = lambda _: None


def play(asked: Asked, means: Means) -> Callable[[Job], Judgement | None]:
    """The work of a job: one episode. What it raises is told in plain words first."""

    def work(job: Job) -> Judgement | None:
        forget = job.cancel.on_request(means.kill)
        try:
            return _episode(asked, means, job)
        except (BenchError, AgentError, ProviderError, OSError) as error:
            job.cancel.check()  # what was broken off on purpose has not failed
            kind = getattr(error, "kind", None) or getattr(error, "fault", None)
            job.tell("failed", end="environment", message=str(error), fault=kind)
            raise
        finally:
            forget()
            means.close()

    return work


def _episode(asked: Asked, means: Means, job: Job) -> Judgement | None:
    asked.folder.mkdir(parents=True, exist_ok=True)
    (asked.folder / STEPS).mkdir(exist_ok=True)
    job.tell("folder", path=str(asked.folder))
    agent = means.agent()
    try:
        assignment = next(iter(agent.assignments([asked.task])))
        own = means.own(asked.folder / STEPS)
        inner = means.bench(asked.folder / STEPS, own, job)
        name = asked.task.id.rpartition("/")[2]
        bench = WatchedBench(inner, job, means.gallery, means.hindrance, name, own)
        means.watch(bench)
        built = _build(agent, assignment, bench, asked, means, job)
    finally:
        agent.close()
    job.cancel.check()
    write_whole(asked.folder / PROGRAM, built.program)
    return _conclude(assignment, built, bench, asked, job)


def _build(
    agent: Agent, assignment: Assignment, bench: WatchedBench, asked: Asked, means: Means, job: Job
) -> Built:
    target = _Once(lambda: means.target(assignment, lambda words: job.tell("note", words=words)))
    with HeardTranscript(asked.folder, job) as transcript:
        shop = Workshop(
            bench,
            asked.folder,
            transcript,
            asked.profile,
            job.cancel,
            asked.limits,
            target,
            progress=lambda words: job.tell("doing", words=doing(words)),
            on_text=lambda piece: job.tell("text", piece=piece),
            on_judgement=bench.judged,
        )
        return agent.build(assignment, shop)


def _conclude(
    assignment: Assignment, built: Built, bench: WatchedBench, asked: Asked, job: Job
) -> Judgement | None:
    """Judge what is left as the whole house that it should be, and say how it all ended."""
    if built.fault is not None:
        job.tell("failed", end=built.end, message=built.fault.message, fault=built.fault.kind)
        return None
    job.tell("doing", words="judging what was built")
    judgement = judgement_of(assignment, built, asked.profile)
    if built.execution is not None:
        bench.show(built.execution, judgement)
    verdict = judgement.verdict
    job.tell("built", end=built.end, message=built.message, verdict=verdict, notes=built.notes)
    return judgement


class _Once:
    """Makes something on the first call and keeps it."""

    def __init__(self, make: Callable[[], Target | None]) -> None:
        self._make = make
        self._made: list[Target | None] = []

    def __call__(self) -> Target | None:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]
