# SPDX-License-Identifier: GPL-3.0-or-later
"""An SDK's stream, read in a thread of its own so that whoever waits for it can always leave.

The SDKs block in a socket. Their thread hands each event over as plain data; the caller waits for
the next event, the time limit or a request to stop, whichever comes first, and on leaving breaks
the connection, so that the thread ends and the provider stops writing.
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Callable, Generator, Mapping
from typing import Any, Literal

from .base import Cancel

_local = threading.local()


class TimedOut(Exception):
    """The whole answer took too long."""


class Broken(Exception):
    """The SDK raised ``error``."""

    def __init__(self, error: Exception) -> None:
        super().__init__(type(error).__name__)
        self.error = error


class Stream:
    """Reads what ``begin`` returns: an iterator of the SDK's events that can be closed."""

    def __init__(self, begin: Callable[[], Any]) -> None:
        self._begin = begin
        self._news: queue.SimpleQueue[tuple[Literal["event", "end", "error", "leave"], Any]] = (
            queue.SimpleQueue()
        )
        self._left = threading.Event()
        self._lock = threading.Lock()
        self._socket: socket.socket | None = None
        self._thread = threading.Thread(target=self._read, name="plumbline model", daemon=True)

    def events(self, cancel: Cancel, seconds: float) -> Generator[Mapping[str, Any], None, None]:
        """The events, as plain data, for at most so many seconds.

        Raises ``Cancelled``, :class:`TimedOut` and :class:`Broken`.
        """
        deadline = time.monotonic() + seconds
        forget = cancel.on_request(lambda: self._news.put(("leave", None)))
        self._thread.start()
        try:
            while True:
                kind, value = self._next(deadline)
                cancel.check()
                if kind == "error":
                    raise Broken(value)
                if kind == "end":
                    return
                yield value
        finally:
            forget()
            self.leave()

    def _next(self, deadline: float) -> tuple[str, Any]:
        try:
            return self._news.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise TimedOut from None

    def leave(self) -> None:
        """Let go: whatever the thread waits for breaks off."""
        with self._lock:
            self._left.set()
            self._break()

    def _break(self) -> None:
        if self._socket is not None:
            with contextlib.suppress(OSError):
                # Not the TLS socket's own method: it would take away what the reader stands on.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def _read(self) -> None:
        _local.stream = self
        try:
            with contextlib.closing(self._begin()) as stream:
                for event in stream:
                    if self._left.is_set():
                        return
                    self._news.put(("event", event.to_dict(warnings=False)))
            self._news.put(("end", None))
        except Exception as error:
            # Whatever it is, the caller is told; nobody listens any more if it has left.
            self._news.put(("error", error))
        finally:
            with self._lock:
                self._socket = None

    def trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Follow the connection that the HTTP library opens; called by it at every step."""
        if name.endswith(("connect_tcp.complete", "start_tls.complete")):
            found = info["return_value"].get_extra_info("socket")
            with self._lock:
                self._socket = found
                if self._left.is_set():
                    self._break()


def follow(request: Any) -> None:
    """Event hook of the HTTP client: lets the stream of this thread follow its connection."""
    stream = getattr(_local, "stream", None)
    if stream is not None:
        request.extensions["trace"] = stream.trace
