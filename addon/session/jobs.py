# SPDX-License-Identifier: GPL-3.0-or-later
"""Long work beside an open window: started, shown with its progress, called off. Main thread only.

Whatever takes longer than a moment runs here: checks of large scenes, runs being opened, pictures,
simulations. What is quick ends before :func:`start` returns, so that callers need no second way.
Without a window (in background, where timers don't run) everything ends before it returns.

What goes wrong is kept as a :class:`Failure` until somebody has read it and dismissed it.
"""

from __future__ import annotations

import sys
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from itertools import count
from typing import Any

import bpy

from ..preferences import PACKAGE
from .gallery import redraw
from .job import JOIN, Job

#: Work that is over within this time is not noticed by anybody, s.
MOMENT = 0.2
#: Between two ticks, s.
INTERVAL = 0.05
#: Between two redraws of the progress, s.
REDRAWN = 0.2
_PAUSE = 0.002

# A redraw asks Python for every panel there is, and waits each time until a thread that computes
# lets go. Sixty such waits beside a loop of plain Python take 0.4 s with Python's own 5 ms, and
# 0.09 s with this. (The checks let go by themselves while NumPy computes.)
_SWITCH = 0.0005  # s

# The first per cent of a piece of work tell nothing of the rest.
_TELLING_SHARE, _TELLING_SECONDS = 0.04, 0.5

_serials = count(1)


@dataclass(frozen=True)
class Failure:
    """Work that came to nothing: a sentence for people, and the traceback where it was a crash."""

    title: str
    sentence: str
    trace: str | None = None
    serial: int = -1


class Work:
    """One piece of work as it is shown: ``title``, what it does now, and how far it is.

    ``done`` of ``total`` steps; ``total`` is 0 while nobody knows. The work itself tells with
    ``job.tell("progress", done=, total=, words=)``. ``serial`` is unique in the session.
    """

    def __init__(
        self, title: str, job: Job, then: Callable[[Any], None], failed: Callable[[str], None]
    ) -> None:
        self.title = title
        self.job = job
        self.words = ""
        self.done = 0.0
        self.total = 0.0
        self.serial = next(_serials)
        self._then = then
        self._failed = failed

    @property
    def share(self) -> float | None:
        """How much is done, 0 to 1; ``None`` while nobody knows."""
        return max(0.0, min(1.0, self.done / self.total)) if self.total > 0 else None

    @property
    def left(self) -> float | None:
        """How long it may still take, s, if it goes on as it did; ``None`` while nobody knows."""
        share, seconds = self.share, self.job.seconds
        if not share or share < _TELLING_SHARE or seconds < _TELLING_SECONDS:
            return None
        return seconds * (1.0 - share) / share

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and hasn't yet."""
        return self.job.cancel.requested and not self.job.over

    def cancel(self) -> None:
        """Ask it to stop; it does within moments, and ``then`` is not called."""
        self.job.stop()

    def tick(self) -> None:
        """Serve it and take in what it told."""
        for event in self.job.tick():
            if event.kind == "progress":
                self.done = float(event.content.get("done", self.done))
                self.total = float(event.content.get("total", self.total))
                self.words = str(event.content.get("words", self.words))

    def settle(self) -> None:
        """Hand the result on, or say what went wrong; once it is over.

        Work that was called off hands on nothing, even if it ended by itself just then.
        """
        if self.job.cancel.requested:
            return
        if self.job.state == "finished":
            self._then(self.job.result)
        elif self.job.state == "failed":
            sentence = _sentence(self.job.error, self.job.trace)
            keep_failure(self.title, sentence, self.job.trace)
            self._failed(sentence)


_works: list[Work] = []
_failures: list[Failure] = []
_usual_switch: list[float] = []
_drawn = [0.0]


def now() -> tuple[Work, ...]:
    """Everything that is at work, the oldest first."""
    return tuple(_works)


def find(serial: int) -> Work | None:
    """The piece of work of that serial, ``None`` once it is over."""
    return next((work for work in _works if work.serial == serial), None)


def failures() -> tuple[Failure, ...]:
    """What went wrong and was not dismissed yet, the oldest first."""
    return tuple(_failures)


def keep_failure(title: str, sentence: str, trace: str | None = None) -> None:
    """Show a message until it is dismissed; it takes the place of an earlier one on this title."""
    _failures[:] = [f for f in _failures if f.title != title]
    _failures.append(Failure(title, sentence, trace, next(_serials)))
    redraw()


def dismiss(serial: int) -> None:
    """Take a message away."""
    _failures[:] = [f for f in _failures if f.serial != serial]


def start(
    title: str,
    work: Callable[[Job], Any],
    then: Callable[[Any], None],
    failed: Callable[[str], None],
    wait: float = MOMENT,
) -> Work:
    """Run ``work(job)`` in a thread, then ``then(result)`` or ``failed(sentence)`` here.

    It is waited for at most ``wait`` s, without a window until it is over. An earlier message
    about the same ``title`` goes.
    """
    _failures[:] = [f for f in _failures if f.title != title]
    found = Work(title, Job(work, "plumbline-work"), then, failed)
    _works.append(found)
    _let_the_window_breathe()
    try:
        found.job.start()
        end = time.monotonic() + wait
        while not found.job.over and (bpy.app.background or time.monotonic() < end):
            found.tick()
            time.sleep(_PAUSE)
    finally:
        if found.job.over or found.job.state == "waiting":
            _drop(found)
    if found.job.over:
        found.settle()
    elif not bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.register(_on_timer, first_interval=INTERVAL, persistent=True)
    redraw()
    return found


def _on_timer() -> float | None:
    for found in now():
        try:
            found.tick()
            if found.job.over:
                _drop(found)
                found.settle()
        except Exception as error:  # of a callback: the timer must live on for the others
            _drop(found)
            found.cancel()
            trace = traceback.format_exc()
            keep_failure(found.title, _sentence(error, trace), trace)
    if not _works or time.monotonic() - _drawn[0] >= REDRAWN:
        _drawn[0] = time.monotonic()
        redraw()
    return INTERVAL if _works else None


def _sentence(error: BaseException | None, trace: str | None) -> str:
    """What went wrong, for people; a crash goes to the console in full too."""
    said = str(error)
    ours = type(error).__module__.startswith(PACKAGE)  # our own errors are sentences
    if said and (ours or isinstance(error, OSError)):
        return said
    if trace:
        print(trace, file=sys.stderr)
    return f"{type(error).__name__}: {said}" if said else type(error).__name__


def _let_the_window_breathe() -> None:
    if not _usual_switch:
        _usual_switch.append(sys.getswitchinterval())
        sys.setswitchinterval(_SWITCH)


def _drop(found: Work) -> None:
    if found in _works:
        _works.remove(found)
    if not _works and _usual_switch:
        sys.setswitchinterval(_usual_switch.pop())


def close(wait: float = 0.0) -> None:
    """Call everything off: another file was loaded, or the extension goes. Nothing is handed on.

    Threads are waited for at most ``wait`` s together.
    """
    found = list(_works)
    for work in found:
        work.cancel()
    end = time.monotonic() + wait
    for work in found:
        work.job.join(max(0.0, end - time.monotonic()))
        _drop(work)
    _failures.clear()
    if bpy.app.timers.is_registered(_on_timer):
        bpy.app.timers.unregister(_on_timer)


__all__ = [
    "JOIN", "MOMENT", "Failure", "Work", "close", "dismiss", "failures", "find", "keep_failure",
    "now", "start",
]  # fmt: skip
