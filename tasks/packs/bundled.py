# SPDX-License-Identifier: GPL-3.0-or-later
"""The pack that comes with Plumbline: three houses of each style, stored as their parameters.

Listing them reads one file; a house is built when its program or its truth is asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from ..model import Task
from .entry import Entry
from .origin import PackOrigin

FILE = Path(__file__).with_name("thirteen.json")
#: Seeds of the three houses of each style.
SEEDS = (1, 2, 3)


@lru_cache(maxsize=1)
def bundled_tasks() -> dict[str, Task]:
    """The tasks by id, in the order of the ids; none where the file isn't there."""
    try:
        stored = json.loads(FILE.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    found = (task_of(Entry.from_mapping(item)) for item in stored)
    return {task.id: task for task in found}


def task_of(entry: Entry) -> Task:
    """The task of a stored entry; its path is ``thirteen.json/NAME``."""
    return Task(
        id=f"timber/{entry.name}",
        kind="timber",
        title=entry.title,
        style=entry.style,
        description=entry.description,
        constraints=entry.constraints,
        brief=entry.brief,
        path=FILE / entry.name,
        origin=PackOrigin(f"{FILE}: task {entry.name}", recipe=entry.recipe),
    )


def write_bundled(entries: Iterable[Entry], file: Path = FILE) -> None:
    """Write the file anew, a task a line."""
    ordered = sorted(entries, key=lambda entry: entry.name)
    lines = [json.dumps(entry.stored(), ensure_ascii=False) for entry in ordered]
    file.write_text("[\n" + ",\n".join(lines) + "\n]\n", encoding="utf-8")
