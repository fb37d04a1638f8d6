# SPDX-License-Identifier: GPL-3.0-or-later
"""The tasks that a panel offers: those that come with Plumbline, and those that a person opened.

Bundled ones are read once a session: their files don't change while Blender runs. A pack of the
person's own is read when it is opened, and again when it is opened again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from ..checks.timber.brief import TimberBrief
from .task_index import TaskIndex

if TYPE_CHECKING:
    from ..tasks import Task, Twin

SOUND = "sound"  # the variant that is no twin: the known-good program itself
EMPTY = "empty"  # the variant that is no program: an empty scene, to build in

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


_opened: dict[str, Task] = {}


@lru_cache(maxsize=1)
def _read() -> tuple[tuple[Task, ...], str | None]:
    from .. import tasks

    try:
        found = tuple(tasks.select(["*/*"]))
    except tasks.TaskError as error:
        return (), str(error)
    return found, None if found else "this copy of Plumbline holds no task files"


@lru_cache(maxsize=1)
def index() -> TaskIndex:
    """All tasks that are offered, to be searched. Another object once a pack was opened."""
    return TaskIndex([*_read()[0], *_opened.values()])


def all_tasks() -> tuple[Task, ...]:
    """Every task that is offered, of every kind."""
    return tuple(index().tasks.values())


def timber_tasks() -> tuple[Task, ...]:
    """All timber tasks that are offered; without any, :func:`trouble` says why."""
    return tuple(task for task in all_tasks() if task.kind == "timber")


def trouble() -> str | None:
    """Why no task can be offered, as a sentence; ``None`` if some can."""
    return None if _opened else _read()[1]


def open_pack(path: str | Path) -> tuple[Task, ...]:
    """Read the tasks in a folder of the person's own, for :func:`offer`; touches nothing else.

    Raises ``TaskError``, one sentence, if there is none or one has a fault.
    """
    from .. import tasks

    found = tuple(tasks.select([Path(path)]))
    bundled = {task.id: task for task in _read()[0]}
    for task in found:
        known = bundled.get(task.id)
        if known is not None and known.path.resolve() != task.path.resolve():
            raise tasks.TaskError(
                task.path / "task.json",
                "id",
                f"{task.id!r} is a task that comes with Plumbline",
                "give its folder and its id another name",
            )
    return found


def offer(found: Iterable[Task]) -> None:
    """Offer these tasks from now on; one with a known id takes its place."""
    own = {task.id for task in _read()[0]}
    _opened.update({task.id: task for task in found if task.id not in own})
    _forget_views()


def forget_opened() -> None:
    """Offer only the bundled tasks again."""
    _opened.clear()
    _forget_views()


def _forget_views() -> None:
    index.cache_clear()
    variants.cache_clear()


def is_own(task_id: str) -> bool:
    """Whether it is a task that a person opened from their own files."""
    return task_id in _opened


@lru_cache(maxsize=256)
def variants(task_id: str) -> tuple[Variant, ...]:
    """The sound program of a task, then its flawed twins."""
    task = find(task_id)
    sound = Variant(SOUND, "As designed", "The known-good building, without a fault", task)
    return (sound, *(Variant(t.id, t.title, t.defect, t) for t in task.twins))


def known(task_id: object) -> Task | None:
    """The task of that id, ``None`` if none is offered. Anything may be asked: files say much."""
    return index().tasks.get(task_id) if isinstance(task_id, str) else None


def find(task_id: str) -> Task:
    """The task of that id. Raises ``KeyError`` with a sentence if none is offered."""
    task = known(task_id)
    if task is None:
        raise KeyError(f"there is no task {task_id!r} here; open its folder")
    return task


def brief_of(task_id: str) -> TimberBrief:
    """What a timber task sets. Raises ``KeyError`` if none is offered under that id."""
    return TimberBrief.from_mapping(find(task_id).brief)
