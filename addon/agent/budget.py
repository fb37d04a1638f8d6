# SPDX-License-Identifier: GPL-3.0-or-later
"""What an episode may spend, what it has spent, and which limit ran out first."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from .agents import Limits
from .messages import Usage

#: Refusals after which an episode ends: the second says that the first was meant.
REFUSALS = 2


class Ended(Exception):
    """An episode is over. ``end`` is the word of :class:`.agents.Built`."""

    def __init__(self, end: str, message: str) -> None:
        super().__init__(message)
        self.end = end


class Budget:
    """Counts what one episode spends against its limits.

    An attempt is one answer to a request for code, whatever became of it: answers without usable
    code count as well, or a model that never writes any would be asked for ever.
    """

    def __init__(self, limits: Limits, clock: Callable[[], float] = time.monotonic) -> None:
        self.limits = limits
        self._clock = clock
        self._begin = clock()
        self.attempts = 0
        self.refusals = 0
        self.usage = Usage()

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """What is done meanwhile is our own affair and takes none of the episode's time."""
        begin = self._clock()
        try:
            yield
        finally:
            self._begin += self._clock() - begin

    @property
    def seconds(self) -> float:
        """Seconds since the episode began."""
        return self._clock() - self._begin

    @property
    def seconds_left(self) -> float | None:
        """Seconds until the limit, ``None`` without one."""
        limit = self.limits.seconds
        return None if limit is None else max(0.0, limit - self.seconds)

    @property
    def attempts_left(self) -> int:
        """Attempts that may still be made."""
        return max(0, self.limits.attempts - self.attempts)

    def check_time(self) -> None:
        """Raise :class:`Ended` if the time ran out."""
        limit = self.limits.seconds
        if limit is not None and self.seconds >= limit:
            raise Ended("seconds", f"the limit of {limit:g} s ran out")

    def check(self) -> None:
        """Raise :class:`Ended` naming the first limit that ran out, of all but the attempts."""
        self.check_time()
        limits, usage = self.limits, self.usage
        if limits.tokens is not None and usage.tokens >= limits.tokens:
            raise Ended("tokens", f"the limit of {limits.tokens:,} tokens ran out")
        if limits.cost is not None and usage.cost is not None and usage.cost >= limits.cost:
            raise Ended("cost", f"the limit of {limits.cost:g} US dollars ran out")

    def attempt(self) -> int:
        """Take one attempt; returns its number, from 1. Raises :class:`Ended`."""
        self.check()
        if self.attempts >= self.limits.attempts:
            raise Ended("attempts", f"all {self.limits.attempts} attempts are used up")
        self.attempts += 1
        return self.attempts

    def spend(self, usage: Usage) -> None:
        """Count the tokens and the cost of one reply."""
        self.usage = self.usage + usage

    def refused(self) -> None:
        """Count a refusal. Raises :class:`Ended` at the second."""
        self.refusals += 1
        if self.refusals >= REFUSALS:
            raise Ended("refusal", f"the model declined {self.refusals} times")

    @property
    def cost_unknown(self) -> bool:
        """Whether there is a limit on cost that can't be kept, since the model has no price."""
        return self.limits.cost is not None and self.usage.cost is None

    def plain(self) -> Mapping[str, Any]:
        """What was spent, for a transcript."""
        return {
            "attempts": self.attempts,
            "seconds": round(self.seconds, 3),
            "tokens": self.usage.tokens,
            "cost": self.usage.cost,
        }
