# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs of voxel tasks as in the tables of MineCEraft (arXiv 2608.28884), published rows beside.

Tables 2 to 5 are here, the others in :mod:`.construction_arms` and :mod:`.construction_small`. A
check that was not run counts 0 and is named beside; so does every check of an attempt that a fault
of the environment ended. What the records don't give is not there, with the reason.
docs/constructions-results.md tells the rules.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from . import construction_published as published
from .construction_arms import arms
from .construction_published import KINDS
from .construction_records import WHO, Attempt, attempts, tally
from .construction_series import (
    ACCURACY,
    BINARY,
    PLANNING,
    SAFETY,
    Absent,
    Cell,
    Row,
    Series,
    Table,
    mean,
    only,
    pooled,
    series_of,
    share,
    solved,
)
from .construction_small import lite_seeds
from .wording import count

SCHEMA = "plumbline.construction-tables/1"

#: Columns of Table 2 beyond the seven kinds: which of them each pools. The paper gives no figure.
_POOLS = {
    "accuracy": ACCURACY,
    "safety": SAFETY,
    "planning": PLANNING,
    "overall": (*ACCURACY, *SAFETY, *PLANNING),
}


@dataclass(frozen=True)
class Tables:
    """All tables of some runs, what is absent, and what to know about each builder."""

    tables: tuple[Table, ...]
    absent: tuple[Absent, ...]
    builders: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...]

    def plain(self) -> dict[str, Any]:
        """As JSON, schema ``plumbline.construction-tables/1``."""
        return {
            "schema": SCHEMA,
            "source": published.SOURCE,
            "builders": [dict(one) for one in self.builders],
            "tables": [table.plain() for table in self.tables],
            "absent": [{"table": one.number, "why": one.why} for one in self.absent],
            "notes": list(self.notes),
        }


@dataclass(frozen=True)
class Recorded:
    """A run as the tables need it: its name, what it was asked for, and its records."""

    name: str
    asked: Mapping[str, Any]
    records: Sequence[Mapping[str, Any]]


def tables_of(runs: Sequence[Recorded]) -> Tables | None:
    """The tables over one run or several; ``None`` where none of them has a voxel task.

    Arms of Tables 6 to 8 may lie in different runs.
    """
    names = _run_names(runs)
    found = [
        attempt
        for name, run in zip(names, runs, strict=True)
        for attempt in attempts(run.records, name, run.asked)
    ]
    if not found:
        return None
    series = series_of(found)
    made = [*problem_tables(series)] if series else []
    more, absent = arms(found, series, lite_seeds(run.asked for run in runs))
    twins = sum(
        r["kind"] == "voxel" and bool(r.get("variant")) for run in runs for r in run.records
    )
    return Tables(
        (*made, *more),
        tuple(absent),
        tuple(_builder(one) for one in series),
        tuple(_notes(found, series, twins)),
    )


def _run_names(runs: Sequence[Recorded]) -> list[str]:
    """A name for each run by which they are told apart; none where there is one only."""
    if len(runs) == 1:
        return [""]
    names = [run.name for run in runs]
    return [
        f"{name} ({names[: place + 1].count(name)})" if names.count(name) > 1 else name
        for place, name in enumerate(names)
    ]


def problem_tables(series: Sequence[Series]) -> Iterator[Table]:
    """Tables 2 to 5: each builder over the problems that it has, then the published ones."""
    note = _coverage(series)
    yield Table(
        "2",
        "Instruction level: the sum of the checks' values over their number",
        (*KINDS, *_POOLS),
        (*(Row(one.name, _instructions(one.attempts)) for one in series), *_published_2()),
        note,
    )
    yield Table(
        "3, 4",
        "Problem level: problems in which every such check holds, in every turn",
        tuple(published.DENOMINATORS),
        (*(Row(one.name, _problems(one.attempts)) for one in series), *_published_4()),
        note,
    )
    yield Table(
        "5",
        "Graded figures by problem: of all that have one, and of those that are accurate",
        _COLUMNS_5,
        (*(Row(one.name, _graded(one.attempts)) for one in series), *_published_5()),
        note,
    )


def _instructions(found: Sequence[Attempt]) -> dict[str, Cell]:
    cells = {kind: pooled(found, (kind,)) for kind in KINDS}
    return only(cells | {name: pooled(found, modules) for name, modules in _POOLS.items()})


def _problems(found: Sequence[Attempt]) -> dict[str, Cell]:
    cells = {
        "overall": solved(found, (*ACCURACY, *BINARY), always=True),
        "accurate": solved(found, ACCURACY),
    }
    kinds = [name for name in published.DENOMINATORS if name not in cells]
    return only(cells | {name: solved(found, (name,)) for name in kinds})


_COLUMNS_5 = tuple(
    f"{kind}, {which}" for kind in published.GRADED for which in ("all", "accurate only")
)


def _graded(found: Sequence[Attempt]) -> dict[str, Cell]:
    accurate = [attempt for attempt in found if attempt.holds(ACCURACY)]
    cells: dict[str, Cell | None] = {}
    for kind in published.GRADED:
        whole = mean(found, kind)
        cells[f"{kind}, all"] = whole
        # None of them accurate: that is said by the number, there is no mean.
        cells[f"{kind}, accurate only"] = whole and (mean(accurate, kind) or Cell(None, of=0))
    return only(cells)


def _published_2() -> Iterator[Row]:
    for name, figures in published.TABLE_2.items():
        yield Row(name, {kind: Cell(share(v)) for kind, v in figures.items()}, published=True)


def _published_4() -> Iterator[Row]:
    for name, figures in published.TABLE_4.items():
        cells = {
            kind: Cell(passed / of, of=of, passed=passed)
            for (kind, of), passed in zip(
                published.DENOMINATORS.items(), figures.values(), strict=True
            )
        }
        yield Row(name, cells, published=True)


def _published_5() -> Iterator[Row]:
    for name, figures in published.TABLE_5.items():
        cells = {}
        for kind, graded in figures.items():
            cells[f"{kind}, all"] = Cell(share(graded.all), of=published.GRADED[kind])
            cells[f"{kind}, accurate only"] = Cell(share(graded.accurate_only), of=graded.accurate)
        yield Row(name, cells, published=True)


def _coverage(series: Sequence[Series]) -> str:
    """Which rows can't be set against the published ones."""
    partial = [one for one in series if not one.is_whole]
    if not partial:
        return ""
    counts = ", ".join(f"{one.name} {len(one.attempts)}" for one in partial)
    return (
        f"The published rows are of all {published.PROBLEMS} problems, these of fewer or others, "
        f"so that they can't be compared: {counts}."
    )


def _builder(one: Series) -> dict[str, Any]:
    """Who it is, and what its figures rest on."""
    first = one.attempts[0]
    faults = Counter(attempt.fault for attempt in one.attempts if attempt.fault)
    return {
        "name": one.name,
        **dict(zip(WHO, first.who, strict=True)),
        "epoch": first.epoch,
        "problems": len(one.attempts),
        "whole": one.is_whole,
        "statuses": tally(one.attempts),
        "faults": dict(faults),
    }


def _notes(found: Sequence[Attempt], series: Sequence[Series], twins: int) -> Iterator[str]:
    """What counts 0 for another reason than being wrong, and what was left out."""
    for one in series:
        counts = tally(one.attempts)
        parts = []
        if number := counts.get("faults"):
            ended = sum(bool(attempt.fault) for attempt in one.attempts)
            parts.append(
                f"{number} in {count(ended, 'attempt')} that a fault of the environment ended "
                "(--resume makes them again)"
            )
        if number := counts.get("not_run"):
            parts.append(f"{number} that {'was' if number == 1 else 'were'} not run")
        if parts:
            checks = count(counts["checks"], "check")
            yield f"{one.name}: {checks}; 0 is counted for {' and '.join(parts)}."
        if number := counts.get("inconclusive"):
            told = (
                "1 check tells nothing; its"
                if number == 1
                else f"{number:,} checks tell nothing; their"
            )
            yield f"{one.name}: {told} published value is counted."
        if number := counts.get("degraded"):
            yield (
                f"{one.name}: {_are(number, 'value')} of a weaker instrument (stress in or beside "
                "parts one block thick)."
            )
    unknown = sum(not attempt.known for attempt in found)
    if unknown:
        yield (
            f"Of {count(unknown, 'attempt')} nothing says which checks the task asks for; those "
            "that the record holds were counted."
        )
    if twins:
        verb = "is" if twins == 1 else "are"
        yield f"{count(twins, 'attempt')} of flawed twins {verb} left out."


def _are(number: int, what: str) -> str:
    """``1 value is``, ``2 values are``."""
    return f"{count(number, what)} {'is' if number == 1 else 'are'}"
