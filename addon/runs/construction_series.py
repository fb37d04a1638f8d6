# SPDX-License-Identifier: GPL-3.0-or-later
"""What the tables of voxel runs are made of: cells, rows, tables, and the attempts of one builder.

Values are shares from 0 to 1. Nothing here knows how they are shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .construction_records import Attempt, Base, catalogue

ACCURACY = ("material", "shape", "size")
SAFETY = ("physical_plausibility", "structural_stability")
PLANNING = ("efficiency", "dependency")
#: What an overall success needs beside accuracy (problem level).
BINARY = ("physical_plausibility", "dependency")


@dataclass(frozen=True)
class Cell:
    """One figure.

    ``value``: a share, or with ``change`` the difference of two. ``passed`` and ``of``: how many of
    how many. ``half_range``: half of the range between draws; ``draws``: how many there were.
    ``whole``: the same figure over the whole benchmark.
    """

    value: float | None
    of: int | None = None
    passed: int | None = None
    half_range: float | None = None
    draws: int | None = None
    whole: float | None = None
    change: bool = False

    def plain(self) -> dict[str, Any]:
        """What it says, without what it says nothing of."""
        names = ("of", "passed", "half_range", "draws", "whole", "change")
        told = {name: v for name in names if (v := getattr(self, name)) not in (None, False)}
        return {"value": self.value, **told}


@dataclass(frozen=True)
class Row:
    """Figures of one builder by column; ``published`` ones are the paper's."""

    name: str
    cells: Mapping[str, Cell]
    published: bool = False
    arm: str | None = None

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        cells = {column: cell.plain() for column, cell in self.cells.items()}
        arm = {"arm": self.arm} if self.arm else {}
        return {"name": self.name, **arm, "published": self.published, "cells": cells}


@dataclass(frozen=True)
class Table:
    """One table: its number in the paper, what it is, its columns in order, and its rows."""

    number: str
    title: str
    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    note: str = ""

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "table": self.number,
            "title": self.title,
            "columns": list(self.columns),
            "rows": [row.plain() for row in self.rows],
            "note": self.note,
        }


@dataclass(frozen=True)
class Absent:
    """A table that these records don't give, and why not."""

    number: str
    why: str


@dataclass(frozen=True)
class Series:
    """The attempts of one builder, one a task, in the words of the whole set."""

    name: str
    attempts: tuple[Attempt, ...]

    @property
    def by_base(self) -> dict[Base, Attempt]:
        """The attempts at known problems; of two at the same one the first."""
        found: dict[Base, Attempt] = {}
        for attempt in self.attempts:
            if attempt.base is not None:
                found.setdefault(attempt.base, attempt)
        return found

    @property
    def is_whole(self) -> bool:
        """Whether it has every problem of the benchmark, and nothing else."""
        return len(self.attempts) == len(catalogue()) and self.by_base.keys() == catalogue().keys()


def series_of(found: Sequence[Attempt]) -> tuple[Series, ...]:
    """The builders of some runs: one for each run, agent, model ... and epoch."""
    groups: dict[tuple[Any, ...], list[Attempt]] = {}
    for attempt in found:
        if not attempt.varied:
            key = (*attempt.who, attempt.epoch, attempt.brevity, attempt.run)
            groups.setdefault(key, []).append(attempt)
    names = names_of(list(groups))
    return tuple(Series(names[key], tuple(group)) for key, group in groups.items())


def names_of(keys: Sequence[tuple[Any, ...]]) -> dict[tuple[Any, ...], str]:
    """A name for each builder: its model or agent, and of the rest what sets it apart.

    A key is :data:`.construction_records.WHO`, epoch, then perhaps brevity and run.
    """
    names = {}
    for key in keys:
        name = str(key[2] or key[0] or "unknown")
        alike = [other for other in keys if (other[2] or other[0]) == (key[2] or key[0])]
        parts = [name]
        for place, word in _PARTS:
            if place < len(key) and len({other[place] for other in alike}) > 1:
                told = _BREVITY[key[place]] if word is None else f"{word}{key[place] or 'none'}"
                parts.append(told)
        names[key] = ", ".join(parts)
    return names


# Place in a key, and what stands before it in a name; ``None``: see below.
_PARTS = (
    *((1, ""), (3, "effort "), (4, ""), (5, "profile "), (6, "epoch ")),
    *((7, None), (8, "")),
)
_BREVITY = {True: "asked to be brief", False: "not asked to be brief", None: "prompt not known"}


def pooled(found: Iterable[Attempt], modules: Sequence[str]) -> Cell | None:
    """Instruction level: the sum of all check values over their number (not a mean of means)."""
    values = [value.value for attempt in found for value in attempt.of(modules)]
    return Cell(math.fsum(values) / len(values), of=len(values)) if values else None


def solved(found: Iterable[Attempt], modules: Sequence[str], always: bool = False) -> Cell | None:
    """Problem level: how many problems that have such checks hold all of them, over all turns.

    ``always`` counts problems without one too, as held.
    """
    having = [a for a in found if always or next(a.of(modules), None)]
    if not having:
        return None
    passed = sum(attempt.holds(modules) for attempt in having)
    return Cell(passed / len(having), of=len(having), passed=passed)


def mean(found: Iterable[Attempt], module: str) -> Cell | None:
    """Mean over the problems that have such a check, of the mean of theirs."""
    means = []
    for attempt in found:
        values = [value.value for value in attempt.of((module,))]
        if values:
            means.append(math.fsum(values) / len(values))
    return Cell(math.fsum(means) / len(means), of=len(means)) if means else None


def share(percent: float | None) -> float | None:
    """A published percentage as a share."""
    return None if percent is None else percent / 100


def only(cells: Mapping[str, Cell | None]) -> dict[str, Cell]:
    """Without the columns that say nothing."""
    return {column: cell for column, cell in cells.items() if cell is not None}


def by_builder(found: Iterable[Attempt], by_brevity: bool = False) -> dict[str, list[Attempt]]:
    """Attempts by who made them, whichever run they are of, and perhaps by the prompt."""
    groups: dict[tuple[Any, ...], list[Attempt]] = {}
    for attempt in found:
        key = (*attempt.who, attempt.epoch, *([attempt.brevity] if by_brevity else []))
        groups.setdefault(key, []).append(attempt)
    names = names_of(list(groups))
    return {names[key]: group for key, group in groups.items()}


def changed(cell: Cell, against: Cell) -> Cell:
    """The change of a figure against the first arm's."""
    if cell.value is None or against.value is None:
        return Cell(None, change=True)
    return Cell(cell.value - against.value, change=True)
