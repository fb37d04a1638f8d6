# SPDX-License-Identifier: GPL-3.0-or-later
"""Our providers, through the real SDKs, before a local model server."""

from __future__ import annotations

import threading
from typing import Any

from model_server import ModelServer
from plumbline.addon.agent.messages import Message, Picture, Request, Text, ToolSpec
from plumbline.addon.agent.providers.base import Cancel, Provider
from plumbline.addon.agent.providers.factory import provider_for
from plumbline.addon.agent.providers.limiter import Limiter

#: The three protocols by the names that the server has for them.
APIS = ("anthropic", "responses", "chat")
#: The smallest PNG: one transparent pixel.
PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000b4944415478da6360000200000500015c0a2b8e0000000049454e44ae426082"
)
PICTURE = Picture(PNG, "front")
RUN = ToolSpec("run", "Runs a program.", {"type": "object", "properties": {"code": {}}})
VIEW = ToolSpec("view", "Shows a view.", {"type": "object", "properties": {"name": {}}})


class FakeClock:
    """Waits take no time; ``waits`` holds them."""

    def __init__(self, wall: float = 1_700_000_000.0) -> None:
        self.waits: list[float] = []
        self._wall = wall
        self._lock = threading.Lock()

    def now(self) -> float:
        """s so far."""
        return sum(self.waits)

    def wall(self) -> float:
        """s since 1970."""
        return self._wall + self.now()

    def wait(self, cancel: Cancel, seconds: float) -> None:
        """Take a note, don't sleep."""
        cancel.check()
        with self._lock:
            self.waits.append(seconds)


def client(server: ModelServer, api: str, model: str = "m", **options: Any) -> Provider:
    """A provider for one of the protocols; its clock is a :class:`FakeClock` unless given."""
    vendor = "anthropic" if api == "anthropic" else "openai"
    url = server.url if api == "anthropic" else server.openai_url
    settings = {"clock": FakeClock(), "share": lambda: 0.5, "limiter": Limiter(), **options}
    chosen = None if api == "anthropic" else api
    settings.setdefault("key", "secret-of-the-test")
    return provider_for(f"{vendor}/{model}", base_url=url, api=chosen, **settings)


def user(*parts: str | Any) -> Message:
    """A message of the user; strings are texts."""
    return Message("user", tuple(Text(part) if isinstance(part, str) else part for part in parts))


def question(*messages: Message | str, **settings: Any) -> Request:
    """A request with a system prompt; strings are messages of the user."""
    told = tuple(user(message) if isinstance(message, str) else message for message in messages)
    settings.setdefault("system", "You build houses.")
    return Request(messages=told or (user("Build."),), **settings)
