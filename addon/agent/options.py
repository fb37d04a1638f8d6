# SPDX-License-Identifier: GPL-3.0-or-later
"""What an agent may be told on the command line or in the window."""

from __future__ import annotations

from dataclasses import dataclass

PROTOCOLS = ("atomic", "reactive", "managed", "editing", "tools")

#: Whether a builder of blocks is told to be brief, as published, or not.
BREVITY = ("with", "without")

#: OpenAI's two ways of being asked.
APIS = ("responses", "chat")


@dataclass(frozen=True)
class AgentOptions:
    """How an agent is to work; ``None``: as it does by itself.

    ``api`` is one of :data:`APIS`, ``edit_from`` the run whose structures are edited. ``seed`` is
    that of the first repetition. ``text_tools``: the model has no tool use, so calls are text;
    ``text_only``: it reads no pictures, so it is sent none. ``brevity`` is one of :data:`BREVITY`.
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
    text_tools: bool = False
    text_only: bool = False
    brevity: str = BREVITY[0]
