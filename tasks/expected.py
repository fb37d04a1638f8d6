# SPDX-License-Identifier: GPL-3.0-or-later
"""What a flawed twin must be told: its root finding first, then what follows from it, nothing else.

``expected.json`` holds::

    {"title": "...", "defect": "One sentence.", "verdict": "failed",
     "root": {"check": "load_path", "subject": "Stud_S_04"},
     "consequences": [{"check": "load_path", "place": [1.0, 0.0, 2.4]}, ...]}

A finding is named by its check and either the member (``subject``) or, where something is missing,
the ``place`` (x, y, z in metres) or the ``line`` on which it lies: both ends of the axis of the
missing member. Blocks are called ``"block (x, y, z)"`` in the task's axes. What is nowhere, or is
larger than a place, has a name: ``{"check": "shape.has_rooms", "named": "rooms at y = 1"}``.

``"also"`` lists findings that come beside the root and follow from nothing, since no check of
blocks says what follows from what. A check that gives a score without a limit finds no fault; its
root is ``{"check": "efficiency.l1_dist", "score_below": 0.6}`` and the verdict ``"passed"``.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..checks.result import Finding

Point = tuple[float, float, float]
#: Score of each check by its id, where it has one.
Scores = Mapping[str, float | None]

#: How far a finding may lie from the place that is expected, m: half a stud bay of 16 inches.
PLACE_TOLERANCE = 0.2


@dataclass(frozen=True)
class ExpectedFinding:
    """One finding that must come: a ``check``, and a ``subject`` (a member) or a ``line``.

    ``named`` is what a finding that is no member's is called. ``score_below`` stands for no finding
    but for a lower score of the check. ``line`` holds both ends of the axis of what is missing;
    they are the same for a mere place.
    ``instead`` are members that may be named as well: of two that clash either is right, and a post
    may be said to end in the air where its footing is missing. ``reach`` is how far from the line
    the finding may lie, m.
    """

    check: str
    subject: str | None = None
    line: tuple[Point, Point] | None = None
    instead: tuple[str, ...] = ()
    reach: float = PLACE_TOLERANCE
    named: str | None = None
    score_below: float | None = None

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> ExpectedFinding:
        """From JSON that the loader has validated."""
        if "subject" in data:
            return cls(data["check"], subject=data["subject"])
        if "named" in data:
            return cls(data["check"], named=data["named"])
        if "score_below" in data:
            return cls(data["check"], score_below=data["score_below"])
        start, end = data["line"] if "line" in data else (data["place"], data["place"])
        return cls(data["check"], line=(tuple(start), tuple(end)))

    def matches(self, finding: Finding) -> bool:
        """Whether ``finding`` is the one meant."""
        if finding.check != self.check:
            return False
        if finding.subject_kind == "member":
            return finding.subject == self.subject or finding.subject in self.instead
        if self.named is not None:
            return finding.subject == self.named
        return (
            self.line is not None
            and finding.subject_kind == "place"
            and finding.location is not None
            and _distance(finding.location, *self.line) <= self.reach
        )

    def __str__(self) -> str:
        if self.score_below is not None:
            return f"{self.check}: score below {self.score_below:g}"
        if self.line is None:
            return f"{self.check}: {self.subject or self.named}"
        start, end = self.line
        where = f"at {_point(start)}" if start == end else f"from {_point(start)} to {_point(end)}"
        return f"{self.check}: {where}"


@dataclass(frozen=True)
class Expectation:
    """The root finding of a twin, its consequences, and what comes beside it."""

    root: ExpectedFinding
    consequences: tuple[ExpectedFinding, ...] = ()
    verdict: str = "failed"
    also: tuple[ExpectedFinding, ...] = ()

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Expectation:
        """From the content of an ``expected.json`` that the loader has validated."""
        return cls(
            ExpectedFinding.from_mapping(data["root"]),
            tuple(map(ExpectedFinding.from_mapping, data.get("consequences", ()))),
            data.get("verdict", "failed"),
            tuple(map(ExpectedFinding.from_mapping, data.get("also", ()))),
        )

    def is_met(self, findings: Sequence[Finding], scores: Scores | None = None) -> bool:
        """Whether the worst finding (or, of a mere score, the score) is the one that was planted.

        ``scores`` holds the score of each check by its id.
        """
        if self.root.score_below is None:
            return bool(findings) and self.root.matches(findings[0])
        score = (scores or {}).get(self.root.check)
        return score is not None and score < self.root.score_below

    def differences(
        self, findings: Sequence[Finding], verdict: str, scores: Scores | None = None
    ) -> list[str]:
        """One sentence for each way in which ``findings`` (worst first) are not what is expected.

        The first finding must be the root; every other must be one of the consequences, which
        follow from something, or of those that come beside the root and follow from nothing; each
        of those must come exactly once.
        """
        told: list[str] = []
        if verdict != self.verdict:
            told.append(f"verdict is {verdict}, not {self.verdict}")
        scored = self.root.score_below is not None
        if scored and not self.is_met(findings, scores):
            told.append(f"score is {(scores or {}).get(self.root.check)}, expected {self.root}")
        if not findings and not scored:
            return [*told, f"no finding at all, expected {self.root}"]
        if not scored and not self.root.matches(findings[0]):
            told.append(f"first finding is {_name(findings[0])}, expected {self.root}")
        roots = (*(() if scored else (self.root,)), *self.also)
        open_ends = [*roots, *self.consequences]
        for finding in findings:
            match = next((e for e in open_ends if e.matches(finding)), None)
            if match is None:
                told.append(f"unexpected finding {_name(finding)}: {finding.message}")
                continue
            open_ends.remove(match)
            if match not in roots and finding.is_root:
                told.append(f"{_name(finding)} is a root of its own, expected a consequence")
        told += [f"missing finding {expected}" for expected in open_ends]
        return told


def _name(finding: Finding) -> str:
    """``check: subject`` of a finding, with its place where something is missing."""
    at = ""
    if finding.subject_kind == "place" and finding.location is not None:
        at = f" at {_point(finding.location)}"
    return f"{finding.check}: {finding.subject}{at}"


def _point(point: Point) -> str:
    return f"({', '.join(f'{value:.2f}' for value in point)})"


def _distance(point: Point, start: Point, end: Point) -> float:
    """Distance of a point from a segment, m."""
    along = [b - a for a, b in zip(start, end, strict=True)]
    length2 = sum(d * d for d in along)
    offset = [p - a for a, p in zip(start, point, strict=True)]
    share = sum(d * o for d, o in zip(along, offset, strict=True)) / length2 if length2 else 0.0
    share = min(max(share, 0.0), 1.0)
    return math.dist(point, [a + share * d for a, d in zip(start, along, strict=True)])
