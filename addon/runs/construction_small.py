# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables 8 to 11 of MineCEraft (arXiv 2608.28884): small runs, one problem a file.

A draw of which a problem is missing gives no figure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any

from ...tasks.constructions import LITE_SEEDS, lite
from . import construction_published as published
from .construction_published import KINDS, Spread
from .construction_records import Attempt, Base, base_of, catalogue
from .construction_series import (
    Absent,
    Cell,
    Row,
    Series,
    Table,
    by_builder,
    changed,
    pooled,
    share,
)

_LITE = re.compile(r"lite:(\d+)(?::.*)?")


def lite_seeds(asked: Iterable[Mapping[str, Any]]) -> tuple[int, ...]:
    """Seeds of the small runs that were asked for, else those that are usual."""
    seeds = [
        int(match[1])
        for one in asked
        for selector in one.get("tasks") or ()
        if (match := _LITE.fullmatch(str(selector)))
    ]
    return tuple(dict.fromkeys(seeds)) or LITE_SEEDS


@cache
def draw(seed: int) -> frozenset[Base]:
    """The 25 problems of a small run."""
    return frozenset(base_of(problem) for problem in lite(catalogue().values(), seed))


def draws_of(found: Sequence[Attempt], seeds: Sequence[int]) -> list[list[Attempt]]:
    """The small runs among some attempts, those that one run has without a gap.

    Of a draw that several runs have the first counts.
    """
    runs: dict[str, list[Attempt]] = {}
    for attempt in found:
        runs.setdefault(attempt.run, []).append(attempt)
    there = [Series("", tuple(run)).by_base for run in runs.values()]
    draws = []
    for seed in seeds:
        wanted = draw(seed)
        have = next((by_base for by_base in there if wanted <= by_base.keys()), None)
        if have is not None:
            draws.append([have[base] for base in sorted(wanted)])
    return draws


def _small(draws: Sequence[Sequence[Attempt]]) -> dict[str, Cell]:
    """Mean and half range of each kind over the draws."""
    cells = {}
    for kind in KINDS:
        of = [cell.value for one in draws if (cell := pooled(one, (kind,))) is not None]
        values = [value for value in of if value is not None]
        if values:
            spread = (max(values) - min(values)) / 2 if len(values) > 1 else None
            cells[kind] = Cell(sum(values) / len(values), half_range=spread, draws=len(values))
    return cells


def _published_small(figures: Mapping[str, Spread]) -> dict[str, Cell]:
    return {
        kind: Cell(one.mean / 100, half_range=one.half_range / 100) for kind, one in figures.items()
    }


def table_8(found: Sequence[Attempt], seeds: Sequence[int]) -> Table | Absent:
    """Small runs with the sentence on brevity in the system prompt, and without."""
    rows = []
    for name, group in by_builder(a for a in found if not a.varied).items():
        brief, free = (
            draws_of([attempt for attempt in group if attempt.brevity is asked], seeds)
            for asked in (True, False)
        )
        if brief and _places(brief) == _places(free):
            rows += _with_and_without(name, _small(brief), _small(free), False)
    if not rows:
        return Absent(
            "8",
            "the effect of the sentence on brevity needs the same small runs with it and without: "
            "name both runs",
        )
    for name, without in published.TABLE_8_WITHOUT.items():
        first, second = (
            {kind: Cell(share(value)) for kind, value in figures.items()}
            for figures in (published.TABLE_8_WITH[name], without)
        )
        rows += _with_and_without(name, first, second, True)
    return Table("8", "Small runs with and without the sentence on brevity", KINDS, tuple(rows))


def _places(draws: Iterable[Iterable[Attempt]]) -> list[list[Base | None]]:
    """Which problems some draws are of."""
    return [[attempt.base for attempt in one] for one in draws]


def _with_and_without(
    name: str, first: Mapping[str, Cell], second: Mapping[str, Cell], theirs: bool
) -> list[Row]:
    change = {kind: changed(second[kind], cell) for kind, cell in first.items() if kind in second}
    return [
        Row(name, first, theirs, "with brevity"),
        Row(name, second, theirs, "without"),
        Row(name, change, theirs, "change"),
    ]


def table_10(series: Sequence[Series], seeds: Sequence[int]) -> Table | Absent:
    """Small runs beside the whole."""
    rows = []
    for one in series:
        draws = draws_of(one.attempts, seeds)
        if not draws or not one.is_whole:
            continue
        cells = {}
        for kind, cell in _small(draws).items():
            whole = pooled(one.attempts, (kind,))
            cells[kind] = Cell(
                cell.value,
                half_range=cell.half_range,
                draws=cell.draws,
                whole=whole.value if whole else None,
            )
        rows.append(Row(one.name, cells))
    if not rows:
        return Absent("10", f"small runs beside the whole need all {published.PROBLEMS} problems")
    for name, (small, whole_name) in published.TABLE_10_MODELS.items():
        cells = {
            kind: Cell(
                spread.mean / 100,
                half_range=spread.half_range / 100,
                whole=published.TABLE_2[whole_name][kind] / 100,
            )
            for kind, spread in published.TABLE_11[small].items()
        }
        rows.append(Row(name, cells, published=True))
    human = _published_small(published.TABLE_10_HUMAN)
    rows.append(Row(published.HUMAN, human, published=True))
    return Table(
        "10", "Small runs (mean, half range over draws) beside the whole", KINDS, tuple(rows)
    )


def table_11(found: Sequence[Attempt], seeds: Sequence[int]) -> Table | Absent:
    """Small runs of all models. Table 9 is two of them without a spread, one only there."""
    usual = [attempt for attempt in found if not attempt.varied]
    rows = [
        Row(name, _small(draws))
        for name, group in by_builder(usual, by_brevity=True).items()
        if (draws := draws_of(group, seeds))
    ]
    if not rows:
        names = ", ".join(map(str, seeds))
        return Absent("9, 11", f"no builder has all 25 problems of a small run (seeds {names})")
    for name, figures in published.TABLE_11.items():
        rows.append(Row(name, _published_small(figures), published=True))
    for name, means in published.TABLE_9.items():
        if name.lower() not in published.TABLE_11:
            cells = {kind: Cell(share(value)) for kind, value in means.items()}
            rows.append(Row(name, cells, published=True))
    drawn = (
        f"Draws: seeds {', '.join(map(str, seeds))}; those that one run has without a gap, of "
        "several such runs the first."
    )
    return Table("9, 11", "Small runs: mean and half range over draws", KINDS, tuple(rows), drawn)
