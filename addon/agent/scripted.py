# SPDX-License-Identifier: GPL-3.0-or-later
"""Agents without a model: the bundled known-good programs, and the same with one defect each.

``scripted`` shows that sound structures pass, ``scripted-flawed`` that each planted defect is
named.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...tasks import Task
from .agents import Assignment, Built, Workshop
from .bench import Execution, Scene

SCRIPTED = "scripted"
FLAWED = "scripted-flawed"

HARNESS = "plumbline"

#: A program that leaves a scene as it is.
NOTHING = "pass\n"


class Scripted:
    """Builds every task, or with ``flawed`` every twin of it, with its bundled program."""

    harness = HARNESS
    model: str | None = None
    effort: str | None = None

    def __init__(self, flawed: bool = False) -> None:
        self.name = FLAWED if flawed else SCRIPTED
        self._flawed = flawed

    def describe(self) -> Mapping[str, Any]:
        """Nothing beyond its name."""
        return {}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """One for each task, or one for each of its twins. Raises ``TaskError``."""
        for task in tasks:
            if not self._flawed:
                if task.origin is None or not task.has_program:
                    task.program()  # an unreadable one is said before anything runs
                yield Assignment(task, self.name)
                continue
            for twin in task.twins:
                twin.program()
                yield Assignment(task, self.name, twin)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """Run the program once. Raises ``BenchError``, ``Cancelled`` and ``TaskError``."""
        source = assignment.twin or assignment.task
        return run_once(source.program(), assignment, workshop)

    def close(self) -> None:
        """Nothing is held."""


def run_once(program: str, assignment: Assignment, workshop: Workshop) -> Built:
    """Run one whole program on an empty scene: an episode without a model."""
    workshop.cancel.check()
    workshop.transcript.event("episode", task=assignment.task.id, agent=assignment.agent)
    workshop.progress("running the program")
    execution = workshop.bench.execute(program, None, "program")
    workshop.transcript.event("execution", **plain_execution(execution, program, "program"))
    workshop.transcript.event("end", end="finished")
    return Built(execution, program, "finished")


def look_once(scene: Scene, assignment: Assignment, workshop: Workshop) -> Built:
    """Read a scene that no program made, where models' code runs: a file may hold anything."""
    workshop.cancel.check()
    workshop.transcript.event("episode", task=assignment.task.id, agent=assignment.agent)
    workshop.progress("reading the scene")
    execution = workshop.bench.execute(NOTHING, scene, "scene")
    workshop.transcript.event("execution", **plain_execution(execution, NOTHING, "scene"))
    workshop.transcript.event("end", end="finished")
    return Built(execution, "", "finished")


def plain_execution(execution: Execution, code: str, label: str) -> dict[str, Any]:
    """A run of code as a transcript tells it: the code and how it went, not what it built."""
    return {
        "label": label,
        "code": code,
        "outcome": execution.outcome,
        "isolation": execution.isolation,
        "message": execution.message,
        "output": execution.output,
        "traceback": execution.traceback,
        "problems": [
            {"line": p.line, "column": p.column, "rule": p.rule, "message": p.message}
            for p in execution.problems
        ],
        "unreadable": execution.unreadable,
        "seconds": execution.seconds,
        "cpu": execution.cpu,
        "memory": execution.memory,
    }
