# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents without a model: the bundled known-good programs, and the same with one defect each.

``scripted`` shows that sound structures pass, ``scripted-flawed`` that each planted defect is
named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from ...tasks import Task, Twin

SCRIPTED = "scripted"
FLAWED = "scripted-flawed"
AGENTS: tuple[str, ...] = (SCRIPTED, FLAWED)

HARNESS = "plumbline"


class AgentError(ValueError):
    """An agent that this version doesn't have; one sentence that says which there are."""


@dataclass(frozen=True)
class Assignment:
    """One program to run and judge: a task by one agent, or one flawed twin of it."""

    task: Task
    agent: str
    program: str
    twin: Twin | None = None
    epoch: int = 1

    @property
    def variant(self) -> str | None:
        """Id of the twin, ``None`` for the sound program."""
        return self.twin.id if self.twin else None

    @property
    def title(self) -> str:
        """What it is called for people."""
        return f"{self.task.title}: {self.twin.title}" if self.twin else self.task.title

    @property
    def name(self) -> str:
        """What it is called in lines and logs: ``timber/cabin [missing_king_stud]``."""
        return f"{self.task.id} [{self.twin.id}]" if self.twin else self.task.id


def check_agent(name: str) -> None:
    """Raise :class:`AgentError` if this version has no agent of that name."""
    if name not in AGENTS:
        raise AgentError(f"agent {name!r} is not there; this version has {' and '.join(AGENTS)}")


def assignments(name: str, tasks: Iterable[Task]) -> Iterator[Assignment]:
    """What the agent builds for these tasks, in their order.

    Raises :class:`AgentError` for an unknown agent and ``TaskError`` for an unreadable program.
    """
    check_agent(name)
    for task in tasks:
        if name == SCRIPTED:
            yield Assignment(task, name, task.program())
        else:
            yield from (Assignment(task, name, twin.program(), twin) for twin in task.twins)
