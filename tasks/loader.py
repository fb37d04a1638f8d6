# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks from folders and packs: reads, validates, and selects by id, glob or path.

A task is a folder with ``task.json``, ``build.py`` and ``twins/NAME/{expected.json,patch.py}``.
Bundled tasks lie beside this file as KIND/NAME, wherever the package was installed to, and in
:mod:`.packs.bundled`; those of packs come from :mod:`.packs`, voxel tasks from
:mod:`.constructions`.
"""

from __future__ import annotations

import fnmatch
import os
import re
import stat
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from types import ModuleType

from .model import Task, TaskError
from .packs import bundled as bundled_pack
from .packs import folder
from .packs.origin import PackOrigin
from .packs.pack import SUFFIX, Pack
from .reading import KINDS, read_task

__all__ = ["BUNDLED", "KINDS", "SMOKE", "gather", "load_task", "select"]

BUNDLED = Path(__file__).resolve().parent

#: Selectors of the smoke suite: every task that was written by hand. Any Blender can judge them.
SMOKE: tuple[str, ...] = ("timber/[a-z]*",)

_PATHS = (
    f"a path must lead to a folder with a task.json, a .json list of voxel tasks or a {SUFFIX} pack"
)
#: How selectors of small runs of voxel tasks begin.
LITE = "lite:"
_VOXEL = "voxel/"
_SIMULATED = "reconstruction/"
#: What the bundled voxel tasks have for a path: this and their name. There is no such folder.
VOXEL_PLACE = BUNDLED / "constructions" / "bundled"


def load_task(id_or_path: str | Path) -> Task:
    """One task, by the id of a bundled one (``timber/cabin``) or by its path.

    A path leads to a task's folder, its ``task.json``, or into a pack: ``PACK.dhpack/RN-0007``, or
    into a file of voxel problems: ``1-se-2-walls.json/03-02``, or its id there. Raises
    :class:`TaskError` if there is none or if one of its files has a fault.
    """
    if isinstance(id_or_path, str):
        bundled = _bundled(id_or_path).get(id_or_path)
        if bundled is not None:
            return bundled()
    path = Path(id_or_path)
    packed = _packed(path)
    if packed is not None:
        return _only(packed, id_or_path)
    place = path.parent if path.name == "task.json" else path
    if _is_file(place / "task.json"):
        return _only(read_task(place), id_or_path)
    if _is_folder(place):
        pictured = folder.pictured_task(place)
        if pictured.tasks:
            return pictured.tasks[0]
    raise TaskError(
        id_or_path,
        "",
        "neither a bundled task nor a folder with a task.json",
        f"bundled are {_names()}",
    )


def select(selectors: Iterable[str | Path] = SMOKE) -> list[Task]:
    """The tasks of :func:`gather`, for those whom it doesn't concern what was left out."""
    return list(gather(selectors).tasks)


def gather(selectors: Iterable[str | Path] = SMOKE, thorough: bool = False) -> Pack:
    """Tasks in the order of the selectors, each once, and what had to be left out of packs.

    A selector is a glob over KIND/NAME of the bundled tasks (``timber/*``), an id, the path of a
    task folder, the path of a pack (a folder with task folders at any depth, or a ``.dhpack``), a
    glob within a ``.dhpack`` (``PACK.dhpack/RN-*``), a file or folder of voxel problems, or a small
    run of them (``lite:42``, see :mod:`.constructions.selecting`). ``thorough`` reads every byte of
    pictures and truths. Raises :class:`TaskError` for a selector that finds nothing, and for the
    first faulty task where no other can be read.
    """
    found: dict[Path, Task] = {}
    left_out: dict[str, None] = {}
    for selector in selectors:
        pack = _found(selector, thorough)
        left_out.update(dict.fromkeys(pack.left_out))
        for task in pack.tasks:
            found.setdefault(task.path, task)
        if thorough:
            left_out.update(dict.fromkeys(filter(None, map(_untrue, pack.tasks))))
    return Pack(tuple(found.values()), tuple(left_out))


def _found(selector: str | Path, thorough: bool) -> Pack:
    """What one selector leads to."""
    glob = str(selector)
    if glob.startswith(LITE):
        return _voxel().lite_tasks(glob)
    matched = [read() for name, read in _bundled(glob).items() if fnmatch.fnmatchcase(name, glob)]
    if matched:
        return Pack(tuple(matched))
    path = Path(selector)
    packed = _packed(path, thorough)
    if packed is not None:
        return packed
    if path.name == "task.json" and _is_file(path):
        return read_task(path.parent.resolve())
    if _is_file(path / "task.json"):
        return read_task(path.resolve())
    if not _is_folder(path):
        if any(p.suffix == SUFFIX and not os.path.lexists(p) for p in (path, *path.parents)):
            raise TaskError(selector, "", "there is no such pack", "check the path")
        remedy = f"bundled are {_names()}; {_PATHS}"
        raise TaskError(selector, "", "selects no task", remedy)
    return _read_folder(path.resolve(), selector)


def _read_folder(path: Path, selector: str | Path) -> Pack:
    """All tasks in a folder at any depth, as far as they can be read."""
    tasks: list[Task] = []
    left_out: list[str] = []
    first: TaskError | None = None
    for place in sorted(file.parent for file in path.rglob("task.json")):
        try:
            read = read_task(place)
        except TaskError as error:
            first = first or error
            left_out.append(str(error))
            continue
        tasks += read.tasks
        left_out += read.left_out
    for place in (path, *_subfolders(path)):
        try:
            if _is_file(place / "task.json"):
                continue
        except TaskError as error:
            left_out.append(str(error))
            continue
        pictured = folder.pictured_task(place)
        tasks += pictured.tasks
        left_out += pictured.left_out
    if not tasks and first is not None:
        raise first
    if not tasks:
        lists = _voxel().tasks_of_folder(path)
        if lists is not None:
            return lists
    if not tasks:
        remedy = f"bundled are {_names()}; {_PATHS}"
        raise TaskError(selector, "", "selects no task", left_out[0] if left_out else remedy)
    return Pack(tuple(tasks), tuple(left_out))


def _untrue(task: Task) -> str | None:
    """What is wrong with the program or the truth of a task, for those who want to know all."""
    try:
        if (task.path / "build.py").is_file():
            task.program()
    except TaskError as error:
        return str(error)
    why = task.why_no_truth()
    if why is None and isinstance(task.origin, PackOrigin):
        why = task.origin.why_no_program()
    return why


def _subfolders(path: Path) -> Iterator[Path]:
    try:
        with os.scandir(path) as entries:
            names = sorted(e.name for e in entries if e.is_dir() and not e.name.startswith("."))
    except OSError as error:
        raise TaskError(path, "", f"can't be read ({error.strerror})", "check its rights") from None
    yield from (path / name for name in names)


def _packed(path: Path, thorough: bool = False) -> Pack | None:
    """Tasks of a pack that is one file, all or those of ``PACK/GLOB``; ``None`` if it is none."""
    if path.parent == bundled_pack.FILE:
        task = bundled_pack.bundled_tasks().get(f"timber/{path.name}")
        return Pack((task,) if task is not None else ())
    if path.parent == VOXEL_PLACE:
        return Pack(tuple(_voxel().bundled_matching(f"{_VOXEL}{path.name}")))
    for file in (path, *path.parents):
        if file.suffix == SUFFIX and _is_file(file):
            break
        if file.suffix == ".json" and file.name != "task.json" and _is_file(file):
            return _problems(path, file)
    else:
        return None
    file, wanted = file.resolve(), path.relative_to(file).as_posix()
    pack = _read_file(file, thorough)
    if wanted == ".":
        return pack
    tasks = tuple(task for task in pack.tasks if fnmatch.fnmatchcase(task.path.name, wanted))
    if not tasks:
        raise TaskError(file, "", f"holds no task {wanted!r}", "`plumbline tasks list` names them")
    return Pack(tasks)


def _read_file(file: Path, thorough: bool) -> Pack:
    try:
        from .packs import dhpack  # its SQLite is not in every Blender's Python
    except ImportError as error:
        problem = f"can't be read, since this Python has no SQLite ({error})"
        raise TaskError(
            file, "", problem, "use another Python or a pack that is a folder"
        ) from None
    if thorough:
        return dhpack.read_dhpack(file, thorough=True)
    status = file.stat()
    return dhpack.read_again(file, status.st_size, status.st_mtime_ns)


def _problems(path: Path, file: Path) -> Pack:
    """Voxel tasks of a file: all, or those of ``FILE.json/GLOB``."""
    module = _voxel()
    found: Pack = module.tasks_of_file(file) if path == file else module.tasks_within(path, file)
    return found


def _only(pack: Pack, asked: str | Path) -> Task:
    """The one task that was asked for."""
    if len(pack.tasks) != 1:
        raise TaskError(asked, "", f"is a pack of {len(pack.tasks):,} tasks", "name one: PACK/TASK")
    return pack.tasks[0]


def _is_file(path: Path) -> bool:
    """Whether a file is there, also if it may not be read. Raises :class:`TaskError` in words."""
    try:
        return stat.S_ISREG(os.stat(path).st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except PermissionError:
        raise TaskError(path.parent, "", "may not be read", "give yourself the right to") from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise TaskError(path.parent, "", f"can't be read ({reason})", "check the path") from None


def _is_folder(path: Path) -> bool:
    try:
        return os.path.isdir(path)
    except ValueError:
        return False


def _bundled(glob: str = "timber/") -> dict[str, Callable[[], Task]]:
    """Id -> how to read it: tasks written by hand, the pack, voxel ones if the glob may mean any.

    So nobody waits for the voxel problems who doesn't ask for them.
    """
    files = sorted(BUNDLED.glob("*/*/task.json"))
    found: dict[str, Callable[[], Task]] = {
        f"{file.parts[-3]}/{file.parts[-2]}": partial(_read_bundled, file.parent) for file in files
    }
    for name, task in bundled_pack.bundled_tasks().items():
        found.setdefault(name, partial(_itself, task))
    if _may_be_voxel(glob):
        for name, task in _voxel().bundled_tasks().items():
            found.setdefault(name, partial(_itself, task))
    return found


def _may_be_voxel(glob: str) -> bool:
    """Whether a glob can match the id of a voxel task: by its part before the first wild card."""
    plain = re.split(r"[*?\[]", glob, maxsplit=1)[0]
    return plain.startswith(_VOXEL) or (plain != glob and _VOXEL.startswith(plain))


def _voxel() -> ModuleType:
    """What selects voxel tasks; imported when it is asked for."""
    from .constructions import selecting

    return selecting


def _itself(task: Task) -> Task:
    return task


def _read_bundled(place: Path) -> Task:
    return read_task(place).tasks[0]


def _names() -> str:
    """The ids of what is bundled, for messages: the pack, simulations and blocks as one each."""
    names = [name for name in _bundled() if name not in bundled_pack.bundled_tasks()]
    houses = [name for name in names if not name.startswith(_SIMULATED)]
    more = len(bundled_pack.bundled_tasks())
    kinds = [f"{_SIMULATED}*"] if len(houses) < len(names) else []
    packs = [f"a pack of {more} more"] if more else []
    return ", ".join([*houses, *packs, *kinds]) + f", and {_VOXEL}*"
