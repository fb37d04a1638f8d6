# SPDX-License-Identifier: GPL-3.0-or-later
"""What running a program in a worker costs beyond the program, and whether workers grow.

Figures to reach: at most 0.15 s an attempt, warm and in a box; 2.5 s for a fresh process; and after
500 attempts on two workers less than a tenth more memory. Only the memory is asserted.

Run by itself: ``pytest tests/benchmarks/test_bench_worker.py -s`` prints the figures. Times are the
best and the median of several attempts; beside them stands the processor time of all that takes
part, the program's own included: it is what an attempt takes where nothing else runs.
"""

from __future__ import annotations

import math
import os
import statistics
import sys
import threading
import time

import pytest
from plumbline.addon.sandbox import box, confine
from plumbline.addon.sandbox.bench import WorkerBench
from plumbline.addon.sandbox.client import BlenderWorker

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.benchmark
linux = pytest.mark.skipif(sys.platform != "linux", reason="reads processes' figures from /proc")

ATTEMPTS = 500
FEW_ATTEMPTS = 60  # of the short form
WORKERS = 2
#: Attempts until everything that is made once has been made.
WARM_UP = 30
MOST_GROWTH = 0.10
REPEATS = 12

WALL = """
import bpy
for i in range(5):
    bpy.ops.mesh.primitive_cube_add(size=1, location=(0.4 * i, 0, 1.2))
    stud = bpy.context.object
    stud.name = f"Stud_{i}"
    stud.scale = (0.038, 0.089, 2.4)
"""


def attempt(bench, number):
    """Seconds of one attempt beyond what the program itself took."""
    began = time.perf_counter()
    done = bench.execute(WALL, None, f"step-{number % 4}")
    assert done.ok, done
    return time.perf_counter() - began - done.seconds


def told(name, found, cpu):
    best, middle = min(found), statistics.median(found)
    print(f"\n{name}: best {best:.3f} s, median {middle:.3f} s, processor time {cpu:.3f} s")


def processor(worker):
    """Processor time of this process and of the worker with all that it waited for, s."""
    first = worker._process._popen.pid
    total = time.process_time()
    for pid in (first, *confine.descendants(first)):
        with open(f"/proc/{pid}/stat", "rb") as stream:
            fields = stream.read().rpartition(b")")[2].split()
        total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


@linux
@pytest.mark.parametrize("isolation", ["bubblewrap", "process"])
def test_overhead_warm(isolation, rounds, tmp_path):
    if isolation == "bubblewrap" and box.why_not():
        pytest.skip(box.why_not())
    with BlenderWorker(isolation=isolation) as worker:
        bench = WorkerBench(worker, tmp_path, 60.0)
        attempt(bench, 0)
        before = processor(worker)
        found = [attempt(bench, number) for number in range(rounds(REPEATS))]
        used = (processor(worker) - before) / len(found)
    told(f"an attempt, warm, {isolation}", found, used)


@linux
@pytest.mark.parametrize("isolation", ["bubblewrap", "process"])
def test_overhead_of_a_fresh_process(isolation, rounds, tmp_path):
    if isolation == "bubblewrap" and box.why_not():
        pytest.skip(box.why_not())
    found, used = [], math.inf
    for number in range(rounds(4)):
        with BlenderWorker(isolation=isolation) as worker:
            before = time.process_time()
            found.append(attempt(WorkerBench(worker, tmp_path, 60.0), number))
            used = min(used, processor(worker) - before)
    told(f"an attempt, fresh, {isolation}", found, used)


@linux
def test_memory_after_many_attempts(tmp_path, rounds):
    """Of this process, and of what each worker keeps between attempts."""
    attempts = ATTEMPTS if rounds(ATTEMPTS) == ATTEMPTS else FEW_ATTEMPTS
    workers = [BlenderWorker() for _ in range(WORKERS)]
    try:
        _many(workers, tmp_path, WARM_UP)
        before = _held(workers)
        began = time.perf_counter()
        _many(workers, tmp_path, attempts)
        took = time.perf_counter() - began
        after = _held(workers)
        isolation = workers[0].isolation
    finally:
        for worker in workers:
            worker.close()
    growth = [later / sooner - 1 for sooner, later in zip(before, after, strict=True)]
    figures = ", ".join(
        f"{sooner / 1e6:.0f} -> {later / 1e6:.0f} MB ({part:+.1%})"
        for sooner, later, part in zip(before, after, growth, strict=True)
    )
    print(
        f"\n{attempts} attempts on {WORKERS} workers ({isolation}) in {took:.0f} s; memory of the "
        f"parent and the workers: {figures}"
    )
    assert max(growth) < MOST_GROWTH


def _many(workers, folder, count):
    failed = []

    def work(index, worker):
        bench = WorkerBench(worker, folder / str(index), 60.0)
        try:
            for number in range(count // len(workers)):
                attempt(bench, number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=pair) for pair in enumerate(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed


def _held(workers):
    pids = [[os.getpid()]]
    for worker in workers:
        first = worker._process._popen.pid
        pids.append([first, *confine.descendants(first)])
    return [confine.memory_held(group) for group in pids]
