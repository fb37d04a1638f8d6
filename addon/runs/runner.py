# SPDX-License-Identifier: GPL-3.0-or-later
"""The job engine: a plain generator that hands attempts to workers and says what happened.

The command line drives it in a loop, a window by a timer. It yields something at least every
``poll`` seconds, so whoever drives it stays in charge; closing it (or an interrupt) stops the
workers, and everything that was judged by then is on the disk.
"""

from __future__ import annotations

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from ..agent.agents import Agent, Assignment, Target
from ..agent.providers.base import Cancel, Cancelled
from .attempts import Place, Settings, attempt
from .budget import RunBudget
from .runfolder import Key, RunWriter, attempt_folder
from .seats import MakeSeat, Seat

# How long closing waits for a worker thread whose process was killed, s.
_PATIENCE = 10.0


@dataclass(frozen=True)
class Started:
    """An attempt begins; ``number`` counts from 1."""

    assignment: Assignment
    number: int


@dataclass(frozen=True)
class Finished:
    """An attempt ended and its record is on the disk; ``folder`` holds its files."""

    assignment: Assignment
    record: dict[str, Any]
    folder: Path


@dataclass(frozen=True)
class Doing:
    """What a running attempt is doing now, in a few words."""

    assignment: Assignment
    what: str


@dataclass(frozen=True)
class Tick:
    """Nothing new; time to redraw, or to close the generator."""


Event = Started | Doing | Finished | Tick

#: What should be built for a task, made once a run; ``None`` where the task doesn't have it.
Targets = Callable[[Assignment, Seat], Target | None]


def key(assignment: Assignment) -> Key:
    """The resume key of an assignment."""
    return Key(assignment.task.id, assignment.agent, assignment.variant, assignment.epoch)


def run(
    assignments: Sequence[Assignment],
    agent: Agent,
    writer: RunWriter,
    settings: Settings,
    make_seat: MakeSeat,
    workers: int = 1,
    poll: float = 0.2,
    budget: RunBudget | None = None,
    targets: Targets = lambda assignment, seat: None,
) -> Generator[Event, None, None]:
    """Make all attempts, ``workers`` at a time, storing each record as it comes.

    Attempts that ``writer`` knows as finished must have been left out by the caller. No attempt
    begins once ``budget`` is used up; those that were not made are simply not reported. Raises
    :class:`.storage.StorageError` as soon as the disk refuses; what was stored is kept.
    """
    engine = _Engine(assignments, agent, writer, settings, make_seat, targets)
    engine.budget = budget or RunBudget()
    engine.start(min(workers, len(assignments)))
    try:
        while engine.running:
            try:
                event = engine.events.get(timeout=poll) if poll else engine.events.get_nowait()
            except queue.Empty:
                yield Tick()
                continue
            yield engine.settle(event)
    finally:
        engine.stop()


@dataclass(frozen=True)
class _Left:
    """A thread has ended; ``error`` is what ended it before its time, and the run with it."""

    error: BaseException | None = None


class _Engine:
    """Threads that each drive one Blender; results are stored by whoever calls :meth:`settle`."""

    def __init__(
        self,
        assignments: Sequence[Assignment],
        agent: Agent,
        writer: RunWriter,
        settings: Settings,
        make_seat: MakeSeat,
        targets: Targets,
    ) -> None:
        self.events: queue.Queue[Event | _Left] = queue.Queue()
        self.running = 0
        self.budget = RunBudget()
        self._todo: queue.SimpleQueue[tuple[int, Assignment]] = queue.SimpleQueue()
        for number, assignment in enumerate(assignments, start=1):
            self._todo.put((number, assignment))
        self._agent = agent
        self._writer = writer
        self._settings = settings
        self._make_seat = make_seat
        self._targets = targets
        self._cancel = Cancel()
        self._seats: list[Seat] = []
        self._threads: list[threading.Thread] = []

    def start(self, workers: int) -> None:
        """Start the threads; each starts its Blender with its first attempt."""
        for number in range(workers):
            seat = self._make_seat()
            thread = threading.Thread(
                target=self._work, args=(seat,), name=f"plumbline-{number}", daemon=True
            )
            self._seats.append(seat)
            self._threads.append(thread)
            self.running += 1
            thread.start()

    def settle(self, event: Event | _Left) -> Event:
        """Store what came out of a thread; raises what ended a thread."""
        if isinstance(event, _Left):
            self.running -= 1
            if event.error is not None:
                raise event.error
            return Tick()
        if isinstance(event, Finished):
            self._writer.append(event.record)
        return event

    def stop(self) -> None:
        """Break off what runs, wait for the threads, and store what they still brought."""
        self._cancel.request()
        deadline = time.monotonic() + _PATIENCE
        for seat, thread in zip(self._seats, self._threads, strict=True):
            # Again and again: a thread may be just about to start its Blender.
            while thread.is_alive() and time.monotonic() < deadline:
                seat.kill()
                thread.join(0.05)
        while True:
            try:
                event = self.events.get_nowait()
            except queue.Empty:
                return
            # The error that brought us here is the one to be told; a second one adds nothing.
            with contextlib.suppress(Exception):
                self.settle(event)

    def _work(self, seat: Seat) -> None:
        error: BaseException | None = None
        try:
            with contextlib.closing(seat):
                while not self._cancel.requested and self.budget.left:
                    try:
                        number, assignment = self._todo.get_nowait()
                    except queue.Empty:
                        break
                    self._one(seat, number, assignment)
        except Cancelled:
            pass
        except BaseException as other:
            error = None if self._cancel.requested else other
        self.events.put(_Left(error))

    def _one(self, seat: Seat, number: int, assignment: Assignment) -> None:
        self.events.put(Started(assignment, number))
        place = Place(self._writer.attempt(key(assignment)), attempt_folder(key(assignment)))
        result = attempt(
            assignment,
            self._agent,
            seat,
            place,
            replace(self._settings, limits=self.budget.limits(self._settings.limits)),
            self._cancel,
            lambda what: self.events.put(Doing(assignment, what)),
            lambda: self._targets(assignment, seat),
        )
        # What a killed Blender leaves behind is no result: the attempt is made again on resuming.
        if not self._cancel.requested:
            record = result.to_record()
            self.budget.spend(record)  # here, before this thread asks whether any is left
            self.events.put(Finished(assignment, record, place.folder))
