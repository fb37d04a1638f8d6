# SPDX-License-Identifier: GPL-3.0-or-later
"""What the criteria of a rubric come to, and what of the checks counts for them.

The verdict is that of the checks, so what no criterion asks for must not decide it, and what leaves
a criterion open must not pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from ..result import CheckResult, Finding, Status
from .brief import PROBES, Criterion, ReconstructionBrief
from .probes.common import called
from .trajectory import Trajectory

COUNTERFACTUAL = "counterfactual."
_DECIDED = ("passed", "failed")


def checks_of(criterion: Criterion) -> tuple[str, ...]:
    """Ids of the checks that judge a criterion."""
    altered = (f"{COUNTERFACTUAL}{criterion.id}",) if criterion.counterfactual else ()
    return (*criterion.probes, *altered)


class Roles:
    """Which bodies a criterion is about, by what the trajectory's bodies are called."""

    def __init__(self, trajectory: Trajectory) -> None:
        held: dict[str, list[str]] = {}
        for body in trajectory.bodies:
            for name in called(body):
                held.setdefault(name, []).append(body.name)
        # A role of several bodies is nobody's: which one is meant can't be told.
        self._named = {name: bodies[0] for name, bodies in held.items() if len(bodies) == 1}

    def names(self, criterion: Criterion) -> set[str]:
        """Names of its bodies; empty where it names no role, which means all."""
        return {self._named[role] for role in criterion.roles if role in self._named}

    def missing(self, criteria: Iterable[Criterion]) -> list[str]:
        """Roles that no body is bound to."""
        roles = dict.fromkeys(role for criterion in criteria for role in criterion.roles)
        return [role for role in roles if role not in self._named]


def counted(
    checks: Sequence[CheckResult], trajectory: Trajectory, brief: ReconstructionBrief
) -> tuple[CheckResult, ...]:
    """The checks as far as the criteria ask for them.

    Of a probe that is asked about some roles only, findings on others are left out, and counted in
    the figure ``elsewhere``. What a role is asked for that no body is bound to is not passed but
    inconclusive. A probe with nothing to judge stands in the way only of a criterion that nothing
    else judges.
    """
    roles = Roles(trajectory)
    applicable = [c for c in brief.criteria if c.id not in brief.not_applicable]
    status = {check.id: check.status for check in checks}
    found = []
    for check in checks:
        asked = [c for c in applicable if check.id in checks_of(c)]
        if not asked:
            reason = brief.not_applicable[next(_named_by(check.id, brief))]
            found.append(CheckResult(check.id, "not_applicable", reason=reason))
            continue
        check = _of_roles(check, asked, roles)
        if check.status == "vacuous":
            alone = any(not _others_decide(c, check.id, status) for c in asked)
            check = replace(check, required=check.required and alone)
        found.append(check)
    return tuple(found)


def _named_by(check: str, brief: ReconstructionBrief) -> Iterator[str]:
    return (c.id for c in brief.criteria if check in checks_of(c))


def _others_decide(criterion: Criterion, check: str, status: Mapping[str, str]) -> bool:
    return any(status[name] in _DECIDED for name in checks_of(criterion) if name != check)


def _of_roles(check: CheckResult, asked: Sequence[Criterion], roles: Roles) -> CheckResult:
    """One check without findings on roles that nobody asks about."""
    kept = tuple(f for f in check.findings if any(_about(f, check.id, c, roles) for c in asked))
    if check.status == "failed" and len(kept) < len(check.findings):
        figures = {**check.figures, "elsewhere": len(check.findings) - len(kept)}
        status: Status = "failed" if kept else "passed"
        check = replace(check, status=status, findings=kept, figures=figures)
    missing = roles.missing(asked)
    if missing and check.status == "passed":
        reason = f"no object is bound to {', '.join(missing)}; what is about it is not judged"
        check = replace(check, status="inconclusive", reason=reason)
    return check


def _about(finding: Finding, check: str, criterion: Criterion, roles: Roles) -> bool:
    if not criterion.roles or check not in PROBES:
        return True
    return bool(roles.names(criterion) & {finding.subject, *finding.related})


def outcome(
    criterion: Criterion,
    judged: Mapping[str, CheckResult],
    trajectory: Trajectory,
    brief: ReconstructionBrief,
) -> str:
    """``passed``, ``failed``, ``unresolved`` or ``not_applicable`` of one criterion.

    Where it names roles, only findings on those count, and a role that no body is bound to leaves
    it unresolved. It fails where nothing that it asks for is there to be judged.
    """
    if criterion.id in brief.not_applicable:
        return "not_applicable"
    roles = Roles(trajectory)
    checks = [judged[name] for name in checks_of(criterion)]
    statuses = [_status(check, criterion, roles) for check in checks]
    if "failed" in statuses:
        return "failed"
    if roles.missing([criterion]) or {"not_run", "inconclusive"} & {*statuses}:
        return "unresolved"
    if "passed" in statuses:
        return "passed"
    empty = any(check.status == "vacuous" and check.required for check in checks)
    return "failed" if empty else "not_applicable"


def _status(check: CheckResult, criterion: Criterion, roles: Roles) -> str:
    about = any(_about(finding, check.id, criterion, roles) for finding in check.findings)
    return "passed" if check.status == "failed" and not about else check.status


def validity(brief: ReconstructionBrief, outcomes: Mapping[str, str]) -> list[float] | None:
    """Least and greatest validity: the weighted share that passed, under the caps of what failed.

    An unresolved criterion counts as failed for the least and as passed for the greatest. ``None``
    where no weight is left.
    """
    ends = []
    for unresolved in ("failed", "passed"):
        told = {k: unresolved if v == "unresolved" else v for k, v in outcomes.items()}
        counting = [c for c in brief.criteria if told.get(c.id) in _DECIDED]
        total = sum(c.weight for c in counting)
        if not counting or total == 0:
            return None
        share = sum(c.weight for c in counting if told[c.id] == "passed") / total
        caps = [c.cap for c in counting if told[c.id] == "failed" and c.cap is not None]
        ends.append(min([share, *caps]))
    return ends
