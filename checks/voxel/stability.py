# SPDX-License-Identifier: GPL-3.0-or-later
"""Structural stability: a score against a reference stress, by either solver, and a limit.

``stress_score`` is the published one (appendix G), ``fem_score`` and ``fem_limit`` are ours, by
finite elements.
"""

from __future__ import annotations

from ..result import CheckResult
from .outcome import Outcome
from .rules import Rules
from .stress.named import Limit, limit_of
from .stress.references import FLAT_BRIDGE, of_value
from .stress.score import Method, stress
from .structure import VoxelError, VoxelStructure


def stress_score(blocks: VoxelStructure, rules: Rules, *, von_mises_stress: float | str) -> Outcome:
    """Reference over the greatest von Mises stress of the published solver, at most 1.

    ``von_mises_stress`` is the reference of the task, Pa, or the name of a layout. Where the rules
    say so an arch is set against the flat bridge of the paper's figure 3 instead. Without blocks it
    is 0. It is a score without a limit: the paper leaves it out of what a construction fails by, so
    that the worst block stands in the figures (``at``). Where the run goes out of bounds or finds
    no stress the published score is 0 and nothing can be told. ``degraded`` marks parts one block
    thick, where the figures are an artefact of the solver.

    Raises
    ------
    VoxelError
        For more blocks than the solver can do.
    """
    return _scored(blocks, "sph", _limit(rules, von_mises_stress))


def fem_score(blocks: VoxelStructure, rules: Rules, *, reference: float | str) -> Outcome:
    """Reference over the greatest von Mises stress of the finite elements, at most 1.

    ``reference`` is a stress, Pa, or the name of a layout, whose own stress it then is, in
    concrete. Parts that hang on nothing have no stress: 0. A score without a limit too.

    Raises
    ------
    VoxelError
        For more blocks than the solver can do, or without the library that it needs.
    """
    limit = limit_of(reference, "fem")
    assert limit is not None  # what stands for no reference is no argument of a check
    return _scored(blocks, "fem", limit)


def fem_limit(blocks: VoxelStructure, rules: Rules, *, limit: float) -> Outcome:
    """No von Mises stress of the finite elements is beyond ``limit``, Pa; the worst block is named.

    Unlike the scores it can be failed: by a stress beyond it, and by parts that hang on nothing.

    Raises
    ------
    VoxelError
        For more blocks than the solver can do, or without the library that it needs.
    """
    found = stress(blocks, "fem", limit, "the task")
    if found.status == "not_run":
        raise VoxelError(found.reason or "the stress can't be told")
    return Outcome(
        1.0 if found.status == "passed" else found.score or 0.0,
        found.findings,
        undecided=found.reason if found.status == "inconclusive" else None,
        note=found.reason,
        degraded=found.degraded,
        figures=found.figures,
        measures=found.measures,
    )


def _limit(rules: Rules, asked: float | str) -> Limit:
    """What a task's reference means under the rules, and what it is of."""
    if isinstance(asked, str):
        limit = limit_of(asked, "sph")
        assert limit is not None
        return limit
    layout = of_value(asked)
    if layout is None:
        return Limit(asked, "the task")
    if rules.arch_reference == "flat_bridge" and layout.is_arch:
        return Limit(FLAT_BRIDGE, "the flat bridge of the paper's figure 3")
    return Limit(asked, f"the task's {layout.title}")


def _scored(blocks: VoxelStructure, method: Method, limit: Limit) -> Outcome:
    found: CheckResult = stress(blocks, method, limit.pascals, limit.name)
    if found.status == "not_run":
        raise VoxelError(found.reason or "the stress can't be told")
    return Outcome(
        found.score or 0.0,
        undecided=found.reason if found.status == "inconclusive" else None,
        note=found.reason,
        degraded=found.degraded,
        figures=found.figures,
        measures=found.measures,
    )
