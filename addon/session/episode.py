# SPDX-License-Identifier: GPL-3.0-or-later
"""One episode inside an open Blender, from the agent's name to the judgement of what it built.

The work of a :class:`.job.Job`: all of it runs in the job's thread, and only what touches the open
file is handed to the main thread.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from ...checks.result import Judgement
from ...tasks import Task
from ..agent.agents import Agent, AgentError, Assignment, Built, Limits, Target, Workshop
from ..agent.bench import Bench, BenchError, Execution
from ..agent.providers.base import Cancelled, ProviderError
from ..runs.attempts import Place, Settings, concluded, drawn, kept, link_file, near, plain_usage
from ..runs.records import Result
from ..runs.runfolder import ERROR, SCENE
from ..runs.storage import write_whole
from ..runs.verdicts import internal_sentence
from .bridge import Hindrance
from .job import Job
from .labels import doing
from .recording import STOPPED, Recording, broken_off
from .watching import HeardTranscript, Wall, WatchedBench

STEPS = "steps"


@dataclass(frozen=True)
class Asked:
    """What the person asked for. ``recording`` is the run that it is written into."""

    task: Task
    recording: Recording
    profile: str = "engineering"
    limits: Limits = field(default_factory=Limits)

    @property
    def folder(self) -> Path:
        """The attempt's own folder."""
        return self.recording.folder


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


@dataclass
class _Known:
    """What is known of an episode if it breaks off: who builds, and what ran so far."""

    agent: Agent | None = None
    bench: WatchedBench | None = None
    transcript: HeardTranscript | None = None


def play(asked: Asked, means: Means) -> Callable[[Job], Judgement | None]:
    """The work of a job: one episode, which ends in a record however it ends.

    What it raises is told in plain words first.
    """

    def work(job: Job) -> Judgement | None:
        forget = job.cancel.on_request(means.kill)
        known = _Known()
        try:
            return _episode(asked, means, job, known)
        except Exception as error:
            _broken(asked, job, known, error)
            raise
        finally:
            forget()
            asked.recording.close()
            means.close()

    return work


def _episode(asked: Asked, means: Means, job: Job, known: _Known) -> Judgement | None:
    (asked.folder / STEPS).mkdir(exist_ok=True)
    job.tell("folder", path=str(asked.recording.path))
    known.agent = agent = means.agent()
    try:
        asked.recording.describe(agent.describe())
        assignment = next(iter(agent.assignments([asked.task])))
        assignment = replace(assignment, epoch=asked.recording.key.epoch)
        own = means.own(asked.folder / STEPS)
        inner = means.bench(asked.folder / STEPS, own, job)
        name = asked.task.id.rpartition("/")[2]
        known.bench = bench = WatchedBench(inner, job, means.gallery, means.hindrance, name, own)
        means.watch(bench)
        built = _build(known, assignment, asked, means, job)
    finally:
        agent.close()
    job.cancel.check()
    return _conclude(agent, assignment, kept(built, asked.folder), bench, asked, job)


def _build(known: _Known, assignment: Assignment, asked: Asked, means: Means, job: Job) -> Built:
    agent, bench = known.agent, known.bench
    assert agent is not None and bench is not None
    target = _Once(lambda: means.target(assignment, lambda words: job.tell("note", words=words)))
    with HeardTranscript(asked.folder, job) as transcript:
        known.transcript = transcript
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
            clock=job.clock,
        )
        return agent.build(assignment, shop)


def _conclude(
    agent: Agent,
    assignment: Assignment,
    built: Built,
    bench: WatchedBench,
    asked: Asked,
    job: Job,
) -> Judgement | None:
    """Judge what is left as the whole house that it should be, and say how it all ended."""
    if built.fault is None:
        job.tell("doing", words="judging what was built")
    place = Place(asked.folder, asked.recording.name)
    protocol = asked.recording.wish.protocol
    settings = Settings(asked.profile, limits=asked.limits, protocol=protocol)
    result = concluded(assignment, agent, built, place, settings)
    if built.fault is not None:
        job.tell("failed", end=built.end, message=built.fault.message, fault=built.fault.kind)
    elif result.environment:  # a bug of ours, which is no verdict on what was built
        told = result.environment
        job.tell("failed", end="environment", message=told["message"], fault=told["kind"])
    else:
        if built.execution is not None:
            bench.show(built.execution, result.judgement)
        verdict = result.verdict
        job.tell("built", end=built.end, message=built.message, verdict=verdict, notes=built.notes)
    job.tell("doing", words="keeping it")
    result = near(result, assignment, built)
    _keep(asked, job, _pictured(result, built.execution, bench, asked.folder))
    return None if result.environment else result.judgement


def _pictured(
    result: Result, execution: Execution | None, bench: WatchedBench, folder: Path
) -> Result:
    """The result with a picture beside it, where another process can draw one."""
    if execution is None or execution.scene is None or execution.isolation == "none":
        return result
    return drawn(result, bench, execution.scene, folder)


def _keep(asked: Asked, job: Job, result: Result) -> None:
    if job.held:
        result = replace(result, timing={**result.timing, "paused": job.held})
    record = asked.recording.keep(result)
    job.tell("recorded", run=str(asked.recording.path), record=record)


def _broken(asked: Asked, job: Job, known: _Known, error: Exception) -> None:
    """Say why an episode broke off, and keep that, with what was built until then."""
    if isinstance(error, Cancelled) or job.cancel.requested:  # broken off on purpose: not failed
        runs = len(known.bench.runs) if known.bench is not None else 0
        what = "the person stopped it"
        message = f"{what} after {runs} programs" if runs else f"{what} before anything was run"
        result = broken_off(asked.profile, STOPPED, message, end="stopped")
    else:
        expected = isinstance(error, (BenchError, AgentError, ProviderError, OSError))
        message = str(error) if expected else internal_sentence(error)
        kind = getattr(error, "kind", None) or getattr(error, "fault", None)
        if expected:
            job.tell("failed", end="environment", message=message, fault=kind)
        result = broken_off(asked.profile, kind or ("disk" if expected else "internal"), message)
    try:
        if not isinstance(error, Cancelled):
            write_whole(asked.folder / ERROR, "".join(traceback.format_exception(error)))
        _keep(asked, job, _with_last(asked, known, result))
    except OSError as disk:
        job.tell("note", words=f"this episode could not be kept: {disk}")


def _with_last(asked: Asked, known: _Known, result: Result) -> Result:
    """The result with who it was and what it cost, and in the folder the last scene there was."""
    agent, bench, transcript = known.agent, known.bench, known.transcript
    if agent is not None:
        said: dict[str, Any] = {"harness": agent.harness, "model": agent.model}
        result = replace(result, effort=agent.effort, **said)
    if transcript is not None and transcript.usage.calls:
        result = replace(result, usage=plain_usage(transcript.usage))
    scenes = [run for run in bench.runs.values() if run.scene is not None] if bench else []
    if scenes and scenes[-1].scene is not None:
        link_file(scenes[-1].scene.blend, asked.folder / SCENE)
        result = replace(result, isolation=scenes[-1].isolation)
    return result


class _Once:
    """Makes something on the first call and keeps it."""

    def __init__(self, make: Callable[[], Target | None]) -> None:
        self._make = make
        self._made: list[Target | None] = []

    def __call__(self) -> Target | None:
        if not self._made:
            self._made.append(self._make())
        return self._made[0]
