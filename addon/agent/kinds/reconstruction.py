# SPDX-License-Identifier: GPL-3.0-or-later
"""Simulations as protocols see them: one program, whose scene is run and measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....checks.reconstruction.brief import Criterion, ReconstructionBrief
from ....checks.reconstruction.profiles import DEFAULT
from ....checks.reconstruction.simulation import Simulation, judge_simulation
from ....checks.result import Judgement
from ....tasks import Task
from ...scene.plain import structure_from_plain
from ..history import CHARACTERS_PER_TOKEN
from .base import PlanProblem, Scope


class ReconstructionKind:
    """See :class:`.base.TaskKind`. It has one phase, which nothing gates."""

    name = "reconstruction"
    phases = ("building",)
    profile = DEFAULT
    protocols = ("atomic", "tools")
    by_turns = False
    has_target = False

    def facts(self, task: Task, profile: str) -> Mapping[str, str]:
        brief = ReconstructionBrief.from_mapping(task.brief)
        return {
            "title": task.title,
            "style": task.style or "not said",
            "description": task.description,
            "roles": roles_text(brief),
            "checks": criteria_text(brief),
            "gates": "nothing",
            "profile": profile,
        }

    def judge(
        self, task: Task, structure: Mapping[str, Any], profile: str, scope: Scope = "all"
    ) -> Judgement:
        brief = ReconstructionBrief.from_mapping(task.brief)
        return judge_simulation(simulation_of(structure), brief, profile)

    def check_plan(self, task: Task, plan: Any) -> Sequence[PlanProblem]:
        return (PlanProblem("$", "simulations are built without a plan; write the program"),)

    def inventory(self, structure: Mapping[str, Any], tokens: int) -> str:
        return listing(simulation_of(structure), tokens * CHARACTERS_PER_TOKEN) or "nothing yet"

    def phase_faults(
        self, task: Task, phase: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]
    ) -> Sequence[str]:
        return ()

    def until(self, structure: Mapping[str, Any], phase: str) -> Sequence[str]:
        return ()


def simulation_of(structure: Mapping[str, Any]) -> Simulation:
    """The simulation of plain data. Raises ``ValueError`` for a structure of another kind."""
    found = structure_from_plain(structure)
    if not isinstance(found, Simulation):
        raise ValueError("what stands was not run as a simulation")
    return found


def roles_of(brief: ReconstructionBrief) -> tuple[str, ...]:
    """Every role that a rubric speaks of, in its order."""
    named: list[str] = [*brief.core, *brief.roles]
    for criterion in brief.criteria:
        named += criterion.roles
        if criterion.counterfactual is not None:
            named += criterion.counterfactual.intervention.subjects
    named += [*brief.rolling, *(r for r in brief.admitted if r != "*")]
    return tuple(dict.fromkeys(named))


def roles_text(brief: ReconstructionBrief) -> str:
    """A line a role, with what it must or may be."""
    lines = []
    for role in roles_of(brief):
        said = []
        if role in brief.core:
            said.append("moved by the solver")
        if role in brief.rolling:
            said.append("rolls")
        if brief.admitted.get(role):
            said.append(f"may be moved by {', '.join(brief.admitted[role])}")
        lines.append(f"- {role}{': ' if said else ''}{', '.join(said)}")
    return "\n".join(lines) or "- none is named"


def criteria_text(brief: ReconstructionBrief) -> str:
    """The criteria of a rubric in a line each; without any, that all probes are run."""
    if not brief.criteria:
        return "- everything that can be measured of its motion"
    return "\n".join(_said(criterion) for criterion in brief.criteria)


def _said(criterion: Criterion) -> str:
    of = f" of {', '.join(criterion.roles)}" if criterion.roles else ""
    probes = ", ".join(criterion.probes)
    ways = [probes] if probes else []
    if criterion.counterfactual is not None:
        ways.append("the scene run again with something made otherwise")
    about = f": {criterion.mechanism}" if criterion.mechanism else ""
    return f"- {criterion.id}{about} (measured{of} by {' and by '.join(ways)})"


def listing(simulation: Simulation, characters: int, query: str = "") -> str:
    """Bodies in a line each: medium, mass, and from where to where the centre went, m."""
    run = simulation.trajectory
    lines = []
    for k, body in enumerate(run.bodies):
        if query not in body.name.lower() and query not in (body.role or "").lower():
            continue
        mass = "" if body.mass is None else f", {body.mass:.3g} kg"
        role = f" [{body.role}]" if body.role else ""
        first, last = run.position[0, k], run.position[-1, k]
        way = f"{_place(first)} to {_place(last)}"
        lines.append(f"{body.name}{role}: {body.medium}, {body.part}{mass}, {way}")
    kept: list[str] = []
    for line in lines:
        characters -= len(line) + 1
        if characters < 0:
            kept.append(f"and {len(lines) - len(kept)} more that are not listed here")
            break
        kept.append(line)
    return "\n".join(kept)


def _place(point: Any) -> str:
    if not np.isfinite(point).all():
        return "nowhere (no number)"
    return "(" + ", ".join(f"{value + 0.0:.3f}" for value in point) + ")"
