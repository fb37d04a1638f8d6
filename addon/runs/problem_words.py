# SPDX-License-Identifier: GPL-3.0-or-later
"""How voxel tasks are listed and shown: a line a file, and the prompts and checks of one task."""

from __future__ import annotations

import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...checks.voxel.registry import GRADERS
from ...tasks import Task
from ...tasks.constructions import Problem
from ...tasks.constructions.reading import wrong_arguments
from . import wording
from .records import clean

#: More voxel tasks than these are listed a line a file.
MOST = 60


def problem_of(task: Task) -> Problem | None:
    """The problem of a voxel task, ``None`` of any other task."""
    problem = getattr(task.origin, "problem", None)
    return problem if isinstance(problem, Problem) else None


def by_file(tasks: Sequence[Task]) -> dict[str, list[Task]]:
    """Voxel tasks by the selector of their file; nothing of other tasks, nothing of a few."""
    found: dict[str, list[Task]] = {}
    for task in tasks:
        problem = problem_of(task)
        if problem is not None:
            found.setdefault(_selector(task, problem), []).append(task)
    return found if sum(map(len, found.values())) > MOST else {}


def _selector(task: Task, problem: Problem) -> str:
    """What selects the tasks of a file: a glob over ids, or the file's path."""
    own = task.path.parent
    return str(own) if own.suffix == ".json" else f"voxel/{problem.file}-[0-9]*"


def listed(selector: str, tasks: Sequence[Task], width: int) -> str:
    """The line of one file."""
    places = len({problem.item for task in tasks if (problem := problem_of(task)) is not None})
    twins = sum(len(task.twins) for task in tasks)
    parts = [wording.count(len(tasks), "problem"), f"{wording.count(places, 'item')}"]
    if twins:
        parts.append(wording.count(twins, "flawed twin"))
    name = wording.printable(selector)
    return f"{name:{width}}  {wording.printable(tasks[0].style)} ({', '.join(parts)})"


def shown(task: Task, problem: Problem, columns: int) -> Iterator[str]:
    """What is asked and judged turn by turn, and what sets the wording apart."""
    several = problem.turns > 1
    for number, (prompt, turn) in enumerate(zip(problem.prompts, problem.checks, strict=True), 1):
        if several:
            yield ""
            yield f"  turn {number}"
        yield from _wrapped(prompt, columns)
        yield ""
        for call in turn:
            why = wrong_arguments(call) if call.fn in GRADERS else "there is no such check"
            lost = f"  ({why}; it will not be run)" if why else ""
            args = ", ".join(f"{k} = {json.dumps(clean(v))}" for k, v in call.args.items())
            yield wording.printable(f"    {call.fn}{f': {args}' if args else ''}{lost}")
    yield from _values("words", problem.words)
    yield from _values("parameters", {k: v for k, v in problem.parameters.items() if k != "has"})
    if not task.has_program:
        yield ""
        yield "  no known-good program: build it with --agent null or a model"


def _wrapped(text: str, columns: int) -> Iterator[str]:
    for line in text.splitlines():
        yield from textwrap.wrap(
            wording.printable(line), columns, initial_indent="  ", subsequent_indent="  "
        )


def _values(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if not values:
        return
    yield ""
    yield f"  {name}"
    width = max(map(len, values))
    for key, value in values.items():
        plain = value if isinstance(value, str) else json.dumps(clean(value))
        yield wording.printable(f"    {key:{width}}  {plain}")
