# SPDX-License-Identifier: GPL-3.0-or-later
"""The job engine as a window drives it: never waits, stops when closed, loses nothing."""

import json
import threading
import time
from dataclasses import replace

import pytest
from plumbline.addon.agent.messages import Usage
from plumbline.addon.agent.scripted import Scripted
from plumbline.addon.runs.attempts import Settings
from plumbline.addon.runs.budget import RunBudget
from plumbline.addon.runs.runfolder import RunWriter, read_run
from plumbline.addon.runs.runner import Finished, Started, Tick, key
from plumbline.addon.runs.runner import run as run_attempts
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.addon.runs.storage import StorageError
from plumbline.tasks import load_task

pytestmark = [pytest.mark.blender, pytest.mark.ends]

EMPTY = "import bpy\n"
SLEEP = "import time\ntime.sleep(600)\n"
SETTINGS = Settings(pictures=False)
AGENT = Scripted()


def run(todo, writer, settings, **options):
    """The engine with the scripted agent."""
    return run_attempts(todo, AGENT, writer, settings, lambda: WorkerSeat(60.0), **options)


@pytest.fixture
def make_tasks(tmp_path):
    def make(**programs):
        for name, program in programs.items():
            folder = tmp_path / "timber" / name
            folder.mkdir(parents=True)
            texts = {"title": name, "style": "test", "description": "For a test."}
            data = {
                "id": f"timber/{name}",
                "kind": "timber",
                **texts,
                "constraints": {},
                "brief": {},
            }
            (folder / "task.json").write_text(json.dumps(data))
            (folder / "build.py").write_text(program)
        tasks = [load_task(tmp_path / "timber" / name) for name in programs]
        return list(AGENT.assignments(tasks))

    return make


@pytest.fixture
def writer(tmp_path):
    with RunWriter(tmp_path / "run", {"profile": "engineering"}, {}) as writer:
        yield writer


def test_a_timer_can_drive_it(make_tasks, writer):
    todo = make_tasks(a=EMPTY, b=EMPTY, c=EMPTY)
    events, longest = [], 0.0
    generator = run(todo, writer, SETTINGS, workers=2, poll=0)
    while True:
        begin = time.perf_counter()
        event = next(generator, None)
        longest = max(longest, time.perf_counter() - begin)
        if event is None:
            break
        events.append(event)
        time.sleep(0.01)
    assert any(isinstance(event, Tick) for event in events)
    started = [e.assignment.name for e in events if isinstance(e, Started)]
    finished = [e.assignment.name for e in events if isinstance(e, Finished)]
    assert sorted(started) == sorted(finished) == ["timber/a", "timber/b", "timber/c"]
    assert len(read_run(writer.path).records) == 3
    assert longest < 5.0  # no step waits for Blender: starting one alone takes seconds


def test_closing_it_stops_the_blenders_and_keeps_the_rest(make_tasks, writer):
    todo = make_tasks(a=EMPTY, b=SLEEP, c=EMPTY)
    generator = run(todo, writer, SETTINGS)
    for event in generator:
        if isinstance(event, Started) and event.assignment.name == "timber/b":
            time.sleep(0.3)
            break
    begin = time.monotonic()
    generator.close()
    assert time.monotonic() - begin < 10
    assert [r["task"] for r in read_run(writer.path).records] == ["timber/a"]
    names = [thread.name for thread in threading.enumerate()]
    assert not any(name.startswith("plumbline-") for name in names)


@pytest.mark.once
def test_a_disk_that_refuses_ends_the_run_with_the_disks_sentence(make_tasks, writer, monkeypatch):
    todo = make_tasks(a=EMPTY, b=EMPTY)
    full = StorageError(28, "results.jsonl: the disk is full")

    def append(record):
        raise full

    monkeypatch.setattr(writer, "append", append)
    with pytest.raises(StorageError, match="the disk is full"):
        list(run(todo, writer, SETTINGS))


@pytest.mark.once
def test_a_bug_of_ours_is_a_record_not_a_lost_run(make_tasks, writer, monkeypatch):
    from plumbline.addon.runs import verdicts

    def broken(*_):
        raise ZeroDivisionError("division by zero")

    monkeypatch.setattr(verdicts, "judge_structure", broken)
    (finished,) = [e for e in run(make_tasks(a=EMPTY), writer, SETTINGS) if isinstance(e, Finished)]
    assert finished.record["verdict"] == "not_judged"
    assert finished.record["environment"]["kind"] == "internal"
    assert "ZeroDivisionError" in (finished.folder / "error.txt").read_text()


@pytest.mark.once
def test_the_flawed_agent_has_one_assignment_a_twin():
    task = load_task("timber/cabin")
    found = list(Scripted(flawed=True).assignments([task]))
    assert [one.variant for one in found] == [twin.id for twin in task.twins]
    assert len({key(one) for one in found}) == len(found)
    for one in found:
        assert one.twin.program().startswith(task.program().rstrip())


class Costly(Scripted):
    """The scripted agent, with what each attempt cost."""

    def __init__(self, cost):
        super().__init__()
        self.cost = cost

    def build(self, assignment, workshop):
        built = super().build(assignment, workshop)
        self.limits = workshop.limits
        return replace(built, usage=Usage(input_tokens=10, cost=self.cost, calls=1))


@pytest.mark.once
@pytest.mark.parametrize(("cost", "made"), [(0.4, 3), (1.0, 1), (None, 1), (0.01, 4)])
def test_a_budget_ends_the_run_not_an_attempt(make_tasks, writer, cost, made):
    todo = make_tasks(a=EMPTY, b=EMPTY, c=EMPTY, d=EMPTY)
    budget, agent = RunBudget(1.0), Costly(cost)
    list(run_attempts(todo, agent, writer, SETTINGS, lambda: WorkerSeat(60.0), budget=budget))
    records = read_run(writer.path).records
    assert len(records) == made
    assert {record["usage"]["cost"] for record in records} == {cost}
    assert budget.unknown == (cost is None)
    assert agent.limits.cost == pytest.approx(1.0 - (made - 1) * (cost or 0.0))
