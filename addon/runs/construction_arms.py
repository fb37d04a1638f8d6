# SPDX-License-Identifier: GPL-3.0-or-later
"""Tables 6 and 7 of MineCEraft (arXiv 2608.28884): comparisons of wordings; with 8 to 11 beside.

Each compares sets of problems that differ in one thing. A set of which a problem is missing, or is
there twice, gives no figure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ...tasks.constructions.cues import CUES
from ...tasks.constructions.file import TERMS
from ...tasks.constructions.structural import FOUNDATIONS, TWO_LAYERS
from . import construction_published as published
from .construction_published import KINDS_7
from .construction_records import Attempt, catalogue
from .construction_series import (
    Absent,
    Cell,
    Row,
    Series,
    Table,
    by_builder,
    changed,
    only,
    pooled,
    share,
)
from .construction_small import table_8, table_10, table_11

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
        table_8(found, seeds),
        table_10(series, seeds),
        table_11(found, seeds),
    ):
        if isinstance(made, Table):
            tables.append(made)
        else:
            absent.append(made)
    return tables, absent


def _exactly(
    found: Iterable[Attempt], wanted: Iterable[Any], key: Callable[[Attempt], Any]
) -> list[Attempt]:
    """One attempt for every key that is wanted; none where one is missing or there twice.

    Where several runs have some of them twice, the first run that has each once counts alone.
    """
    found, wanted = list(found), list(wanted)
    runs = dict.fromkeys(attempt.run for attempt in found)
    for group in (found, *([a for a in found if a.run == run] for run in runs)):
        left: dict[Any, list[Attempt]] = {one: [] for one in wanted}
        for attempt in group:
            if (place := key(attempt)) in left:
                left[place].append(attempt)
        if all(len(one) == 1 for one in left.values()):
            return [one[0] for one in left.values()]
    return []


def _table_6(found: Sequence[Attempt]) -> Table | Absent:
    """Efficiency of foundations by cue."""
    bases = [base for base in catalogue() if base.file == FOUNDATIONS.name]
    rows = []
    for name, group in by_builder(found).items():
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
        f"{cue}, change": changed(cell, cells["none"])
        for cue, cell in cells.items()
        if cue != "none"
    }


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
    for name, group in by_builder(found).items():
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
