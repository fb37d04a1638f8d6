# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a conversation a model is shown again: the task always, of the rest the last steps.

A step is what the model said and what it was told after it. Cutting by whole steps keeps the order
of roles that providers ask for. The same conversation is always cut the same way.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from .messages import Message, Picture, Text, ToolCall, ToolResult

#: Characters in one token, a rule of thumb for English and code.
CHARACTERS_PER_TOKEN = 4
#: Pixels of a picture that count as one token: what providers ask for lies round this.
PIXELS_PER_TOKEN = 750
#: A picture of which nothing can be read counts as one of 512 x 512.
_UNREADABLE = (512, 512)
_PNG = b"\x89PNG\r\n\x1a\n"


def tokens_of_text(text: str) -> int:
    """Estimated tokens of a text, rounded up."""
    return -(-len(text) // CHARACTERS_PER_TOKEN)


def tokens_of(messages: Iterable[Message]) -> int:
    """Estimated tokens of messages: characters, and pictures by their size."""
    return sum(_tokens(part) for message in messages for part in message.parts)


def _tokens(part: object) -> int:
    if isinstance(part, Text):
        return tokens_of_text(part.text)
    if isinstance(part, Picture):
        width, height = _size(part.data)
        return -(-width * height // PIXELS_PER_TOKEN)
    if isinstance(part, ToolCall):
        return tokens_of_text(part.name + (part.raw or str(part.arguments)))
    if isinstance(part, ToolResult):
        return sum(_tokens(inner) for inner in part.content)
    return 0


def _size(png: bytes) -> tuple[int, int]:
    """Width and height of a PNG, from its first chunk."""
    if not png.startswith(_PNG) or len(png) < 24:
        return _UNREADABLE
    width, height = struct.unpack(">II", png[16:24])
    return width, height


@dataclass(frozen=True)
class Shown:
    """Messages to send; the first ``stable`` are the same in every later request."""

    messages: tuple[Message, ...]
    stable: int
    left_out: int


class History:
    """A conversation about one task.

    ``head`` is always kept: the task, its pictures, the plan. ``steps`` is how many of the last
    steps are shown; ``tokens``, if given, an estimated ceiling for head and steps together, for
    which older steps are left out too. The last step is always shown.
    """

    def __init__(self, head: Sequence[Message], steps: int = 5, tokens: int | None = None) -> None:
        self.head = tuple(head)
        self._keep = max(1, steps)
        self._ceiling = tokens
        self._steps: list[list[Message]] = []

    def __len__(self) -> int:
        """Steps so far."""
        return len(self._steps)

    def said(self, message: Message | None) -> None:
        """Begin a step with what the model said, ``None`` if that is nothing to be repeated."""
        self._steps.append([] if message is None else [message])

    def told(self, message: Message) -> None:
        """Add what the model was told to its step."""
        if not self._steps:
            self._steps.append([])
        self._steps[-1].append(message)

    def shown(self) -> Shown:
        """What the next request holds."""
        kept = self._steps[-self._keep :]
        if self._ceiling is not None:
            room = self._ceiling - tokens_of(self.head)
            while len(kept) > 1 and sum(map(tokens_of, kept)) > room:
                kept = kept[1:]
        steps = tuple(message for step in kept for message in step)
        return Shown((*self.head, *steps), len(self.head), len(self._steps) - len(kept))
