# SPDX-License-Identifier: GPL-3.0-or-later
"""A model that builds by one of our protocols."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from ...checks.result import Finding
from ...tasks import Task
from .agents import AgentError, Assignment, Built, Fault, Workshop
from .bench import Scene
from .budget import Budget, Ended
from .kinds import KINDS, check_protocol, kind_for
from .prompts import Prompts
from .protocols import BUILDING, EDITING, PROTOCOLS, ProtocolOptions
from .protocols.atomic import atomic
from .protocols.editing import editing
from .protocols.episode import Episode
from .protocols.managed import managed
from .protocols.reactive import reactive
from .protocols.talk import Line
from .protocols.turns import turns, turns_with_findings
from .providers.base import Provider, ProviderError

HARNESS = "plumbline"

_BUILDING: Mapping[str, Callable[[Episode], None]] = dict(
    zip(BUILDING, (atomic, reactive, managed), strict=True)
)
#: The same where a task is asked for turn by turn.
_BY_TURNS: Mapping[str, Callable[[Episode], None]] = {
    "atomic": turns,
    "reactive": turns_with_findings,
}
_DEFAULTS = ProtocolOptions()


@dataclass(frozen=True)
class Start:
    """A sound structure to be edited, and the program that makes it, empty if nobody knows."""

    scene: Scene
    program: str = ""


class ModelAgent:
    """See :class:`.agents.Agent`. ``starts`` are what ``editing`` begins with, by task id."""

    harness = HARNESS

    def __init__(
        self,
        provider: Provider,
        protocol: str = "atomic",
        options: ProtocolOptions = _DEFAULTS,
        starts: Mapping[str, Start | Scene] | None = None,
    ) -> None:
        """Raises :class:`AgentError` for a protocol that isn't there or lacks what it needs."""
        if protocol not in PROTOCOLS:
            known = ", ".join(PROTOCOLS)
            raise AgentError(f"protocol {protocol!r} is not there; known: {known}")
        if protocol == EDITING and not starts:
            raise AgentError("editing needs structures to edit; name the run that they come from")
        self.name = provider.name
        self.model: str | None = provider.name.partition("/")[2] or provider.name
        self.effort = options.effort
        self.protocol = protocol
        self.options = options
        self._provider = provider
        self._starts = {
            task: start if isinstance(start, Start) else Start(start)
            for task, start in (starts or {}).items()
        }
        self._prompts = {kind: Prompts(kind) for kind in KINDS}

    def describe(self) -> Mapping[str, Any]:
        """Protocol, options with sampling, and the prompts of each kind with their digest."""
        return {
            "protocol": self.protocol,
            "options": self.options.plain(),
            "prompts": {kind: prompts.describe() for kind, prompts in self._prompts.items()},
        }

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """One a task; ``editing`` takes only those that there is something to edit for.

        Raises :class:`AgentError` for a kind of task that agents don't know or that the protocol
        can't lead through, and for one whose values no prompt can be made of.
        """
        for task in tasks:
            if self.protocol == EDITING and task.id not in self._starts:
                continue
            try:
                kind = kind_for(task)
                check_protocol(kind, self.protocol)
                kind.facts(task, kind.profile)
            except ValueError as error:  # before anything is asked
                raise AgentError(f"{task.id}: {error}") from None
            yield Assignment(task, self.name)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """One episode. Raises ``Cancelled``, ``BenchError`` and ``OSError``."""
        budget = Budget(workshop.limits, workshop.clock)
        self._announce(assignment, workshop)
        end, message, fault = "finished", None, None
        episode: Episode | None = None
        try:
            episode = self._episode(assignment.task, workshop, budget)
            self._follow(episode, assignment.task)
        except Ended as ended:
            end, message = ended.end, str(ended)
        except ProviderError as error:
            end, message = "environment", str(error)
            fault = Fault(error.fault, str(error))
        workshop.transcript.event(
            "end", end=end, message=message, usage=asdict(budget.usage), spent=budget.plain()
        )
        return _built(episode, budget, end, message, fault)

    def close(self) -> None:
        """Close the provider's connections."""
        self._provider.close()

    def _episode(self, task: Task, workshop: Workshop, budget: Budget) -> Episode:
        line = Line(
            self._provider,
            budget,
            workshop.transcript,
            workshop.cancel,
            self.options,
            workshop.progress,
            workshop.on_text,
        )
        return Episode(task, kind_for(task), self._prompts[task.kind], workshop, line)

    def _follow(self, episode: Episode, task: Task) -> None:
        if self.protocol == EDITING:
            start = self._starts[task.id]
            editing(episode, start.scene, start.program)
        else:
            ways = _BY_TURNS if episode.kind.by_turns else _BUILDING
            ways[self.protocol](episode)

    def _announce(self, assignment: Assignment, workshop: Workshop) -> None:
        """The first event: what was asked."""
        prompts = self._prompts[assignment.task.kind]
        workshop.transcript.event(
            "episode",
            task=assignment.task.id,
            agent=self.name,
            model=self.model,
            effort=self.effort,
            epoch=assignment.epoch,
            protocol=self.protocol,
            profile=workshop.profile,
            options=self.options.plain(),
            prompts=prompts.describe(),
            limits=asdict(workshop.limits),
        )


def _built(
    episode: Episode | None,
    budget: Budget,
    end: str,
    message: str | None,
    fault: Fault | None,
) -> Built:
    """What an episode comes to: what stands, else the last run, which may have left something."""
    notes: list[str] = []
    metrics: dict[str, Any] = {"attempts": budget.attempts}
    execution, program = None, ""
    mishaps: tuple[Finding, ...] = ()
    if episode is not None:
        outcome = episode.outcome
        notes += outcome.notes
        metrics.update(outcome.metrics)
        execution, program, mishaps = outcome.execution, outcome.program, outcome.mishaps
        if execution is None:
            execution, program = outcome.last, outcome.last_program
    if budget.cost_unknown:
        notes.append("The limit on cost could not be kept: the price of the model is not known.")
    return Built(
        execution, program, end, message, budget.usage, fault, metrics, tuple(notes), mishaps
    )
