# SPDX-License-Identifier: GPL-3.0-or-later
"""What selectors of voxel tasks lead to: ids, small runs, and the benchmark's own files.

``lite:SEED`` is a small run of the problems that come with Plumbline, ``lite:SEED:PATH`` one of
those in a file or folder; a file or folder alone means all of its problems, ``FILE.json/II-WW``
those that the glob matches, also where it is over ids (``FILE.json/FILE-II-WW``).
"""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable
from pathlib import Path

from ..model import Task, TaskError
from ..packs.pack import Pack
from .generate import generate
from .lite import lite
from .problem import Problem
from .reading import Loaded, ReadingError, read_file, read_folder
from .tasks import bundled_tasks, in_order, task_of

_LITE = "lite:"
_LONGEST_SEED = 18  # digits


def lite_tasks(selector: str) -> Pack:
    """The tasks of ``lite:SEED`` or ``lite:SEED:PATH`` in the order in which they are presented.

    Raises :class:`TaskError` for a seed that is none, and for a path without problems.
    """
    number, _, place = selector[len(_LITE) :].partition(":")
    if not (number.isascii() and number.isdigit() and len(number) <= _LONGEST_SEED):
        remedy = "write lite:SEED or lite:SEED:FOLDER, such as lite:42"
        raise TaskError(selector, "", f"{number!r} is no seed", remedy)
    seed = int(number)
    if not place:
        return Pack(in_order(lite(generate(), seed)))
    path = Path(place)
    read = _read(path)
    return _pack(path, read, lite(read.problems, seed))


def bundled_matching(glob: str) -> list[Task]:
    """The tasks that come with Plumbline whose id the glob matches; an id matches itself."""
    known = bundled_tasks()
    if glob in known:
        return [known[glob]]
    return [task for name, task in known.items() if fnmatch.fnmatchcase(name, glob)]


def tasks_of_file(path: Path) -> Pack:
    """The tasks of one JSON list. Raises :class:`TaskError` if nothing of it can be read."""
    return _pack(path, *_all(_read(path)))


def tasks_of_folder(path: Path) -> Pack | None:
    """The tasks of all JSON lists of a folder; ``None`` where it holds no ``.json``.

    Raises :class:`TaskError` if nothing of them can be read.
    """
    if not any(file.suffix == ".json" for file in path.iterdir()):
        return None
    return _pack(path, *_all(_read(path)))


def tasks_within(path: Path, file: Path) -> Pack:
    """The tasks of ``FILE.json/GLOB``, the glob over ``II-WW`` or ids, with or without ``voxel/``.

    Raises :class:`TaskError` where there is none.
    """
    wanted = path.relative_to(file).as_posix()
    whole = tasks_of_file(file)
    tasks = tuple(
        task
        for task in whole.tasks
        if any(
            fnmatch.fnmatchcase(name, wanted)
            for name in (task.path.name, task.id.partition("/")[2], task.id)
        )
    )
    if not tasks:
        raise TaskError(file, "", f"holds no problem {wanted!r}", "`plumbline tasks list` has all")
    return Pack(tasks)


def _read(path: Path) -> Loaded:
    try:
        read = read_folder(path) if path.is_dir() else read_file(path)
    except ReadingError as error:
        raise _task_error(str(error)) from None
    if not read.problems:
        raise _task_error(read.faults[0] if read.faults else f"{path}: holds no problem; add items")
    return read


def _all(read: Loaded) -> tuple[Loaded, tuple[Problem, ...]]:
    return read, read.problems


def _pack(path: Path, read: Loaded, problems: Iterable[Problem]) -> Pack:
    """Tasks with the paths under which they are found again."""
    place = path.resolve()
    folder = place.is_dir()

    def made(problem: Problem) -> Task:
        file = place / f"{problem.file}.json" if folder else place
        return task_of(problem, file / problem.id.rpartition("/")[2])

    return Pack(tuple(map(made, problems)), read.faults)


def _task_error(sentence: str) -> TaskError:
    """A fault that says file, place, problem and remedy already."""
    file, _, rest = sentence.partition(": ")
    problem, _, remedy = rest.partition("; ")
    return TaskError(file, "", problem, remedy or "mend it")
