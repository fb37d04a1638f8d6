# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables 6 to 11 of MineCEraft (arXiv 2608.28884): comparisons of wordings, and small runs.

Each compares sets of problems that differ in one thing. A set of which a problem is missing, or is
there twice, gives no figure.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from ...tasks.constructions import LITE_SEEDS, lite
from ...tasks.constructions.cues import CUES
from ...tasks.constructions.file import TERMS
from ...tasks.constructions.structural import FOUNDATIONS, TWO_LAYERS
from . import construction_published as published
from .construction_published import KINDS, KINDS_7, Spread
from .construction_records import Attempt, Base, base_of, catalogue
from .construction_series import (
    Absent,
    Cell,
    Row,
    Series,
    Table,
    names_of,
    only,
    pooled,
    share,
)

_LITE = re.compile(r"lite:(\d+)")
_Made = tuple[list[Table], list[Absent]]
#: The dimensions that Table 7 compares, with their values.
_DIMENSIONS: Mapping[str, tuple[str, ...]] = {"term": TERMS, "verb": TWO_LAYERS.axes["verb"]}


def arms(found: Sequence[Attempt], series: Sequence[Series], seeds: Sequence[int]) -> _Made:
    """Tables 6 to 11 as far as the attempts give them, and which are absent for what reason."""
    tables: list[Table] = []
    absent: list[Absent] = []
    for made in (
        _table_6(found),
        *(_table_7(found, dimension) for dimension in _DIMENSIONS),
        _table_8(found, seeds),
        _table_10(series, seeds),
        _table_11(series, seeds),
    ):
        if isinstance(made, Table):
            tables.append(made)
        else:
            absent.append(made)
    return tables, absent


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


def _by_builder(found: Iterable[Attempt]) -> dict[str, list[Attempt]]:
    """Attempts by who made them, whichever run and prompt they are of."""
    groups: dict[tuple[Any, ...], list[Attempt]] = {}
    for attempt in found:
        groups.setdefault((*attempt.who, attempt.epoch), []).append(attempt)
    names = names_of(list(groups))
    return {names[key]: group for key, group in groups.items()}


def _exactly(
    found: Iterable[Attempt], wanted: Iterable[Any], key: Callable[[Attempt], Any]
) -> list[Attempt]:
    """One attempt for every key that is wanted; none where one is missing or there twice."""
    left: dict[Any, list[Attempt]] = {one: [] for one in wanted}
    for attempt in found:
        if (place := key(attempt)) in left:
            left[place].append(attempt)
    if any(len(group) != 1 for group in left.values()):
        return []
    return [group[0] for group in left.values()]


def _table_6(found: Sequence[Attempt]) -> Table | Absent:
    """Efficiency of foundations by cue."""
    bases = [base for base in catalogue() if base.file == FOUNDATIONS.name]
    rows = []
    for name, group in _by_builder(found).items():
        given = {
            cue: pooled(_exactly(_worded(group, cue=cue), bases, lambda a: a.base), ("efficiency",))
            for cue in CUES
        }
        cells = only(given)
        if "none" in cells and len(cells) > 1:
            rows.append(Row(name, _changes(cells)))
    if not rows:
        return Absent(
            "6",
            f"efficiency by cue needs the {len(bases)} foundations with no cue and with another",
        )
    for name, figures in published.TABLE_6.items():
        cells = {cue: Cell(share(value)) for cue, value in figures.items()}
        rows.append(Row(name, _changes(cells), published=True))
    others = [cue for cue in CUES if cue != "none"]
    columns = (*CUES, *(f"{cue}, change" for cue in others))
    return Table("6", "Efficiency of foundations by the cue at the end", columns, tuple(rows))


def _changes(cells: Mapping[str, Cell]) -> dict[str, Cell]:
    """The figures with their changes against the first arm."""
    return {**cells} | {
        f"{cue}, change": _change(cell, cells["none"])
        for cue, cell in cells.items()
        if cue != "none"
    }


def _change(cell: Cell, against: Cell) -> Cell:
    if cell.value is None or against.value is None:
        return Cell(None, change=True)
    return Cell(cell.value - against.value, change=True)


def _worded(found: Iterable[Attempt], **words: str) -> Iterator[Attempt]:
    """Those with these words, and the file's own in everything else."""
    for attempt in found:
        standard = catalogue().get(attempt.base) if attempt.base else None
        if standard and dict(attempt.words) == {**standard.words, **words}:
            yield attempt


def _table_7(found: Sequence[Attempt], dimension: str) -> Table | Absent:
    """Slabs on columns by one dimension of their wording, over all values of the other."""
    values = _DIMENSIONS[dimension]
    (other,) = (name for name in _DIMENSIONS if name != dimension)
    items = range(1, len(TWO_LAYERS.items) + 1)
    number = f"7 ({dimension}s)"
    rows = []
    for name, group in _by_builder(found).items():
        base = [a for a in group if a.base and a.base.file == TWO_LAYERS.name and _no_cue(a)]
        compared = []
        for value in values:
            wanted = [(item, value, second) for item in items for second in _DIMENSIONS[other]]
            arm = _exactly(
                base,
                wanted,
                lambda a: (a.base and a.base.item, a.words.get(dimension), a.words.get(other)),
            )
            if arm:
                cells = only({kind: pooled(arm, (kind,)) for kind in KINDS_7})
                compared.append(Row(name, cells, arm=value))
        rows += compared if len(compared) > 1 else []
    if not rows:
        count = len(items) * len(_DIMENSIONS[other])
        return Absent(
            number,
            f"slabs on columns by {dimension} need {count} problems for each of "
            f"{', '.join(values)}: over every {other}, without a cue",
        )
    for value, figures in published.TABLE_7[dimension].items():
        cells = {kind: Cell(share(figure)) for kind, figure in figures.items()}
        rows.append(Row(published.MODEL_7, cells, published=True, arm=value))
    return Table(number, f"Slabs on columns by the {dimension}", KINDS_7, tuple(rows))


def _no_cue(attempt: Attempt) -> bool:
    return attempt.words.get("cue") == "none"


def draws_of(found: Sequence[Attempt], seeds: Sequence[int]) -> list[list[Attempt]]:
    """The small runs among some attempts, those of which no problem is missing."""
    by_base = Series("", tuple(found)).by_base
    return [
        [by_base[base] for base in sorted(draw(seed))]
        for seed in seeds
        if draw(seed) <= by_base.keys()
    ]


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


def _table_8(found: Sequence[Attempt], seeds: Sequence[int]) -> Table | Absent:
    """Small runs with the sentence on brevity in the system prompt, and without."""
    rows = []
    for name, group in _by_builder(a for a in found if not a.varied).items():
        both = {}
        for brief in (True, False):
            arm = [attempt for attempt in group if attempt.brevity is brief]
            if len(Series("", tuple(arm)).by_base) == len(arm):  # else two runs give the same
                both[brief] = draws_of(arm, seeds)
        if len(both) == 2 and both[True] and len(both[True]) == len(both[False]):
            rows += _with_and_without(name, _small(both[True]), _small(both[False]), False)
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


def _with_and_without(
    name: str, first: Mapping[str, Cell], second: Mapping[str, Cell], theirs: bool
) -> list[Row]:
    change = {kind: _change(second[kind], cell) for kind, cell in first.items() if kind in second}
    return [
        Row(name, first, theirs, "with brevity"),
        Row(name, second, theirs, "without"),
        Row(name, change, theirs, "change"),
    ]


def _table_10(series: Sequence[Series], seeds: Sequence[int]) -> Table | Absent:
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


def _table_11(series: Sequence[Series], seeds: Sequence[int]) -> Table | Absent:
    """Small runs of all models. Table 9 is two of them without a spread, one only there."""
    rows = [
        Row(one.name, _small(draws)) for one in series if (draws := draws_of(one.attempts, seeds))
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
    drawn = f"Draws: seeds {', '.join(map(str, seeds))}; those that are complete were taken."
    return Table("9, 11", "Small runs: mean and half range over draws", KINDS, tuple(rows), drawn)
