# SPDX-License-Identifier: GPL-3.0-or-later
"""How many questions one provider gets at the same time: fewer as soon as it says "too many"."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator

from .base import Cancel

#: Questions at once, as long as nobody complains.
MOST = 16
#: s without complaint until one more is tried.
RECOVERY = 30.0
#: s in which further complaints are about what was sent before the width was halved.
SETTLING = 2.0


class Limiter:
    """A number of places for threads; halved on complaint, given back one by one."""

    def __init__(self, most: int = MOST, now: Callable[[], float] = time.monotonic) -> None:
        self.most = self.width = max(1, most)
        self._now = now
        self._taken = 0
        self._changed: float | None = None
        self._free = threading.Condition()

    @contextlib.contextmanager
    def place(self, cancel: Cancel) -> Iterator[None]:
        """Hold one place, waiting for it if need be. Raises ``Cancelled``."""
        self._take(cancel)
        try:
            yield
        finally:
            with self._free:
                self._taken -= 1
                self._free.notify_all()

    def _take(self, cancel: Cancel) -> None:
        forget = cancel.on_request(self._wake)
        try:
            with self._free:
                self._free.wait_for(lambda: cancel.requested or self._taken < self.width)
                cancel.check()
                self._taken += 1
        finally:
            forget()

    def _wake(self) -> None:
        with self._free:
            self._free.notify_all()

    def complain(self) -> None:
        """The provider was asked too much: halve."""
        with self._free:
            if self._changed is None or self._now() - self._changed >= SETTLING:
                self.width = max(1, self.width // 2)
                self._changed = self._now()

    def succeed(self) -> None:
        """A question was answered: widen by one if all was calm for long enough."""
        with self._free:
            if self._changed is None or self._now() - self._changed < RECOVERY:
                return
            self.width += 1
            self._changed = None if self.width >= self.most else self._now()
            self._free.notify_all()


_shared: dict[str, Limiter] = {}
_lock = threading.Lock()


def shared(host: str) -> Limiter:
    """The one limiter of this process for a host."""
    with _lock:
        return _shared.setdefault(host, Limiter())
