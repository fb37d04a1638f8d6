# SPDX-License-Identifier: GPL-3.0-or-later
"""``managed``: one program a phase, on request; a phase that fails leaves the scene as it was."""

from __future__ import annotations

from dataclasses import dataclass

from .. import feedback
from ..bench import Execution
from ..budget import Ended
from ..kinds import Scope
from . import gate
from .episode import Episode, joined
from .planner import planned
from .talk import Talk


@dataclass(frozen=True)
class _Standing:
    """What is accepted so far: the last run, and each phase with its program."""

    execution: Execution | None = None
    programs: tuple[tuple[str, str], ...] = ()


def managed(episode: Episode) -> None:
    """Ask for one phase after the other. Raises ``Ended`` where retries or a limit run out."""
    standing = _Standing()
    request = _request(episode, episode.kind.phases[0], standing)
    talk = episode.begin("managed", plan=planned(episode), request=request)
    for number, phase in enumerate(episode.kind.phases, 1):
        if standing.execution is not None:
            printed = feedback.printed_text(standing.execution)
            request = _request(episode, phase, standing)
            talk.tell(
                episode.render(
                    "next_phase",
                    done=episode.kind.phases[number - 2],
                    printed=f"\n{printed}" if printed else "",
                    request=request,
                )
            )
        standing = _build(episode, talk, number, phase, standing)
        assert standing.execution is not None
        episode.keep(standing.execution, joined(standing.programs))
        episode.outcome.metrics["phases_done"] = number


def _request(episode: Episode, phase: str, standing: _Standing) -> str:
    return episode.render(
        "request_phase",
        phase=phase,
        number=episode.kind.phases.index(phase) + 1,
        of=len(episode.kind.phases),
        hint=episode.render(f"phase_{phase}"),
        inventory=_inventory(episode, standing),
    )


def _inventory(episode: Episode, standing: _Standing) -> str:
    return episode.inventory(standing.execution.structure if standing.execution else None)


def _build(episode: Episode, talk: Talk, number: int, phase: str, standing: _Standing) -> _Standing:
    """One phase until it stands. Raises ``Ended`` with ``retries`` if it never does."""
    tries = episode.budget.limits.retries + 1
    start = standing.execution.scene if standing.execution else None
    for turn in range(1, tries + 1):
        episode.budget.attempt()
        label = f"step-{number:02d}-{phase}-try-{turn}"
        if turn > 1:
            episode.count(f"retries_{phase}")
        found = episode.code(talk, label)
        if found.state == "usable":
            execution = episode.run(found.code, start, label)
            ruling = _rule(episode, phase, standing, execution, label)
            if ruling.passed:
                return _Standing(execution, (*standing.programs, (phase, found.code)))
        else:
            ruling = gate.Ruling(False, found.message)
        _tell(episode, talk, phase, standing, ruling, tries - turn)
    raise Ended("retries", f"the phase {phase} failed {tries} times")


def _rule(
    episode: Episode, phase: str, standing: _Standing, execution: Execution, label: str
) -> gate.Ruling:
    before = standing.execution.structure if standing.execution else None
    last = phase == episode.kind.phases[-1]
    scope: Scope = "all" if last and episode.options.judge_last_phase_wholly else "mid"
    ruling = gate.phase_stands(episode, phase, before, execution, label, scope)
    return gate.phase_looks_alike(episode, phase, execution, label) if ruling.passed else ruling


def _tell(
    episode: Episode,
    talk: Talk,
    phase: str,
    standing: _Standing,
    ruling: gate.Ruling,
    left: int,
) -> None:
    text = episode.render(
        "retry_phase",
        feedback=ruling.text,
        phase=phase,
        left=min(left, episode.budget.attempts_left),
        hint=episode.render(f"phase_{phase}"),
        inventory=_inventory(episode, standing),
    )
    talk.tell(text, ruling.pictures)
