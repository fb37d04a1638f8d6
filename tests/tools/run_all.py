#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Every test on everything that Plumbline supports: ``python3 tests/tools/run_all.py``.

Provides what is missing (environments with each bpy, real Blenders) and runs two steps at a time.
At the end stands one line for each test that failed; the last line is the sum over all of it.
``--list`` names the steps, ``--only PATTERN`` picks some.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import shutil
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from checkout import ROOT
from environments import HARNESS, LOGS, MATRIX, PYTEST_BLENDER, STATIC, Entry, provide
from plumbline.addon.runs.system import SystemProblem
from provision_blender import REAL_BLENDERS, provide_window_tools
from provision_programs import provide_programs
from steps import Command, LeftOut, Outcome, Runner, Step, failures, reasons_for_skips, slug

#: Tests that start Blenders or environments of their own, or measure.
SPECIAL = "real_blender or window or benchmark or logs or harness"
PURE = f"not blender and not ({SPECIAL})"
#: Without those that tell nothing new in another Python (our own files, zips, processes).
PURE_ELSEWHERE = f"not blender and not (once or {SPECIAL})"
IN_BLENDER = f"blender and not ({SPECIAL})"
#: Without those that tell nothing new in another Blender (processes, run folders, interrupts).
IN_OTHER_BLENDERS = f"blender and not (once or {SPECIAL})"
#: Of those what meets most of Blender, for the versions between the oldest and the newest.
IN_MIDDLE_BLENDERS = f"blender and not (once or ends or {SPECIAL})"
#: Benchmarks show that they still work and assert what they assert; figures are for who runs them.
SHORT = Command(("--benchmark-disable",), {"PLUMBLINE_BENCHMARKS": "short"})
NOTHING = Command(())
#: Reads our exports with the programs that they are made for.
READERS = "tests/addon/runs/test_export_readers.py"
#: Runs our validator in the released DreamHouse harness.
RELEASED = "tests/addon/harness/test_harness.py"
#: The environments by bpy; what is run once only is run in the first.
ENTRIES = {entry.bpy: entry for entry in MATRIX}
MAIN, OTHER_PYTHON = ENTRIES["5.0.1"], ENTRIES["5.2.3"]


class Provisions:
    """What is being made ready in the background; asking for one waits for it."""

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(max_workers=2)
        self._pending: dict[str, Future[list[str]]] = {}
        self._lock = threading.Lock()

    def environment(self, entry: Entry) -> Future[list[str]]:
        return self._start(entry.name, lambda: provide(entry))

    def blender(self, minor: str) -> Future[list[str]]:
        return self._start(f"blender-{minor}", lambda: _provide_blender(minor))

    def programs(self) -> Future[list[str]]:
        return self._start("programs", provide_programs)

    def missing_blenders(self) -> dict[str, str]:
        """Environment variables that tell tests why a Blender isn't there."""
        missing = {}
        for minor in REAL_BLENDERS:
            try:
                self.blender(minor).result()
            except SystemProblem as problem:
                missing[f"PLUMBLINE_NO_BLENDER_{minor.replace('.', '_')}"] = str(problem)
        return missing

    def _start(self, name: str, make) -> Future[list[str]]:
        with self._lock:
            if name not in self._pending:
                self._pending[name] = self._pool.submit(make)
            return self._pending[name]


def _provide_blender(minor: str) -> list[str]:
    provide_window_tools()
    return [str(REAL_BLENDERS[minor].provide())]


# --- The plan -------------------------------------------------------------------------------------


class Plan:
    """All steps, in the order in which they start: the longest early, so that none is left over."""

    def __init__(self, provisions: Provisions, work: Path) -> None:
        self._provisions = provisions
        self._work = work

    def steps(self) -> Iterator[Step]:
        yield self._static("ruff check", "ruff", "check", ".")
        yield self._static("ruff format", "ruff", "format", "--check", ".")
        yield self._static("mypy", "mypy")
        yield self._pytest("in bpy 5.0.1", MAIN, IN_BLENDER)
        yield self._pytest("pure, Python 3.11", MAIN, PURE)
        yield self._pytest("starting Blenders", MAIN, "real_blender and not (window or benchmark)")
        yield self._pytest("windows", MAIN, "window and not benchmark")
        yield self._pytest("in bpy 5.2.3", ENTRIES["5.2.3"], IN_OTHER_BLENDERS)
        yield self._pytest("pure, Python 3.13", OTHER_PYTHON, PURE_ELSEWHERE)
        yield self._pytest("in bpy 4.2.23", ENTRIES["4.2.23"], IN_OTHER_BLENDERS)
        for minor in REAL_BLENDERS:
            yield self._inside_blender(minor)
        yield self._pytest("in bpy 4.5.15", ENTRIES["4.5.15"], IN_MIDDLE_BLENDERS)
        yield self._pytest("benchmarks", MAIN, "benchmark", extra=SHORT)
        # By its file, since others can't even be collected where there is no bpy.
        yield self._pytest("logs in other programs", LOGS, "logs", READERS)
        released = self._pytest("in the released harness", HARNESS, "harness", RELEASED)
        yield _left_out_without(released)

    def _static(self, name: str, *arguments: str) -> Step:
        def command() -> Command:
            make_type_link()
            return Command([*self._provisions.environment(STATIC).result(), "-m", *arguments])

        return Step(name, command)

    def _pytest(
        self, name: str, entry: Entry, marked: str, where: str = "tests", extra: Command = NOTHING
    ) -> Step:
        junit = self._work / f"{slug(name)}.xml"

        def command() -> Command:
            environment = dict(extra.environment)
            if marked.startswith("blender"):
                environment["PLUMBLINE_REQUIRE_BPY"] = str(entry.bpy)
            if "not (window" in marked or marked.startswith("window"):
                environment.update(self._provisions.missing_blenders())
            if marked in (PURE, PURE_ELSEWHERE):
                self._provisions.programs().result()
            python = self._provisions.environment(entry).result()
            options = ["-q", "-m", marked, f"--junitxml={junit}"]
            # Two steps share a checkout, and pytest's cache is no use to either.
            options += ["-p", "no:cacheprovider"]
            options += extra.arguments
            return Command([*python, "-m", "pytest", where, *options], environment)

        return Step(name, command, junit)

    def _inside_blender(self, minor: str) -> Step:
        """pytest-blender starts the Blender, and its Python runs the pytest beside it."""
        name = f"inside Blender {minor}"
        junit = self._work / f"{slug(name)}.xml"

        def command() -> Command:
            try:
                blender = self._provisions.blender(minor).result()
            except SystemProblem as problem:
                raise LeftOut(str(problem)) from None
            python = self._provisions.environment(PYTEST_BLENDER).result()
            options = ["-q", "-m", IN_MIDDLE_BLENDERS, f"--junitxml={junit}"]
            options += ["-p", "no:cacheprovider", "--blender-executable", *blender]
            return Command([*python, "-m", "pytest", "tests", *options])

        return Step(name, command, junit)


def _left_out_without(step: Step) -> Step:
    """The step, left out with the reason where what it needs can't be had, such as its packages."""

    def command() -> Command:
        try:
            return step.command()
        except SystemProblem as problem:
            raise LeftOut(str(problem)) from None

    return step._replace(command=command)


def make_type_link() -> None:
    """mypy wants a folder with the package's name, whatever the checkout is called."""
    link = ROOT / "build" / "types" / "plumbline"
    link.parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):  # the steps that start together all make it
        link.symlink_to(Path("..", ".."), target_is_directory=True)


# --- Running it -----------------------------------------------------------------------------------


def report(step: Step, outcome: Outcome) -> None:
    """Print how a step went: the whole output if it failed, else what was left out and why."""
    lines = [f"=== {step.name}: {outcome} in {outcome.seconds:.0f} s"]
    lines += [outcome.output.rstrip()] if outcome.failed else reasons_for_skips(outcome.output)
    print("\n".join(lines), flush=True)


def run_steps(steps: Sequence[Step], runner: Runner, jobs: int) -> Outcome:
    """Run them in their order, ``jobs`` at a time; returns the sum."""

    def one(step: Step) -> Outcome:
        outcome = runner.run(step)
        report(step, outcome)
        return outcome

    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            outcomes = list(pool.map(one, steps))
            # Once more at the end: of a long log people see the last lines first, or alone.
            for step, outcome in zip(steps, outcomes, strict=True):
                for line in failures(step, outcome):
                    print(line)
        except BaseException:
            runner.stop()
            pool.shutdown(wait=False)
            raise
    passed, failed, skipped = (sum(outcome[column] for outcome in outcomes) for column in range(3))
    return Outcome(passed, failed, skipped)


def start_provisions(provisions: Provisions, steps: Sequence[Step]) -> None:
    """Have everything made ready in the order in which the steps will want it."""
    for entry in (STATIC, MAIN):
        provisions.environment(entry)
    provisions.programs()
    for minor in REAL_BLENDERS:  # for the longest step
        provisions.blender(minor)
    for entry in (OTHER_PYTHON, ENTRIES["4.2.23"], ENTRIES["4.5.15"]):
        provisions.environment(entry)
    provisions.environment(PYTEST_BLENDER)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Run every test on everything supported.")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="steps by name")
    parser.add_argument("--list", action="store_true", help="name the steps and stop")
    parser.add_argument("--jobs", type=int, default=2, help="steps at a time (2)")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # a cancelled job cleans up as well
    started = time.monotonic()
    provisions = Provisions()
    work = Path(tempfile.mkdtemp(prefix="plumbline-tests-"))
    try:
        steps = list(Plan(provisions, work).steps())
        if options.only:
            wanted = options.only
            steps = [s for s in steps if any(fnmatch.fnmatch(s.name, name) for name in wanted)]
        elif not options.list:
            start_provisions(provisions, steps)
        if options.list:
            print("\n".join(step.name for step in steps))
            return 0
        total = run_steps(steps, Runner(ROOT, work), options.jobs)
    except KeyboardInterrupt:
        print("interrupted; what is being installed is finished first", file=sys.stderr)
        return 130
    finally:
        shutil.rmtree(work, ignore_errors=True)
    print(f"tests took {time.monotonic() - started:.0f} s")
    print(total, flush=True)
    return 0 if total.passed and not total.failed else 1


if __name__ == "__main__":
    sys.exit(main())
