# SPDX-License-Identifier: GPL-3.0-or-later
"""Lessons from folders: read, validated, and those offered whose kind there is.

A lesson is a folder with ``lesson.json``, ``mend.py`` and a ``what_if_ID.py`` for each slider that
changes members or blocks; one of blocks has a ``build.py``, one of motion nothing but its
``lesson.json``. The bundled ones lie in ``tasks/lessons``.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from ... import tasks
from ...checks.voxel.brief import VoxelBrief
from ...checks.voxel.registry import GRADERS
from ...tasks.loader import KINDS
from .. import strict_json
from .fields import Reader
from .model import (
    BLOCKS,
    PA,
    Choice,
    Find,
    Lesson,
    LessonError,
    Mend,
    Question,
    Rule,
    Show,
    Slider,
    Tip,
    read_text,
)

BUNDLED = Path(tasks.__file__).resolve().parent / "lessons"

_COMMON = (
    *("kind", "title", "level", "aim", "see", "question", "show", "rule", "mend"),
    "misconceptions",
)
_OF_MEMBERS = ("task", "twin", "find", "fall", "what_if")
_OF_BLOCKS = ("brief", "what_if")
_OF_MOTION = ("task", "twin")
_MAY_OF_MOTION = ("otherwise",)
_FIELDS = tuple(dict.fromkeys((*_COMMON, *_OF_MEMBERS, *_OF_BLOCKS, *_MAY_OF_MOTION)))
#: Kinds in the order in which their lessons are offered.
_ORDER = ("timber", "voxel", "reconstruction")
_SLIDER = ("id", "title", "unit", "default", "low", "high", "ask", "check", "subject", "beyond")
_SLIDER_MORE = ("tip", "brief", "members", "stops")
#: What the step *Show me* can colour by.
COLOURS = ("finding", "verdict", "check", "role", "margin")
_LEVELS = 3
_ROLES = ("joist", "rafter", "ceiling_joist", "beam")
_ID = re.compile(r"[a-z][a-z0-9_]*")
#: Entries of a tip's table: what :func:`.tipping.tip_of` understands.
TABLE = (
    *("role", "width", "depth", "spacing", "span", "live", "dead", "snow", "plies"),
    "ceiling",
)


@lru_cache(maxsize=1)
def bundled() -> tuple[Lesson, ...]:
    """Every bundled lesson whose kind there is, easy ones first. Raises :class:`LessonError`."""
    found = [load(file.parent) for file in sorted(BUNDLED.glob("*/lesson.json"))]
    there = [lesson for lesson in found if lesson.kind in KINDS]
    return tuple(sorted(there, key=lambda it: (_ORDER.index(it.kind), it.level, it.title)))


def find(lesson_id: str) -> Lesson | None:
    """The bundled lesson of that id, ``None`` if there is none."""
    return next((lesson for lesson in bundled() if lesson.id == lesson_id), None)


def load(folder: Path) -> Lesson:
    """One lesson. Raises :class:`LessonError` with the first fault of its files."""
    file = folder / "lesson.json"
    try:
        data = strict_json.loads(read_text(file))
    except ValueError as error:
        if isinstance(error, LessonError):
            raise
        raise LessonError(file, "", f"no JSON: {error}", "mend the text there") from None
    read = Reader(file)
    kind = data.get("kind") if isinstance(data, dict) else None
    blocks, motion = kind == "voxel", kind == "reconstruction"
    fields = (*_COMMON, *(_OF_BLOCKS if blocks else _OF_MOTION if motion else _OF_MEMBERS))
    more = _MAY_OF_MOTION if motion else ()
    top = read.mapping("", data, (*fields, *more), required=fields)
    level = top["level"]
    if not (isinstance(level, int) and 1 <= level <= _LEVELS):
        raise LessonError(file, "level", f"{level!r} is none", f"write 1 to {_LEVELS}")
    texts = {name: read.text(name, top[name]) for name in ("kind", "title", "aim", "see")}
    texts |= {n: read.text(n, top[n]) if n in top else "" for n in ("task", "twin", "fall")}
    lesson = Lesson(
        id=folder.name,
        level=level,
        question=_question(read, top["question"]),
        find=_find(read, top["find"]) if "find" in top else None,
        show=_show(read, top["show"]),
        rule=Rule(**read.texts("rule", top["rule"], ("clause", "says", "why", "physics"))),
        mend=Mend(**read.texts("mend", top["mend"], ("button", "says"))),
        misconceptions=read.names("misconceptions", top["misconceptions"]),
        sliders=_sliders(read, folder, top.get("what_if", []), blocks),
        path=folder,
        brief=_brief(file, top["brief"]) if blocks else None,
        otherwise=read.text("otherwise", top["otherwise"]) if "otherwise" in top else "",
        **texts,
    )
    if blocks:
        _check_program(folder / "build.py", None)
    else:
        _check_building(file, lesson)
    if not motion:
        _check_program(folder / "mend.py", None)
    return lesson


def _brief(file: Path, value: Any) -> VoxelBrief:
    """The checks that blocks are judged by; each must be one that there is."""
    remedy = "write checks as in a task of blocks"
    if not isinstance(value, Mapping):
        raise LessonError(file, "brief", "not an object", remedy)
    try:
        brief = VoxelBrief.from_mapping(value)
    except ValueError as error:
        raise LessonError(file, "brief", str(error), remedy) from None
    for call in brief.calls:
        if call.fn not in GRADERS:
            raise LessonError(file, "brief", f"there is no check {call.fn!r}", "name another")
    return brief


def _check_building(file: Path, lesson: Lesson) -> None:
    """The building of a kind that there is must be there."""
    if lesson.kind not in KINDS:
        return
    try:
        task = tasks.load_task(lesson.task)
    except tasks.TaskError as error:
        raise LessonError(file, "task", str(error), "name a task as KIND/NAME") from None
    if task.kind != lesson.kind:
        raise LessonError(file, "task", f"it is of kind {task.kind}", f"name one of {lesson.kind}")
    if lesson.twin not in [twin.id for twin in task.twins]:
        known = ", ".join(twin.id for twin in task.twins) or "none"
        raise LessonError(file, "twin", f"{task.id} has no twin {lesson.twin!r}", f"known: {known}")


def _question(read: Reader, value: Any) -> Question:
    data = read.mapping("question", value, ("ask", "choices"), required=("ask", "choices"))
    choices = []
    for i, entry in enumerate(read.list("question.choices", data["choices"])):
        place = f"question.choices[{i}]"
        fields = read.mapping(place, entry, ("text", "right", "why"), required=("text", "why"))
        right = fields.get("right", False)
        if not isinstance(right, bool):
            raise LessonError(read.file, f"{place}.right", f"{right!r}", "write true or leave it")
        texts = {name: read.text(f"{place}.{name}", fields[name]) for name in ("text", "why")}
        choices.append(Choice(right=right, **texts))
    if len(choices) < 2 or sum(choice.right for choice in choices) != 1:
        remedy = "write two or more choices, and mark one of them as right"
        raise LessonError(read.file, "question.choices", "not exactly one is right", remedy)
    return Question(read.text("question.ask", data["ask"]), tuple(choices))


def _find(read: Reader, value: Any) -> Find:
    data = read.mapping("find", value, ("ask", "accept"), required=("ask", "accept"))
    accept = read.names("find.accept", data["accept"])
    if not accept:
        raise LessonError(read.file, "find.accept", "empty", "name the members that count")
    return Find(read.text("find.ask", data["ask"]), accept)


def _show(read: Reader, value: Any) -> Show:
    show = Show(**read.texts("show", value, ("check", "colours", "say")))
    if show.colours not in COLOURS:
        remedy = f"known: {', '.join(COLOURS)}"
        raise LessonError(read.file, "show.colours", f"unknown {show.colours!r}", remedy)
    return show


def _sliders(read: Reader, folder: Path, value: Any, blocks: bool) -> tuple[Slider, ...]:
    sliders = tuple(
        _slider(read, folder, f"what_if[{i}]", entry, blocks)
        for i, entry in enumerate(read.list("what_if", value))
    )
    ids = [slider.id for slider in sliders]
    if len(set(ids)) != len(ids):
        raise LessonError(read.file, "what_if", "two have one id", "give each an id of its own")
    return sliders


def _slider(read: Reader, folder: Path, place: str, value: Any, blocks: bool) -> Slider:
    data = read.mapping(place, value, (*_SLIDER, *_SLIDER_MORE), required=(*_SLIDER, "tip"))
    texts: dict[str, Any] = {
        name: read.text(f"{place}.{name}", data[name])
        for name in ("id", "title", "ask", "check", "subject")
    }
    if not _ID.fullmatch(texts["id"]):
        raise LessonError(read.file, f"{place}.id", "no plain name", "write one such as depth")
    numbers: dict[str, Any] = {
        name: read.number(f"{place}.{name}", data[name])
        for name in ("default", "low", "high", "beyond")
    }
    unit = data["unit"]
    brief = data.get("brief")
    slider = Slider(
        **texts,
        **numbers,
        unit=unit,
        tip=_tip(read, f"{place}.tip", data["tip"]),
        brief=brief,
        members=read.names(f"{place}.members", data.get("members", [])),
        stops=tuple(
            read.number(f"{place}.stops[{i}]", stop)
            for i, stop in enumerate(read.list(f"{place}.stops", data.get("stops", [])))
        ),
    )
    _check_range(read.file, place, slider)
    if blocks:
        _check_block_slider(read.file, folder, place, slider)
    else:
        _check_slider(read.file, folder, place, slider)
    return slider


def _check_range(file: Path, place: str, slider: Slider) -> None:
    """Ends and stops fit each other."""
    if not slider.low < slider.high:
        raise LessonError(file, f"{place}.high", "not above low", "swap them")
    for name in ("default", "beyond"):
        value = getattr(slider, name)
        if slider.taken(value) != value:
            remedy = "write a value between low and high, one of the stops if there are any"
            raise LessonError(file, f"{place}.{name}", f"{value:g} can't be reached", remedy)


def _check_block_slider(file: Path, folder: Path, place: str, slider: Slider) -> None:
    """It goes by whole blocks, tips at a value, and its program is there."""
    if slider.unit != BLOCKS:
        raise LessonError(file, f"{place}.unit", f"{slider.unit!r}", f'write "{BLOCKS}"')
    if not slider.stops or any(stop % 1 for stop in slider.stops):
        raise LessonError(file, f"{place}.stops", "not whole numbers", "list those it may take")
    if slider.brief is not None or slider.members:
        remedy = "leave out brief and members: what_if_ID.py changes the blocks"
        raise LessonError(file, place, "names loads or members", remedy)
    if slider.tip.at is None:
        raise LessonError(file, f"{place}.tip", "has no at", "write the value where it tips over")
    _check_program(folder / f"what_if_{slider.id}.py", "change")


def _check_slider(file: Path, folder: Path, place: str, slider: Slider) -> None:
    """Units fit, and what it changes is there."""
    if (slider.brief is None) == (not slider.members):
        remedy = "write either brief, the load that it changes, or members, the names it changes"
        raise LessonError(file, place, "needs one of brief and members", remedy)
    if slider.brief is None and slider.unit != "m":
        raise LessonError(file, f"{place}.unit", f"{slider.unit!r}", 'lengths are in "m"')
    if slider.brief is not None:
        if slider.unit not in PA:
            raise LessonError(file, f"{place}.unit", f"{slider.unit!r}", 'loads are in "kPa"')
        try:
            KINDS["timber"]({slider.brief: slider.default * PA[slider.unit]})
        except ValueError as error:
            raise LessonError(file, f"{place}.brief", str(error), "name such a load") from None
    else:
        _check_program(folder / f"what_if_{slider.id}.py", "change")


def _tip(read: Reader, place: str, value: Any) -> Tip:
    data = read.mapping(place, value, ("because", "at", "table"), required=("because",))
    if ("at" in data) == ("table" in data):
        remedy = "write either at, a value, or table, what the span tables are asked"
        raise LessonError(read.file, place, "needs one of at and table", remedy)
    because = read.text(f"{place}.because", data["because"])
    if "at" in data:
        return Tip(because, at=read.number(f"{place}.at", data["at"]))
    table = read.mapping(f"{place}.table", data["table"], TABLE, required=TABLE[:5])
    if list(table.values()).count("value") != 1:
        remedy = 'write "value" at the one that the slider changes'
        raise LessonError(read.file, f"{place}.table", "not exactly one value", remedy)
    _check_table(read, f"{place}.table", table)
    return Tip(because, table=dict(table))


def _check_table(read: Reader, place: str, table: Mapping[str, Any]) -> None:
    for name, entry in table.items():
        if name == "role":
            if entry not in _ROLES:
                remedy = f"known: {', '.join(_ROLES)}"
                raise LessonError(read.file, f"{place}.role", f"unknown {entry!r}", remedy)
        elif name == "ceiling":
            if not isinstance(entry, bool):
                raise LessonError(read.file, f"{place}.ceiling", f"{entry!r}", "write true")
        elif entry != "value":
            read.number(f"{place}.{name}", entry)


def _check_program(file: Path, function: str | None) -> None:
    """Reads as Python, and defines ``function``."""
    try:
        tree = ast.parse(read_text(file), filename=str(file))
    except SyntaxError as error:
        raise LessonError(file, f"line {error.lineno}", str(error.msg), "mend it") from None
    names = [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]
    if function is not None and function not in names:
        remedy = f"define {function}(value), which changes the mended building"
        raise LessonError(file, "", f"defines no {function}", remedy)
