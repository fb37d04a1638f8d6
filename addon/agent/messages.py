# SPDX-License-Identifier: GPL-3.0-or-later
"""What is said between us and a model, in the terms of no provider.

Providers translate these to their own protocol and back; transcripts store them. Everything is
frozen and turns into plain JSON, except the bytes of pictures, which transcripts keep as files.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["user", "assistant", "tool"]

#: How a reply ended. ``end``: it was done. ``tools``: it asks for tools. ``length``: it was cut off
#: at the limit of output tokens. ``refusal``: the model or its provider declined. ``empty``: it
#: ended without text and without a call.
Stop = Literal["end", "tools", "length", "refusal", "empty"]


@dataclass(frozen=True)
class Text:
    """A piece of text."""

    text: str


@dataclass(frozen=True)
class Picture:
    """A picture that the model is shown; ``name`` says what it shows (``front``)."""

    data: bytes = field(repr=False)
    name: str = "picture"
    media_type: str = "image/png"


@dataclass(frozen=True)
class ToolCall:
    """A model asks for a tool.

    ``arguments`` is ``None`` where what it sent is no JSON object; ``raw`` then holds its own
    characters and ``problem`` says in one sentence what is wrong with them, for the model to read.
    """

    id: str
    name: str
    arguments: Mapping[str, Any] | None
    raw: str = ""
    problem: str | None = None


@dataclass(frozen=True)
class ToolResult:
    """What a tool answered; ``content`` in order; ``failed`` if the call was wrong or broke."""

    call_id: str
    name: str
    content: tuple[Text | Picture, ...]
    failed: bool = False


Part = Text | Picture | ToolCall | ToolResult


@dataclass(frozen=True)
class Message:
    """One message. ``tool`` messages hold only tool results, ``assistant`` ones text and calls.

    ``opaque`` is what the provider wants back unchanged beside the parts (signed thoughts, ids of
    reasoning items), as plain JSON; it means nothing to anybody else.
    """

    role: Role
    parts: tuple[Part, ...]
    opaque: Any = None

    @property
    def text(self) -> str:
        """All of its text, pieces joined by line ends."""
        return "\n".join(part.text for part in self.parts if isinstance(part, Text))


@dataclass(frozen=True)
class ToolSpec:
    """A tool that a model may call; ``parameters`` is the JSON Schema of one object."""

    name: str
    description: str
    parameters: Mapping[str, Any]


@dataclass(frozen=True)
class Usage:
    """Tokens of one or more replies.

    ``input_tokens`` counts only what was read at the full price: what came from the cache and what
    was written into it are apart. ``reasoning_tokens`` are a share of ``output_tokens``. ``cost``
    is in US dollars, ``None`` where the model has no price in our table. ``uncounted`` of the
    ``calls`` came from a server that doesn't tell its tokens: all sums are then lower bounds, and
    the cost is ``None``. What a try cost that broke off is told by no provider and counted nowhere.
    """

    input_tokens: int = 0
    cached_tokens: int = 0
    cache_write_tokens: int = 0
    output_tokens: int = 0
    reasoning_tokens: int = 0
    cost: float | None = 0.0
    calls: int = 0
    uncounted: int = 0

    @property
    def tokens(self) -> int:
        """All tokens, in and out."""
        read = self.input_tokens + self.cached_tokens + self.cache_write_tokens
        return read + self.output_tokens

    def __add__(self, other: Usage) -> Usage:
        """The sum; its cost is unknown as soon as one of the two is."""
        known = self.cost is not None and other.cost is not None
        return Usage(
            self.input_tokens + other.input_tokens,
            self.cached_tokens + other.cached_tokens,
            self.cache_write_tokens + other.cache_write_tokens,
            self.output_tokens + other.output_tokens,
            self.reasoning_tokens + other.reasoning_tokens,
            (self.cost or 0.0) + (other.cost or 0.0) if known else None,
            self.calls + other.calls,
            self.uncounted + other.uncounted,
        )


@dataclass(frozen=True)
class Request:
    """One question to a model: what it is told and what it may use.

    What is ``None`` is left to the provider's own default. ``effort`` (``low``, ``medium``,
    ``high``, ...) is passed on where a provider has it. ``stable`` is the number of leading
    messages that later requests will repeat: providers that cache prompts mark their end.
    """

    system: str
    messages: tuple[Message, ...]
    tools: tuple[ToolSpec, ...] = ()
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    effort: str | None = None
    stable: int = 0


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    ``thoughts`` is its reasoning as far as the provider shows it. ``retries`` counts failed tries
    before this answer, ``seconds`` the time from asking to the last character, retries included.
    ``model`` and ``id`` are the provider's own words for what answered.
    """

    message: Message
    stop: Stop
    usage: Usage
    seconds: float = 0.0
    retries: int = 0
    thoughts: str = ""
    model: str | None = None
    id: str | None = None

    @property
    def text(self) -> str:
        """The text of the answer."""
        return self.message.text

    @property
    def calls(self) -> tuple[ToolCall, ...]:
        """The tools that it asks for, in order."""
        return tuple(part for part in self.message.parts if isinstance(part, ToolCall))
