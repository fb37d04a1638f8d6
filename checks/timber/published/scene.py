# SPDX-License-Identifier: GPL-3.0-or-later
"""A structure as the published tests see it: axis-aligned boxes, adjacency, grounded or not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ...result import CheckResult, Finding, Measures, Progress, Status
from ..brief import TimberBrief
from ..broadphase import CrowdedError, Floats, Ints, aabb_pairs, components
from ..roles import Roles, resolve
from ..structure import TimberStructure
from .table import Constants

Bools = NDArray[np.bool_]
T = TypeVar("T")


@dataclass(frozen=True)
class Scene:
    """``n`` members without accessories, with everything that several tests need.

    Attributes
    ----------
    structure, roles
        The members that are judged and what they are called.
    brief, constants
        What the task sets and what the profile sets.
    label
        What clauses begin with: ``"DreamHouse"`` or ``"DreamHouse release"``.
    notes
        Sentences about names and reading.
    """

    structure: TimberStructure
    roles: Roles
    brief: TimberBrief
    constants: Constants
    label: str
    notes: tuple[str, ...]
    _kept: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of(
        cls,
        structure: TimberStructure,
        brief: TimberBrief | None,
        convention: Literal["paper", "release"],
        constants: Constants,
        label: str,
    ) -> Scene:
        """The scene of a structure: accessories left out, roles by ``convention``."""
        brief = brief or TimberBrief()
        roles = resolve(structure, convention, brief.ground)
        notes = [*structure.notes, *(f.message for f in structure.findings)]
        accessory = roles.in_category("accessory")
        if accessory.any():
            notes.append(f"{int(accessory.sum())} accessories (sheathing, hangers) aren't judged.")
            structure = structure.subset(~accessory)
            roles = resolve(structure, convention, brief.ground)
        nameless = [n for n, r in zip(structure.names, roles.role, strict=True) if r is None]
        if nameless:
            rule = "begins with no keyword" if convention == "paper" else "holds no keyword"
            shown = ", ".join(map(repr, nameless[:5])) + (", ..." if len(nameless) > 5 else "")
            notes.append(f"The name of {len(nameless)} members {rule}, so no role: {shown}.")
        return cls(structure, roles, brief, constants, label, tuple(notes))

    def __len__(self) -> int:
        return len(self.structure)

    @cached_property
    def lo(self) -> Floats:
        """Lowest corners of the AABBs, (n, 3), m."""
        return self.structure.aabb[0]

    @cached_property
    def hi(self) -> Floats:
        """Highest corners of the AABBs, (n, 3), m."""
        return self.structure.aabb[1]

    @cached_property
    def length(self) -> Floats:
        """Largest dimensions, (n,), m."""
        return 2.0 * self.structure.half[:, 0]

    @cached_property
    def depth(self) -> Floats:
        """Middle dimensions, (n,), m."""
        return 2.0 * self.structure.half[:, 1]

    @cached_property
    def width(self) -> Floats:
        """Smallest dimensions, (n,), m."""
        return 2.0 * self.structure.half[:, 2]

    def once(self, key: Any, compute: Callable[[], T]) -> T:
        """What ``compute`` gives, computed for the first test that asks for it."""
        if key not in self._kept:
            self._kept[key] = compute()
        kept: T = self._kept[key]
        return kept

    @cached_property
    def crowded(self) -> str | None:
        """Why adjacency can't be told, or ``None``."""
        try:
            self._pairs  # noqa: B018 - computed and kept by the property
        except CrowdedError as error:
            return str(error)
        return None

    @cached_property
    def _pairs(self) -> tuple[Ints, Ints]:
        return aabb_pairs(self.lo, self.hi, self.constants.reach + self.constants.slack)

    @property
    def pairs(self) -> tuple[Ints, Ints]:
        """Adjacent members, i < j. Raises :class:`CrowdedError` where there are too many."""
        return self._pairs

    @cached_property
    def both_ways(self) -> tuple[Ints, Ints]:
        """Adjacent members, each pair both ways round, sorted by the first, then the second."""
        i, j = self._pairs
        first, second = np.concatenate([i, j]), np.concatenate([j, i])
        order = np.argsort(first * max(len(self), 1) + second, kind="stable")
        return first[order], second[order]

    @cached_property
    def component(self) -> Ints:
        """Lowest member of the connected component of each member, (n,)."""
        return components(len(self), *self._pairs)

    @cached_property
    def grounded(self) -> Bools:
        """Members whose lowest point is on the ground, (n,)."""
        return self.lo[:, 2] < self.brief.ground + self.constants.ground

    @cached_property
    def supported(self) -> Bools:
        """sigma: members connected by adjacency to a grounded one, (n,)."""
        held = np.zeros(len(self), bool)
        held[self.component[self.grounded]] = True
        return held[self.component]

    def names(self, index: Any) -> tuple[str, ...]:
        """Names of members by index array or mask."""
        return tuple(self.structure.names[k] for k in np.arange(len(self))[index])

    def place(self, k: int) -> tuple[float, float, float]:
        """Centre of member ``k``, m."""
        x, y, z = self.structure.center[k]
        return float(x), float(y), float(z)

    def clause(self, test: str) -> str:
        """``"DreamHouse T2"``."""
        return f"{self.label} {test}"


def outcome(
    scene: Scene,
    check: str,
    findings: Sequence[Finding],
    *,
    subjects: int,
    nothing: str = "",
    required: bool = True,
    score: float | None = None,
    figures: Mapping[str, Any] | None = None,
    measures: Sequence[Measures] = (),
) -> CheckResult:
    """The result of a test that judged ``subjects`` things, by the rules of the design.

    ``nothing`` is the reason given where there is no subject and no finding: vacuous.
    """
    if subjects or findings:
        status: Status = "failed" if findings else "passed"
        reason = None
    else:
        status, reason = "vacuous", nothing
    result = CheckResult(
        check, status, tuple(findings), score, None, False, reason, required, dict(figures or {}),
        tuple(measures),
    )  # fmt: skip
    return overridden(scene, result)


def measured(scene: Scene, index: Ints, figure: Floats, limit: Floats | float) -> Measures:
    """What was measured at members ``index`` (k,), and the most that it may be, m."""
    limits = np.broadcast_to(np.asarray(limit, np.float64), figure.shape)
    return Measures(scene.names(index), np.asarray(figure, np.float64), limits, "m")


def not_run(scene: Scene, check: str, reason: str) -> CheckResult:
    """A test that could not be run, with the reason: in the way of a pass even where a vacuous
    result would be neutral, since there is something to check."""
    return overridden(scene, CheckResult(check, "not_run", reason=reason))


def overridden(scene: Scene, result: CheckResult) -> CheckResult:
    """The result as the task wants it: not applicable, required, or optional."""
    reason = scene.brief.not_applicable.get(result.id)
    if reason is not None:
        reason = str(reason) or "the task excludes it"
        return CheckResult(result.id, "not_applicable", reason=reason, required=False)
    if result.id in scene.brief.required:
        return replace(result, required=True)
    if result.id in scene.brief.optional:
        return replace(result, required=False)
    return result


def mm(length: float) -> str:
    """A length for people, in mm."""
    return f"{1000 * length:.0f} mm"


def metre(length: float) -> str:
    """A length for people, in m."""
    return f"{length:.2f} m"


def in_turn(
    scene: Scene,
    progress: Progress | None,
    *tests: tuple[str, Callable[[Scene], CheckResult]],
) -> tuple[CheckResult, ...]:
    """The results of tests, each with its id, in order; ``progress`` is told before each."""
    results = []
    for done, (name, test) in enumerate(tests):
        if progress is not None:
            progress(name, done, len(tests))
        results.append(test(scene))
    return tuple(results)
