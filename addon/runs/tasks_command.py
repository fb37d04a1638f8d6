# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline tasks list | show | validate``."""

from __future__ import annotations

import argparse
import json
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any

from ... import tasks as task_files
from ...tasks import Task, TaskError
from . import wording
from .cli import PASSED, UNREADABLE
from .console import Console
from .records import clean, to_line


def tasks(options: argparse.Namespace, terminal: Console) -> int:
    """List, show or validate tasks."""
    if options.action == "validate":
        return _validate(options, terminal)
    try:
        if options.action == "show":
            task = task_files.load_task(options.task)
            lines = [to_line(_plain(task))] if options.json else _shown(task, terminal)
        else:
            listed = task_files.select(options.selectors or task_files.SMOKE)
            lines = map(to_line, map(_plain, listed)) if options.json else _listed(listed)
    except TaskError as error:
        terminal.warn(str(error))
        return UNREADABLE
    for line in lines:
        terminal.line(line)
    return PASSED


def _validate(options: argparse.Namespace, terminal: Console) -> int:
    """Say of every path whether its tasks are sound; 2 if one is not."""
    code = PASSED
    for path in options.paths:
        try:
            found = task_files.select([path])
        except TaskError as error:
            terminal.warn(str(error))
            code = UNREADABLE
            continue
        for task in found:
            line = f"ok  {wording.printable(task.id)}  ({_twins(task)})"
            terminal.line(to_line({"task": task.id, "ok": True}) if options.json else line)
    return code


def _listed(listed: list[Task]) -> Iterator[str]:
    width = max((len(task.id) for task in listed), default=0)
    for task in listed:
        title = wording.printable(task.title)
        yield f"{wording.printable(task.id):{width}}  {title} ({_twins(task)})"


def _twins(task: Task) -> str:
    return wording.count(len(task.twins), "flawed twin")


def _shown(task: Task, terminal: Console) -> Iterator[str]:
    style = terminal.style
    yield f"{style.paint(wording.printable(task.id), 'bold')}  {wording.printable(task.title)}"
    yield from textwrap.wrap(
        wording.printable(task.description),
        style.width,
        initial_indent="  ",
        subsequent_indent="  ",
    )
    yield from _mapping("constraints", task.constraints)
    yield from _mapping("brief", task.brief)
    for twin in task.twins:
        yield ""
        name = style.paint(wording.printable(twin.id), "bold")
        yield f"  {name}: {wording.printable(twin.defect)}"
        yield f"    expected: {wording.printable(str(twin.expectation.root))}"


def _mapping(name: str, values: Mapping[str, Any]) -> Iterator[str]:
    if not values:
        return
    yield ""
    yield f"  {name}"
    width = max(map(len, values))
    for key, value in values.items():
        yield f"    {wording.printable(f'{key:{width}}  {json.dumps(clean(value))}')}"


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
            "twins": [
                {"id": t.id, "title": t.title, "defect": t.defect, "expected": t.expected}
                for t in task.twins
            ],
        }
    )
