# SPDX-License-Identifier: GPL-3.0-or-later
"""What may stand in the fields of task files; every fault is a :class:`TaskError`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .model import TaskError, read_text

# Field of the published task format -> the types it may have.
_NUMBER = (int, float)
CONSTRAINTS: dict[str, tuple[type, ...]] = {
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


def check_constraints(file: Path, value: Any) -> None:
    """Constraints must be those of the published format, each of its type."""
    constraints = object_of(file, "constraints", value)
    only_fields(file, "constraints", constraints, tuple(CONSTRAINTS))
    for name, item in constraints.items():
        place = f"constraints.{name}"
        types = CONSTRAINTS[name]
        if types == (str,):
            text_of(file, place, item)
        elif not (is_number(item) and item >= 0 and isinstance(item, types)):
            what = "a whole number" if types == (int,) else "a number"
            raise TaskError(file, place, f"{item!r} is no such value", f"write {what} from 0 up")


def usable_constraints(file: Path, value: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """Of somebody else's constraints those that can be used, and a sentence for each bad value.

    Fields that the published format doesn't have are nobody's fault and left out without a word.
    """
    good = {name: value[name] for name in CONSTRAINTS if value.get(name) is not None}
    faults = []
    try:
        check_constraints(file, good)
    except TaskError:
        for name in tuple(good):
            try:
                check_constraints(file, {name: good[name]})
            except TaskError as error:
                faults.append(str(error))
                del good[name]
    return good, faults


def check_program(file: Path) -> str:
    """Source of a program that at least parses: a fault is the task's, not the model's."""
    source = read_text(file)
    try:
        compile(source, str(file), "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as error:
        place = f"line {getattr(error, 'lineno', None) or 1}"
        problem = f"not a Python program ({getattr(error, 'msg', None) or error})"
        raise TaskError(file, place, problem, "correct that line") from None
    return source


def read_object(file: Path) -> dict[str, Any]:
    """The object in a JSON file."""
    return parse_object(file, read_text(file))


def parse_object(file: Path, text: str) -> dict[str, Any]:
    """The object in a JSON text that ``file`` holds."""
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"line {error.lineno}, column {error.colno}"
        raise TaskError(file, place, f"not JSON ({error.msg})", "correct that place") from None
    except RecursionError:
        raise TaskError(file, "", "nested too deeply", "write a plain object") from None
    except ValueError:  # Python reads no whole number of more than 4,300 digits
        raise TaskError(file, "", "holds a number that is too long", "shorten it") from None
    return object_of(file, "", data)


def object_of(file: Path, place: str, value: Any) -> dict[str, Any]:
    """The value if it is an object."""
    if not isinstance(value, dict):
        raise TaskError(file, place, f"{type(value).__name__}, not an object", "write {...}")
    return value


def only_fields(
    file: Path,
    place: str,
    data: Mapping[str, Any],
    known: tuple[str, ...],
    required: tuple[str, ...] = (),
) -> None:
    """No field that isn't known, and all that are required."""
    for name in data:
        if name not in known:
            remedy = f"remove it; known: {', '.join(known)}"
            raise TaskError(file, place, f"unknown field {name!r}", remedy)
    for name in required:
        if name not in data:
            raise TaskError(file, place, f"field {name!r} is missing", "add it")


def text_of(file: Path, place: str, value: Any) -> None:
    """A text that says something."""
    if not isinstance(value, str) or not value.strip():
        raise TaskError(file, place, f"{value!r} is no text", "write a text in quotes")


def is_number(value: Any) -> bool:
    """Whether it is a number that a building can have."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    return abs(value) < _LARGEST and math.isfinite(value)
