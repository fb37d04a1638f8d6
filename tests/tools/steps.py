# SPDX-License-Identifier: GPL-3.0-or-later
"""One step of the test run: a command, and what came of it in numbers.

A run of pytest writes a JUnit file, which is what is counted; a step that ends without one, however
it ended, counts as one failure, so that a crash can't look like a pass.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree

from plumbline.addon.runs.system import SystemProblem

#: How long a step that is ended may take to say how it went, s.
_LAST_WORDS = 60.0
#: How much of a message is repeated at the end of the run, letters.
_BEGINNING = 600
NOTHING_SELECTED = 5  # pytest's exit code for "no tests collected"


class LeftOut(Exception):
    """A step can't be run here, and may be left out; the text is the reason."""


class Outcome(NamedTuple):
    """What a step came to; ``output`` is all that it printed."""

    passed: int
    failed: int
    skipped: int
    seconds: float = 0.0
    output: str = ""

    def __str__(self) -> str:
        return f"{self.passed} passed, {self.failed} failed, {self.skipped} skipped"


class Command(NamedTuple):
    """What to start, and what to add to its environment."""

    arguments: Sequence[str]
    environment: dict[str, str] = {}


class Step(NamedTuple):
    """A step by name. ``command`` is called when its turn has come, and waits for what it needs.

    It may raise :class:`LeftOut`, which skips the step, or ``SystemProblem``, which fails it.
    """

    name: str
    command: Callable[[], Command]
    junit: Path | None = None
    deadline: float = 2700.0


class Runner:
    """Runs steps in ``folder``, remembering what is alive so that nothing outlives an interrupt."""

    def __init__(self, folder: Path, logs: Path) -> None:
        self._folder = folder
        self._logs = logs
        self._alive: set[subprocess.Popen[bytes]] = set()
        self._lock = threading.Lock()
        self._stopped = False

    def run(self, step: Step) -> Outcome:
        """Run ``step`` to its end or its deadline."""
        try:
            command = step.command()
        except LeftOut as reason:
            return Outcome(0, 0, 1, output=f"SKIPPED {step.name}: {reason}")
        except (SystemProblem, OSError, subprocess.SubprocessError) as problem:
            return Outcome(0, 1, 0, output=str(problem))
        started = time.monotonic()
        log = self._logs / f"{slug(step.name)}.log"
        with open(log, "wb") as output:
            code, problem = self._wait(step, command, output)
        text = log.read_text(encoding="utf-8", errors="replace") + problem
        passed, failed, skipped = _count(step, code)
        return Outcome(passed, failed, skipped, time.monotonic() - started, text)

    def _wait(self, step: Step, command: Command, output) -> tuple[int, str]:
        with self._lock:
            if self._stopped:
                return 1, "interrupted"
            process = subprocess.Popen(
                list(command.arguments),
                cwd=str(self._folder),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=dict(os.environ, **command.environment),
                start_new_session=True,
            )
            self._alive.add(process)
        try:
            return process.wait(timeout=step.deadline), ""
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)  # pytest then says what has failed until now
            with suppress(subprocess.TimeoutExpired):
                process.wait(timeout=_LAST_WORDS)
            _kill(process)
            return process.wait() or 1, f"\nnot done after {step.deadline:.0f} s: killed\n"
        finally:
            with self._lock:
                self._alive.discard(process)

    def stop(self) -> None:
        """Kill every step that is running, and start no other."""
        with self._lock:
            self._stopped = True
            for process in self._alive:
                _kill(process)


def slug(name: str) -> str:
    return re.sub(r"[^\w.]+", "-", name)


def _kill(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError):  # it has just ended by itself
        os.killpg(process.pid, signal.SIGKILL)


def _count(step: Step, code: int) -> tuple[int, int, int]:
    if step.junit is None:
        return (1, 0, 0) if code == 0 else (0, 1, 0)
    try:
        suites = list(ElementTree.parse(step.junit).getroot().iter("testsuite"))
    except (OSError, ElementTree.ParseError):
        return 0, 1, 0
    total, failures, errors, skipped = (
        sum(int(suite.get(key, 0)) for suite in suites)
        for key in ("tests", "failures", "errors", "skipped")
    )
    failed = failures + errors
    if code not in (0, NOTHING_SELECTED) and failed == 0:
        failed = 1  # it was stopped, or failed outside of any test
    return max(total - failures - errors - skipped, 0), failed, skipped


def failures(step: Step, outcome: Outcome) -> list[str]:
    """One line for each test of a step that failed: where it was, and how its message begins."""
    lines = []
    if step.junit is not None:
        with suppress(OSError, ElementTree.ParseError):
            for case in ElementTree.parse(step.junit).getroot().iter("testcase"):
                for fault in (*case.findall("failure"), *case.findall("error")):
                    said = " ".join(fault.get("message", "").split())[:_BEGINNING]
                    where = f"{case.get('classname')}::{case.get('name')}"
                    lines.append(f"FAILED {step.name}: {where}: {said}")
    if outcome.failed and not lines:
        lines = [f"FAILED {step.name}: {' '.join(outcome.output.split())[-_BEGINNING:]}"]
    return lines


def reasons_for_skips(output: str) -> list[str]:
    """pytest's lines that say why something was left out."""
    return re.findall(r"^SKIPPED .+", output, re.MULTILINE)
