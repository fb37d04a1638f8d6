# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether a plain value is of the kind that a field is declared to be, by its annotation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .bodies import TrajectoryError
from .reading import is_number, shown

#: Whole numbers beyond this are no count, frame or set of layers.
_MOST = 2**53


def _text(value: Any) -> bool:
    return isinstance(value, str)


def _flag(value: Any) -> bool:
    return isinstance(value, bool)


def _whole(value: Any) -> bool:
    return type(value) is int and abs(value) <= _MOST


def _object(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(key, str) for key in value)


def _texts(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(item, str) for item in value)


def _place(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and len(value) == 3 and all(map(_length, value))


def _length(value: Any) -> bool:
    return value is None or is_number(value)


_KINDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "str": (_text, "a text"),
    "Medium": (_text, "a text"),
    "Part": (_text, "a text"),
    "JointKind": (_text, "a text"),
    "bool": (_flag, "true or false"),
    "int": (_whole, "a whole number"),
    "float": (_length, "a number"),
    "Mapping[str, Any]": (_object, "an object with names"),
    "tuple[str, ...]": (_texts, "a list of texts"),
    "tuple[float, float, float]": (_place, "three numbers"),
}


def checked(annotation: Any, value: Any, place: str) -> Any:
    """The value as its field has it; null is NaN where a number must be.

    Raises :class:`TrajectoryError` for one of another kind. Annotations of arrays, and of what is
    made elsewhere, let everything pass.
    """
    kind, _, may_be_none = str(annotation).partition(" | ")
    if kind not in _KINDS or (value is None and may_be_none == "None"):
        return value
    fits, words = _KINDS[kind]
    if not fits(value):
        raise TrajectoryError(f"{place} must be {words}, not {shown(value)}")
    if kind == "float":
        return float("nan") if value is None else value
    if kind == "tuple[float, float, float]":
        return tuple(float("nan") if item is None else item for item in value)
    return tuple(value) if isinstance(value, list) else value
