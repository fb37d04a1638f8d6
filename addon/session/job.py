# SPDX-License-Identifier: GPL-3.0-or-later
"""A long piece of work beside an open Blender: in a thread, watched and served by ticks.

:meth:`Job.tick` is called by a timer in a window and by a plain loop in tests, since timers don't
run in background. No ``bpy`` here.
"""

from __future__ import annotations

import queue
import threading
import time
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from ..agent.providers.base import Cancel, Cancelled
from .bridge import MainThread

State = Literal["waiting", "running", "finished", "stopped", "failed"]

#: How long one tick may serve the thread before the window gets its turn, s. A single errand (the
#: run of a program on the open scene) may still take longer.
SLICE = 0.02
#: How long the end of a thread that was told to stop is waited for, s.
JOIN = 3.0


@dataclass(frozen=True)
class Event:
    """Something that happened: ``kind`` and what there is to say of it."""

    kind: str
    content: Mapping[str, Any] = field(default_factory=dict)


class Job:
    """Runs ``work(job)`` in a thread. Made, ticked and stopped by the main thread."""

    def __init__(self, work: Callable[[Job], Any], name: str = "plumbline-episode") -> None:
        self.cancel = Cancel()
        self.main = MainThread(self.cancel, lambda reason: self.tell("hindered", reason=reason))
        self.state: State = "waiting"
        self.result: Any = None
        self.error: BaseException | None = None
        self.trace: str | None = None
        self._work = work
        self._events: queue.SimpleQueue[Event] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)
        self._began = 0.0
        self._ended: float | None = None
        self._go = threading.Event()
        self._go.set()
        self._lock = threading.Lock()
        self._held = 0.0
        self._held_since: float | None = None

    def tell(self, kind: str, **content: Any) -> None:
        """Have an event given out by the next tick; from any thread."""
        self._events.put(Event(kind, content))

    def start(self) -> None:
        """Start the thread."""
        self.state = "running"
        self._began = self.clock()
        self._thread.start()

    @property
    def seconds(self) -> float:
        """How long it has been running, or ran, without its pauses, s."""
        if self.state == "waiting":
            return 0.0
        return (self._ended or self.clock()) - self._began

    @property
    def over(self) -> bool:
        """Whether it has come to its end, whatever that was."""
        return self.state in ("finished", "stopped", "failed")

    def clock(self) -> float:
        """Seconds that go on like ``time.monotonic`` but stand still while it waits in a pause."""
        with self._lock:
            now = time.monotonic()
            waiting = now - self._held_since if self._held_since is not None else 0.0
            return now - self._held - waiting

    @property
    def paused(self) -> bool:
        """Whether a pause was asked for; what it is doing then is done to its end first."""
        return not self._go.is_set()

    @property
    def waiting(self) -> bool:
        """Whether it stands still in a pause now."""
        return self._held_since is not None

    @property
    def held(self) -> float:
        """How long it has stood still in pauses that are over, s."""
        return self._held

    def pause(self) -> None:
        """Have it wait at its next :meth:`gate`."""
        if not self.over:
            self._go.clear()

    def resume(self) -> None:
        """Let it go on."""
        self._go.set()

    def gate(self) -> None:
        """For the thread: wait here while it is paused. Raises ``Cancelled`` if it is to stop."""
        self.cancel.check()
        if self._go.is_set():
            return
        with self._lock:
            self._held_since = time.monotonic()
        self.tell("paused", waiting=True)
        forget = self.cancel.on_request(self._go.set)
        try:
            self._go.wait()
        finally:
            forget()
            with self._lock:
                self._held += time.monotonic() - self._held_since
                self._held_since = None
            self.tell("paused", waiting=False)
        self.cancel.check()

    def tick(self, seconds: float = SLICE) -> list[Event]:
        """Serve the thread for about ``seconds``; returns what happened since the last tick."""
        ended = not self._thread.is_alive() and self.state == "running"
        self.main.serve(seconds)
        if ended and self.main.idle:
            self._close()
        return list(self._drained())

    def _drained(self) -> Iterator[Event]:
        while True:
            try:
                yield self._events.get_nowait()
            except queue.Empty:
                return

    def _close(self) -> None:
        """The thread is gone: settle what became of it."""
        self._ended = self.clock()
        if self.error is None:
            self.state = "finished"
        elif isinstance(self.error, Cancelled):
            self.state = "stopped"
        else:
            self.state = "failed"
        self.tell("end", state=self.state)

    def _run(self) -> None:
        try:
            self.result = self._work(self)
        except BaseException as error:  # shown by whoever ticks; a thread has nobody to tell
            self.error = error
            if not isinstance(error, Cancelled):
                self.trace = traceback.format_exc()

    def stop(self) -> None:
        """Ask it to stop; it does so within moments, and later ticks tell."""
        self.cancel.request()

    def join(self, seconds: float = JOIN) -> bool:
        """Ask it to stop and wait for its thread at most ``seconds``; whether it has ended."""
        self.stop()
        if self._thread.ident is not None:
            self._thread.join(seconds)
        if self.state == "running" and not self._thread.is_alive():
            self._close()
        return not self._thread.is_alive()


def run_to_end(job: Job, seconds: float, pause: float = 0.005) -> list[Event]:
    """Tick a job until it is over, as a program without a window does; returns all events.

    Raises ``TimeoutError`` after ``seconds``, with the job stopped.
    """
    end = time.monotonic() + seconds
    events: list[Event] = []
    if job.state == "waiting":
        job.start()
    while not job.over:
        events += job.tick()
        if time.monotonic() > end:
            job.join()
            raise TimeoutError(f"the job wasn't over after {seconds:g} s")
        time.sleep(pause)
    return events + job.tick()
