# SPDX-License-Identifier: GPL-3.0-or-later
"""References by name: a layout, what the task gives, or a figure; and the check against one."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from ...result import CheckResult
from ..brief import VoxelBrief
from ..structure import VoxelError, VoxelStructure
from .references import FIGURE_3, REFERENCES, Reference, own, published
from .score import Method, stress

#: Stands for the reference of the task, and for none.
OF_TASK, NONE = "task", "none"

#: Layouts whose greatest stress can be a reference, by name.
LAYOUTS: dict[str, Reference] = {**REFERENCES, **FIGURE_3}

_CHECK = "structural_stability.stress_score"


class Limit(NamedTuple):
    """A stress that may be reached, Pa, and what it is of, for people."""

    pascals: float
    name: str


def limit_of(
    choice: str | float | None, method: Method, brief: VoxelBrief | None = None
) -> Limit | None:
    """What a choice of reference means to a solver; ``None`` for no reference.

    Parameters
    ----------
    choice
        A name in :data:`LAYOUTS`, ``"task"``, ``"none"``, or a stress, Pa, also as text. The
        published value of a layout counts for ``"sph"``, its own stress for ``"fem"``; so it does
        for a task, by the layout that its value is of.
    brief
        Of the task, for ``"task"``; without one there is no reference.

    Raises
    ------
    VoxelError
        For any other name, and for a task whose value is of no layout that ``"fem"`` knows.
    """
    if choice is None or choice == NONE:
        return None
    if choice == OF_TASK:
        return _of_task(method, brief)
    if choice in LAYOUTS:
        return _of_layout(LAYOUTS[str(choice)], method)
    try:
        pascals = float(choice)
    except ValueError:
        pascals = 0.0
    if not 0.0 < pascals < float("inf"):
        known = ", ".join((OF_TASK, NONE, *LAYOUTS))
        raise VoxelError(
            f"there is no reference {choice!r} for a stress; give one in Pa, such as 8943, or one "
            f"of {known}"
        )
    return Limit(pascals, "the reference that was given")


def task_value(brief: VoxelBrief | None) -> float | None:
    """The reference of a task's last turn, Pa, as published; ``None`` where it asks for none."""
    for call in brief.calls if brief is not None else ():
        value = call.args.get("von_mises_stress")
        if call.fn == _CHECK and isinstance(value, (int, float)) and value > 0:
            return float(value)
    return None


def _of_task(method: Method, brief: VoxelBrief | None) -> Limit | None:
    value = task_value(brief)
    if value is None:
        return None
    if method == "sph":
        return Limit(value, "the task")
    layout = next((r for r in LAYOUTS.values() if r.published == value), None)
    if layout is None:
        raise VoxelError(
            f"the task's reference of {value:g} Pa holds for the published solver only, and is of "
            "no known layout; choose another reference"
        )
    return Limit(own(layout.name), f"the task's {layout.title}")


def _of_layout(layout: Reference, method: Method) -> Limit:
    if method == "fem":
        return Limit(own(layout.name), f"the {layout.title}")
    value = published(layout.name) if layout.name in REFERENCES else layout.published
    return Limit(value, f"the {layout.title}")


def stress_check(
    structure: VoxelStructure,
    method: Method,
    reference: str | float | None = None,
    brief: VoxelBrief | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> CheckResult:
    """The check ``stress`` of a structure, against a reference by name (see :func:`limit_of`)."""
    try:
        limit = limit_of(reference, method, brief)
    except VoxelError as error:
        return CheckResult("stress", "not_run", reason=str(error))
    if limit is None:
        return stress(structure, method, progress=progress)
    return stress(structure, method, limit.pascals, limit.name, progress)
