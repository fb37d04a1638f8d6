# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work beside an open window: started, shown with its progress, called off. Main thread only.

Whatever takes longer than a moment runs here: checks of large scenes, runs being opened, pictures,
simulations. What is quick ends before :func:`start` returns, so that callers need no second way.
Without a window (in background, where timers don't run) everything ends before it returns.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import bpy

from .gallery import redraw
from .job import Job

#: Work that is over within this time is not noticed by anybody, s.
MOMENT = 0.2
#: Between two ticks, s.
INTERVAL = 0.05
_PAUSE = 0.002


class Work:
    """One piece of work as it is shown: ``title``, what it does now, and how far it is.

    ``done`` of ``total`` steps; ``total`` is 0 while nobody knows. The work itself tells with
    ``job.tell("progress", done=, total=, words=)``.
    """

    def __init__(
        self, title: str, job: Job, then: Callable[[Any], None], failed: Callable[[str], None]
    ) -> None:
        self.title = title
        self.job = job
        self.words = ""
        self.done = 0
        self.total = 0
        self._then = then
        self._failed = failed

    @property
    def share(self) -> float | None:
        """How much is done, 0 to 1; ``None`` while nobody knows."""
        return min(1.0, self.done / self.total) if self.total > 0 else None

    @property
    def left(self) -> float | None:
        """How long it may still take, s, if it goes on as it did; ``None`` while nobody knows."""
        share = self.share
        return self.job.seconds * (1.0 - share) / share if share else None

    def cancel(self) -> None:
        """Ask it to stop; it does within moments, and ``then`` is not called."""
        self.job.stop()

    def tick(self) -> None:
        """Serve it and take in what it told; at its end hand the result on."""
        for event in self.job.tick():
            if event.kind == "progress":
                self.done = int(event.content.get("done", self.done))
                self.total = int(event.content.get("total", self.total))
                self.words = str(event.content.get("words", self.words))

    def settle(self) -> None:
        """Hand the result on; once it is over."""
        if self.job.state == "finished":
            self._then(self.job.result)
        elif self.job.state == "failed":
            error = self.job.error
            self._failed(str(error) or type(error).__name__)


_works: list[Work] = []


def now() -> tuple[Work, ...]:
    """Everything that is at work, the oldest first."""
    return tuple(_works)


def start(
    title: str,
    work: Callable[[Job], Any],
    then: Callable[[Any], None],
    failed: Callable[[str], None],
    wait: float = MOMENT,
) -> Work:
    """Run ``work(job)`` in a thread, then ``then(result)`` or ``failed(sentence)`` here.

    It is waited for at most ``wait`` s, without a window until it is over.
    """
    found = Work(title, Job(work, "plumbline-work"), then, failed)
    found.job.start()
    end = time.monotonic() + wait
    while not found.job.over and (bpy.app.background or time.monotonic() < end):
        found.tick()
        time.sleep(_PAUSE)
    if found.job.over:
        found.settle()
        return found
    _works.append(found)
    if not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=INTERVAL, persistent=True)
    redraw()
    return found


def _on_timer() -> float | None:
    for found in list(_works):
        found.tick()
        if found.job.over:
            _works.remove(found)
            found.settle()
    redraw()
    return INTERVAL if _works else None


def close() -> None:
    """Call everything off: another file was loaded, or the extension goes. Nothing is handed on."""
    for found in _works:
        found.job.join(0.0)
    _works.clear()
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)
