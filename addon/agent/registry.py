# SPDX-License-Identifier: GPL-3.0-or-later
"""Which agent a name on the command line means."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .agents import Agent, AgentError
from .null import NULL, Null
from .scripted import FLAWED, SCRIPTED, Scripted

PROTOCOLS = ("atomic", "reactive", "managed", "editing", "tools")

#: OpenAI's two ways of being asked.
APIS = ("responses", "chat")

#: Starts the name of an agent that repeats a run.
REPLAY = "replay:"

#: Names as help shows them.
NAMES = (SCRIPTED, FLAWED, NULL)


@dataclass(frozen=True)
class AgentOptions:
    """How an agent is to work; ``None``: as it does by itself.

    ``api`` is one of :data:`APIS`, ``edit_from`` the run whose structures are edited.
    """

    protocol: str = "atomic"
    base_url: str | None = None
    api: str | None = None
    effort: str | None = None
    temperature: float | None = None
    max_tokens: int | None = None
    seed: int | None = None
    planner: bool = True
    require_visual_similarity: bool = False
    edit_from: str | None = None
    reserve_last_launch: bool = False


_DEFAULTS = AgentOptions()


def agent_for(name: str, options: AgentOptions = _DEFAULTS) -> Agent:
    """The agent of that name. Raises :class:`AgentError`: one sentence with the remedy."""
    if name in (SCRIPTED, FLAWED, NULL):
        _refuse_unused(name, options)
        return Null() if name == NULL else Scripted(flawed=name == FLAWED)
    raise AgentError(f"agent {name!r} is not there; known are {', '.join(NAMES)}")


def _refuse_unused(name: str, options: AgentOptions) -> None:
    """Refuse what an agent without a model can't use."""
    for field, default in vars(_DEFAULTS).items():
        value: Any = getattr(options, field)
        if value != default and field != "seed":
            flag = f"--{field.replace('_', '-')}" if field != "planner" else "--no-planner"
            raise AgentError(f"agent {name} has no model and can't use {flag}; leave it out")
