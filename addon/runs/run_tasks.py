# SPDX-License-Identifier: GPL-3.0-or-later
"""The tasks that a stored run was asked for, as far as they are still where it had them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import Any

from ... import tasks as task_files
from .runfolder import Run


def tasks_of(run: Run) -> Iterator[tuple[str, task_files.Task]]:
    """Tasks by id, of all sessions and records; those that are gone are left out.

    What was asked for comes before what has that id by chance: packs may have ids of bundled tasks.
    """
    found = set()
    selectors = {name: None for s in run.header["sessions"] for name in s["asked"].get("tasks", ())}
    selectors.update({str(record.get("task")): None for record in run.records})
    for selector in selectors:
        with contextlib.suppress(task_files.TaskError):
            for task in task_files.select([selector]):
                if task.id not in found:
                    found.add(task.id)
                    yield task.id, task


def task_of(run: Run, record: Mapping[str, Any]) -> task_files.Task | None:
    """The task of one record, ``None`` if it is gone. Looks among what was asked for first."""
    wanted = record.get("task")
    selectors = [n for s in run.header["sessions"] for n in s["asked"].get("tasks", ())]
    selectors.append(str(wanted))
    for selector in dict.fromkeys(selectors):
        with contextlib.suppress(task_files.TaskError):
            for task in task_files.select([selector]):
                if task.id == wanted:
                    return task
    return None
