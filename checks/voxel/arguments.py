# SPDX-License-Identifier: GPL-3.0-or-later
"""Arguments of check calls: names, kinds and limits, and one sentence where they are wrong."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# No coordinate, count or size is larger, and everything smaller fits into NumPy's whole numbers.
_LARGEST = 10**9
# Characters of a wrong value that are told.
_TOLD = 60


class BadArguments(ValueError):
    """Arguments that a check can't be run with; the message names the argument."""


@dataclass(frozen=True)
class Parameter:
    """One argument of a check: ``kind`` reads it and raises ``ValueError`` with what it must be."""

    name: str
    kind: Callable[[Any], Any]
    required: bool = True


def whole(value: Any) -> int:
    """A whole number, as far from 0 as anything in a construction may be."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value != value // 1:
        raise ValueError("must be a whole number")
    if abs(value) > _LARGEST:
        raise ValueError(f"must be a whole number from -{_LARGEST} to {_LARGEST}")
    return int(value)


def size(value: Any) -> int:
    """A whole number of blocks, at least 1 and no more than anybody builds."""
    number = whole(value)
    if not 1 <= number <= 1000:
        raise ValueError("must be a whole number from 1 to 1000")
    return number


def number(value: Any) -> float:
    """A finite number."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ValueError("must be a number")
    return float(value)


def share(value: Any) -> float:
    """A share from 0 to 1."""
    found = number(value)
    if not 0 <= found <= 1:
        raise ValueError("must be from 0 to 1")
    return found


def positive(value: Any) -> float:
    """A number above 0."""
    found = number(value)
    if found <= 0:
        raise ValueError("must be above 0")
    return found


def reference(value: Any) -> float | str:
    """A reference stress: a number above 0, Pa, or the name of a layout."""
    from .stress.named import LAYOUTS

    if isinstance(value, str):
        if value not in LAYOUTS:
            raise ValueError(f"must be a stress in Pa or one of {', '.join(LAYOUTS)}")
        return value
    return positive(value)


def text(value: Any) -> str:
    """A text that is not empty."""
    if not isinstance(value, str) or not value:
        raise ValueError("must be a text")
    return value


def flag(value: Any) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise ValueError("must be true or false")
    return value


def texts(value: Any) -> tuple[str, ...]:
    """A list of texts."""
    if isinstance(value, str) or not isinstance(value, Sequence):
        raise ValueError("must be a list of texts")
    return tuple(text(v) for v in value)


def two_texts(value: Any) -> tuple[str, ...]:
    """A list of two texts."""
    found = texts(value)
    if len(found) != 2:
        raise ValueError("must be a list of two texts")
    return found


def plan(value: Any) -> tuple[int, int]:
    """Two sizes, of the plan."""
    if isinstance(value, str) or not isinstance(value, Sequence) or len(value) != 2:
        raise ValueError("must be a list of two whole numbers")
    return whole(value[0]), whole(value[1])


def strictness(value: Any) -> bool | str:
    """False, true or ``"non-flat"``."""
    if isinstance(value, bool) or value == "non-flat":
        return bool(value) if isinstance(value, bool) else "non-flat"
    raise ValueError("must be true, false or 'non-flat'")


def read(parameters: Sequence[Parameter], args: Mapping[str, Any]) -> dict[str, Any]:
    """The arguments as a grader takes them; those that are missing or ``None`` are left out.

    Raises :class:`BadArguments` for unknown names, missing ones and wrong values.
    """
    known = {p.name: p for p in parameters}
    for name in args:
        if name not in known:
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise BadArguments(f"unknown argument {told(name)}; {takes}")
    values = {}
    for name, parameter in known.items():
        if args.get(name) is None:
            if parameter.required:
                raise BadArguments(f"the argument {name!r} is missing")
            continue
        try:
            values[name] = parameter.kind(args[name])
        except (ValueError, OverflowError, TypeError) as error:
            raise BadArguments(f"{name} {error}, not {told(args[name])}") from None
    return values


def told(value: Any) -> str:
    """A value from a file as a sentence has it, cut where it is long."""
    try:
        text = repr(value)
    except ValueError:  # a whole number with thousands of digits
        return "a number of too many digits"
    return text if len(text) <= _TOLD else f"{text[:_TOLD]}..."
