# SPDX-License-Identifier: GPL-3.0-or-later
"""Timber frames as protocols see them: four phases, and what gates each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ....checks.result import CheckResult, Finding, Judgement
from ....checks.timber import judge as judge_timber
from ....checks.timber import roles
from ....checks.timber.brief import CATEGORIES, TimberBrief
from ....checks.timber.profiles import DEFAULT
from ....checks.timber.structure import Floats, TimberStructure
from ....tasks import Task
from ...scene.plain import members_from_plain
from ..history import CHARACTERS_PER_TOKEN
from . import timber_facts, timber_plan
from .base import PlanProblem, Scope

#: Checks that gate a phase: load path and stability after the paper; in our own profile load path
#: and clash, since its load path holds what the stability index counts.
MID: Mapping[str, tuple[str, ...]] = {
    "engineering": ("load_path", "clash"),
    "paper": ("load_path", "stability_index"),
    "release": ("load_path", "stability_score"),
}
#: How far a member may be moved before it counts as another one, m: noise of float32.
_MOVED = 0.001


class TimberKind:
    """See :class:`.base.TaskKind`."""

    name = "timber"
    phases = CATEGORIES
    profile = DEFAULT
    protocols = ("atomic", "reactive", "managed", "editing", "tools")
    by_turns = False
    has_target = True

    def facts(self, task: Task, profile: str) -> Mapping[str, str]:
        return {**timber_facts.facts(task, profile), "gates": " and ".join(MID[profile])}

    def check_plan(self, task: Task, plan: Any) -> Sequence[PlanProblem]:
        return timber_plan.check_plan(task, plan)

    def judge(
        self, task: Task, structure: Mapping[str, Any], profile: str, scope: Scope = "all"
    ) -> Judgement:
        frame = members_from_plain(structure)
        brief = TimberBrief.from_mapping(task.brief)
        if scope == "all":
            return judge_timber(frame, brief, profile)
        gates = MID[profile]
        others = {name: "not asked of a phase" for name in _check_ids(profile) if name not in gates}
        brief = replace(brief, not_applicable={**brief.not_applicable, **others})
        whole = judge_timber(frame, brief, profile)
        kept = tuple(
            _of_phase(check, len(frame)) for check in whole.checks if check.id not in others
        )
        return Judgement("timber", profile, kept, {}, whole.notes)

    def inventory(self, structure: Mapping[str, Any], tokens: int) -> str:
        frame = members_from_plain(structure)
        low, high = frame.aabb
        # The highest first: that is what the next phase stands on.
        order = sorted(range(len(frame)), key=lambda i: (-round(high[i, 2], 3), frame.names[i]))
        lines = [f"{frame.names[i]}: {_extent(low[i], high[i])}" for i in order]
        kept = _within(lines, tokens * CHARACTERS_PER_TOKEN)
        left = len(lines) - len(kept)
        tail = [f"and {left} more that are not listed here"] if left else []
        return "\n".join([*kept, *tail]) or "nothing yet"

    def phase_faults(
        self, task: Task, phase: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]
    ) -> Sequence[str]:
        new = members_from_plain(after)
        old = members_from_plain(before) if before is not None else new.subset([])
        fresh = sorted(set(new.names) - set(old.names))
        category = dict(zip(new.names, roles.resolve(new).category, strict=True))
        faults = []
        wanted = phase in TimberBrief.from_mapping(task.brief).required_categories
        if wanted and not any(category[name] == phase for name in fresh):
            faults.append(
                f"The {phase} phase added no {phase} member: what it adds must be named by its "
                f"role, and at least one role must be of this phase."
            )
        gone = _changed(old, new)
        if gone:
            shown = ", ".join(gone[:6]) + (f" and {len(gone) - 6} more" if len(gone) > 6 else "")
            faults.append(
                f"The {phase} phase removed, moved or resized members of earlier phases, which "
                f"must stay as they are: {shown}."
            )
        return faults

    def until(self, structure: Mapping[str, Any], phase: str) -> Sequence[str]:
        frame = members_from_plain(structure)
        done = self.phases[: self.phases.index(phase) + 1]
        category = roles.resolve(frame).category
        bottom = frame.aabb[0][:, 2]
        walls = [z for z, c in zip(bottom, category, strict=True) if c == "walls"]
        foot = min(walls, default=np.inf)
        # The floors of upper storeys are built with the walls that they lie on.
        own = [
            "walls" if c == "floor" and z > foot else c
            for c, z in zip(category, bottom, strict=True)
        ]
        return [name for name, c in zip(frame.names, own, strict=True) if c in done]


def _check_ids(profile: str) -> tuple[str, ...]:
    """Ids of all checks of a profile."""
    nothing = TimberStructure.from_boxes((), (), (), ())
    return tuple(check.id for check in judge_timber(nothing, None, profile).checks)


def _of_phase(check: CheckResult, members: int) -> CheckResult:
    """The result without what it says of categories that no phase has built yet.

    The released server's keys also demand walls and roof, which a foundation can't have.
    """
    kept = tuple(f for f in check.findings if not _misses_category(f))
    if check.status != "failed" or kept:
        return replace(check, findings=kept)
    if not members:
        return replace(check, status="vacuous", findings=(), reason="there is no member")
    return replace(check, status="passed", findings=())


def _misses_category(finding: Finding) -> bool:
    return finding.subject_kind == "place" and finding.subject in CATEGORIES


def _changed(old: TimberStructure, new: TimberStructure) -> list[str]:
    """Names of members of ``old`` that ``new`` lacks or has elsewhere."""
    place = {name: i for i, name in enumerate(new.names)}
    low, high = old.aabb
    new_low, new_high = new.aabb
    changed = []
    for i, name in enumerate(old.names):
        j = place.get(name)
        if (
            j is None
            or max(np.abs(low[i] - new_low[j]).max(), np.abs(high[i] - new_high[j]).max()) > _MOVED
        ):
            changed.append(name)
    return changed


def _extent(low: Floats, high: Floats) -> str:
    """``x 0.000..3.000 y 0.000..0.140 z 0.000..0.038``, m."""
    spans = zip("xyz", low, high, strict=True)
    return " ".join(f"{axis} {a + 0.0:.3f}..{b + 0.0:.3f}" for axis, a, b in spans)


def _within(lines: Sequence[str], characters: int) -> list[str]:
    """The first lines that fit into so many characters."""
    kept = []
    for line in lines:
        characters -= len(line) + 1
        if characters < 0:
            break
        kept.append(line)
    return kept
