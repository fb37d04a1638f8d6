# SPDX-License-Identifier: GPL-3.0-or-later
"""What every provider of models offers, and how it says that it can't."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Literal, Protocol

from ..messages import Reply, Request

#: Why there is no reply. ``key``: none, or not accepted. ``quota``: the account's means are spent,
#: and waiting doesn't help. ``offline``: Blender was told to stay off
#: the network. ``unreachable``: no connection, or it broke again and again. ``busy``: still over
#: the rate limit after all retries. ``server``: the provider's own fault. ``unknown``: there is no
#: such model, or no such address. ``request``: it refuses the question (context too long).
#: ``timeout``: no answer in time. ``missing``: the package that talks to it is not installed.
#: ``exhausted``: a replayed run holds no more replies.
Fault = Literal[
    "key",
    "quota",
    "offline",
    "unreachable",
    "busy",
    "server",
    "unknown",
    "request",
    "timeout",
    "missing",
    "exhausted",
]
#: Faults that the next question meets as well.
LASTING: tuple[Fault, ...] = ("key", "quota", "offline", "missing", "unknown")


class ProviderError(RuntimeError):
    """No reply was to be had. The message is one sentence with the remedy and holds no key."""

    def __init__(self, fault: Fault, message: str) -> None:
        super().__init__(message)
        self.fault: Fault = fault

    @property
    def lasting(self) -> bool:
        """Whether asking something else meets the same fault."""
        return self.fault in LASTING


class Cancelled(Exception):
    """Somebody asked to stop; nothing is wrong."""


class Cancel:
    """Asks whatever is under way to stop, from any thread; callbacks break off what blocks."""

    def __init__(self) -> None:
        self._event = threading.Event()
        self._lock = threading.Lock()
        self._callbacks: dict[int, Callable[[], None]] = {}
        self._next = 0

    @property
    def requested(self) -> bool:
        """Whether to stop."""
        return self._event.is_set()

    def request(self) -> None:
        """Ask to stop; every callback is called once."""
        with self._lock:
            self._event.set()
            callbacks = list(self._callbacks.values())
            self._callbacks.clear()
        for callback in callbacks:
            callback()

    def check(self) -> None:
        """Raise :class:`Cancelled` if somebody asked to stop."""
        if self._event.is_set():
            raise Cancelled

    def wait(self, seconds: float) -> None:
        """Sleep, unless somebody asks to stop: then raise :class:`Cancelled`."""
        if self._event.wait(seconds):
            raise Cancelled

    def on_request(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Have ``callback`` called when somebody asks to stop; returns what takes that back."""
        with self._lock:
            if not self._event.is_set():
                number = self._next
                self._next += 1
                self._callbacks[number] = callback
                return lambda: self._forget(number)
        callback()
        return lambda: None

    def _forget(self, number: int) -> None:
        with self._lock:
            self._callbacks.pop(number, None)


class Provider(Protocol):
    """A model that can be asked."""

    #: ``anthropic/claude-...`` as on the command line.
    name: str

    def complete(
        self, request: Request, cancel: Cancel, on_text: Callable[[str], None] | None = None
    ) -> Reply:
        """Ask and wait for the whole reply, streaming its text to ``on_text`` as it comes.

        Retries what is worth retrying. Raises :class:`ProviderError` and :class:`Cancelled`.
        """
        ...

    def close(self) -> None:
        """Close its connections."""
        ...
