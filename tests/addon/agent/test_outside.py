# SPDX-License-Identifier: GPL-3.0-or-later
"""Outside commands at work: real processes, real workers, and the ways in which they go wrong."""

from __future__ import annotations

import json
import os
import shlex
import sys
import threading
import time
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator
from plumbline.addon.agent.agents import AgentError, Assignment, Limits, Workshop
from plumbline.addon.agent.outside import OutsideAgent
from plumbline.addon.agent.outside_process import Command
from plumbline.addon.agent.providers.base import Cancel, Cancelled
from plumbline.addon.agent.transcript import Transcript, read_events
from plumbline.addon.runs.records import SCHEMA_FILE
from plumbline.addon.runs.seats import WorkerSeat
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = pytest.mark.once

EVENTS = SCHEMA_FILE.with_name("transcript-1.schema.json")
HELPER = Path(__file__).parents[2] / "helpers" / "outside_builder.py"


@pytest.fixture(scope="module")
def seat():
    seat = WorkerSeat(60.0)
    yield seat
    seat.close()


@pytest.fixture
def cabin():
    return load_task("timber/cabin")


class Attempt:
    """One attempt of the helper in a mode, in a folder of its own."""

    def __init__(self, folder: Path, seat, task, **limits) -> None:
        self.folder, self.task, self.cancel = folder, task, Cancel()
        (folder / "steps").mkdir()
        self._seat, self._limits = seat, Limits(**limits)

    def build(self, command: str | list[str], effort: str | None = None):
        words = command if isinstance(command, str) else shlex.join(command)
        agent = OutsideAgent(words, effort=effort)
        with Transcript(self.folder) as transcript:
            shop = Workshop(
                self._seat.bench(self.folder / "steps"),
                self.folder,
                transcript,
                "engineering",
                self.cancel,
                self._limits,
                lambda: None,
            )
            return agent.build(Assignment(self.task, agent.name), shop)

    def helper(self, mode: str, **options):
        build = str(self.task.path / "build.py")
        return self.build([sys.executable, str(HELPER), mode, build], **options)

    @property
    def log(self) -> str:
        return (self.folder / "outside" / "command.log").read_text(encoding="utf-8")

    def events(self, kind: str) -> list:
        return [event for event in read_events(self.folder) if event["type"] == kind]


@pytest.fixture
def attempt(tmp_path, seat, cabin):
    return lambda **limits: Attempt(tmp_path, seat, cabin, **limits)


@pytest.mark.parametrize("mode", ["submit", "build"])
def test_a_command_builds_a_house_through_the_session(attempt, mode):
    one = attempt()
    built = one.helper(mode)
    assert built.fault is None, built.fault
    assert built.end == "finished", (built, one.log)
    assert len(built.execution.structure["names"]) == 199
    assert built.program.strip() == one.task.program().strip()
    assert built.metrics["tool_calls"] == (3 if mode == "submit" else 2)
    assert any("rights of whoever started" in note for note in built.notes)
    assert any("known-good program" in note for note in built.notes)  # which is what it sent
    assert (built.message is None) == (mode == "submit")
    assert [event["outcome"] for event in one.events("execution")] == ["finished"]
    known = Draft202012Validator(json.loads(EVENTS.read_text(encoding="utf-8")))
    tools = one.events("tool")
    assert tools[0]["name"] == "run_code" and tools[0]["ok"] is True
    for event in read_events(one.folder):
        known.validate(event)
    assert not (one.folder / "outside" / "address.json").exists()


def test_wrong_calls_are_answered_and_counted(attempt):
    built = attempt().helper("wrong")
    assert built.metrics["tool_errors_by_class"] == {
        "arguments": 3,
        "unknown_tool": 1,
        "raised": 1,
    }
    assert built.execution.outcome == "raised" and built.fault is None


def test_budgets_are_kept_by_the_harness_and_effort_reaches_the_command(attempt):
    one = attempt(attempts=3)
    built = one.helper("greedy", effort="high")
    assert built.metrics["tool_budget_used"] == {"run": 3}
    assert built.metrics["tool_errors_by_class"] == {"budget": 3}
    assert "environment high" in one.log


def test_a_command_that_crashes_is_judged_by_what_stood(attempt):
    built = attempt().helper("crash")
    assert built.end == "gave_up" and "before it handed in" in built.message
    assert built.fault is None and len(built.execution.structure["names"]) == 199


def test_a_command_that_never_began_is_the_environments_fault(attempt):
    one = attempt()
    built = one.helper("never_begins")
    assert built.end == "environment" and built.fault.kind == "command"
    assert "code 1 before its first call" in built.fault.message
    assert "no key for the model" in one.log


@pytest.mark.skipif(os.name != "posix", reason="rights of POSIX")
def test_a_command_that_can_not_be_started_is_said(attempt, tmp_path):
    program = tmp_path / "coder"
    program.write_bytes(b"\x7fno program")
    program.chmod(0o755)
    built = attempt().build(str(program))
    assert built.fault.kind == "command" and "can't be started" in built.fault.message


def test_a_command_that_is_not_there_is_refused():
    with pytest.raises(AgentError, match="no-such-agent is no program"):
        OutsideAgent("no-such-agent --model x")


def _gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    return Path(f"/proc/{process}/stat").read_text().split()[2] == "Z"


@pytest.mark.skipif(os.name != "posix", reason="process ids of POSIX")
def test_a_command_that_hangs_is_ended_with_all_it_started(attempt):
    one = attempt(seconds=3.0)
    built = one.helper("hang")
    assert built.end == "seconds" and built.execution is None
    assert _gone(int((one.folder / "work" / "hanging").read_text()))


def test_a_command_that_handed_in_may_not_linger(attempt, monkeypatch):
    monkeypatch.setattr("plumbline.addon.agent.outside.GRACE", 0.5)
    built = attempt().helper("lingers")
    assert built.end == "finished" and built.message is None
    assert len(built.execution.structure["names"]) == 199


def test_a_scene_that_was_written_over_is_no_result(attempt):
    built = attempt().helper("tamper")
    assert built.end == "environment" and built.fault.kind == "tampered"
    assert "changed by somebody else" in built.fault.message


def test_who_asks_to_stop_is_heard(attempt):
    one = attempt()
    threading.Timer(1.0, one.cancel.request).start()
    begin = time.monotonic()
    with pytest.raises(Cancelled):
        one.helper("hang")
    assert time.monotonic() - begin < 30


@pytest.mark.parametrize("command", ["", "   ", "agent 'unclosed"])
def test_a_command_that_says_nothing_is_refused(command):
    with pytest.raises(AgentError):
        OutsideAgent(command)


def test_harness_and_model_are_what_the_command_says(tmp_path, monkeypatch):
    for name in ("coder", "plumbline"):
        (tmp_path / name).write_text("#!/bin/sh\n", encoding="utf-8")
        (tmp_path / name).chmod(0o755)
    monkeypatch.chdir(tmp_path)
    agent = OutsideAgent("./coder --model=m-1 --fast", effort="low")
    assert (agent.name, agent.harness) == ("cli:./coder --model=m-1 --fast", "coder")
    assert (agent.model, agent.effort) == ("m-1", "low")
    assert agent.describe()["command"][0] == str(tmp_path / "coder")
    assert OutsideAgent("./coder --model m-2").model == "m-2"
    assert OutsideAgent("./coder").model is None
    assert OutsideAgent("./plumbline run").harness != "plumbline"  # whose code is trusted


def test_a_key_in_the_command_is_refused():
    with pytest.raises(AgentError, match="looks like a key"):
        OutsideAgent("coder --api-key sk-ant-REDACTED")


def test_keys_of_the_environment_stay_out_of_the_log(tmp_path):
    log = tmp_path / "log"
    environment = {**os.environ, "CODER_API_KEY": "abcdef123456", "CODER_NAME": "bob-the-coder"}
    program = "import os; print(os.environ['CODER_API_KEY'], os.environ['CODER_NAME'])"
    with Command([sys.executable, "-c", program], tmp_path, environment, log) as command:
        while command.code is None:
            time.sleep(0.02)
    assert log.read_text(encoding="utf-8").strip() == "[key] bob-the-coder"
