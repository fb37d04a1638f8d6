# SPDX-License-Identifier: GPL-3.0-or-later
"""The bundled tasks as a panel offers them: which task, and which of its programs.

Read once a session: bundled files don't change while Blender runs.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

from ..checks.timber.brief import TimberBrief

if TYPE_CHECKING:
    from ..tasks import Task, Twin

SOUND = "sound"  # the variant that is no twin: the known-good program itself

# Key of the custom property that marks a scene as built for a task; it is written to scenes that
# we made, never to the user's.
TASK_KEY = "plumbline_task"
VARIANT_KEY = "plumbline_variant"


@dataclass(frozen=True, slots=True)
class Variant:
    """One program of a task: the known-good one or a flawed twin."""

    id: str
    title: str
    explanation: str
    source: Task | Twin

    def program(self) -> str:
        """The whole Blender program."""
        return self.source.program()


@lru_cache(maxsize=1)
def _read() -> tuple[tuple[Task, ...], str | None]:
    from .. import tasks

    try:
        found = tuple(tasks.select(["timber/*"]))
    except tasks.TaskError as error:
        return (), str(error)
    return found, None if found else "this copy of Plumbline holds no task files"


def timber_tasks() -> tuple[Task, ...]:
    """All bundled timber tasks; none if they can't be read, and then :func:`trouble` says why."""
    return _read()[0]


def trouble() -> str | None:
    """Why the bundled tasks can't be offered, as a sentence; ``None`` if they can."""
    return _read()[1]


@lru_cache(maxsize=64)
def variants(task_id: str) -> tuple[Variant, ...]:
    """The sound program of a task, then its flawed twins."""
    task = find(task_id)
    sound = Variant(SOUND, "As designed", "The known-good building, without a fault", task)
    return (sound, *(Variant(t.id, t.title, t.defect, t) for t in task.twins))


def find(task_id: str) -> Task:
    """The bundled task of that id. Raises ``KeyError`` with a sentence if there is none."""
    for task in timber_tasks():
        if task.id == task_id:
            return task
    raise KeyError(f"there is no bundled task {task_id!r}")


def brief_of(task_id: str) -> TimberBrief:
    """What the bundled task sets. Raises ``KeyError`` if there is none of that id."""
    return TimberBrief.from_mapping(find(task_id).brief)
