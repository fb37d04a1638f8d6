# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses made by processes of their own, a line of JSON for each: no Blender in them.

They are started by the file of the package, not by a name, so that it doesn't matter what the
program that asks was started as, nor whether it is Blender.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from ...tasks.houses.parameters import ParameterError
from ...tasks.packs.entry import Entry
from ...tasks.packs.making import Made, Wanted, make

#: Registers the package by its file and answers until the pipe closes. Ctrl-C reaches the whole
#: group: it is the one who asked who ends the workers.
_START = """\
import importlib.util, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
root = sys.argv[1]
spec = importlib.util.spec_from_file_location(
    "plumbline", root + "/__init__.py", submodule_search_locations=[root])
module = sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from plumbline.addon.runs.house_workers import serve
serve(sys.stdin, sys.stdout)
"""
_ROOT = Path(__file__).resolve().parents[2]
#: One thread each: as many workers as cores are faster than one worker with all of them.
_SINGLE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class WorkersError(RuntimeError):
    """A worker that ended or answered nothing sensible; one sentence."""


def houses(
    wanted: Sequence[Wanted], judge: bool, with_program: bool, workers: int
) -> Iterator[tuple[int, Made]]:
    """Every house with its place in ``wanted``, in the order in which they are done.

    Raises :class:`ParameterError` for the first that can't be, and :class:`WorkersError`.
    """
    if workers <= 1:
        for place, one in enumerate(wanted):
            yield place, make(one, judge, with_program)
        return
    pool = _Pool(wanted, judge, with_program)
    try:
        pool.start(min(workers, len(wanted)))
        for _ in wanted:
            yield pool.next()
    finally:
        pool.close()


class _Pool:
    """Processes that take the next house as soon as they are done with the last."""

    def __init__(self, wanted: Sequence[Wanted], judge: bool, with_program: bool) -> None:
        self._asked = {"judge": judge, "with_program": with_program}
        self._todo: queue.SimpleQueue[tuple[int, Wanted]] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Made] | Exception] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[str]] = []
        for place, one in enumerate(wanted):
            self._todo.put((place, one))

    def start(self, workers: int) -> None:
        """Start so many."""
        for _ in range(workers):
            try:
                process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(_ROOT)],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    env={**os.environ, **_SINGLE},
                    text=True,
                    encoding="utf-8",
                )
            except OSError as error:
                why = error.strerror or error
                raise WorkersError(f"no worker can be started ({why}); try --workers 1") from None
            self._processes.append(process)
            threading.Thread(target=self._drive, args=(process,), daemon=True).start()

    def next(self) -> tuple[int, Made]:
        """The next house that is done."""
        found = self._done.get()
        if isinstance(found, Exception):
            raise found
        return found

    def close(self) -> None:
        """End them; none is working any more unless something went wrong."""
        for process in self._processes:
            process.kill()
            process.wait()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()

    def _drive(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None and process.stdout is not None
        while True:
            try:
                place, one = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                process.stdin.write(json.dumps({**one.plain(), **self._asked}) + "\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline() or "null")
            except (OSError, ValueError):
                answer = None
            self._done.put(_heard(place, one, answer))


def _heard(place: int, one: Wanted, answer: Any) -> tuple[int, Made] | Exception:
    """An answer as a house, or as what went wrong."""
    what = f"{one.style}, seed {one.seed}"
    if not isinstance(answer, Mapping):
        return WorkersError(f"{what}: the worker ended; try --workers 1")
    if "impossible" in answer:
        return ParameterError(str(answer["impossible"]))
    if "bug" in answer:
        return WorkersError(f"{what}: a fault of the generator ({answer['bug']})")
    entry = Entry.from_mapping(answer["entry"])
    return place, Made(entry, answer["verdict"], answer["fault"])


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer requests, a line each, until there are no more."""
    for line in requests:
        asked = json.loads(line)
        wanted = Wanted(asked["style"], asked["seed"], asked["fixed"])
        answers.write(json.dumps(_answer(wanted, asked["judge"], asked["with_program"])) + "\n")
        answers.flush()


def _answer(wanted: Wanted, judge: bool, with_program: bool) -> dict[str, Any]:
    try:
        made = make(wanted, judge, with_program)
    except ParameterError as error:
        return {"impossible": str(error)}
    except Exception as error:  # it must reach the one who asked, in whatever process
        return {"bug": f"{type(error).__name__}: {error}"}
    return {"entry": made.entry.to_mapping(), "verdict": made.verdict, "fault": made.fault}
