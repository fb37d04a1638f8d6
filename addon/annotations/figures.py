# SPDX-License-Identifier: GPL-3.0-or-later
"""What a set of annotations comes to: counts, agreement of people, and how the checks fared.

Works on the rows that stand (:func:`.row.latest`) and, where a run has them, on its records.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from ..ranking import findings_of
from .agreement import Agreement, Share, cohen, fleiss, majority, weighted
from .row import OPINION_OF_VERDICT, About, Row, category, item_of, subject_of

#: The person that stands for the checks in the table of pairs.
CHECKS = "the checks"


@dataclass(frozen=True)
class Person:
    """What one annotator gave: rows by type, how many of them blind, median seconds a judgment."""

    name: str
    counts: Mapping[str, int]
    judgments: Mapping[str, int]
    blind: int
    ratings: tuple[int, ...]
    seconds: float | None


@dataclass(frozen=True)
class Pair:
    """How two annotators agree on what both have judged.

    On findings and other parts, on structures (their categories are others, and together they would
    make agreement by chance too small), and in ratings by weights.
    """

    first: str
    second: str
    findings: Agreement
    structures: Agreement
    rated: Agreement


@dataclass(frozen=True)
class CheckFigures:
    """How one check fared by the judgment of people.

    ``votes`` counts single judgments of its findings. ``right`` and ``wrong`` are findings that the
    majority agrees or disagrees with, ``unsure`` those that it is unsure of, ``ties`` those without
    a majority. ``missed`` are faults that more than half of those who judged the structure have
    marked and the check has not found, ``minority`` those that fewer marked, ``missed_ties``
    exactly half of them.
    """

    check: str
    votes: Mapping[str, int] = field(default_factory=dict)
    right: int = 0
    wrong: int = 0
    unsure: int = 0
    ties: int = 0
    missed: int = 0
    minority: int = 0
    missed_ties: int = 0

    @property
    def precision(self) -> Share:
        """Share of its findings that people agree with, of those that they decided on."""
        return Share(self.right, self.right + self.wrong)

    @property
    def recall(self) -> Share:
        """Share of the faults that people see which it has found."""
        return Share(self.right, self.right + self.missed)


@dataclass(frozen=True)
class Dispute:
    """A subject on which people differ: what each said."""

    about: About
    row: Row
    said: Mapping[str, str]


@dataclass(frozen=True)
class Figures:
    """Everything that the page, the table and the terminal show."""

    rows: tuple[Row, ...]
    people: tuple[Person, ...]
    pairs: tuple[Pair, ...]
    findings: Agreement
    structures: Agreement
    checks: tuple[CheckFigures, ...]
    disputes: tuple[Dispute, ...]


def figures_of(
    rows: Sequence[Row], records: Mapping[About, Mapping[str, Any]] | None = None
) -> Figures:
    """The figures of rows that stand; ``records`` are those of their attempts by :func:`item_of`.

    A fault that a person marked as missed counts as agreement with the check's finding where a
    record shows that the check had it, as can happen in blind mode.
    """
    rows = tuple(rows)
    ratings = _categories(rows)
    names = sorted({row["annotator"] for row in rows})
    return Figures(
        rows,
        tuple(_person(name, [r for r in rows if r["annotator"] == name]) for name in names),
        _pairs(rows, names),
        fleiss([list(said.values()) for a, said in ratings.items() if a[-1] != "structure"]),
        fleiss([list(said.values()) for a, said in ratings.items() if a[-1] == "structure"]),
        _checks(rows, records or {}),
        _disputes(rows, ratings),
    )


def _about(row: Row) -> About:
    """Attempt, subject, and at the end of which type it is."""
    return (*item_of(row), *subject_of(row), row["subject"]["type"])


def _categories(rows: Iterable[Row]) -> dict[About, dict[str, str]]:
    """What each annotator said of each subject; faults marked as missed are no judgment."""
    ratings: dict[About, dict[str, str]] = defaultdict(dict)
    for row in rows:
        said = category(row)
        if said is not None and row["subject"]["type"] != "missed":
            ratings[_about(row)][row["annotator"]] = said
    return dict(ratings)


def _person(name: str, rows: Sequence[Row]) -> Person:
    times = sorted(row["seconds"] for row in rows if row["seconds"] is not None)
    middle = len(times) // 2
    median = None
    if times:
        median = times[middle] if len(times) % 2 else (times[middle - 1] + times[middle]) / 2
    return Person(
        name,
        dict(Counter(row["subject"]["type"] for row in rows)),
        dict(Counter(said for row in rows if (said := category(row)) is not None)),
        sum(row["blind"] for row in rows),
        tuple(row["rating"] for row in rows if row["rating"] is not None),
        median,
    )


def _pairs(rows: Sequence[Row], names: Sequence[str]) -> tuple[Pair, ...]:
    said: dict[str, dict[About, str]] = {name: {} for name in names}
    rated: dict[str, dict[About, int]] = {name: {} for name in names}
    automatic: dict[About, str] = {}
    for row in rows:
        about = _about(row)
        word = category(row)
        if word is not None and row["subject"]["type"] != "missed":
            said[row["annotator"]][about] = word
        if row["rating"] is not None:
            rated[row["annotator"]][about] = row["rating"]
        opinion = OPINION_OF_VERDICT.get((row["automatic"] or {}).get("verdict") or "")
        if row["subject"]["type"] == "structure" and opinion is not None:
            automatic[about] = opinion
    pairs = [_pair(a, b, said, rated) for a, b in combinations(names, 2)]
    if automatic:
        own = {**said, CHECKS: automatic}
        pairs += [_pair(a, CHECKS, own, {**rated, CHECKS: {}}) for a in names]
    return tuple(pairs)


def _pair(
    first: str,
    second: str,
    said: Mapping[str, Mapping[About, str]],
    rated: Mapping[str, Mapping[About, int]],
) -> Pair:
    def common(given: Mapping[str, Mapping[About, Any]]) -> list[tuple[Any, Any]]:
        one, other = given[first], given[second]
        return [(one[about], other[about]) for about in sorted(one.keys() & other.keys())]

    def of(whole: bool) -> Agreement:
        chosen = {
            name: {a: word for a, word in said[name].items() if (a[-1] == "structure") is whole}
            for name in (first, second)
        }
        return cohen(common(chosen))

    return Pair(first, second, of(whole=False), of(whole=True), weighted(common(rated)))


def _checks(
    rows: Sequence[Row], records: Mapping[About, Mapping[str, Any]]
) -> tuple[CheckFigures, ...]:
    found = {
        (*item, finding["check"], finding["subject"])
        for item, record in records.items()
        for finding in findings_of(record)
    }
    votes: dict[About, dict[str, str]] = defaultdict(dict)
    marked: dict[About, set[str]] = defaultdict(set)
    judges: dict[About, set[str]] = defaultdict(set)
    of_check: dict[About, str] = {}
    for row in rows:
        subject, item = row["subject"], item_of(row)
        judges[item].add(row["annotator"])
        if subject["type"] == "finding" and row["judgment"]:
            about = (*item, subject["check"], subject["member"], str(subject.get("number") or 1))
            votes[about][row["annotator"]] = row["judgment"]
            of_check[about] = subject["check"]
        elif subject["type"] == "missed":
            _mark(row, item, found, votes, marked, of_check)
    tallies: dict[str, Counter[str]] = defaultdict(Counter)
    for about, said in votes.items():
        counted = Counter(said.values())
        most = majority(counted)
        word = {"agree": "right", "disagree": "wrong", "unsure": "unsure"}.get(most or "", "ties")
        tallies[of_check[about]][word] += 1
        tallies[of_check[about]].update({f"vote {v}": n for v, n in counted.items()})
    for about, who in marked.items():
        share = len(who) - len(judges[about[:-2]]) / 2
        word = "missed" if share > 0 else "minority" if share < 0 else "missed_ties"
        tallies[of_check[about]][word] += 1
    return tuple(_check(check, tallies[check]) for check in sorted(tallies))


def _mark(
    row: Row,
    item: About,
    found: set[About],
    votes: dict[About, dict[str, str]],
    marked: dict[About, set[str]],
    of_check: dict[About, str],
) -> None:
    """A fault that a person saw: one that the check has missed, or has found after all."""
    subject = row["subject"]
    about = (*item, subject["check"], subject.get("member") or f"at {subject.get('location')}")
    of_check[about] = subject["check"]
    if about in found or (row["automatic"] or {}).get("found"):
        votes[(*about, "1")].setdefault(row["annotator"], "agree")
        of_check[(*about, "1")] = subject["check"]
    else:
        marked[about].add(row["annotator"])


def _check(check: str, tally: Counter[str]) -> CheckFigures:
    return CheckFigures(
        check,
        {word: tally[f"vote {word}"] for word in ("agree", "disagree", "unsure")},
        **{
            name: tally[name]
            for name in ("right", "wrong", "unsure", "ties", "missed", "minority", "missed_ties")
        },
    )


def _disputes(
    rows: Sequence[Row], ratings: Mapping[About, Mapping[str, str]]
) -> tuple[Dispute, ...]:
    of = {_about(row): row for row in rows}
    differing = [(about, said) for about, said in ratings.items() if len(set(said.values())) > 1]
    return tuple(Dispute(about, of[about], dict(said)) for about, said in sorted(differing))
