# SPDX-License-Identifier: GPL-3.0-or-later
"""Reads one task from its folder, its twins and its origin; the first fault is said."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from ..checks.reconstruction.brief import ReconstructionBrief
from ..checks.timber.brief import TimberBrief
from ..checks.voxel.brief import VoxelBrief
from .fields import (
    check_constraints,
    check_program,
    is_number,
    object_of,
    only_fields,
    read_object,
    text_of,
)
from .model import POLICY_FIELDS, Task, TaskError, Twin
from .packs import folder
from .packs.origin import PackOrigin
from .packs.pack import Pack
from .packs.recipe import Recipe, RecipeError

#: Kind -> what turns a task's ``brief`` into values for its checks, raising ``ValueError``.
KINDS: dict[str, Callable[[Mapping[str, Any]], Any]] = {
    "timber": TimberBrief.from_mapping,
    "voxel": VoxelBrief.from_mapping,
    "reconstruction": ReconstructionBrief.from_mapping,
}

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
#: How a finding may be named; a root may also be no finding but a lower score.
_WAYS = ("subject", "place", "line", "named")
_SCORE = "score_below"


def read_task(place: Path) -> Pack:
    """The task in a folder, and what is wrong with its pictures."""
    file = place / "task.json"
    data = read_object(file)
    allowed = (*_TASK_FIELDS, "policy", "generated", "prompts")
    only_fields(file, "", data, allowed, required=_TASK_FIELDS)
    for name in _TEXTS:
        text_of(file, name, data[name])
    kind = data["kind"]
    if kind not in KINDS:
        raise TaskError(file, "kind", f"unknown kind {kind!r}", f"known: {', '.join(KINDS)}")
    wanted = f"{kind}/{place.resolve().name}"
    if data["id"] != wanted:
        raise TaskError(file, "id", f"{data['id']!r} is not KIND/FOLDER", f"write {wanted!r}")
    check_constraints(file, data["constraints"])
    brief = object_of(file, "brief", data["brief"])
    try:
        read_brief = KINDS[kind](brief)
    except ValueError as error:
        raise TaskError(file, "brief", str(error), "see the fields of the brief") from None
    prompts = _read_prompts(file, data, read_brief)
    origin, faults = _read_origin(file, data.get("generated"))
    if origin is None:
        check_program(place / "build.py")
    twin_folders = sorted(f for f in (place / "twins").glob("*") if f.is_dir() and _visible(f))
    task = Task(
        **{name: data[name] for name in _TASK_FIELDS},
        path=place,
        twins=tuple(map(_read_twin, twin_folders)),
        policy=_read_policy(file, data.get("policy", {})),
        origin=origin,
        prompts=prompts,
    )
    return Pack((task,), tuple(faults))


def _read_prompts(file: Path, data: Mapping[str, Any], brief: Any) -> tuple[str, ...]:
    """What is asked in each turn: the description where there is one turn and nothing else said."""
    if not isinstance(brief, VoxelBrief):
        if "prompts" in data:
            raise TaskError(file, "prompts", f"{data['kind']} tasks have no turns", "remove it")
        return ()
    prompts = data.get("prompts", [data["description"]])
    if not isinstance(prompts, list):
        raise TaskError(file, "prompts", "not a list", "write a text for each turn")
    for i, prompt in enumerate(prompts):
        text_of(file, f"prompts[{i}]", prompt)
    if len(prompts) != len(brief.turns):
        problem = f"{len(prompts)} for {len(brief.turns)} turns of checks in the brief"
        raise TaskError(file, "prompts", problem, "write a text for each turn")
    return tuple(prompts)


def _read_origin(file: Path, generated: Any) -> tuple[PackOrigin | None, list[str]]:
    """Where a generated task has its truth and its pictures; its program is read when it is run."""
    if generated is None:
        return None, []
    try:
        recipe = Recipe.from_mapping(generated)
    except RecipeError as error:
        raise TaskError(file, "generated", str(error), "generate the pack again") from None
    paths, faults = folder.pictures_in(file.parent)
    build = file.parent / "build.py"
    origin = PackOrigin(
        str(file),
        recipe,
        build if build.is_file() else None,
        pictures=partial(folder.read_pictures, paths),
    )
    return origin, faults


def _read_policy(file: Path, value: Any) -> dict[str, tuple[str, ...]]:
    """What programs may use beyond the policy; every entry is a dotted name."""
    policy = object_of(file, "policy", value)
    only_fields(file, "policy", policy, POLICY_FIELDS)
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
    data = read_object(file)
    only_fields(file, "", data, (*_EXPECTED_FIELDS, "also"), required=_EXPECTED_FIELDS)
    for name in ("title", "defect"):
        text_of(file, name, data[name])
    _check_expected(file, "root", data["root"], (*_WAYS, _SCORE))
    # A mere score fails nobody.
    wanted = "passed" if _SCORE in data["root"] else "failed"
    if data["verdict"] != wanted:
        raise TaskError(file, "verdict", f"{data['verdict']!r}", f'a flawed twin has "{wanted}"')
    for name in ("consequences", "also"):
        listed = data.get(name, [])
        if not isinstance(listed, list):
            raise TaskError(file, name, "not a list", "write [] if nothing follows")
        for i, finding in enumerate(listed):
            _check_expected(file, f"{name}[{i}]", finding)
    check_program(folder / "patch.py")
    return Twin(folder.name, data["title"], data["defect"], data, folder)


def _check_expected(file: Path, place: str, value: Any, ways: tuple[str, ...] = _WAYS) -> None:
    data = object_of(file, place, value)
    only_fields(file, place, data, ("check", *ways), required=("check",))
    text_of(file, f"{place}.check", data["check"])
    if sum(way in data for way in ways) != 1:
        remedy = 'name the member in "subject", or "place" as [x, y, z] where one is missing'
        raise TaskError(file, place, "needs one of subject, place and line", remedy)
    if "subject" in data or "named" in data:
        name = "subject" if "subject" in data else "named"
        text_of(file, f"{place}.{name}", data[name])
    elif _SCORE in data:
        if not is_number(data[_SCORE]):
            raise TaskError(file, f"{place}.{_SCORE}", f"{data[_SCORE]!r}", "write 0 to 1")
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
    if not (isinstance(value, list) and len(value) == 3 and all(map(is_number, value))):
        raise TaskError(file, place, f"{value!r} is no point", "write [x, y, z] in m")
