# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a run is: a bar with the time left on a terminal, nothing where there is none."""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Callable, Mapping
from typing import Any, TextIO

from . import wording
from .console import Style

_BAR = 24  # columns
_ERASE = "\r\x1b[K"
_REDRAW_EVERY = 0.2  # s


class Progress:
    """A bar on the last line of standard error.

    ``total`` attempts are to be made. Off a terminal all methods do nothing: there the lines of the
    attempts themselves tell how far it is.
    """

    def __init__(
        self,
        stream: TextIO,
        style: Style,
        total: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._stream = stream
        self._style = style
        self._total = total
        self._clock = clock
        self._begin = self._last = clock()
        self._done = 0
        self._running: dict[str, str] = {}
        self._passed = 0
        self._cost: float | None = None
        self._drawn = float("-inf")
        self._shown = False

    def started(self, name: str) -> None:
        """An attempt begins."""
        self._running[name] = ""
        self.draw(force=True)

    def doing(self, name: str, what: str) -> None:
        """What a running attempt is doing now."""
        if name in self._running:
            self._running[name] = what

    def finished(self, name: str, record: Mapping[str, Any] | None = None) -> None:
        """An attempt ended, with that record."""
        self._done += 1
        self._last = self._clock()
        self._running.pop(name, None)
        if record is not None:
            self._passed += record["verdict"] == "passed"
            cost = (record.get("usage") or {}).get("cost")
            if cost is not None:
                self._cost = (self._cost or 0.0) + cost

    def left(self) -> float | None:
        """Seconds that are left at the pace so far; ``None`` until the first attempt ended."""
        if not self._done:
            return None
        pace = (self._last - self._begin) / self._done
        return max(0.0, pace * (self._total - self._done) - (self._clock() - self._last))

    def draw(self, force: bool = False) -> None:
        """Draw the bar, not more often than eyes can follow."""
        now = self._clock()
        if not self._style.terminal or (now - self._drawn < _REDRAW_EVERY and not force):
            return
        self._drawn = now
        filled = round(_BAR * self._done / self._total) if self._total else _BAR
        full, empty = ("█", "░") if self._style.unicode else ("#", ".")
        left = self.left()
        time_left = "" if left is None else f", {wording.seconds(math.ceil(left))} left"
        rate = f", {self._passed / self._done:.0%} passed" if self._done else ""
        cost = "" if self._cost is None else f", ${self._cost:.2f}"
        bar = full * filled + empty * (_BAR - filled)
        text = f"{bar} {self._done}/{self._total}{time_left}{rate}{cost}  {self._now()}"
        self._write(_ERASE + wording.clip(text, self._style.width - 1, self._style.ellipsis))
        self._shown = True

    def _now(self) -> str:
        """The running attempts, each with what it is doing."""
        told = (f"{name}: {what}" if what else name for name, what in self._running.items())
        return wording.printable(", ".join(told))

    def clear(self) -> None:
        """Take the bar away so that a line can be printed."""
        if self._shown:
            self._write(_ERASE)
            self._shown = False
            self._drawn = float("-inf")

    def _write(self, text: str) -> None:
        with contextlib.suppress(OSError, ValueError):
            self._stream.write(text)
            self._stream.flush()
