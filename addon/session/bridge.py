# SPDX-License-Identifier: GPL-3.0-or-later
"""Lets a thread have things done by the main thread, the only one that may touch Blender's data.

The thread asks and waits; the main thread answers in its own time, when it calls
:meth:`MainThread.serve`. No ``bpy`` here.
"""

from __future__ import annotations

import contextlib
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from ..agent.providers.base import Cancel, Cancelled

#: Says why something can't be done just now (the person is in Edit Mode), ``None`` if it can.
Hindrance = Callable[[], str | None]


class _Errand:
    """One thing to be done, and what came of it."""

    def __init__(
        self, work: Callable[[], Any], hindrance: Hindrance | None, posted: bool = False
    ) -> None:
        self.work = work
        self.posted = posted
        self.hindrance = hindrance
        self.done = threading.Event()
        self.result: Any = None
        self.error: BaseException | None = None

    def run(self) -> None:
        try:
            self.result = self.work()
        except BaseException as error:  # whatever it is, it belongs to the thread that asked
            self.error = error
        self.done.set()


class MainThread:
    """The main thread, as a thread sees it. Made on the main thread.

    ``told`` is called on the main thread with the hindrance that an errand waits for, and with
    ``None`` once it is gone.
    """

    def __init__(self, cancel: Cancel, told: Callable[[str | None], None] = lambda _: None) -> None:
        self._cancel = cancel
        self._told = told
        self._waiting: deque[_Errand] = deque()
        self._lock = threading.Lock()
        self._owner = threading.get_ident()
        self._hindered: str | None = None

    def call(self, work: Callable[[], Any], hindrance: Hindrance | None = None) -> Any:
        """Have ``work`` done by the main thread; returns what it returns, raises what it raises.

        It waits while ``hindrance`` gives a reason. Raises ``Cancelled`` if somebody asks to stop
        before it has begun; what has begun is waited for. Called by the main thread itself, the
        work is done at once.
        """
        if threading.get_ident() == self._owner:
            return work()
        self._cancel.check()
        errand = _Errand(work, hindrance)
        with self._lock:
            self._waiting.append(errand)
        take_back = self._cancel.on_request(lambda: self._withdraw(errand))
        try:
            errand.done.wait()
        finally:
            take_back()
        if errand.error is not None:
            raise errand.error
        return errand.result

    def post(self, work: Callable[[], Any], hindrance: Hindrance | None = None) -> None:
        """Have ``work`` done by the main thread without waiting for it.

        It is dropped if somebody asks to stop before it has begun. Its errors are told as a
        hindrance would be: they must not end the thread, which doesn't depend on it.
        """
        errand = _Errand(work, hindrance, posted=True)
        with self._lock:
            self._waiting.append(errand)
        self._cancel.on_request(lambda: self._withdraw(errand))

    @property
    def idle(self) -> bool:
        """Whether nothing waits to be done."""
        with self._lock:
            return not self._waiting

    def _withdraw(self, errand: _Errand) -> None:
        with self._lock, contextlib.suppress(ValueError):  # it is under way, or done
            self._waiting.remove(errand)
            errand.error = Cancelled()
            errand.done.set()

    def serve(self, seconds: float) -> None:
        """Do what waits, in order; begin nothing new after ``seconds``. For the main thread."""
        end = time.monotonic() + seconds
        while (errand := self._next()) is not None:
            errand.run()
            if errand.error is not None and errand.posted:
                self._told(f"{type(errand.error).__name__}: {errand.error}")
            if time.monotonic() >= end:
                return

    def _next(self) -> _Errand | None:
        """The first errand if nothing hinders it, taken out of the line."""
        with self._lock:
            first = self._waiting[0] if self._waiting else None
        if first is None:
            return None
        reason = first.hindrance() if first.hindrance is not None else None
        if reason != self._hindered:
            self._hindered = reason
            self._told(reason)
        if reason is not None:
            return None
        with self._lock:
            if not self._waiting or self._waiting[0] is not first:  # withdrawn meanwhile
                return None
            return self._waiting.popleft()
