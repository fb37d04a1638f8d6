# SPDX-License-Identifier: GPL-3.0-or-later
"""Protocol ``tools``: a model builds by calling tools, in a loop of its own pace."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from ....tasks import Task, TaskError
from ..agents import Assignment, Built, Fault, Workshop, shown_views
from ..bench import Execution
from ..budget import Budget
from ..kinds import kind_for, target_of
from ..messages import Message, Part, Picture, Text
from ..prompts import Prompts
from ..providers.base import Provider, ProviderError
from ..scripted import plain_execution
from ..transcript import Transcript
from .box import Budgets
from .building import Heard
from .loop import PROMPTS, LoopEnd, LoopSettings, ToolLoop
from .registry import BuildingTools, box_for, toolset_for

PROTOCOL = "tools"
HARNESS = "plumbline"


@dataclass(frozen=True)
class ToolAgentSettings:
    """How the agent works: the loop, the reminder of the last launch, pictures of the target."""

    loop: LoopSettings = field(default_factory=LoopSettings)
    keep_last: bool = False
    pictures: bool = True


class ToolAgent:
    """A model with tools; see :class:`..agents.Agent`. One provider serves all attempts."""

    harness = HARNESS

    def __init__(
        self,
        provider: Provider,
        settings: ToolAgentSettings | None = None,
        name: str | None = None,
    ) -> None:
        self._provider = provider
        self._settings = settings or ToolAgentSettings()
        self.name = name or provider.name
        self.model: str | None = provider.name.partition("/")[2] or provider.name
        self.effort: str | None = self._settings.loop.effort

    def describe(self) -> Mapping[str, Any]:
        loop = self._settings.loop
        return {
            "protocol": PROTOCOL,
            "tool_use": "native" if loop.native else "text",
            "replies": loop.replies,
            "keep_last": self._settings.keep_last,
            "sampling": loop.sampling(),
            "prompts": Prompts(PROMPTS).describe(),
        }

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        yield from (Assignment(task, self.name) for task in tasks)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        task, settings = assignment.task, self._settings
        target = target_of(task, workshop)
        tools = toolset_for(
            task,
            workshop.bench,
            workshop.profile,
            workshop.folder,
            target,
            settings.pictures,
        )
        tools.building.heard = runs_into(workshop.transcript)
        tools.judged = workshop.on_judgement
        box = box_for(task, tools, workshop.limits, settings.keep_last)
        budget = Budget(workshop.limits, workshop.clock)
        system = system_prompt(tools, task.kind)
        with budget.aside():
            views = shown_views(task, target()) if settings.pictures else {}
        head = task_message(task, workshop.profile, box.budgets, settings.keep_last, views)
        workshop.transcript.event(
            "episode",
            task=task.id,
            agent=self.name,
            profile=workshop.profile,
            limits=workshop.limits.__dict__,
            **self.describe(),
        )
        loop = ToolLoop(
            self._provider,
            box,
            settings.loop,
            workshop.transcript,
            workshop.cancel,
            budget,
            workshop.progress,
            workshop.on_text,
        )
        fault = None
        try:
            over = loop.run(system, [head])
        except ProviderError as error:
            fault = Fault(error.fault, str(error))
            over = LoopEnd("environment", str(error), loop.metrics())
        workshop.transcript.event(
            "end", end=over.end, message=over.message, spent=budget.plain(), tools=box.state()
        )
        return built_from(tools, over, budget, fault)

    def close(self) -> None:
        self._provider.close()


def runs_into(transcript: Transcript) -> Heard:
    """Writes every run of code into a transcript."""

    def heard(execution: Execution, code: str, label: str) -> None:
        transcript.event("execution", **plain_execution(execution, code, label))

    return heard


def built_from(
    tools: BuildingTools, over: LoopEnd, budget: Budget | None, fault: Fault | None = None
) -> Built:
    """How an episode with these tools went. Raises ``BenchError``."""
    if fault is None:
        tools.building.settle()
    return Built(
        tools.building.standing,
        tools.building.program,
        over.end,
        over.message,
        budget.usage if budget else None,
        fault,
        over.metrics,
        mishaps=tuple(tools.building.mishaps),
    )


def system_prompt(tools: BuildingTools, kind: str) -> str:
    """What a model is told of tools in general, and of code for this kind of task."""
    last = " or ".join(tool.name for tool in tools.tools() if tool.ends)
    prompts = Prompts(PROMPTS)
    return prompts.render("system", {"last": last, "code": prompts.render(f"code_{kind}", {})})


def task_text(task: Task, profile: str, budgets: Budgets, keep_last: bool) -> str:
    """What has to be built and with what, as text for whoever builds it.

    Raises ``TaskError`` for a task whose values can't be used.
    """
    prompts, kind = Prompts(PROMPTS), kind_for(task)
    try:
        facts = kind.facts(task, profile)
    except ValueError as error:
        raise TaskError(task.path, "", str(error), "mend the task") from error
    pieces = [
        prompts.render(f"task_{kind.name}", facts),
        prompts.render("budgets", {"budgets": _budgets_text(budgets)}),
    ]
    if keep_last and budgets.keep_last:
        pieces.insert(0, prompts.render("keep_last", {"budget": budgets.keep_last}))
    return "\n\n".join(pieces)


def task_message(
    task: Task, profile: str, budgets: Budgets, keep_last: bool, views: Mapping[str, bytes]
) -> Message:
    """The first message of an episode, with pictures of what is to be built where there are any."""
    parts: list[Part] = [Text(task_text(task, profile, budgets, keep_last))]
    for name, png in views.items():
        parts += [Text(f"The house as it should become, view {name}:"), Picture(png, name)]
    return Message("user", tuple(parts))


def _budgets_text(budgets: Budgets) -> str:
    groups = [f"{limit} of {name}" for name, limit in budgets.groups.items() if limit is not None]
    calls = [f"{budgets.calls} calls in all"] if budgets.calls is not None else []
    return ", ".join([*calls, *groups]) or "none is limited"
