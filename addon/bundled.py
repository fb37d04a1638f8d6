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
from typing import TYPE_CHECKING, Any

from .task_index import TaskIndex

if TYPE_CHECKING:
    from ..tasks import Pack, Task, Twin

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
_left_out: list[str] = []


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


def open_pack(path: str | Path) -> Pack:
    """Read the tasks of a folder or pack of the person's own, for :func:`offer`.

    It touches nothing else, and says what of a pack had to be left out. Raises ``TaskError``, one
    sentence, if there is no task, none without a fault, or none whose id isn't taken. Voxel tasks
    of the benchmark's own files have ids of bundled ones, which they take the place of.
    """
    from .. import tasks

    pack = tasks.gather([Path(path)])
    bundled = {task.id: task for task in _read()[0] if task.kind != "voxel"}
    taken = [t for t in pack.tasks if t.id in bundled and not _is_same(bundled[t.id], t)]
    errors = [
        tasks.TaskError(
            task.path / "task.json" if task.path.is_dir() else task.path,
            "id",
            f"{task.id!r} is a task that comes with Plumbline",
            "give its folder and its id another name",
        )
        for task in taken
    ]
    if errors and len(errors) == len(pack.tasks):
        raise errors[0]
    kept = tuple(task for task in pack.tasks if task not in taken)
    return tasks.Pack(kept, (*pack.left_out, *map(str, errors)))


def _is_same(one: Task, other: Task) -> bool:
    """Whether both are one task: the same files, or houses made from the same parameters."""
    recipes = [getattr(task.origin, "recipe", None) for task in (one, other)]
    return one.path.resolve() == other.path.resolve() or (
        recipes[0] is not None and recipes[0] == recipes[1]
    )


def offer(found: Iterable[Task], left_out: Iterable[str] = ()) -> None:
    """Offer these tasks from now on; one with the id of another that was opened takes its place.

    ``left_out`` is what could not be read of them, see :func:`left_out`.
    """
    own = {task.id for task in _read()[0] if task.kind != "voxel"}
    _left_out[:] = left_out
    _opened.update({task.id: task for task in found if task.id not in own})
    _forget_views()


def forget_opened() -> None:
    """Offer only the bundled tasks again."""
    _opened.clear()
    _left_out.clear()
    _forget_views()


def _forget_views() -> None:
    index.cache_clear()
    variants.cache_clear()


def left_out() -> str | None:
    """What could not be read of the pack that was opened last, as a sentence."""
    if not _left_out:
        return None
    more = f" (and {len(_left_out) - 1:,} more)" if len(_left_out) > 1 else ""
    return f"Left out: {_left_out[0]}{more}"


def is_own(task_id: str) -> bool:
    """Whether it is a task that a person opened from their own files."""
    return task_id in _opened


@lru_cache(maxsize=256)
def variants(task_id: str) -> tuple[Variant, ...]:
    """The sound program of a task, then its flawed twins; none of a task without programs."""
    task = find(task_id)
    if not task.has_program:
        return ()
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


def brief_of(task_id: str) -> Any:
    """What a task sets, as its kind has it. Raises ``KeyError`` if none is offered by that id."""
    from ..tasks.reading import KINDS

    task = find(task_id)
    return KINDS[task.kind](task.brief)
