# SPDX-License-Identifier: GPL-3.0-or-later
"""Reading the fields of a lesson file, with errors that name file, place and remedy."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

from .model import LessonError


class Reader:
    """Takes plain JSON apart; every method raises :class:`LessonError` for the ``file``."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def mapping(
        self, place: str, value: Any, fields: Collection[str], required: Sequence[str] = ()
    ) -> Mapping[str, Any]:
        """An object with only these ``fields``."""
        if not isinstance(value, dict):
            raise LessonError(self.file, place, "not an object", "write { … }")
        for name in value:
            if name not in fields:
                remedy = f"known: {', '.join(fields)}"
                raise LessonError(self.file, self._at(place, name), "unknown field", remedy)
        for name in required:
            if name not in value:
                raise LessonError(self.file, self._at(place, name), "missing", "write it")
        return value

    def list(self, place: str, value: Any) -> list[Any]:
        """A list."""
        if not isinstance(value, list):
            raise LessonError(self.file, place, "not a list", "write [ … ]")
        return value

    def text(self, place: str, value: Any) -> str:
        """A text that says something."""
        if not (isinstance(value, str) and value.strip()):
            raise LessonError(self.file, place, "not a text", "write a sentence or a name")
        return value

    def texts(self, place: str, value: Any, fields: Sequence[str]) -> dict[str, str]:
        """An object of nothing but texts, all of them needed."""
        data = self.mapping(place, value, fields, required=fields)
        return {name: self.text(self._at(place, name), data[name]) for name in fields}

    def names(self, place: str, value: Any) -> tuple[str, ...]:
        """A list of texts."""
        entries = enumerate(self.list(place, value))
        return tuple(self.text(f"{place}[{i}]", entry) for i, entry in entries)

    def number(self, place: str, value: Any) -> float:
        """A finite number."""
        good = isinstance(value, (int, float)) and not isinstance(value, bool)
        if not (good and math.isfinite(value)):
            raise LessonError(self.file, place, "not a number", "write a number")
        return float(value)

    def _at(self, place: str, name: str) -> str:
        return f"{place}.{name}" if place else name
