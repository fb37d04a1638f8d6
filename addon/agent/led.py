# SPDX-License-Identifier: GPL-3.0-or-later
"""A model with the way in which it is led: by a protocol, or with tools."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from ...tasks import Task
from .agents import Agent, Assignment, Built, Workshop
from .model_agent import ModelAgent, Start
from .options import AgentOptions
from .protocols import ProtocolOptions
from .providers.base import Provider
from .tools.agent import PROTOCOL as TOOLS
from .tools.agent import ToolAgent, ToolAgentSettings
from .tools.loop import LoopSettings

Starts = Mapping[str, Start]


def led(provider: Provider, options: AgentOptions, starts: Starts | None = None) -> Agent:
    """The agent that leads a model as the options say. Raises ``AgentError``."""
    sampling: dict[str, Any] = {
        name: getattr(options, name) for name in ("max_tokens", "temperature", "seed", "effort")
    }
    if options.protocol == TOOLS:
        settings = ToolAgentSettings(
            LoopSettings(native=not options.text_tools, **sampling),
            options.reserve_last_launch,
            pictures=not options.text_only,
        )
        return ToolAgent(provider, settings)
    told = ProtocolOptions(
        planner=options.planner,
        pictures=not options.text_only,
        require_visual_similarity=options.require_visual_similarity,
        reserve_last_launch=options.reserve_last_launch,
        brevity=options.brevity,
        **sampling,
    )
    return ModelAgent(provider, options.protocol, told, starts)


class Repeated:
    """An agent whose model is given another seed with every repetition: N, N + 1, ...

    With the same seed throughout, repetitions would tell nothing new.
    """

    def __init__(
        self,
        provider: Provider,
        options: AgentOptions,
        make: Callable[[Provider, AgentOptions], Agent],
    ) -> None:
        self._provider = provider
        self._options = options
        self._make = make
        self._first = make(provider, options)
        self.name = self._first.name
        self.harness = self._first.harness
        self.model = self._first.model
        self.effort = self._first.effort

    def describe(self) -> Mapping[str, Any]:
        """As the agent of the first repetition says of itself, and how its model is reached."""
        reached = getattr(self._provider, "describe", None)
        return {**self._first.describe(), **({"provider": reached()} if reached else {})}

    def assignments(self, tasks: Iterable[Task]) -> Iterator[Assignment]:
        """As the agent has them."""
        return self._first.assignments(tasks)

    def build(self, assignment: Assignment, workshop: Workshop) -> Built:
        """One attempt, with the seed of its repetition."""
        agent, seed = self._first, self._options.seed
        if seed is not None and assignment.epoch > 1:
            options = replace(self._options, seed=seed + assignment.epoch - 1)
            agent = self._make(self._provider, options)
        return agent.build(assignment, workshop)

    def close(self) -> None:
        """Close the provider's connections."""
        with contextlib.closing(self._first):
            pass
