# SPDX-License-Identifier: GPL-3.0-or-later
"""Tasks from folders: reads, validates, and selects by id, glob or path.

A task is a folder with ``task.json``, ``build.py`` and ``twins/NAME/{expected.json,patch.py}``.
Bundled tasks lie beside this file as KIND/NAME, wherever the package was installed to.
"""

from __future__ import annotations

import fnmatch
import json
import math
import os
import re
import stat
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from ..checks.timber.brief import BriefError, TimberBrief
from .model import POLICY_FIELDS, Task, TaskError, Twin, read_text

BUNDLED = Path(__file__).resolve().parent

#: Selectors of the smoke suite: every bundled task that any supported Blender can judge.
SMOKE: tuple[str, ...] = ("timber/*",)

#: Kind -> what turns a task's ``brief`` into values for its checks, raising ``ValueError``.
KINDS: dict[str, Callable[[Mapping[str, Any]], Any]] = {"timber": TimberBrief.from_mapping}

# Field of the published task format -> the types it may have.
_NUMBER = (int, float)
_CONSTRAINTS: dict[str, tuple[type, ...]] = {
    "footprint_x": _NUMBER,
    "footprint_y": _NUMBER,
    "stories": (int,),
    "roof_type": (str,),
    "lot_width": _NUMBER,
    "lot_depth": _NUMBER,
    "wings": (int,),
    "complexity": (str,),
    "roof_pitch": _NUMBER,
    "overhang": _NUMBER,
}
# No length, angle or count of a building reaches this; larger whole numbers fit no float.
_LARGEST = 1e9
_TEXTS = ("id", "kind", "title", "style", "description")
_TASK_FIELDS = (*_TEXTS, "constraints", "brief")
# Field of a task's policy -> (an entry for messages, how entries look).
_POLICY_ENTRIES = {
    "imports": ("scipy.spatial", re.compile(r"[a-zA-Z]\w*(\.[a-zA-Z]\w*)*")),
    "operators": ("ptcache.bake_all", re.compile(r"[a-z]\w*\.([a-z]\w*|\*)")),
    "data": ("texts", re.compile(r"[a-z]\w*")),
    "blender": ("bpy.app.handlers", re.compile(r"bpy(\.[a-zA-Z]\w*)+")),
    "attributes": ("driver_add", re.compile(r"[a-zA-Z]\w*")),
}
_EXPECTED_FIELDS = ("title", "defect", "verdict", "root", "consequences")


def load_task(id_or_path: str | Path) -> Task:
    """One task, by the id of a bundled one (``timber/cabin``) or by its folder or ``task.json``.

    Raises :class:`TaskError` if there is none or if one of its files has a fault.
    """
    if isinstance(id_or_path, str):
        bundled = _bundled_folders().get(id_or_path)
        if bundled is not None:
            return _read_task(bundled)
    path = Path(id_or_path)
    folder = path.parent if path.name == "task.json" else path
    if not _is_file(folder / "task.json"):
        raise TaskError(
            id_or_path,
            "",
            "neither a bundled task nor a folder with a task.json",
            f"bundled are {', '.join(_bundled_folders())}",
        )
    return _read_task(folder)


def select(selectors: Iterable[str | Path] = SMOKE) -> list[Task]:
    """Tasks in the order of the selectors, each once.

    A selector is a glob over KIND/NAME of the bundled tasks (``timber/*``), an id, the path of a
    task folder, or the path of a pack (a folder with task folders at any depth). Raises
    :class:`TaskError` for a selector that finds nothing and for the first faulty task.
    """
    folders: dict[Path, None] = {}
    for selector in selectors:
        for folder in _folders_of(selector):
            folders.setdefault(folder.resolve())
    return [_read_task(folder) for folder in folders]


def _folders_of(selector: str | Path) -> list[Path]:
    bundled = _bundled_folders()
    matched = [bundled[name] for name in fnmatch.filter(bundled, str(selector))]
    if matched:
        return matched
    path = Path(selector)
    if path.name == "task.json" and _is_file(path):
        return [path.parent]
    if _is_file(path / "task.json"):
        return [path]
    is_folder = os.path.isdir(path)
    pack = sorted(file.parent for file in path.rglob("task.json")) if is_folder else []
    if not pack:
        remedy = f"bundled are {', '.join(bundled)}; a path must lead to a folder with a task.json"
        raise TaskError(selector, "", "selects no task", remedy)
    return pack


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


def _bundled_folders() -> dict[str, Path]:
    """Id -> folder of every bundled task, in the order of the ids."""
    files = sorted(BUNDLED.glob("*/*/task.json"))
    return {f"{file.parts[-3]}/{file.parts[-2]}": file.parent for file in files}


def _read_task(folder: Path) -> Task:
    file = folder / "task.json"
    data = _read_object(file)
    _only_fields(file, "", data, (*_TASK_FIELDS, "policy"), required=_TASK_FIELDS)
    for name in _TEXTS:
        _text(file, name, data[name])
    kind = data["kind"]
    if kind not in KINDS:
        raise TaskError(file, "kind", f"unknown kind {kind!r}", f"known: {', '.join(KINDS)}")
    wanted = f"{kind}/{folder.resolve().name}"
    if data["id"] != wanted:
        raise TaskError(file, "id", f"{data['id']!r} is not KIND/FOLDER", f"write {wanted!r}")
    _check_constraints(file, data["constraints"])
    brief = _object(file, "brief", data["brief"])
    try:
        KINDS[kind](brief)
    except BriefError as error:
        raise TaskError(file, "brief", str(error), "see the fields of the brief") from None
    _check_program(folder / "build.py")
    twin_folders = sorted(f for f in (folder / "twins").glob("*") if f.is_dir() and _visible(f))
    return Task(
        **{name: data[name] for name in _TASK_FIELDS},
        path=folder,
        twins=tuple(map(_read_twin, twin_folders)),
        policy=_read_policy(file, data.get("policy", {})),
    )


def _read_policy(file: Path, value: Any) -> dict[str, tuple[str, ...]]:
    """What programs may use beyond the policy; every entry is a dotted name."""
    policy = _object(file, "policy", value)
    _only_fields(file, "policy", policy, POLICY_FIELDS)
    for name, entries in policy.items():
        place = f"policy.{name}"
        example, pattern = _POLICY_ENTRIES[name]
        if not isinstance(entries, list):
            raise TaskError(file, place, "not a list", f'write a list such as ["{example}"]')
        for i, entry in enumerate(entries):
            if not (isinstance(entry, str) and pattern.fullmatch(entry)):
                remedy = f'write one such as "{example}"'
                raise TaskError(file, f"{place}[{i}]", f"{entry!r} is no such name", remedy)
    return {name: tuple(entries) for name, entries in policy.items()}


def _visible(folder: Path) -> bool:
    return not folder.name.startswith((".", "__"))


def _read_twin(folder: Path) -> Twin:
    file = folder / "expected.json"
    data = _read_object(file)
    _only_fields(file, "", data, _EXPECTED_FIELDS, required=_EXPECTED_FIELDS)
    for name in ("title", "defect"):
        _text(file, name, data[name])
    if data["verdict"] != "failed":
        raise TaskError(file, "verdict", f"{data['verdict']!r}", 'a flawed twin has "failed"')
    _check_expected(file, "root", data["root"])
    if not isinstance(data["consequences"], list):
        raise TaskError(file, "consequences", "not a list", "write [] if nothing follows")
    for i, consequence in enumerate(data["consequences"]):
        _check_expected(file, f"consequences[{i}]", consequence)
    _check_program(folder / "patch.py")
    return Twin(folder.name, data["title"], data["defect"], data, folder)


def _check_expected(file: Path, place: str, value: Any) -> None:
    data = _object(file, place, value)
    ways = ("subject", "place", "line")
    _only_fields(file, place, data, ("check", *ways), required=("check",))
    _text(file, f"{place}.check", data["check"])
    if sum(way in data for way in ways) != 1:
        remedy = 'name the member in "subject", or "place" as [x, y, z] where one is missing'
        raise TaskError(file, place, "needs one of subject, place and line", remedy)
    if "subject" in data:
        _text(file, f"{place}.subject", data["subject"])
    elif "place" in data:
        _point(file, f"{place}.place", data["place"])
    else:
        line = data["line"]
        if not (isinstance(line, list) and len(line) == 2):
            remedy = "write both ends of the missing member, [[x, y, z], [x, y, z]]"
            raise TaskError(file, f"{place}.line", f"{line!r} is no line", remedy)
        for i, point in enumerate(line):
            _point(file, f"{place}.line[{i}]", point)


def _point(file: Path, place: str, value: Any) -> None:
    if not (isinstance(value, list) and len(value) == 3 and all(map(_is_number, value))):
        raise TaskError(file, place, f"{value!r} is no point", "write [x, y, z] in m")


def _check_constraints(file: Path, value: Any) -> None:
    constraints = _object(file, "constraints", value)
    _only_fields(file, "constraints", constraints, tuple(_CONSTRAINTS))
    for name, item in constraints.items():
        place = f"constraints.{name}"
        types = _CONSTRAINTS[name]
        if types == (str,):
            _text(file, place, item)
        elif not (_is_number(item) and item >= 0 and isinstance(item, types)):
            what = "a whole number" if types == (int,) else "a number"
            raise TaskError(file, place, f"{item!r} is no such value", f"write {what} from 0 up")


def _check_program(file: Path) -> None:
    """A program must at least parse: a fault here is the task's, not that of what is judged."""
    try:
        compile(read_text(file), str(file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        place = f"line {getattr(error, 'lineno', None) or 1}"
        problem = f"not a Python program ({getattr(error, 'msg', None) or error})"
        raise TaskError(file, place, problem, "correct that line") from None


def _read_object(file: Path) -> dict[str, Any]:
    text = read_text(file)
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise TaskError(file, place, f"not JSON ({error.msg})", "correct that place") from None
    except RecursionError:
        raise TaskError(file, "", "nested too deeply", "write a plain object") from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise TaskError(file, "", "holds a number that is too long", "shorten it") from None
    return _object(file, "", data)


def _object(file: Path, place: str, value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise TaskError(file, place, f"{type(value).__name__}, not an object", "write {...}")
    return value


def _only_fields(
    file: Path,
    place: str,
    data: Mapping[str, Any],
    known: tuple[str, ...],
    required: tuple[str, ...] = (),
) -> None:
    for name in data:
        if name not in known:
            remedy = f"remove it; known: {', '.join(known)}"
            raise TaskError(file, place, f"unknown field {name!r}", remedy)
    for name in required:
        if name not in data:
            raise TaskError(file, place, f"field {name!r} is missing", "add it")


def _text(file: Path, place: str, value: Any) -> None:
    if not isinstance(value, str) or not value.strip():
        raise TaskError(file, place, f"{value!r} is no text", "write a text in quotes")


def _is_number(value: Any) -> bool:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < _LARGEST and math.isfinite(value)
