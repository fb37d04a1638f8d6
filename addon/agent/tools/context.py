# SPDX-License-Identifier: GPL-3.0-or-later
"""What of a conversation with tools a model is shown again: all of it, old results cut short."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..messages import Message, Part, Picture, Text, ToolCall, ToolResult


@dataclass(frozen=True)
class Window:
    """How much of the results is shown. The defaults are those of the published harness.

    A result is cut at ``result`` characters; those older than the latest ``recent`` at ``old``. Of
    the pictures in results the newest ``pictures`` are shown, ``None`` for all; pictures of the
    task itself always are.
    """

    result: int = 6000
    recent: int = 10
    old: int = 200
    pictures: int | None = 1


@dataclass(frozen=True)
class Told:
    """The answer to one call, as text and pictures."""

    call: ToolCall
    text: str
    pictures: tuple[Picture, ...] = ()
    failed: bool = False


@dataclass
class _Results:
    """The answers to one reply; ``first`` counts the answers before them."""

    told: tuple[Told, ...]
    first: int
    #: How each was shown last, and the message: the same one is sent again while nothing changes.
    shape: tuple[tuple[int, int], ...] = ()
    message: Message | None = field(default=None)


class Context:
    """A conversation; ``head`` is the task. ``native``: results are tool results, else text."""

    def __init__(self, head: Sequence[Message], window: Window, native: bool) -> None:
        self.window = window
        self._native = native
        self._entries: list[Message | _Results] = list(head)
        self._answers = 0

    def add(self, message: Message) -> None:
        """What the model said, or what it is told beside results."""
        self._entries.append(message)

    def answered(self, told: Sequence[Told]) -> None:
        """The answers to the calls of one reply, in their order."""
        self._entries.append(_Results(tuple(told), self._answers))
        self._answers += len(told)

    def messages(self) -> tuple[Message, ...]:
        """What the next request holds."""
        hidden = self._hidden_pictures()
        return tuple(
            entry if isinstance(entry, Message) else self._message(entry, hidden)
            for entry in self._entries
        )

    def stable(self) -> int:
        """How many leading messages the request after the next one will most likely repeat."""
        changing = self._answers + 1 - self.window.recent
        for number, entry in enumerate(self._entries):
            if isinstance(entry, _Results):
                last = entry.first + len(entry.told)
                if entry.first < changing and last >= changing:
                    return number
        return len(self._entries)

    def _hidden_pictures(self) -> int:
        """How many pictures, from the first on, are no longer shown."""
        if self.window.pictures is None:
            return 0
        results = [entry for entry in self._entries if isinstance(entry, _Results)]
        total = sum(len(told.pictures) for entry in results for told in entry.told)
        return max(0, total - self.window.pictures)

    def _message(self, entry: _Results, hidden: int) -> Message:
        before = 0
        for other in self._entries:
            if other is entry:
                break
            if isinstance(other, _Results):
                before += sum(len(told.pictures) for told in other.told)
        shape = []
        for number, told in enumerate(entry.told, start=entry.first):
            old = number < self._answers - self.window.recent
            shape.append(
                (
                    self.window.old if old else self.window.result,
                    min(len(told.pictures), max(0, hidden - before)),
                )
            )
            before += len(told.pictures)
        if entry.message is None or tuple(shape) != entry.shape:
            entry.shape = tuple(shape)
            entry.message = self._built(entry)
        return entry.message

    def _built(self, entry: _Results) -> Message:
        parts: list[Part] = []
        for told, (limit, hidden) in zip(entry.told, entry.shape, strict=True):
            content: list[Text | Picture] = [Text(cut(told.text, limit))]
            if hidden:
                content.append(Text(f"({hidden} older picture{'s' * (hidden > 1)} left out)"))
            content += told.pictures[hidden:]
            call = told.call
            if self._native:
                parts.append(ToolResult(call.id, call.name, tuple(content), told.failed))
            else:
                parts += [Text(f'<tool_result name="{call.name}">'), *content]
                parts.append(Text("</tool_result>"))
        return Message("tool" if self._native else "user", tuple(parts))


def cut(text: str, limit: int) -> str:
    """The text cut to ``limit`` characters, with a word on how much is missing."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}… (cut: {len(text) - limit:,} more characters)"
