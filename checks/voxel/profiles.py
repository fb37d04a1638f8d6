# SPDX-License-Identifier: GPL-3.0-or-later
"""Judges blocks by the checks that a task names, under the profile ``paper`` or ``code``."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ..result import CheckResult, Judgement, Progress, Status
from .arguments import BadArguments, read, told
from .brief import UNREADABLE, CheckCall, VoxelBrief
from .outcome import Outcome
from .registry import AREAS, GRADERS, Grader
from .rules import DEFAULT, Rules
from .rules import PROFILES as _RULES
from .structure import VoxelError, VoxelStructure

PROFILES: tuple[str, ...] = tuple(_RULES)

# Characters of a name in which the meant one is looked for; comparing takes the square of them.
_LONGEST_NAME = 200


#: Nobody asked for directness where no task did: a file without an order passes all the same.
NO_TASK = VoxelBrief(optional=("efficiency.l1_dist",))


class UnknownProfile(ValueError):
    """A profile that voxel does not have; the message lists those it has."""


def judge(
    structure: VoxelStructure,
    brief: VoxelBrief | None = None,
    profile: str = DEFAULT,
    progress: Progress | None = None,
) -> Judgement:
    """Judge blocks by a brief: each turn by what stood after it.

    Parameters
    ----------
    structure
        The blocks that stand, in placement order, and what stood after ``earlier`` turns. Where
        those aren't known the checks of earlier turns are not run.
    brief
        The checks that the task names; without one, those of :data:`.brief.WITHOUT_TASK`.
    profile
        ``"paper"`` or ``"code"``; see :mod:`.rules`.
    progress
        Told before each check; see :data:`..result.Progress`.

    A check that there is not, or that is asked for with arguments that it does not take, is
    ``not_run`` and says why; the others are judged. The id of a check is its function, the second
    call of the same one has ``#2`` behind it. Of a brief of several turns it says the turn first:
    ``turn2.shape.has_rooms``. ``score`` is the published value, from 0 to 1.

    Raises
    ------
    UnknownProfile
        For any other profile.
    """
    if profile not in _RULES:
        raise UnknownProfile(f"voxel has no profile {profile!r}; it has {', '.join(PROFILES)}")
    brief = NO_TASK if brief is None else brief
    rules = _RULES[profile].with_bottom(brief.bottom).with_arch_reference(brief.arch_reference)
    asked = _asked(structure, brief)
    checks = []
    for done, (stood, turn, name, call) in enumerate(asked):
        if progress is not None:
            progress(name, done, len(asked))
        check = run(stood, call, rules, name, brief)
        checks.append(replace(check, figures={**check.figures, "turn": turn}))
    notes = (*structure.notes, *_beyond(structure, brief))
    return Judgement("voxel", profile, tuple(checks), {"blocks": len(structure)}, notes)


def check_ids(brief: VoxelBrief | None = None) -> tuple[str, ...]:
    """Ids of the checks of a brief, every turn's, as :func:`judge` gives them."""
    brief = NO_TASK if brief is None else brief
    turns = range(1, len(brief.turns) + 1)
    return tuple(name for turn in turns for name, _ in _named(brief, turn))


def _beyond(structure: VoxelStructure, brief: VoxelBrief) -> tuple[str, ...]:
    """A sentence on turns that were built and that no check looks at."""
    built, asked = len(structure.earlier) + 1, len(brief.turns)
    if built <= asked:
        return ()
    given = f"{asked} turn" if asked == 1 else f"{asked} turns"
    return (f"{built} turns were built, {given} asked for: what stands last is judged as the last",)


def _asked(
    structure: VoxelStructure, brief: VoxelBrief
) -> list[tuple[VoxelStructure | None, int, str, CheckCall]]:
    """Every call with the blocks that it looks at, ``None`` where they aren't known.

    That is: blocks, the turn counted from 1, the check's id, the call. Turns beyond those of the
    brief don't count, but for the last.
    """
    turns = len(brief.turns)
    stood: list[VoxelStructure | None] = [None] * (turns - 1)
    stood[: len(structure.earlier)] = structure.earlier[: turns - 1]
    if len(structure.earlier) < turns - 1:
        stood = [None] * (turns - 1)  # which turns they are of can't be told
    return [
        (blocks, turn, name, call)
        for turn, blocks in enumerate((*stood, structure), 1)
        for name, call in _named(brief, turn)
    ]


def _named(brief: VoxelBrief, turn: int) -> list[tuple[str, CheckCall]]:
    """The calls of a turn, counted from 1, with their ids."""
    seen: Counter[str] = Counter()
    named = []
    for call in brief.turns[turn - 1]:
        seen[call.fn] += 1
        name = call.fn if seen[call.fn] == 1 else f"{call.fn}#{seen[call.fn]}"
        named.append((f"turn{turn}.{name}" if len(brief.turns) > 1 else name, call))
    return named


def run(
    structure: VoxelStructure | None, call: CheckCall, rules: Rules, name: str, brief: VoxelBrief
) -> CheckResult:
    """The result of one call, under the id ``name``; ``None`` where the blocks aren't known."""
    area = AREAS.get(call.fn.split(".")[0])
    figures: dict[str, Any] = {"fn": call.fn, "args": dict(call.args), "area": area}
    needed = call.fn not in brief.optional

    def unjudged(status: Status, reason: str) -> CheckResult:
        return CheckResult(name, status, reason=reason, required=needed, figures=figures)

    if call.fn in brief.not_applicable:
        return unjudged("not_applicable", brief.not_applicable[call.fn])
    if structure is None:
        return unjudged("not_run", "what stood after this turn isn't known, only what stands last")
    grader = GRADERS.get(call.fn)
    if grader is None:
        return unjudged("not_run", _unknown(call.fn))
    if grader.needs_order and len(structure) and not structure.ordered:
        return unjudged("not_run", "the blocks were read without the order of their placement")
    try:
        values = read(grader.parameters, call.args)
        outcome = grader.load()(structure, rules, **values)
    except BadArguments as error:
        return unjudged("not_run", f"{call.fn}: {error}")
    except VoxelError as error:
        return unjudged("not_run", str(error))
    except ImportError as error:
        return unjudged("not_run", f"a library that it needs is not there ({error})")
    return _result(outcome, grader, name, needed, figures, empty=not len(structure))


def _result(
    outcome: Outcome,
    grader: Grader,
    name: str,
    needed: bool,
    figures: Mapping[str, Any],
    empty: bool,
) -> CheckResult:
    """A grader's outcome as a result: clamped, with its status and the id in every finding."""
    value = min(1.0, max(0.0, outcome.value)) if math.isfinite(outcome.value) else 0.0
    all_figures = {**figures, **outcome.figures, "scored": grader.scored}
    vacuous = "nothing was built" if empty else outcome.vacuous
    if vacuous is not None:
        return CheckResult(
            name,
            "vacuous",
            score=value,
            reason=vacuous,
            required=needed and (empty or not outcome.neutral),
            figures=all_figures,
        )
    if outcome.undecided is not None:
        # Nobody fails by a score, so nobody is kept from passing by one that tells nothing.
        return CheckResult(
            name,
            "inconclusive",
            score=value,
            degraded=outcome.degraded,
            reason=outcome.undecided,
            required=needed and not grader.scored,
            figures=all_figures,
        )
    fine = grader.scored or value >= 1
    return CheckResult(
        name,
        "passed" if fine else "failed",
        tuple(replace(finding, check=name) for finding in outcome.findings),
        score=value,
        degraded=outcome.degraded,
        reason=outcome.note,
        required=needed,
        figures=all_figures,
        measures=outcome.measures,
    )


def _unknown(fn: str) -> str:
    """Why a check can't be run that there is not."""
    if fn == UNREADABLE:
        return "the task gives this check in a form that can't be read"
    return f"there is no check {told(fn)}{_alike(fn)}"


def _alike(fn: str) -> str:
    """A hint at the function that was meant: the same name in another module, or letters apart."""
    from difflib import get_close_matches

    fn = fn[:_LONGEST_NAME]
    near = [known for known in GRADERS if known.split(".")[1] == fn.split(".")[-1]]
    near = near or get_close_matches(fn, GRADERS, n=1)
    return f"; {near[0]} was perhaps meant" if near else ""
