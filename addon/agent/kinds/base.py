# SPDX-License-Identifier: GPL-3.0-or-later
"""What protocols need to know of a kind of task. They know nothing else of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from ....checks.result import Judgement
from ....tasks import Task

#: Which checks: all of the profile, or those that gate a phase.
Scope = Literal["all", "mid"]


@dataclass(frozen=True)
class PlanProblem:
    """What is wrong with a plan: JSON path (``$.steps[2].depends_on[0]``) and one sentence."""

    path: str
    message: str


class TaskKind(Protocol):
    """One kind of task, as protocols see it."""

    #: ``timber``; also the folder of its prompts.
    name: str
    #: Phases in their order: ``foundation``, ``floor``, ``walls``, ``roof``.
    phases: tuple[str, ...]
    #: The profile that it is judged by unless somebody says otherwise.
    profile: str
    #: Names of the protocols that can lead a model through it.
    protocols: tuple[str, ...]
    #: Whether it is asked for turn by turn, in the task's ``prompts``.
    by_turns: bool
    #: Whether there is one look that what is built should have, to be shown and compared with.
    has_target: bool

    def facts(self, task: Task, profile: str) -> Mapping[str, str]:
        """What its prompt templates may refer to, by name: description, lot, loads, tables.

        Raises ``ValueError`` (one sentence) for a task with values that can't be used.
        """
        ...

    def judge(
        self, task: Task, structure: Mapping[str, Any], profile: str, scope: Scope = "all"
    ) -> Judgement:
        """Judge the plain structure. With scope ``mid`` only what gates a phase.

        Raises ``ValueError`` (one sentence) for a structure that can't be judged.
        """
        ...

    def check_plan(self, task: Task, plan: Any) -> Sequence[PlanProblem]:
        """What is wrong with a planner's answer, parsed from JSON."""
        ...

    def inventory(self, structure: Mapping[str, Any], tokens: int) -> str:
        """What stands already, for the next phase to build on, within about ``tokens`` tokens."""
        ...

    def phase_faults(
        self, task: Task, phase: str, before: Mapping[str, Any] | None, after: Mapping[str, Any]
    ) -> Sequence[str]:
        """What a phase left undone or undid, whatever the checks say; sentences for the model.

        ``before`` is what stood when it began, ``None`` if nothing did.
        """
        ...

    def until(self, structure: Mapping[str, Any], phase: str) -> Sequence[str]:
        """Names of the parts of a whole structure that stand once ``phase`` is done."""
        ...
