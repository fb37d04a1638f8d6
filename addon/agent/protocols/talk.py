# SPDX-License-Identifier: GPL-3.0-or-later
"""One conversation with a model: asks, counts, writes down, and never goes over the limits."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ..budget import Budget, Ended
from ..history import History
from ..messages import Message, Picture, Reply, Request, Text
from ..providers.base import Cancel, Cancelled, Provider
from ..transcript import Transcript
from .options import ProtocolOptions


def user(text: str, pictures: Sequence[Picture] = ()) -> Message:
    """A message to the model; each picture stands under its name."""
    parts: list[Text | Picture] = [Text(text)]
    for picture in pictures:
        parts += [Text(f"{picture.name}:"), picture]
    return Message("user", tuple(parts))


@dataclass(frozen=True)
class Line:
    """The line to a model: what every conversation of an episode shares."""

    provider: Provider
    budget: Budget
    transcript: Transcript
    cancel: Cancel
    options: ProtocolOptions
    progress: Callable[[str], None]
    on_text: Callable[[str], None]


class Talk:
    """A conversation with one system prompt and a head that is always kept."""

    def __init__(self, line: Line, system: str, head: Message) -> None:
        self._line = line
        self._system = system
        options = line.options
        self.history = History((head,), options.history, options.context_tokens)

    def ask(self, label: str) -> Reply:
        """Ask for the next answer.

        Raises :class:`Ended` where a limit ran out, before or while the model answered, and
        ``ProviderError`` and ``Cancelled`` as the provider does.
        """
        line = self._line
        line.cancel.check()
        line.budget.check()
        request = self._request()
        self._write(label, request)
        line.progress(f"{label}: waiting for the model")
        reply = in_time(line.provider, line.budget, line.cancel, line.on_text, request)
        line.transcript.reply(reply)
        line.budget.spend(reply.usage)
        # What has no text of its own can't be sent back: providers refuse empty messages.
        self.history.said(reply.message if reply.text.strip() else None)
        return reply

    def tell(self, text: str, pictures: Sequence[Picture] = ()) -> None:
        """Tell the model something, which it sees with the next question."""
        self.history.told(user(text, pictures))

    def _request(self) -> Request:
        options, shown = self._line.options, self.history.shown()
        return Request(
            self._system,
            shown.messages,
            max_tokens=options.max_tokens,
            temperature=options.temperature,
            seed=options.seed,
            effort=options.effort,
            stable=shown.stable,
        )

    def _write(self, label: str, request: Request) -> None:
        transcript = self._line.transcript
        transcript.event(
            "request",
            label=label,
            system=request.system,
            messages=[transcript.message(message) for message in request.messages],
            tools=[],
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            seed=request.seed,
            effort=request.effort,
            stable=request.stable,
        )


def in_time(
    provider: Provider,
    budget: Budget,
    cancel: Cancel,
    on_text: Callable[[str], None],
    request: Request,
) -> Reply:
    """Ask, and break the answer off when the episode's time runs out. Raises :class:`Ended`."""
    left = budget.seconds_left
    if left is None:
        return provider.complete(request, cancel, on_text)
    own = Cancel()
    forget = cancel.on_request(own.request)
    alarm = threading.Timer(left, own.request)
    alarm.daemon = True
    alarm.start()
    try:
        return provider.complete(request, own, on_text)
    except Cancelled:
        cancel.check()
        raise Ended("seconds", "the time ran out while the model was answering") from None
    finally:
        alarm.cancel()
        forget()
