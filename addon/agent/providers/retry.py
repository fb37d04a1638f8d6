# SPDX-License-Identifier: GPL-3.0-or-later
"""When to ask again: exponential backoff with full jitter, but never before the provider wants."""

from __future__ import annotations

import email.utils
import math
import random
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol

from .base import Cancel


class Clock(Protocol):
    """Time as retries need it; tests have one of their own."""

    def now(self) -> float:
        """s that only ever grow."""
        ...

    def wall(self) -> float:
        """s since 1970, to read dates of HTTP by."""
        ...

    def wait(self, cancel: Cancel, seconds: float) -> None:
        """Sleep. Raises ``Cancelled``."""
        ...


class SystemClock:
    """The machine's own time."""

    def now(self) -> float:
        """s that only ever grow."""
        return time.monotonic()

    def wall(self) -> float:
        """s since 1970."""
        return time.time()

    def wait(self, cancel: Cancel, seconds: float) -> None:
        """Sleep. Raises ``Cancelled``."""
        cancel.wait(seconds)


@dataclass(frozen=True)
class Policy:
    """How often and how long. ``patience``: s of waiting in all for one question.

    After a time-out it asks once more only, since each such try takes its whole time again.
    """

    tries: int = 6
    base: float = 1.0
    ceiling: float = 30.0
    patience: float = 300.0
    tries_after_timeout: int = 2


@dataclass
class Backoff:
    """The waits for one question. ``share`` returns a number in 0..1, by chance."""

    policy: Policy
    share: Callable[[], float] = random.random
    failures: int = 0
    timeouts: int = 0
    waited: float = field(default=0.0)

    def next(self, asked: float | None, timed_out: bool = False) -> float | None:
        """s to wait after one more failure, ``None`` to give up.

        ``asked``: s that the provider wants us to wait; the wait is never shorter.
        """
        self.failures += 1
        self.timeouts += timed_out
        if self.failures >= self.policy.tries:
            return None
        if self.timeouts >= self.policy.tries_after_timeout:
            return None
        window = min(self.policy.ceiling, self.policy.base * 2.0 ** (self.failures - 1))
        wait = self.share() * window
        if asked is not None:
            # The others who were turned away wait as long: don't come back all at once.
            wait = asked + self.share() * self.policy.base
        if self.waited + wait > self.policy.patience:
            return None
        self.waited += wait
        return wait


def retry_after(headers: Mapping[str, str], wall: float) -> float | None:
    """s that an answer's headers ask to wait, from ``wall``; ``None`` if they don't.

    ``retry-after-ms`` of OpenAI, ``Retry-After`` in seconds or as a date (RFC 9110, 10.2.3).
    """
    for name, unit in (("retry-after-ms", 1e-3), ("retry-after", 1.0)):
        text = headers.get(name)
        if text is None:
            continue
        try:
            seconds = float(text) * unit
        except ValueError:
            seconds = _until(text, wall)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _until(text: str, wall: float) -> float:
    try:
        return email.utils.parsedate_to_datetime(text).timestamp() - wall
    except (TypeError, ValueError, OverflowError):
        return math.nan
