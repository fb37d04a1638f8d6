# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks list | show | validate``."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ... import tasks as task_files
from ...tasks import Task, TaskError
from . import problem_words, wording
from .cli import PASSED, UNREADABLE
from .console import Console
from .records import clean, to_line

#: Everything that is bundled, the smoke suite and the pack.
EVERY = "*/*"
_LENGTHS = ("footprint_x", "footprint_y", "lot_width", "lot_depth", "overhang", "spacing", "ground")
_LOADS = ("floor_live", "floor_dead", "roof_live", "roof_dead", "ground_snow")
#: Field of constraints or brief -> its unit, as docs/tasks.md has them.
UNITS = {**dict.fromkeys(_LENGTHS, "m"), **dict.fromkeys(_LOADS, "Pa"), "roof_pitch": "degrees"}


def tasks(options: argparse.Namespace, terminal: Console) -> int:
    """List, show or validate tasks."""
    if options.action == "validate":
        return _validate(options, terminal)
    left_out: list[str] = []
    try:
        if options.action == "show":
            task = task_files.load_task(options.task)
            lines = [to_line(_plain(task))] if options.json else _shown(task, terminal)
        else:
            pack = task_files.gather(options.selectors or [EVERY])
            left_out = list(pack.told())
            lines = map(to_line, map(_plain, pack.tasks)) if options.json else _listed(pack.tasks)
    except TaskError as error:
        terminal.warn(str(error))
        return UNREADABLE
    for line in lines:
        terminal.line(line)
    for sentence in left_out:
        terminal.warn(sentence)
    return UNREADABLE if left_out else PASSED


def _validate(options: argparse.Namespace, terminal: Console) -> int:
    """Say of every path whether its tasks are sound; 2 if one is not."""
    code = PASSED
    for path in options.paths:
        try:
            pack = task_files.gather([path], thorough=True)
        except TaskError as error:
            terminal.warn(str(error))
            code = UNREADABLE
            continue
        for sentence in pack.left_out:
            terminal.warn(sentence)
            code = UNREADABLE
        grouped = {} if options.json else problem_words.by_file(pack.tasks)
        for name, group in grouped.items():
            terminal.line(f"ok  {problem_words.listed(name, group, 0)}")
        alone = [t for t in pack.tasks if not grouped or problem_words.problem_of(t) is None]
        for task in alone:
            line = f"ok  {wording.printable(task.id)}  ({_about(task)})"
            terminal.line(to_line({"task": task.id, "ok": True}) if options.json else line)
    return code


def _listed(listed: Sequence[Task]) -> Iterator[str]:
    """A line a task, and of many voxel problems a line a file."""
    grouped = problem_words.by_file(listed)
    if grouped:
        listed = [task for task in listed if problem_words.problem_of(task) is None]
    width = max(map(len, [*(task.id for task in listed), *grouped]), default=0)
    for name, group in grouped.items():
        yield problem_words.listed(name, group, width)
    for task in listed:
        title = wording.printable(task.title)
        yield f"{wording.printable(task.id):{width}}  {title} ({_about(task)})"


def _about(task: Task) -> str:
    """What there is to build it by: its twins, or for tasks of packs whether it has a program."""
    if task.twins or task.origin is None:
        return wording.count(len(task.twins), "flawed twin")
    return "generated" if task.has_program else "no known-good program"


def _shown(task: Task, terminal: Console) -> Iterator[str]:
    style = terminal.style
    problem = problem_words.problem_of(task)
    yield f"{style.paint(wording.printable(task.id), 'bold')}  {wording.printable(task.title)}"
    if problem is not None:
        yield from problem_words.shown(task, problem, style.width)
    else:
        yield from _described(task, style.width)
    for twin in task.twins:
        yield ""
        name = style.paint(wording.printable(twin.id), "bold")
        yield f"  {name}: {wording.printable(twin.defect)}"
        yield f"    expected: {wording.printable(str(twin.expectation.root))}"


def _described(task: Task, width: int) -> Iterator[str]:
    yield from textwrap.wrap(
        wording.printable(task.description), width, initial_indent="  ", subsequent_indent="  "
    )
    yield from _mapping("constraints", task.constraints)
    yield from _mapping("brief", task.brief)
    yield from _of_pack(task)


def _of_pack(task: Task) -> Iterator[str]:
    """The truth and the pictures that came with it."""
    if task.origin is None:
        return
    truth, views = task.truth(), task.references()
    yield ""
    if truth is not None:
        yield f"  ground truth: {wording.count(len(truth), 'member')}"
    else:
        yield f"  ground truth: {wording.printable(task.why_no_truth() or 'none')}"
    yield f"  pictures: {', '.join(views) or 'none'}"
    if not task.has_program:
        yield "  no known-good program: build it with --agent null, human or a model"


def _mapping(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if not values:
        return
    yield ""
    yield f"  {name}"
    width = max(map(len, values))
    for key, value in values.items():
        shown = json.dumps(clean(value))
        if key in UNITS and type(value) in (int, float) and abs(value) < 1e9:
            shown = f"{value:.6g} {UNITS[key]}"
        yield f"    {wording.printable(f'{key:{width}}  {shown}')}"


def _plain(task: Task) -> dict[str, Any]:
    return clean(
        {
            "id": task.id,
            "kind": task.kind,
            "title": task.title,
            "style": task.style,
            "description": task.description,
            "constraints": task.constraints,
            "brief": task.brief,
            "path": str(task.path),
            "known_good": task.has_program,
            "prompts": list(task.prompts),
            "twins": [
                {"id": t.id, "title": t.title, "defect": t.defect, "expected": t.expected}
                for t in task.twins
            ],
        }
    )
