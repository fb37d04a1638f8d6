# SPDX-License-Identifier: GPL-3.0-or-later
"""How long a person has been building, pauses left out. No ``bpy``."""

from __future__ import annotations

import time
from collections.abc import Callable


class Clock:
    """Runs from the moment it is made; ``seconds`` are those of before. ``now`` only grows, s."""

    def __init__(self, seconds: float = 0.0, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._before = seconds
        self._since: float | None = now()

    @property
    def running(self) -> bool:
        """Whether it counts just now."""
        return self._since is not None

    @property
    def seconds(self) -> float:
        """What it has counted, s."""
        return self._before + (self._now() - self._since if self._since is not None else 0.0)

    def pause(self) -> None:
        """Count no more until :meth:`resume`."""
        self._before, self._since = self.seconds, None

    def resume(self) -> None:
        """Go on counting."""
        if self._since is None:
            self._since = self._now()


def clock_words(seconds: float) -> str:
    """``12:05``, ``1:02:05``: minutes and seconds, and hours where there are any."""
    whole = int(seconds)
    hours, minutes, rest = whole // 3600, whole // 60 % 60, whole % 60
    return f"{hours}:{minutes:02d}:{rest:02d}" if hours else f"{minutes}:{rest:02d}"
