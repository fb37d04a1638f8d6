# SPDX-License-Identifier: GPL-3.0-or-later
"""What an agent is: given a task and a bench, it builds something and says how it went.

``scripted`` and ``null`` need no model; a model follows a protocol; an outside harness or a person
works through the session command. The runner and the window drive all of them alike, each attempt
in a thread of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from ...checks.result import Finding, Judgement
from ...tasks import Task, Twin
from .bench import Bench, Execution, Scene
from .messages import Usage
from .providers.base import Cancel
from .transcript import Transcript


class AgentError(ValueError):
    """An agent that can't be used as asked; one sentence with the remedy."""


@dataclass(frozen=True)
class Assignment:
    """One thing to build: a task by one agent, or one flawed twin of it, for the n-th time."""

    task: Task
    agent: str
    twin: Twin | None = None
    epoch: int = 1

    @property
    def variant(self) -> str | None:
        """Id of the twin, ``None`` for the task itself."""
        return self.twin.id if self.twin else None

    @property
    def title(self) -> str:
        """What it is called for people."""
        return f"{self.task.title}: {self.twin.title}" if self.twin else self.task.title

    @property
    def name(self) -> str:
        """What it is called in lines and logs: ``timber/cabin [missing_king_stud]``, ``… #2``."""
        name = f"{self.task.id} [{self.twin.id}]" if self.twin else self.task.id
        return f"{name} #{self.epoch}" if self.epoch > 1 else name


@dataclass(frozen=True)
class Target:
    """What should be built, where the task has it: the scene, its plain structure, five views."""

    scene: Scene
    structure: Mapping[str, Any]
    views: Mapping[str, bytes] = field(repr=False)


def shown_views(task: Task, target: Target | None) -> Mapping[str, bytes]:
    """What is shown of what should be built: the pictures that came with the task, else our own.

    Pictures alone are no target: nobody knows their cameras, so nothing is measured by them.
    """
    return task.references() or (target.views if target is not None else {})


@dataclass(frozen=True)
class Limits:
    """Where an episode stops. ``None``: no limit.

    ``attempts`` are runs of code in all and ``retries`` those a step beyond its first, after the
    paper (timber specification, section 5); ``seconds`` is wall-clock time, ``cost`` US dollars.
    """

    attempts: int = 30
    retries: int = 5
    seconds: float | None = None
    tokens: int | None = None
    cost: float | None = None


@dataclass(frozen=True)
class Workshop:
    """What an agent gets for one attempt.

    ``folder`` is the attempt's own, empty at first. ``profile`` is what the attempt is judged by.
    ``target`` makes (once) what should be built, ``None`` where the task doesn't have it.
    ``progress`` is told in a few words what is going on now ("floor: try 2, waiting for the
    model"), for a progress line; ``on_text`` gets a model's text piece by piece as it comes,
    ``on_judgement`` what the checks say of the last run, and of how much: ``all`` or ``mid``.
    ``clock`` counts the seconds of the limit on time; it may stand still, in a pause say.
    """

    bench: Bench
    folder: Path
    transcript: Transcript
    profile: str
    cancel: Cancel
    limits: Limits
    target: Callable[[], Target | None]
    progress: Callable[[str], None] = lambda _: None
    on_text: Callable[[str], None] = lambda _: None
    on_judgement: Callable[[Judgement, str], None] = lambda _judgement, _scope: None
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True)
class Fault:
    """A fault of the environment: ``kind`` (``key``, ``unreachable``, ``no_blender``, ...)."""

    kind: str
    message: str


@dataclass(frozen=True)
class Built:
    """How an episode went.

    ``execution`` is the run whose scene is to be judged, ``None`` if nothing was ever run. Its
    ``program`` is all the code that makes that scene from nothing. ``end`` says in a word why the
    episode ended (``finished``, ``attempts``, ``retries``, ``seconds``, ``tokens``, ``cost``,
    ``refusal``, ``gave_up``, ``environment``), ``message`` in a sentence where that needs one.
    ``mishaps`` are findings of the check ``program`` beside what ``execution`` says: turns of which
    nothing came.
    """

    execution: Execution | None
    program: str
    end: str
    message: str | None = None
    usage: Usage | None = None
    fault: Fault | None = None
    metrics: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    mishaps: tuple[Finding, ...] = ()


class Agent(Protocol):
    """Somebody who builds."""

    #: As on the command line: ``scripted``, ``anthropic/MODEL``, ``cli:COMMAND``.
    name: str
    #: Who drives the model: ``plumbline``, or the outside command.
    harness: str
    model: str | None
    effort: str | None

    def describe(self) -> Mapping[str, Any]:
        """What goes into ``run.json``: protocol, prompts with their hash, sampling."""
        ...

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """What it builds for these tasks, in their order. Raises ``TaskError``."""
        ...

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """Make one attempt, in any thread.

        Raises ``Cancelled``, ``BenchError`` and ``OSError``; all else is part of what it returns.
        """
        ...

    def close(self) -> None:
        """Let go of connections."""
        ...
