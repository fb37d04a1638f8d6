# SPDX-License-Identifier: GPL-3.0-or-later
"""A conversation in the order that providers insist on.

Each call of a tool is answered in the very next message, no answer comes without its call, and
nothing is empty. Histories that were cut, replies that broke off and tools that never ran would
otherwise be refused with an error that helps nobody.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ..messages import Message, Part, Picture, Text, ToolCall, ToolResult

_NOT_RUN = "This call was not run."
_BEGIN = "(The beginning of this conversation was left out.)"


@dataclass(frozen=True)
class Sent:
    """A message as it is sent, and the index of the last of the given ones that is part of it."""

    message: Message
    origin: int


def paired(messages: Iterable[Message]) -> list[Sent]:
    """The conversation in order; what is already in order stays the same objects."""
    given = [Sent(message, index) for index, message in enumerate(messages)]
    sent: list[Sent] = []
    at = 0
    while at < len(given):
        message, origin = given[at].message, given[at].origin
        at += 1
        calls = [part for part in message.parts if isinstance(part, ToolCall)]
        if message.role == "assistant" and calls:
            results: list[ToolResult] = []
            last = origin
            while at < len(given) and given[at].message.role == "tool":
                results += [p for p in given[at].message.parts if isinstance(p, ToolResult)]
                last, at = given[at].origin, at + 1
            sent.append(Sent(message, origin))
            sent += _answers(calls, results, last)
        elif message.role == "tool":
            sent.append(Sent(Message("user", _told(message.parts)), origin))
        elif _says_something(message):
            sent.append(Sent(message, origin))
    if sent and sent[0].message.role != "user":
        sent.insert(0, Sent(Message("user", (Text(_BEGIN),)), 0))
    return sent


def _answers(calls: list[ToolCall], results: list[ToolResult], origin: int) -> list[Sent]:
    """The tool message that answers all calls in their order, and what answers none of them."""
    by_id = {result.call_id: result for result in reversed(results)}
    not_run = (Text(_NOT_RUN),)
    answers = tuple(
        by_id.pop(call.id, ToolResult(call.id, call.name, not_run, failed=True)) for call in calls
    )
    found = [Sent(Message("tool", answers), origin)]
    if by_id:
        found.append(Sent(Message("user", _told(tuple(by_id.values()))), origin))
    return found


def _told(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Results whose call is gone, as plain words."""
    told: list[Part] = []
    for part in parts:
        if isinstance(part, ToolResult):
            told += [Text(f"Earlier result of {part.name}:"), *part.content]
    return tuple(told)


def _says_something(message: Message) -> bool:
    return any(not isinstance(p, Text) or p.text.strip() for p in message.parts)


def without_pictures(result: ToolResult) -> tuple[str, tuple[Text | Picture, ...]]:
    """A result for a protocol whose results are text: the text, and what is shown after it."""
    text = "\n".join(part.text for part in result.content if isinstance(part, Text))
    pictures = [part for part in result.content if isinstance(part, Picture)]
    if not pictures:
        return text, ()
    names = ", ".join(picture.name for picture in pictures)
    note = f"(Pictures of this result follow: {names}.)"
    caption = Text(f"Pictures from {result.name} ({names}):")
    return f"{text}\n{note}".strip(), (caption, *pictures)
