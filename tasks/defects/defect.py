# SPDX-License-Identifier: GPL-3.0-or-later
"""A kind of defect: where it can be put into a sound house, and what must be said of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from ...checks.result import Finding
from ...checks.timber.structure import TimberStructure
from ..expected import PLACE_TOLERANCE, ExpectedFinding
from .reading import Reading

#: Every geometric limit has this much slack, m (timber specification, 1.5).
SLACK = 0.001
#: The least by which a defect goes beyond a limit and its slack, m: no case hangs on rounding.
CLEAR = 0.002


@dataclass(frozen=True)
class Severity:
    """How far a defect goes: ``factor`` times the limit.

    A ``harmless`` one stays inside by a millimetre: nothing may be said of it.
    """

    name: str
    factor: float
    harmless: bool = False

    def above(self, limit: float) -> float:
        """A figure that a limit is the most of, in m."""
        if self.harmless:
            return limit - SLACK
        return max(self.factor * limit, limit + SLACK + CLEAR)

    def below(self, limit: float) -> float:
        """A figure that a limit is the least of, in m."""
        if self.harmless:
            return limit
        return min(limit / self.factor, limit - SLACK - CLEAR)


HARMLESS = Severity("just inside", 1.0, harmless=True)
SLIGHT = Severity("1.1 x", 1.1)
CLEARLY = Severity("1.5 x", 1.5)
GROSS = Severity("2 x", 2.0)
#: For what is a matter of yes or no.
WHOLE = (Severity("whole", 1.0),)
MEASURED = (HARMLESS, SLIGHT, CLEARLY, GROSS)
#: For gaps to what is fastened, 20 mm: twice that is a ply, and what is missing might be one.
LOOSE = (HARMLESS, SLIGHT, CLEARLY, Severity("2.5 x", 2.5))


@dataclass(frozen=True)
class Comparison:
    """Findings against what was expected.

    ``found`` and ``missed`` are the expected roots; ``strays`` are findings that nobody expected:
    other roots, and consequences that hang under no expected root.
    """

    found: tuple[ExpectedFinding, ...]
    missed: tuple[ExpectedFinding, ...]
    strays: tuple[Finding, ...]

    @property
    def exact(self) -> bool:
        """Whether all is as expected."""
        return not self.missed and not self.strays


@dataclass(frozen=True)
class Expected:
    """Exactly these ``roots`` (none: nothing at all is wrong).

    What follows from a fault is often a whole wall; it isn't listed, but each such finding must
    hang under one of the roots.
    """

    roots: tuple[ExpectedFinding, ...] = ()

    @property
    def verdict(self) -> str:
        """The verdict that a structure must get."""
        return "failed" if self.roots else "passed"

    def compare(self, findings: Sequence[Finding]) -> Comparison:
        """Match each expected root with one root finding; tell what is left over."""
        open_ends = list(self.roots)
        keys, strays = set(), []
        for finding in findings:
            if not finding.is_root:
                continue
            match = next((e for e in open_ends if e.matches(finding)), None)
            if match is None:
                strays.append(finding)
            else:
                open_ends.remove(match)
                keys.add(finding.key)
        strays += [f for f in findings if not f.is_root and f.follows not in keys]
        found = [e for e in self.roots if e not in open_ends]
        return Comparison(tuple(found), tuple(open_ends), tuple(strays))


@dataclass(frozen=True)
class Flawed:
    """A structure with one defect, said in one ``sentence``, and what must be found."""

    structure: TimberStructure
    sentence: str
    expected: Expected


@dataclass(frozen=True)
class Place:
    """Where a defect can go: a member, others that belong to it, and figures that were read."""

    member: int
    others: tuple[int, ...] = ()
    figures: tuple[float, ...] = ()


Find = Callable[[Reading], list[Place]]
Make = Callable[[Reading, Place, Severity], Flawed | None]


@dataclass(frozen=True)
class Defect:
    """One kind of defect.

    Attributes
    ----------
    id, title
        Its name, and a few words for people.
    check
        The check that must find it.
    why
        Why a building inspector would say just that: the rule behind the expectation.
    find
        Places in a sound house where it can go, in the order of the members.
    make
        The flawed structure; ``None`` where a severity can't be had at a place.
    severities
        Those that it comes in.
    """

    id: str
    title: str
    check: str
    why: str
    find: Find = field(repr=False)
    make: Make = field(repr=False)
    severities: tuple[Severity, ...] = WHOLE

    def places(self, reading: Reading) -> list[Place]:
        """Where this can be put into a sound house."""
        return self.find(reading)

    def inject(self, reading: Reading, place: Place, severity: Severity) -> Flawed | None:
        """The house with this defect, or ``None`` where this severity can't be had there."""
        return self.make(reading, place, severity)


def at_line(
    check: str,
    start: Any,
    end: Any,
    reach: float = PLACE_TOLERANCE,
    names: tuple[str, ...] = (),
) -> ExpectedFinding:
    """Something is missing on the line from ``start`` to ``end``, (3,), m.

    ``names`` are members that may be named instead of the place.
    """
    x, y, z = map(float, start)
    u, v, w = map(float, end)
    return ExpectedFinding(check, line=((x, y, z), (u, v, w)), instead=names, reach=reach)


def at_member(check: str, *names: str) -> ExpectedFinding:
    """Something is wrong with a member, or with any one of a pair."""
    return ExpectedFinding(check, subject=names[0], instead=names[1:])


def told(
    structure: TimberStructure, sentence: str, severity: Severity, *roots: ExpectedFinding
) -> Flawed:
    """A flawed structure; where the severity is harmless nothing may be found."""
    return Flawed(structure, sentence, Expected(() if severity.harmless else roots))


def mm(value: float) -> str:
    """A length for a sentence."""
    return f"{1000.0 * value:.0f} mm"
