# SPDX-License-Identifier: GPL-3.0-or-later
"""An alarm that ends Python code which runs too long on the main thread.

It stops Python between two steps of its own: not a call into C that doesn't come back, and not code
that catches every exception. Windows has no such alarm.
"""

from __future__ import annotations

import signal
import threading
from types import FrameType, TracebackType
from typing import Any

#: After the first time it rings again so often, s: code may have swallowed the first one.
AGAIN = 0.5


class TooLong(BaseException):
    """The alarm rang. No ``Exception``: code that catches those must not get it."""


def available() -> bool:
    """Whether there is an alarm here and now: POSIX, on the main thread."""
    return hasattr(signal, "setitimer") and (threading.current_thread() is threading.main_thread())


class Alarm:
    """Raises :class:`TooLong` in the block after ``seconds``. Use as a context manager.

    ``rang`` tells afterwards whether it did, also where Blender or the code swallowed the
    exception. Where there is none the block simply runs.
    """

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.rang = False
        self._armed = False
        self._before: Any = None

    def __enter__(self) -> Alarm:
        if available():
            self._armed = True
            self._before = signal.signal(signal.SIGALRM, self._ring)
            signal.setitimer(signal.ITIMER_REAL, self.seconds, AGAIN)
        return self

    def _ring(self, _number: int, _frame: FrameType | None) -> None:
        if self._armed:
            self.rang = True
            raise TooLong(f"stopped after {self.seconds:g} s")

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> bool:
        try:
            self.disarm()
        except TooLong:  # it rang on the way out
            self.disarm()
        return isinstance(error, TooLong)

    def disarm(self) -> None:
        """Ring no more, and put back whoever heard the signal before."""
        if not self._armed and self._before is None:
            return
        self._armed = False
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, self._before)
        self._before = None
