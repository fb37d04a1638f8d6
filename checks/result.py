# SPDX-License-Identifier: GPL-3.0-or-later
"""What a check says: findings, the result of one check, and the verdict over all of them.

The words and rules are those of the design: an unknown is ``not_run``, nothing to check is
``vacuous``, and neither ever counts as passed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Status = Literal["passed", "failed", "vacuous", "not_applicable", "not_run", "inconclusive"]
Verdict = Literal["passed", "failed", "not_judged"]
Kind = Literal["timber", "voxel", "assembly", "reconstruction"]

#: Told before each step of judging: what begins (a check's id, or ``""`` for work before and after
#: the checks), how many steps are done and how many there are. What it raises ends the judging.
Progress = Callable[[str, int, int], None]

STATUSES: tuple[Status, ...] = (
    "passed",
    "failed",
    "vacuous",
    "not_applicable",
    "not_run",
    "inconclusive",
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    Attributes
    ----------
    check
        Id of the check that found it, e.g. ``"clear_span"``.
    subject
        Name of the member at fault, or of the place where one is missing.
    message
        One plain sentence with the remedy where there is one.
    subject_kind
        ``"member"``, or ``"place"`` where what is wrong is that nothing is there.
    related
        Names of other members that are part of the fault; a root finding also names here the
        members whose findings follow from it.
    measured, limit, unit, margin
        The figure, what it may be, its unit, and the distance to the limit: negative is a fault,
        whichever way the limit points. ``None`` where the fault is not a quantity.
    location
        Where to look, (x, y, z) in metres.
    frame
        The frame, where there is time.
    clause
        Code clause or paper section, e.g. ``"IRC R502.3.1"``.
    follows
        ``key`` of the root finding that this one follows from; ``None`` for a root.
    detail
        Plain data for pictures, places as [x, y, z] in m. ``solid``: points whose convex hull is
        an overlap, with ``volume``, m3; ``from`` and ``to``: the ends of a span, an overhang or a
        gap that was measured; ``back``: two ends of the span behind an overhang; ``patch`` and
        ``needed``: the corners of a contact area and of the one that is asked for; ``ticks``: the
        members of a row where they stand, in order; ``cells``: quads (k, 4, 3) that nothing
        covers; ``places``: ends that nothing holds; ``cut``: points whose convex hull is wood that
        a notch takes away; ``missing``: corners of a box where a member should be. Of blocks, all
        as cells [x, y, z] in the task's axes: ``blocks``: those at fault; ``air``: empty cells that
        were reached, or of a room; ``rooms``, ``clusters``: lists of cells, one each; ``slice``:
        the columns of a surface; ``farthest``: the two cells between which was measured;
        ``hindered``: steps without room above.
    """

    check: str
    subject: str
    message: str
    subject_kind: Literal["member", "place"] = "member"
    related: tuple[str, ...] = ()
    measured: float | None = None
    limit: float | None = None
    unit: str | None = None
    margin: float | None = None
    location: tuple[float, float, float] | None = None
    frame: int | None = None
    clause: str | None = None
    follows: str | None = None
    detail: Mapping[str, Any] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """``check:subject``, what ``follows`` refers to."""
        return f"{self.check}:{self.subject}"

    @property
    def is_root(self) -> bool:
        """Whether this is a fault of its own rather than the consequence of another."""
        return self.follows is None


@dataclass(frozen=True, slots=True)
class Measures:
    """What a check measured at every subject, whether it is at fault or not: for heat maps.

    Attributes
    ----------
    subjects
        Names, ``k``; a subject may be measured more than once.
    measured, limit
        The figures and what they may be, (k,), in ``unit``.
    at_least
        Whether the limit is the least that is asked for rather than the most that is allowed.
    """

    subjects: tuple[str, ...]
    measured: NDArray[np.float64]
    limit: NDArray[np.float64]
    unit: str
    at_least: bool = False

    def __post_init__(self) -> None:
        k = len(self.subjects)
        if self.measured.shape != (k,) or self.limit.shape != (k,):
            raise ValueError(
                f"{k} subjects need as many figures and limits, "
                f"not {self.measured.shape} and {self.limit.shape}"
            )

    @property
    def utilisation(self) -> NDArray[np.float64]:
        """The share of what is allowed that is used, (k,): 1 at the limit, more beyond it.

        Of a least length it is the limit over the figure, infinite where there is nothing at all.
        """
        above, below = (self.limit, self.measured) if self.at_least else (self.measured, self.limit)
        nothing = np.where(above > 0, np.inf, 1.0)
        return np.divide(above, below, out=nothing, where=below > 0)


@dataclass(frozen=True, slots=True)
class CheckResult:
    """Outcome of one check on one structure.

    ``required`` says whether a vacuous or undecided result stands in the way of a pass.
    ``reason`` is obligatory for ``vacuous``, ``not_applicable``, ``not_run`` and ``inconclusive``.
    ``degraded`` marks a weaker instrument. ``figures`` holds numbers worth showing beside it.
    ``measures`` are what was measured at every subject, where the check measures quantities; they
    are not part of a stored record.
    """

    id: str
    status: Status
    findings: tuple[Finding, ...] = ()
    score: float | None = None
    interval: tuple[float, float] | None = None
    degraded: bool = False
    reason: str | None = None
    required: bool = True
    figures: Mapping[str, Any] = field(default_factory=dict)
    measures: tuple[Measures, ...] = ()

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"check {self.id}: unknown status {self.status!r}")
        if self.status == "passed" and self.findings:
            raise ValueError(f"check {self.id} can't pass with {len(self.findings)} findings")
        if self.status not in ("passed", "failed") and not self.reason:
            raise ValueError(f"check {self.id}: status {self.status} needs a reason")


def overall_verdict(checks: Sequence[CheckResult]) -> Verdict:
    """Verdict over the checks of a profile (rules of the design).

    ``failed`` if a check failed or a required one is vacuous; else ``not_judged`` if a required one
    is not_run or inconclusive, or nothing passed; else ``passed``.
    """
    if any(c.status == "failed" or (c.required and c.status == "vacuous") for c in checks):
        return "failed"
    if any(c.required and c.status in ("not_run", "inconclusive") for c in checks):
        return "not_judged"
    return "passed" if any(c.status == "passed" for c in checks) else "not_judged"


@dataclass(frozen=True, slots=True)
class Judgement:
    """All check results of one structure under one profile.

    ``metrics`` holds figures about the whole structure; a metric that can't be computed is absent.
    ``notes`` are sentences about the reading of the input (skipped objects, boxes fitted to odd
    shapes, fields that disagree) that a person should see beside the verdict. ``workings`` is
    what the checks found out on the way and pictures can use; it is never part of a record.
    """

    kind: Kind
    profile: str
    checks: tuple[CheckResult, ...]
    metrics: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    workings: Any = field(default=None, compare=False, repr=False)

    @property
    def verdict(self) -> Verdict:
        """``passed``, ``failed`` or ``not_judged`` over all checks (:func:`overall_verdict`)."""
        return overall_verdict(self.checks)

    @property
    def findings(self) -> tuple[Finding, ...]:
        """All findings, roots first (in the order in which the checks list them)."""
        every = [f for c in self.checks for f in c.findings]
        return tuple([f for f in every if f.is_root] + [f for f in every if not f.is_root])

    def check(self, check_id: str) -> CheckResult:
        """The result of one check. Raises ``KeyError`` if the profile has none of that id."""
        for result in self.checks:
            if result.id == check_id:
                return result
        raise KeyError(check_id)
