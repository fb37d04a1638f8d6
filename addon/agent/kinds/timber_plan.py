# SPDX-License-Identifier: GPL-3.0-or-later
"""What is wrong with a plan of a timber frame: each problem with its JSON path.

After the published validator: the task's figures are repeated, member types are known, steps depend
on each other without a circle, sections lie inside the lot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ....checks.timber import roles
from ....checks.timber.brief import CATEGORIES, TimberBrief
from ....tasks import Task
from .base import PlanProblem
from .timber_facts import echo

#: A frame has no more members of one type than this (the published set: 1,548 members in all).
_MOST = 5000
_SLACK = 0.005  # m: what rounding to two decimals may add

_KNOWN: frozenset[str] = frozenset(roles.ROLES)


def check_plan(task: Task, plan: Any) -> list[PlanProblem]:
    """All problems of a plan, in the order of the schema."""
    if not isinstance(plan, Mapping):
        return [PlanProblem("$", "the plan must be one JSON object")]
    return [
        *_echo(task, plan),
        *_sections(task, plan.get("sections")),
        *_steps(task, plan.get("steps")),
        *_counts(plan.get("expected_member_counts"), plan.get("steps")),
    ]


def _echo(task: Task, plan: Mapping[str, Any]) -> Iterator[PlanProblem]:
    for name, wanted in echo(task.constraints).items():
        given = plan.get(name)
        if name == "lot_size":
            yield from _lot(wanted, given)
        elif isinstance(given, bool) or given != wanted:
            yield PlanProblem(f"$.{name}", f"must repeat {wanted!r}, not {given!r}")


def _lot(wanted: Mapping[str, float], given: Any) -> Iterator[PlanProblem]:
    if not isinstance(given, Mapping):
        yield PlanProblem("$.lot_size", "must be an object with width and depth")
        return
    for side, length in wanted.items():
        value = _number(given.get(side))
        if value is None or round(value, 2) != length:
            said = given.get(side)
            yield PlanProblem(f"$.lot_size.{side}", f"must repeat {length:.2f}, not {said!r}")


def _sections(task: Task, sections: Any) -> Iterator[PlanProblem]:
    if not isinstance(sections, list) or not sections:
        yield PlanProblem("$.sections", "must be a list of at least one section")
        return
    boxes = []
    for i, section in enumerate(sections):
        path = f"$.sections[{i}]"
        if not isinstance(section, Mapping) or not isinstance(section.get("bounds"), Mapping):
            yield PlanProblem(path, 'must be an object with a name and "bounds"')
            continue
        bounds, problems = _bounds(f"{path}.bounds", section["bounds"])
        yield from problems
        if not problems:
            boxes.append(bounds)
    lot = echo(task.constraints).get("lot_size")
    if lot and boxes:
        yield from _inside(lot, boxes)


def _bounds(
    path: str, given: Mapping[str, Any]
) -> tuple[dict[str, tuple[float, float]], list[PlanProblem]]:
    found: dict[str, tuple[float, float]] = {}
    problems = []
    for axis in "xyz":
        pair = given.get(axis)
        ends = [_number(end) for end in pair] if isinstance(pair, list) else []
        if len(ends) != 2 or ends[0] is None or ends[1] is None or ends[0] >= ends[1]:
            problem = f"must be [low, high] in metres with low < high, not {pair!r}"
            problems.append(PlanProblem(f"{path}.{axis}", problem))
        else:
            found[axis] = (ends[0], ends[1])
    return found, problems


def _inside(
    lot: Mapping[str, float], boxes: Sequence[Mapping[str, tuple[float, float]]]
) -> Iterator[PlanProblem]:
    """The lot has no place of its own in a task: all sections together must fit onto it."""
    for axis, side in (("x", "width"), ("y", "depth")):
        low = min(box[axis][0] for box in boxes)
        high = max(box[axis][1] for box in boxes)
        if high - low > lot[side] + _SLACK:
            yield PlanProblem(
                "$.sections",
                f"together they reach from {low:g} to {high:g} m along {axis}, {high - low:g} m, "
                f"but the lot is only {lot[side]:.2f} m there",
            )


def _steps(task: Task, steps: Any) -> Iterator[PlanProblem]:
    if not isinstance(steps, list) or not steps:
        yield PlanProblem("$.steps", "must be a list of at least one step")
        return
    depends: list[list[int]] = []
    for i, step in enumerate(steps):
        path = f"$.steps[{i}]"
        depends.append([])
        if not isinstance(step, Mapping):
            yield PlanProblem(path, "must be an object")
            continue
        if step.get("phase") not in CATEGORIES:
            known = ", ".join(CATEGORIES)
            yield PlanProblem(f"{path}.phase", f"must be one of {known}, not {step.get('phase')!r}")
        yield from _types(f"{path}.member_types", step.get("member_types"))
        good, problems = _dependencies(f"{path}.depends_on", step.get("depends_on"), len(steps))
        depends[i] = good
        yield from problems
    yield from _circle(depends)
    wanted = TimberBrief.from_mapping(task.brief).required_categories
    missing = [c for c in wanted if c not in [_phase(step) for step in steps]]
    if missing:
        yield PlanProblem("$.steps", f"no step builds the {' or the '.join(missing)}")


def _phase(step: Any) -> Any:
    return step.get("phase") if isinstance(step, Mapping) else None


def _types(path: str, types: Any) -> Iterator[PlanProblem]:
    if not isinstance(types, list) or not types:
        yield PlanProblem(path, "must be a list of at least one member type")
        return
    for i, name in enumerate(types):
        if not isinstance(name, str) or name not in _KNOWN:
            yield PlanProblem(f"{path}[{i}]", _unknown(name))


def _unknown(name: Any) -> str:
    """What to write instead of a type that the taxonomy lacks (its names are case-sensitive)."""
    meant = roles.role_by_words(name) if isinstance(name, str) else None
    hint = f"; write {meant}" if meant else "; take one of the list of members"
    return f"{name!r} is no member type{hint}"


def _dependencies(path: str, given: Any, steps: int) -> tuple[list[int], list[PlanProblem]]:
    if not isinstance(given, list):
        problem = "must be a list of the numbers of earlier steps, counted from 0; [] for none"
        return [], [PlanProblem(path, problem)]
    good, problems = [], []
    for k, index in enumerate(given):
        if isinstance(index, bool) or not isinstance(index, int) or not 0 <= index < steps:
            text = f"{index!r} is no step; steps are counted from 0 to {steps - 1}"
            problems.append(PlanProblem(f"{path}[{k}]", text))
        else:
            good.append(index)
    return good, problems


def _circle(depends: Sequence[Sequence[int]]) -> Iterator[PlanProblem]:
    """The steps that can never begin, since they wait for each other."""
    open_steps = set(range(len(depends)))
    while ready := {i for i in open_steps if not open_steps.intersection(depends[i])}:
        open_steps -= ready
    if open_steps:
        first = min(open_steps)
        waiting = ", ".join(map(str, sorted(open_steps)))
        yield PlanProblem(
            f"$.steps[{first}].depends_on",
            f"steps wait for each other in a circle and can never begin: {waiting}",
        )


def _counts(counts: Any, steps: Any) -> Iterator[PlanProblem]:
    path = "$.expected_member_counts"
    if not isinstance(counts, Mapping) or not counts:
        yield PlanProblem(path, "must be an object that gives each member type its number")
        return
    for name, number in counts.items():
        if name not in _KNOWN:
            yield PlanProblem(f"{path}.{name}", _unknown(name))
        elif isinstance(number, bool) or not isinstance(number, int) or not 0 < number <= _MOST:
            text = f"must be a whole number from 1 to {_MOST}, not {number!r}"
            yield PlanProblem(f"{path}.{name}", text)
    for name in _planned(steps):
        if name not in counts:
            yield PlanProblem(path, f"{name} is in a step but has no number here")


def _planned(steps: Any) -> list[str]:
    """Known member types of all steps, each once."""
    listed = steps if isinstance(steps, list) else []
    types = [step.get("member_types") for step in listed if isinstance(step, Mapping)]
    names = [name for names in types if isinstance(names, list) for name in names]
    return list(dict.fromkeys(n for n in names if isinstance(n, str) and n in _KNOWN))


def _number(value: Any) -> float | None:
    """A finite number, ``None`` for anything else."""
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    try:
        return float(value) if math.isfinite(value) else None
    except OverflowError:  # a whole number beyond all floats
        return None
