# SPDX-License-Identifier: GPL-3.0-or-later
"""Work for processes of our own, a line of JSON for each piece of it: no Blender in them.

They are started by the file of the package, not by a name, so that it doesn't matter what the
program that asks was started as, nor whether it is Blender, nor whether anything is installed.
"""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

#: Registers the package by its file and answers until the pipe closes. Ctrl-C reaches the whole
#: group: it is the one who asked who ends the workers.
_START = """\
import importlib, importlib.util, signal, sys
signal.signal(signal.SIGINT, signal.SIG_IGN)
root, answering = sys.argv[1:]
spec = importlib.util.spec_from_file_location(
    "plumbline", root + "/__init__.py", submodule_search_locations=[root])
module = sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
from plumbline.addon.runs.workers import serve
serve(importlib.import_module("plumbline." + answering).answer, sys.stdin, sys.stdout)
"""
_ROOT = Path(__file__).resolve().parents[2]
#: One thread each: as many workers as cores are faster than one worker with all of them.
_SINGLE = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")

Answer = Mapping[str, Any] | None


class WorkersError(RuntimeError):
    """A worker that can't be started, ended, or answered nothing sensible; one sentence."""


def answers(
    answering: str, requests: Sequence[Mapping[str, Any]], workers: int
) -> Iterator[tuple[int, Answer]]:
    """Each request's place and its answer, in the order in which they are done.

    ``answering`` names a module within the package, ``addon.runs.house_workers``, whose function
    ``answer`` makes an answer of a request; both are plain data. ``None`` stands for the answer of
    a worker that ended over it. Raises :class:`WorkersError` where none can be started.
    """
    pool = _Pool(answering, requests)
    try:
        pool.start(min(workers, len(requests)))
        for _ in requests:
            yield pool.next()
    finally:
        pool.close()


class _Pool:
    """Processes that take the next request as soon as they are done with the last."""

    def __init__(self, answering: str, requests: Sequence[Mapping[str, Any]]) -> None:
        self._answering = answering
        self._todo: queue.SimpleQueue[tuple[int, Mapping[str, Any]]] = queue.SimpleQueue()
        self._done: queue.SimpleQueue[tuple[int, Answer]] = queue.SimpleQueue()
        self._processes: list[subprocess.Popen[str]] = []
        for place, request in enumerate(requests):
            self._todo.put((place, request))

    def start(self, workers: int) -> None:
        """Start so many."""
        for _ in range(workers):
            try:
                process = subprocess.Popen(
                    [sys.executable, "-P", "-c", _START, str(_ROOT), self._answering],
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

    def next(self) -> tuple[int, Answer]:
        """The next answer; waits in short steps, so that Ctrl-C is heard on every system."""
        while True:
            with contextlib.suppress(queue.Empty):
                return self._done.get(timeout=0.5)

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
                place, request = self._todo.get_nowait()
            except queue.Empty:
                return
            try:
                process.stdin.write(json.dumps(request) + "\n")
                process.stdin.flush()
                answer = json.loads(process.stdout.readline() or "null")
            except (OSError, ValueError):
                answer = None
            self._done.put((place, answer if isinstance(answer, dict) else None))


def serve(
    answer: Callable[[Mapping[str, Any]], Mapping[str, Any]], requests: TextIO, answers: TextIO
) -> None:
    """Answer requests, a line each, until there are no more."""
    for line in requests:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()
