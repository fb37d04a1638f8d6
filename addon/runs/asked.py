# SPDX-License-Identifier: GPL-3.0-or-later
"""What a run is asked for: the options, what a resumed run was asked before, the defaults."""

from __future__ import annotations

import argparse
import math
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from ... import tasks as task_files
from ..agent.agents import AgentError, Limits
from ..agent.options import BREVITY
from ..agent.registry import REPLAY, AgentOptions
from ..agent.scripted import SCRIPTED
from ..kinds import OWN_PROFILE
from .runfolder import Run, read_run

# What a replay takes over from the run that it repeats, unless it is said anew.
_REPLAYED = (
    *(field.name for field in fields(AgentOptions) if field.name not in ("base_url", "api")),
    *("tasks", "profile", "limit", "timeout"),
    *("attempts", "retries", "max_tokens_total", "max_cost"),
)


@dataclass(frozen=True)
class Asked:
    """What a run is asked for. All of it stands in ``run.json``; ``None``: no limit, no wish.

    ``timeout`` is for one run of a program, ``max_seconds``, ``max_tokens_total`` and ``max_cost``
    are for one attempt, ``budget_cost`` (US dollars) for the whole run, ``max_tokens`` for one
    reply.
    """

    tasks: tuple[str, ...] = task_files.SMOKE
    agent: str = SCRIPTED
    protocol: str = "atomic"
    profile: str = OWN_PROFILE
    limit: int | None = None
    epochs: int = 1
    seed: int | None = None
    timeout: float = 120.0
    workers: int = 1
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    attempts: int = Limits.attempts
    retries: int = Limits.retries
    max_seconds: float | None = None
    max_tokens_total: int | None = None
    max_cost: float | None = None
    budget_cost: float | None = None
    isolation: str | None = None
    require_isolation: str | None = None
    planner: bool = True
    require_visual_similarity: bool = False
    edit_from: str | None = None
    reserve_last_launch: bool = False
    text_tools: bool = False
    text_only: bool = False
    brevity: str = BREVITY[0]

    def agent_options(self) -> AgentOptions:
        """What of it concerns the agent."""
        return AgentOptions(**{f.name: getattr(self, f.name) for f in fields(AgentOptions)})

    def limits(self) -> Limits:
        """Where one attempt stops."""
        return Limits(
            self.attempts, self.retries, self.max_seconds, self.max_tokens_total, self.max_cost
        )

    def contained(self) -> Literal["process", "bubblewrap", "auto"]:
        """What programs run in. Raises :class:`AgentError` if two options contradict each other."""
        if self.require_isolation == "bubblewrap" and self.isolation == "process":
            raise AgentError(
                "--isolation process is weaker than --require-isolation asks for; leave one out"
            )
        if "bubblewrap" in (self.require_isolation, self.isolation):
            return "bubblewrap"
        return "process" if self.isolation == "process" else "auto"

    def plain(self) -> dict[str, Any]:
        """As ``run.json`` has it."""
        return {field.name: getattr(self, field.name) for field in fields(self)}


def asked_of(options: argparse.Namespace, before: Run | None) -> Asked:
    """What was said now, else what the resumed (or repeated) run was asked, else the defaults.

    Raises :class:`.runfolder.RunFolderError` if the run to repeat can't be read.
    """
    names = {field.name for field in fields(Asked)}
    said = {name: v for name in names if (v := getattr(options, name, None)) is not None}
    kept: Mapping[str, Any] = before.header["sessions"][-1]["asked"] if before else {}
    agent = said.get("agent") or kept.get("agent") or SCRIPTED
    if before is None and agent.startswith(REPLAY):
        repeated = read_run(agent.removeprefix(REPLAY)).header["sessions"][-1]["asked"]
        kept = {name: value for name, value in repeated.items() if name in _REPLAYED}
    values = {name: value for name, value in kept.items() if name in names}
    values.update(said)
    for name in ("max_seconds", "max_tokens_total", "max_cost", "budget_cost"):
        if values.get(name) == math.inf:  # how a resumed run is freed from a limit
            values[name] = None
    values["tasks"] = tuple(values.get("tasks", task_files.SMOKE))
    return Asked(**values)
