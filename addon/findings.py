# SPDX-License-Identifier: GPL-3.0-or-later
"""The findings of one judgement as rows to filter and sort, fast enough to be asked at every draw.

No ``bpy`` here: the panel, the tests and a report in a terminal read the same rows.
"""

from __future__ import annotations

import re
from collections import Counter, OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from ..checks.result import Finding
from .ranking import grouped, plain_finding, relative_margin
from .runs.wording import place as place_words
from .words import check_title, comparison, subject

SortKey = Literal["worst", "margin", "check", "member"]

SORT_KEYS: tuple[SortKey, ...] = ("worst", "margin", "check", "member")

#: ``severe``: a fault that is no matter of degree, or beyond its limit by more than
#: :data:`SEVERE`; ``fault``: any other fault of its own; ``follows``: from another finding.
Severity = Literal["severe", "fault", "follows"]

SEVERITIES: tuple[Severity, ...] = ("severe", "fault", "follows")

#: The share of its limit that a figure is beyond it from which on a fault is severe.
SEVERE = 0.1

# Views kept a table: a person flips between a few filters; old ones are dropped, oldest first.
_VIEWS_KEPT = 16

_DIGITS = re.compile(r"(\d+)")


@dataclass(frozen=True, slots=True)
class Query:
    """What the person asked to see: words, one check and one role (empty: all), causes only, and
    the order.
    """

    text: str = ""
    check: str = ""
    roots_only: bool = False
    sort: SortKey = "worst"
    reverse: bool = False
    role: str = ""


@dataclass(frozen=True, slots=True)
class View:
    """The answer to a :class:`Query`.

    ``shown`` are the rows that pass, in the order in which they stand; ``place`` is its inverse.
    ``flags`` is for a list widget whose items stand for *places*, not for rows: the filter bit for
    the first ``len(shown)`` of them and 0 for the rest. (Blender's widget also takes an order, but
    puts items into it in quadratic time: 70 ms a redraw for 5,000.)
    """

    shown: tuple[int, ...]
    place: Mapping[int, int]
    flags: list[int]


def natural_key(name: str) -> tuple[tuple[int, int, str], ...]:
    """Sorting key under which ``Joist_2`` stands before ``Joist_10``, whatever the case."""
    parts = _DIGITS.split(name.casefold())
    return tuple((0, int(p), "") if p.isdecimal() else (1, 0, p) for p in parts if p)


def as_text(finding: Finding, units: str = "metric") -> str:
    """A finding in a few lines, to be pasted somewhere: what, where, how much, by which rule."""
    lines = [f"{check_title(finding.check)}: {subject(finding)}", finding.message]
    figures = comparison(finding, units)
    if figures:
        lines.append(f"Measured: {figures}")
    if finding.clause:
        lines.append(f"Clause: {finding.clause}")
    if finding.related:
        lines.append(f"Takes part: {', '.join(finding.related)}")
    if finding.location is not None:
        lines.append(f"At: {place_words(finding.location)} m")
    return "\n".join(lines)


class FindingsTable:
    """Findings as rows, consequences under the finding that they follow from.

    Row ``i`` is ``findings[i]``. ``parent[i]`` is the row of its root, or ``i`` for a root and for
    a finding whose root is not in the table. Grouping and the order ``worst`` are those of the
    terminal and the report (:func:`.ranking.grouped`). ``roles`` is asked once for the role of each
    member, when it is first needed. ``together``: the findings of one check stand one after the
    other, in the place of its worst.
    """

    def __init__(
        self,
        findings: Sequence[Finding],
        roles: Callable[[], Mapping[str, str]] = dict,
        together: bool = False,
    ) -> None:
        self.findings: tuple[Finding, ...] = tuple(findings)
        self._roles_of = roles
        plain = [{**plain_finding(f), "row": row} for row, f in enumerate(self.findings)]
        parent = list(range(len(plain)))
        worst: list[int] = []
        groups = grouped(plain)
        if together:
            first: dict[str, int] = {}
            for place, group in enumerate(groups):
                first.setdefault(group.root["check"], place)
            groups = sorted(groups, key=lambda group: first[group.root["check"]])
        for group in groups:
            root = group.root["row"]
            worst.append(root)
            for follower in group.followers:
                parent[follower["row"]] = root
                worst.append(follower["row"])
        self.parent: tuple[int, ...] = tuple(parent)
        self._margins = [relative_margin(f) for f in plain]
        self._ranks: dict[SortKey, list[int]] = {"worst": _places(worst)}
        self._sequences: dict[tuple[SortKey, bool], list[int]] = {}
        self._views: OrderedDict[tuple[Query, int, int], View] = OrderedDict()

    def __len__(self) -> int:
        return len(self.findings)

    @cached_property
    def root_count(self) -> int:
        """Number of faults of their own: what lists and scorecards count."""
        return sum(parent == row for row, parent in enumerate(self.parent))

    @cached_property
    def consequences(self) -> dict[int, tuple[int, ...]]:
        """Rows that follow from each root row; roots without any are absent."""
        under: dict[int, list[int]] = {}
        for row, parent in enumerate(self.parent):
            if parent != row:
                under.setdefault(parent, []).append(row)
        return {root: tuple(rows) for root, rows in under.items()}

    @cached_property
    def severities(self) -> tuple[Severity, ...]:
        """How grave each row is."""
        return tuple(
            "follows" if self.parent[row] != row else "severe" if margin < -SEVERE else "fault"
            for row, margin in enumerate(self._margins)
        )

    @cached_property
    def severity_counts(self) -> dict[Severity, int]:
        """Number of rows of each severity, the gravest first; those that there are none of too."""
        counts = Counter(self.severities)
        return {severity: counts[severity] for severity in SEVERITIES}

    @cached_property
    def row_roles(self) -> tuple[str, ...]:
        """Role of each row's subject, ``""`` where it has none.

        Something missing has the role of the members that it is missed beside, if they agree.
        """
        roles = self._roles_of()
        return tuple(_role(finding, roles) for finding in self.findings)

    @cached_property
    def roles(self) -> tuple[str, ...]:
        """Roles that have findings, in alphabetical order."""
        return tuple(sorted(set(self.row_roles) - {""}))

    @cached_property
    def row_of(self) -> dict[str, int]:
        """The first row of each finding's key."""
        found: dict[str, int] = {}
        for row, finding in enumerate(self.findings):
            found.setdefault(finding.key, row)
        return found

    @cached_property
    def checks(self) -> tuple[str, ...]:
        """Ids of the checks that have findings, in the order of their first finding."""
        return tuple(dict.fromkeys(f.check for f in self.findings))

    @cached_property
    def _haystack(self) -> list[str]:
        return [
            "\n".join(
                (f.subject, f.check.replace("_", " "), f.check, f.message, *f.related)
            ).casefold()
            for f in self.findings
        ]

    def view(self, query: Query, length: int | None = None, bit: int = 1) -> View:
        """Rows that answer ``query``; kept, so that asking again costs a dictionary look-up.

        ``length`` is the number of items of the list widget (at least ``len(self)``), ``bit`` the
        flag that marks an item as shown.
        """
        length = len(self) if length is None else length
        key = (query, length, bit)
        found = self._views.get(key)
        if found is None:
            found = self._views[key] = self._make_view(query, length, bit)
            if len(self._views) > _VIEWS_KEPT:
                self._views.popitem(last=False)
        return found

    def _make_view(self, query: Query, length: int, bit: int) -> View:
        passing = self._passing(query)
        shown = tuple(row for row in self._sequence(query.sort, query.reverse) if passing[row])
        flags = [bit] * len(shown) + [0] * (length - len(shown))
        return View(shown, {row: place for place, row in enumerate(shown)}, flags)

    def _sequence(self, sort: SortKey, reverse: bool) -> list[int]:
        """All rows in the order in which they stand; kept."""
        found = self._sequences.get((sort, reverse))
        if found is None:
            # Roots by their rank; consequences by their own rank under the root, whichever way
            # the list is turned round.
            ranks = self._rank(sort)
            sign = -1 if reverse else 1
            parent = self.parent
            found = self._sequences[sort, reverse] = sorted(
                range(len(self)),
                key=lambda row: (sign * ranks[parent[row]], parent[row] != row, sign * ranks[row]),
            )
        return found

    def _passing(self, query: Query) -> list[bool]:
        words = query.text.casefold().split()
        passing = [True] * len(self)
        if words:
            passing = [all(word in hay for word in words) for hay in self._haystack]
        if query.check:
            passing = [
                ok and f.check == query.check for ok, f in zip(passing, self.findings, strict=True)
            ]
        if query.role:
            passing = [
                ok and role == query.role for ok, role in zip(passing, self.row_roles, strict=True)
            ]
        if query.roots_only:
            passing = [ok and self.parent[row] == row for row, ok in enumerate(passing)]
        return passing

    def _rank(self, sort: SortKey) -> list[int]:
        """Place of every row under one key, ties in the order in which the checks list them."""
        if sort not in self._ranks:
            self._ranks[sort] = _places(sorted(range(len(self)), key=self._key(sort)))
        return self._ranks[sort]

    def _key(self, sort: SortKey) -> Callable[[int], Any]:
        f = self.findings
        if sort == "margin":
            return lambda row: self._margins[row]
        if sort == "check":
            return lambda row: (f[row].check, natural_key(f[row].subject))
        if sort == "member":
            return lambda row: (natural_key(f[row].subject), f[row].check)
        raise ValueError(f"unknown sort key {sort!r}; known: {', '.join(SORT_KEYS)}")


def _role(finding: Finding, roles: Mapping[str, str]) -> str:
    if finding.subject_kind == "member":
        return roles.get(finding.subject, "")
    beside = {roles.get(name, "") for name in finding.related}
    return beside.pop() if len(beside) == 1 else ""


def _places(sequence: Sequence[int]) -> list[int]:
    """The inverse of a permutation: at which place every row stands."""
    places = [0] * len(sequence)
    for place, row in enumerate(sequence):
        places[row] = place
    return places
