# SPDX-License-Identifier: GPL-3.0-or-later
"""The folder form of packs: one folder a task, ours or one that holds only pictures.

Ours has ``task.json``, ``build.py``, ``constraints.json`` and the pictures that were drawn:
``VIEW.png`` of the frame, ``ID_skin_VIEW.png`` of the closed house. The released harness serves it
as it is. A folder from somebody else has pictures and perhaps ``constraints.json``.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import stat
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..fields import read_object, usable_constraints
from ..houses.parameters import STYLES
from ..model import Task, TaskError
from .drafts import draft_of, take_place
from .entry import Entry
from .images import HEAD, TAIL, VIEWS, fault_of, fault_of_ends, view_of_file
from .origin import PackOrigin
from .pack import NAME, Pack

#: Beside the tasks of a pack that we wrote: only such a folder is ever replaced.
MARK = "pack.json"
FORMAT = "plumbline-pack-v1"
#: A picture is no larger, bytes.
_LARGEST = 64 << 20


def pictures_in(folder: Path) -> tuple[dict[str, Path], list[str]]:
    """Files of the reference pictures by view, those of the closed house first, and faults.

    Only the ends of each file are looked at.
    """
    found: dict[str, Path] = {}
    faults = []
    for name in sorted(os.listdir(folder), key=lambda name: "_skin_" not in name):
        view = view_of_file(name, folder.name)
        if view is None:
            continue
        fault = _fault_of_file(folder / name)
        if fault is None:
            found.setdefault(view, folder / name)
        else:
            faults.append(str(TaskError(folder / name, "", fault, "the picture was left out")))
    return {view: found[view] for view in VIEWS if view in found}, faults


def _fault_of_file(path: Path) -> str | None:
    try:
        status = os.stat(path)
        if not stat.S_ISREG(status.st_mode) or status.st_size > _LARGEST:
            return "is no picture"
        with open(path, "rb") as stream:
            head = stream.read(HEAD)
            stream.seek(max(0, status.st_size - TAIL))
            return fault_of_ends(head, stream.read(TAIL))
    except OSError as error:
        return f"can't be read ({error.strerror})"


def read_pictures(paths: Mapping[str, Path]) -> dict[str, bytes]:
    """Pictures that are whole, by view."""
    found = {}
    for view, path in paths.items():
        with contextlib.suppress(OSError):
            data = path.read_bytes()
            if fault_of(data) is None:
                found[view] = data
    return found


def pictured_task(folder: Path) -> Pack:
    """The task in a folder that has pictures and no ``task.json``; no task if it has none."""
    try:
        paths, faults = pictures_in(folder)
    except OSError as error:
        return Pack((), (f"{folder}: can't be read ({error.strerror}); check its rights",))
    if not paths:
        return Pack((), tuple(faults))
    name = folder.resolve().name
    if not NAME.fullmatch(name):
        problem = f"{name!r} is no name of a task"
        return Pack((), (f"{folder}: {problem}; use letters, digits, _, - and .",))
    given, missing = _given(folder)
    faults += missing
    style = str(given.pop("style", "") or "").strip() or _style_of(name)
    constraints, bad = usable_constraints(folder / "constraints.json", given)
    faults += bad
    task = Task(
        id=f"timber/{name}",
        kind="timber",
        title=f"{style} {name}",
        style=style,
        description=f"The timber frame of a house ({style}), as the reference pictures show it.",
        constraints=constraints,
        brief={},
        path=folder,
        origin=PackOrigin(str(folder), pictures=partial(read_pictures, paths)),
    )
    return Pack((task,), tuple(faults))


def _given(folder: Path) -> tuple[dict[str, Any], list[str]]:
    file = folder / "constraints.json"
    if not file.is_file():
        return {}, []
    try:
        return read_object(file), []
    except TaskError as error:
        return {}, [f"{error}; the task was read without constraints"]


def _style_of(name: str) -> str:
    prefix = name.replace("-", "_").partition("_")[0]
    return next((style for style, short in STYLES.items() if short == prefix), prefix)


def write_folder(
    path: Path, entries: Iterable[Entry], about: Mapping[str, str], replace: bool = True
) -> None:
    """Write a pack as a folder; readers see the whole of it or what was there before.

    A pack of ours that is there already is replaced, unless ``replace`` is off. Raises ``OSError``
    and, for any other folder that holds something, ``FileExistsError``.
    """
    if not may_replace(path):
        raise FileExistsError(f"{path}: holds something that is no pack; name another folder")
    draft = draft_of(path)
    try:
        draft.mkdir(parents=True)
        for entry in entries:
            _write_task(draft / entry.name, entry)
        _write_json(draft / MARK, {"format": FORMAT, **dict(sorted(about.items()))})
        if os.path.lexists(path) and not (replace and may_replace(path)):
            raise FileExistsError(f"{path}: was put there meanwhile; name another folder")
        take_place(draft, path)
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def may_replace(path: Path) -> bool:
    """Whether nothing is lost if a pack takes this place: a pack of ours, or nothing at all."""
    if not os.path.lexists(path):
        return True
    if not path.is_dir() or path.is_symlink():
        return False
    if not os.listdir(path):
        return True
    try:
        return read_object(path / MARK).get("format") == FORMAT
    except TaskError:
        return False


def _write_task(folder: Path, entry: Entry) -> None:
    folder.mkdir()
    task = {
        "id": f"timber/{entry.name}",
        "kind": "timber",
        "title": entry.title,
        "style": entry.style,
        "description": entry.description,
        "constraints": dict(entry.constraints),
        "brief": dict(entry.brief),
        "generated": entry.recipe.to_mapping(),
    }
    _write_json(folder / "task.json", task)
    _write_json(folder / "constraints.json", {"style": entry.style, **entry.constraints})
    (folder / "build.py").write_text(entry.program, encoding="utf-8")
    for view, data in entry.frame.items():
        (folder / f"{view}.png").write_bytes(data)
    for view, data in entry.skin.items():
        (folder / f"{entry.name}_skin_{view}.png").write_bytes(data)


def _write_json(path: Path, data: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(data, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
