# SPDX-License-Identifier: GPL-3.0-or-later
"""A request to the local model server, whatever its protocol."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from model_server_formats import ANTHROPIC, CHAT, RESPONSES


@dataclass(frozen=True)
class Ask:
    """One request; ``headers`` have lower-case names."""

    api: str
    path: str
    headers: dict[str, str] = field(repr=False)
    body: dict[str, Any] = field(repr=False)

    @property
    def key(self) -> str | None:
        """The key that came with it."""
        bearer = self.headers.get("authorization", "")
        return self.headers.get("x-api-key") or bearer.removeprefix("Bearer ").strip() or None

    @property
    def model(self) -> str:
        """The model that is asked."""
        return str(self.body.get("model"))

    @property
    def system(self) -> str:
        """The system prompt."""
        if self.api == CHAT:
            told = [m for m in self.messages if m.get("role") in ("system", "developer")]
            return "\n".join(_texts(told))
        said = self.body.get("system" if self.api == ANTHROPIC else "instructions") or ""
        return said if isinstance(said, str) else "\n".join(_texts(said))

    @property
    def messages(self) -> list[dict[str, Any]]:
        """The messages (or items) as sent."""
        said = self.body.get("input" if self.api == RESPONSES else "messages")
        return [m for m in said if isinstance(m, dict)] if isinstance(said, list) else []

    @property
    def last(self) -> str:
        """All text that came after the model's newest own words."""
        newest: list[str] = []
        for message in reversed(self.messages):
            if message.get("role") == "assistant" or message.get("type") == "function_call":
                break
            if message.get("role") in ("system", "developer"):
                continue
            newest = [*_texts([message]), *newest]
        return "\n".join(newest)

    @property
    def text(self) -> str:
        """All text of all messages, without the system prompt's."""
        return "\n".join(_texts([m for m in self.messages if m.get("role") != "system"]))

    @property
    def tools(self) -> list[str]:
        """Names of the tools on offer."""
        return [t.get("name") or t["function"]["name"] for t in self.body.get("tools", [])]

    @property
    def pictures(self) -> int:
        """Number of pictures in all messages."""
        return len(re.findall(r'"type": "(?:image|input_image|image_url)"', json.dumps(self.body)))


def _texts(value: Any) -> Iterator[str]:
    """Every text within messages of whatever protocol, in order."""
    if isinstance(value, list):
        for inner in value:
            yield from _texts(inner)
    elif isinstance(value, dict):
        for name, inner in value.items():
            if name in ("text", "output", "content") and isinstance(inner, str):
                yield inner
            elif name in ("content", "output"):
                yield from _texts(inner)
