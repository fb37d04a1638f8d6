# SPDX-License-Identifier: GPL-3.0-or-later
"""What an episode comes to: a judgement, and beside it a fault of the environment if there was one.

What the program did wrong (raised, looped, died, was refused by the policy, left nothing that can
be read) fails the check ``program``: it is part of the verdict and is never tried again. What
Blender, the network or the disk did wrong is named beside the verdict and leaves it not judged.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ...checks.result import CheckResult, Finding, Judgement
from ...checks.timber.structure import StructureError
from ...checks.voxel.structure import VoxelError
from ...tasks import Task, TaskError
from .. import kinds
from ..agent.agents import Assignment, Built
from ..agent.bench import Execution
from ..ranking import worst_first
from ..scene.plain import structure_from_plain
from . import versions
from .judging import InputError, check_ids, judge_structure
from .records import Result

PROGRAM_CHECK = "program"

#: How the ends of a program are said where nothing else says it.
_ENDINGS: Mapping[str, str] = {
    "raised": "The program stopped with an error.",
    "refused": "The program does what the policy forbids; nothing was run.",
    "timeout": "The program did not end in time.",
    "memory": "The program needed more memory than it may.",
    "crashed": "The program ended Blender, twice in a row.",
}


def judgement_of(assignment: Assignment, built: Built, profile: str) -> Judgement:
    """The judgement of what an episode left. Not for episodes that ended with a fault.

    ``profile`` may be :data:`..kinds.OWN_PROFILE`. Raises ``ValueError`` for one that the task's
    kind hasn't.
    """
    execution, task = built.execution, assignment.task
    kind = kinds.kind_named(task.kind)
    profile = kind.profile_for(profile)
    if execution is None:
        said = (built.message or "").strip()
        why = f" {said[:1].upper()}{said[1:]}" if said else ""
        return without_scene(profile, [_finding(f"Nothing was built.{why}")], task)
    if execution.structure is None:
        return without_scene(profile, _faults(execution), task)
    brief = kind.brief_of(task)
    try:
        structure = structure_from_plain(execution.structure)
        judgement = judge_structure(kind.after_episode(structure, brief), brief, profile)
    except (InputError, StructureError, VoxelError) as error:
        return without_scene(profile, [_finding(f"What it left can't be judged: {error}")], task)
    faults = () if execution.outcome == "finished" else tuple(_faults(execution))
    if not faults and not built.mishaps:
        return judgement
    check = CheckResult(PROGRAM_CHECK, "failed", (*faults, *built.mishaps))
    return replace(judgement, checks=(check, *judgement.checks))


def without_scene(profile: str, findings: Sequence[Finding], task: Task | None = None) -> Judgement:
    """Failed by the check ``program``; all others had nothing to look at."""
    reason = "there is no scene: see the check program"
    kind, profile, ids = _checks(profile, task)
    others = (CheckResult(check, "not_run", reason=reason) for check in ids)
    return Judgement(
        kind.name, profile, (CheckResult(PROGRAM_CHECK, "failed", tuple(findings)), *others)
    )


def _checks(
    profile: str, task: Task | None, without: str = "timber"
) -> tuple[kinds.Kind, str, tuple[str, ...]]:
    """Kind, profile and the ids of the checks by which a task, or a kind, would be judged."""
    kind = kinds.kind_named(task.kind if task else without)
    profile = kind.profile_for(profile)
    return kind, profile, check_ids(profile, kind.name, kind.brief_of(task))


def _faults(execution: Execution) -> list[Finding]:
    """What the program did wrong, each at its line."""
    if execution.problems:
        return [_finding(problem.message, problem.line) for problem in execution.problems]
    if execution.traceback:
        return [_from_traceback(execution)]
    if execution.outcome == "finished":
        return [_finding(f"What the program left can't be read: {execution.unreadable}")]
    return [_finding(execution.message or _ENDINGS[execution.outcome])]


def _finding(message: str, line: int | None = None) -> Finding:
    subject = f"line {line}" if line else "program"
    return Finding(PROGRAM_CHECK, subject, message, subject_kind="place")


def _from_traceback(execution: Execution) -> Finding:
    lines = (execution.traceback or "").strip().splitlines()
    places = [line.strip() for line in lines if line.startswith("  File ")]
    # The error comes unindented after its last frame; its message may go on over further lines.
    last = max((i for i, line in enumerate(lines) if line.startswith("  File ")), default=-1)
    told = [line for line in lines[last + 1 :] if line and not line[0].isspace()]
    error = told[0].strip() if told else "an error"
    number = places[-1].partition("line ")[2].partition(",")[0] if places else ""
    left = "what it had built until then was judged" if execution.structure else "nothing is left"
    return _finding(
        f"The program stopped with {error}; {left}.", int(number) if number.isdigit() else None
    )


def program_check(old: Mapping[str, Any]) -> CheckResult | None:
    """What the program itself did wrong then: nothing of it is run again."""
    for check in old["checks"]:
        if check["id"] == PROGRAM_CHECK and check["status"] == "failed":
            found = tuple(
                Finding(
                    PROGRAM_CHECK,
                    finding["subject"],
                    finding["message"],
                    subject_kind=finding.get("subject_kind", "place"),
                )
                for finding in check["findings"]
            )
            return CheckResult(PROGRAM_CHECK, "failed", found)
    return None


def expectation_of(assignment: Assignment, judgement: Judgement) -> dict[str, Any] | None:
    """Of a flawed twin: whether the worst finding is the planted one, and all differences.

    Of a twin that nothing but a score tells, that score.
    """
    if assignment.twin is None:
        return None
    expectation = assignment.twin.expectation
    findings = worst_first(judgement.findings)
    scores = {check.id: check.score for check in judgement.checks}
    found = f"{findings[0].check}: {findings[0].subject}" if findings else None
    if expectation.root.score_below is not None:
        found = f"{expectation.root.check}: score {scores.get(expectation.root.check)}"
    return {
        "met": expectation.is_met(findings, scores),
        "defect": assignment.twin.defect,
        "root": str(expectation.root),
        "found": found,
        "differences": expectation.differences(findings, judgement.verdict, scores),
    }


def not_judged(
    profile: str,
    kind: str,
    message: str,
    ids: Sequence[str] | None = None,
    task: Task | None = None,
    structure: str = "timber",
) -> Result:
    """A result that says of every check of the profile that it was not run, and why.

    ``kind`` is that of the fault. Without a task the checks are those of a kind of ``structure``.
    """
    of, profile, every = _checks(profile, task, structure)
    checks = tuple(
        CheckResult(check, "not_run", reason=message) for check in (every if ids is None else ids)
    )
    return Result(
        Judgement(of.name, profile, checks),
        environment={"kind": kind, "message": message},
        versions=versions.own(),
    )


def internal_sentence(error: BaseException) -> str:
    """A bug of ours, said plainly: the person can't do anything about it but report it.

    A fault of a task is none: its sentence says what to do.
    """
    if isinstance(error, TaskError):
        return f"the task can't be used: {error}"
    text = " ".join(str(error).split()) or "no message"
    return f"judging failed with {type(error).__name__}: {text}; this is a bug of Plumbline"


def first_line(error: Exception) -> str:
    """What a message says before it goes into details."""
    return next(iter(str(error).strip().splitlines()), type(error).__name__)
