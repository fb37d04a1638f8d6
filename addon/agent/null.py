# SPDX-License-Identifier: GPL-3.0-or-later
"""The agent that does nothing: whatever it passes can be passed without building anything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...tasks import Task
from .agents import Assignment, Built, Workshop
from .scripted import HARNESS, run_once

NULL = "null"

_PROGRAM = "# The agent that does nothing leaves the scene as it was.\n"


class Null:
    """Leaves every task's scene empty. It must fail all of them."""

    name = NULL
    harness = HARNESS
    model: str | None = None
    effort: str | None = None

    def describe(self) -> Mapping[str, Any]:
        """Nothing beyond its name."""
        return {}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """One for each task."""
        return (Assignment(task, self.name) for task in tasks)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """Run a program of no statements. Raises ``BenchError`` and ``Cancelled``."""
        return run_once(_PROGRAM, assignment, workshop)

    def close(self) -> None:
        """Nothing is held."""
