# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel problems as tasks: those that come with Plumbline, small runs of them, and those of files.

A task is called ``voxel/FILE-II-WW``: the file, the item and the wording in it, counted from 1.
Nothing is generated before somebody asks for a voxel task; a program is written when it is asked
for.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from ..model import Task
from .flawed import flaws_of
from .flawed.flaw import twin_of
from .generate import generate
from .origin import ConstructionOrigin
from .problem import Problem

#: What the tasks that come with Plumbline have for a path: this and their name (see the loader).
BUNDLED = Path(__file__).resolve().with_name("bundled")
PREFIX = "voxel/"
#: What the problems of a file are called; those of other people's files by the file's name.
HEADINGS: dict[str, str] = {
    "1-se-1.1-foundations": "Foundation",
    "1-se-1.2-foundations_deep": "Deep foundation",
    "1-se-2-walls": "Wall",
    "1-se-3.1-roofs_cols": "Roof on columns",
    "1-se-3.2-roofs_cols-one_layer-stress": "Roof under stress, one layer",
    "1-se-3.2-roofs_cols-two_layer-stress": "Roof under stress, two layers",
    "1-se-4-frames": "Frame",
    "2-bt-1-basic-fine_grained": "Basic house",
    "2-bt-2-multi_rooms": "House",
    "2-bt-3-multi_beds": "House with beds",
    "2-bt-4-multi-story": "Upper floor on posts",
    "3-ae-5.1-accessibility_house": "Accessible house",
    "3-ae-5.2-accessibility_theater": "Accessible theatre",
    "3-ae-6.1-creative_sym": "House without symmetry",
    "3-ae-6.2-creative_3ceiling": "House with three ceilings",
    "4-cm-7-resource-optimization": "Largest cube of planks",
    "4-cm-8.1-single_turn-planning-single_story": "Order of works, one storey",
    "4-cm-8.2-single_turn-planning-two_story": "Order of works, two storeys",
    "4-cm-9-multi(2)-turn-revision": "House revised",
    "4-cm-9-multi(5)-turn-revision": "House revised",
    "5-ce-1-basic_bridges": "Bridge",
    "5-ce-2-arched_bridges": "Arch bridge",
    "5-ce-2-arched_bridges-stress": "Arch under stress",
    "5-ce-3.1-dome": "Dome",
    "5-ce-3.2-dome-igloo": "Igloo",
}
# Words that most wordings have, left out of titles.
_USUAL = (("verb", "build"), ("term", "plain"))


@lru_cache(maxsize=1)
def bundled_tasks() -> Mapping[str, Task]:
    """The 723 tasks of seed 0 by id, in the order of files, items and wordings."""
    return {task.id: task for task in map(bundled_task, generate())}


def bundled_task(problem: Problem) -> Task:
    """The task of a problem that comes with Plumbline, with its flawed twins."""
    path = BUNDLED / name_of(problem)
    twins = tuple(twin_of(flaw, problem, path) for flaw in flaws_of(problem.id))
    return replace(task_of(problem, path), twins=twins)


def name_of(problem: Problem) -> str:
    """``FILE-II-WW``, what the task of a problem is called."""
    return problem.id.replace("/", "-")


def task_of(problem: Problem, path: Path) -> Task:
    """The task of a problem; ``path`` is where it is read again: ``FILE.json/II-WW``, or ours."""
    return Task(
        id=PREFIX + name_of(problem),
        kind="voxel",
        title=_title(problem),
        style=problem.subcategory,
        description=_described(problem.prompts),
        constraints={},
        brief=plain_brief(problem),
        path=path,
        origin=ConstructionOrigin(problem, str(path)),
        prompts=problem.prompts,
    )


def plain_brief(problem: Problem) -> dict[str, Any]:
    """The brief as plain data: ``checks`` with a list of calls for every turn, as published."""
    return {
        "checks": [
            [{"fn": call.fn, "args": dict(call.args)} for call in turn] for turn in problem.checks
        ]
    }


def _described(prompts: tuple[str, ...]) -> str:
    if len(prompts) == 1:
        return prompts[0]
    return "\n".join(f"Turn {number}: {text}" for number, text in enumerate(prompts, 1))


def _title(problem: Problem) -> str:
    """What it is, its place in the grid, and the words that set its wording apart."""
    heading = HEADINGS.get(problem.file, problem.file)
    if problem.seed is None:
        return f"{heading} {problem.item + 1}-{problem.wording + 1}"
    parts = [heading, *_place(problem.parameters)]
    words = [v for k, v in problem.words.items() if k != "cue" and (k, v) not in _USUAL]
    return ", ".join(parts) + (f" ({', '.join(words)})" if words else "")


def _place(parameters: Mapping[str, Any]) -> Iterator[str]:
    """The parameters in words."""
    if {"a", "b"} <= parameters.keys():
        yield f"{parameters['a']} x {parameters['b']}"
    wordy = parameters.keys() - {"has"}
    for name, value in parameters.items():
        if isinstance(value, list) and name in wordy:
            yield f"{name} {' then '.join(map(str, value))}"
        elif name in wordy and name not in ("a", "b"):
            yield f"{name} {value}"
        elif name == "has" and not wordy and value:
            yield value.strip()


def in_order(problems: Iterable[Problem]) -> tuple[Task, ...]:
    """Tasks that come with Plumbline, for these problems of it."""
    known = bundled_tasks()
    return tuple(known[PREFIX + name_of(problem)] for problem in problems)
