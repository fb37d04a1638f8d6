# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges a trajectory by the probes and counterfactuals of a rubric: profile ``paper``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..result import CheckResult, Judgement, Progress
from .brief import PROBES as IDS
from .brief import ReconstructionBrief
from .counterfactual import Runs, judge_counterfactual
from .criteria import COUNTERFACTUAL, counted, outcome, validity
from .probes import PROBES
from .probes.common import called
from .probes.wind import wind
from .trajectory import Trajectory

PROFILES: tuple[str, ...] = ("paper",)
DEFAULT = "paper"


class UnknownProfile(ValueError):
    """A profile that reconstruction does not have; the message lists those it has."""


def judge(
    trajectory: Trajectory,
    brief: ReconstructionBrief | None = None,
    profile: str = DEFAULT,
    progress: Progress | None = None,
    *,
    runs: Mapping[str, Runs] | None = None,
    without_fields: Trajectory | None = None,
) -> Judgement:
    """Judge a trajectory by a rubric.

    Parameters
    ----------
    trajectory
        The unchanged scene's run.
    brief
        The rubric; without one all fifteen probes are run with the table's thresholds.
    profile
        ``"paper"``.
    progress
        Told before each check; see :data:`..result.Progress`.
    runs
        The recorded runs of each counterfactual criterion, by its id.
    without_fields
        The scene run again with its force fields off, for the wind.

    Counterfactual criteria are checks of their own under ``counterfactual.ID``. ``metrics`` hold
    each criterion's outcome and ``validity``: the least and the greatest that it can be, an
    interval where something was not resolved.

    Raises
    ------
    UnknownProfile
        For any other profile.
    """
    if profile not in PROFILES:
        known = ", ".join(PROFILES)
        raise UnknownProfile(f"reconstruction has no profile {profile!r}; it has {known}")
    brief = brief or ReconstructionBrief()
    trajectory = bound(trajectory, brief)
    runs = {name: _bound_runs(one, brief) for name, one in (runs or {}).items()}
    asked = check_ids(brief)
    checks = []
    for done, name in enumerate(asked):
        if progress is not None:
            progress(name, done, len(asked))
        checks.append(_run(name, trajectory, brief, runs, without_fields))
    checks = [*counted(checks, trajectory, brief)] if brief.criteria else checks
    judged = {check.id: check for check in checks}
    outcomes = {c.id: outcome(c, judged, trajectory, brief) for c in brief.criteria}
    metrics: dict[str, Any] = {"bodies": len(trajectory.bodies), "frames": len(trajectory)}
    if brief.criteria:
        metrics["criteria"] = outcomes
        metrics["validity"] = validity(brief, outcomes)
    notes = (*trajectory.notes, *_unbound(trajectory, brief))
    return Judgement("reconstruction", profile, tuple(checks), metrics, notes)


def bound(trajectory: Trajectory, brief: ReconstructionBrief) -> Trajectory:
    """The trajectory with the roles that the brief binds to objects, where no body has them."""
    taken = {body.role for body in trajectory.bodies if body.role}
    free = {name: role for role, name in brief.roles.items() if role not in taken}
    if not any(body.name in free and body.role is None for body in trajectory.bodies):
        return trajectory
    bodies = tuple(
        replace(b, role=free[b.name]) if b.name in free and b.role is None else b
        for b in trajectory.bodies
    )
    return replace(trajectory, bodies=bodies)


def _bound_runs(one: Runs, brief: ReconstructionBrief) -> Runs:
    made: dict[str, Any] = {
        name: None if getattr(one, name) is None else bound(getattr(one, name), brief)
        for name in ("baseline", "repeat", "branch", "positive", "negative")
    }
    return replace(one, **made)


def _unbound(trajectory: Trajectory, brief: ReconstructionBrief) -> tuple[str, ...]:
    """A sentence on the roles that the rubric speaks of and that no body has."""
    named = [role for c in brief.criteria for role in c.roles]
    named += [*brief.core, *brief.rolling, *brief.roles]
    there = {name for body in trajectory.bodies for name in called(body)}
    missing = [role for role in dict.fromkeys(named) if role not in there]
    if not missing:
        return ()
    return (
        f'no object is bound to {", ".join(missing)}: set obj["plumbline_role"], or map the role '
        f"to a name; what is about it is not judged",
    )


def check_ids(brief: ReconstructionBrief | None = None) -> tuple[str, ...]:
    """Ids of the checks of a brief, in the order in which :func:`judge` gives them."""
    brief = brief or ReconstructionBrief()
    if not brief.criteria:
        return IDS
    named = {probe for criterion in brief.criteria for probe in criterion.probes}
    return (
        *(name for name in IDS if name in named),
        *(f"{COUNTERFACTUAL}{c.id}" for c in brief.criteria if c.counterfactual is not None),
    )


def _run(
    name: str,
    trajectory: Trajectory,
    brief: ReconstructionBrief,
    runs: Mapping[str, Runs],
    without_fields: Trajectory | None,
) -> CheckResult:
    if name in brief.not_applicable:
        return CheckResult(name, "not_applicable", reason=brief.not_applicable[name])
    if name == "wind":
        return wind(trajectory, brief, brief.limits, without_fields)
    if name in PROBES:
        return PROBES[name](trajectory, brief, brief.limits)
    criterion = next(c for c in brief.criteria if name == f"{COUNTERFACTUAL}{c.id}")
    given = runs.get(criterion.id)
    if given is None:
        return CheckResult(name, "not_run", reason="the altered scenes were not run")
    found = judge_counterfactual(criterion, given, brief.limits)
    told = tuple(replace(finding, check=name) for finding in found.findings)
    return CheckResult(name, found.status, told, reason=found.reason, figures=found.figures)
