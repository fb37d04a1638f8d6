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
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..agent.scripted import Assignment
from ..sandbox.client import BlenderWorker
from .attempts import Settings, attempt
from .runfolder import Key, RunWriter, attempt_folder

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
class Tick:
    """Nothing new; time to redraw, or to close the generator."""


Event = Started | Finished | Tick


def key(assignment: Assignment) -> Key:
    """The resume key of an assignment."""
    return Key(assignment.task.id, assignment.agent, assignment.variant, assignment.epoch)


def run(
    assignments: Sequence[Assignment],
    writer: RunWriter,
    settings: Settings,
    workers: int = 1,
    poll: float = 0.2,
    make_worker: Callable[[], BlenderWorker] = BlenderWorker,
) -> Generator[Event, None, None]:
    """Make all attempts with ``workers`` Blenders at a time, storing each record as it comes.

    Attempts that ``writer`` knows as finished must have been left out by the caller. Raises
    :class:`.storage.StorageError` as soon as the disk refuses; what was stored is kept.
    """
    engine = _Engine(assignments, writer, settings, make_worker)
    engine.start(min(workers, len(assignments)))
    try:
        while engine.unfinished:
            try:
                event = engine.events.get(timeout=poll) if poll else engine.events.get_nowait()
            except queue.Empty:
                yield Tick()
                continue
            yield engine.settle(event)
    finally:
        engine.stop()


@dataclass(frozen=True)
class _Broken:
    """A worker thread met an error that ends the run."""

    error: BaseException


class _Engine:
    """Threads that each drive one Blender; results are stored by whoever calls :meth:`settle`."""

    def __init__(
        self,
        assignments: Sequence[Assignment],
        writer: RunWriter,
        settings: Settings,
        make_worker: Callable[[], BlenderWorker],
    ) -> None:
        self.events: queue.Queue[Event | _Broken] = queue.Queue()
        self.unfinished = len(assignments)
        self._todo: queue.SimpleQueue[tuple[int, Assignment]] = queue.SimpleQueue()
        for number, assignment in enumerate(assignments, start=1):
            self._todo.put((number, assignment))
        self._writer = writer
        self._settings = settings
        self._make_worker = make_worker
        self._stopping = threading.Event()
        self._workers: list[BlenderWorker] = []
        self._threads: list[threading.Thread] = []

    def start(self, workers: int) -> None:
        """Start the threads; each starts its Blender with its first attempt."""
        for number in range(workers):
            worker = self._make_worker()
            thread = threading.Thread(
                target=self._work, args=(worker,), name=f"plumbline-{number}", daemon=True
            )
            self._workers.append(worker)
            self._threads.append(thread)
            thread.start()

    def settle(self, event: Event | _Broken) -> Event:
        """Store what came out of a thread; raises what ended a thread."""
        if isinstance(event, _Broken):
            raise event.error
        if isinstance(event, Finished):
            self._writer.append(event.record)
            self.unfinished -= 1
        return event

    def stop(self) -> None:
        """Kill the Blenders, wait for the threads, and store what they still brought."""
        self._stopping.set()
        deadline = time.monotonic() + _PATIENCE
        for worker, thread in zip(self._workers, self._threads, strict=True):
            # Again and again: a thread may be just about to start its Blender.
            while thread.is_alive() and time.monotonic() < deadline:
                worker.kill()
                thread.join(0.05)
        while True:
            try:
                event = self.events.get_nowait()
            except queue.Empty:
                return
            # The error that brought us here is the one to be told; a second one adds nothing.
            with contextlib.suppress(Exception):
                self.settle(event)

    def _work(self, worker: BlenderWorker) -> None:
        try:
            with worker:
                while not self._stopping.is_set():
                    try:
                        number, assignment = self._todo.get_nowait()
                    except queue.Empty:
                        return
                    self._one(worker, number, assignment)
        except BaseException as error:
            if not self._stopping.is_set():
                self.events.put(_Broken(error))

    def _one(self, worker: BlenderWorker, number: int, assignment: Assignment) -> None:
        self.events.put(Started(assignment, number))
        name = attempt_folder(key(assignment))
        folder = self._writer.attempt(key(assignment))
        result = attempt(assignment, worker, folder, name, self._settings)
        # What a killed Blender leaves behind is no result: the attempt is made again on resuming.
        if not (self._stopping.is_set() and result.environment):
            self.events.put(Finished(assignment, result.to_record(), folder))
