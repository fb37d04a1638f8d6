# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading rubrics: plain values by their kind, with one sentence that names the place."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from reprlib import Repr
from typing import Any

#: The last frame that Blender has, and the first with a minus.
LAST_FRAME = 1_048_574

_REPR = Repr()
_REPR.maxother = _REPR.maxstring = _REPR.maxlong = 60


class BriefError(ValueError):
    """A rubric that can't be read; the message names the place and the remedy."""


@dataclass(frozen=True, slots=True)
class Field:
    """One named value: how it is read, whether it may be left out, what it means, its unit."""

    read: Callable[[Any, str], Any]
    meaning: str
    unit: str | None = None
    required: bool = True
    default: Any = None


def shown(value: Any) -> str:
    """A value as a message tells it: short, whatever it is, however deep."""
    try:
        return _REPR.repr(value)
    except ValueError:  # a whole number with thousands of digits
        return "a whole number beyond all bounds"


def is_number(value: Any) -> bool:
    """Whether a value is a finite number that a float can hold."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:
        return False


def fields_of(data: Mapping[str, Any], known: Mapping[str, Field], place: str) -> dict[str, Any]:
    """The named values of an object. Unknown names are refused; ``_comment`` is skipped."""
    for key in data:
        if key not in known and not str(key).startswith("_"):
            raise BriefError(f"{place}: unknown field {shown(key)}; known: {', '.join(known)}")
    values = {}
    for name, one in known.items():
        if name in data:
            values[name] = one.read(data[name], f"{place}: {name}")
        elif one.required:
            raise BriefError(f"{place}: {name} is missing ({one.meaning})")
        else:
            values[name] = one.default
    return values


def mapping(value: Any, place: str) -> Mapping[str, Any]:
    """An object with names."""
    if not isinstance(value, Mapping) or not all(isinstance(key, str) for key in value):
        raise BriefError(f"{place}: must be an object with names, not {shown(value)}")
    return value


def text(value: Any, place: str) -> str:
    """A text that isn't empty."""
    if not isinstance(value, str) or not value:
        raise BriefError(f"{place}: must be a text that isn't empty, not {shown(value)}")
    return value


def number(value: Any, place: str) -> float:
    """A finite number."""
    if not is_number(value):
        raise BriefError(f"{place}: must be a number, not {shown(value)}")
    return float(value)


def amount(value: Any, place: str) -> float:
    """A number of 0 or more."""
    if number(value, place) < 0:
        raise BriefError(f"{place}: must be 0 or more, not {shown(value)}")
    return float(value)


def frame(value: Any, place: str) -> int:
    """A whole frame number, one that Blender has."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise BriefError(f"{place}: must be a whole frame number, not {shown(value)}")
    if abs(value) > LAST_FRAME:
        raise BriefError(f"{place}: must be from -{LAST_FRAME} to {LAST_FRAME}, not {shown(value)}")
    return value


def vector(value: Any, place: str) -> tuple[float, float, float]:
    """Three finite numbers."""
    if not is_list(value) or len(value) != 3:
        raise BriefError(f"{place}: must be three numbers, not {shown(value)}")
    x, y, z = (number(item, place) for item in value)
    return x, y, z


def names(value: Any, place: str) -> tuple[str, ...]:
    """A list of texts."""
    if not is_list(value):
        raise BriefError(f"{place}: must be a list of names, not {shown(value)}")
    return tuple(text(item, place) for item in value)


def pair(value: Any, place: str) -> tuple[str, str]:
    """Two different names."""
    two = names(value, place)
    if len(two) != 2 or two[0] == two[1]:
        raise BriefError(f"{place}: must be two different names, not {shown(value)}")
    return two[0], two[1]


def pairs(value: Any, place: str) -> tuple[tuple[str, str], ...]:
    """A list of pairs of names."""
    if not is_list(value):
        raise BriefError(f"{place}: must be a list of pairs, not {shown(value)}")
    return tuple(pair(item, place) for item in value)


def flag(value: Any, place: str) -> bool:
    """Yes or no."""
    if not isinstance(value, bool):
        raise BriefError(f"{place}: must be true or false, not {shown(value)}")
    return value


@dataclass(frozen=True, slots=True)
class OneOf:
    """Reads one of some words."""

    words: tuple[str, ...]

    def __call__(self, value: Any, place: str) -> str:
        """The word. Raises :class:`BriefError`."""
        if not isinstance(value, str) or value not in self.words:
            raise BriefError(f"{place}: must be {', '.join(self.words)}, not {shown(value)}")
        return value


def one_of(*words: str) -> OneOf:
    """Reads one of some words."""
    return OneOf(words)


def is_list(value: Any) -> bool:
    """Whether a value is a list, and no text."""
    return isinstance(value, Sequence) and not isinstance(value, (str, bytes))
