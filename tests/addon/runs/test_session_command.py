# SPDX-License-Identifier: GPL-3.0-or-later
"""``plumbline session`` as separate processes: a house by single calls, locks, kills, tampering."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from plumbline.addon.runs.session_folder import FILE, SessionError, SessionFolder
from plumbline.addon.runs.shape import is_record
from plumbline.tasks import load_task

pytest.importorskip("bpy")
pytestmark = pytest.mark.once

ROOT = Path(__file__).parents[3]
PROGRAM = [sys.executable, str(ROOT / "run_suite.py"), "session"]
SLOW = json.dumps({"code": "while True:\n    pass", "fresh": True})


class Caller:
    """Calls the program for one folder, each time from another working folder."""

    def __init__(self, folder: Path, elsewhere: Path) -> None:
        self.folder, self._elsewhere = folder, elsewhere

    def start(self, action: str, *words: str, **options) -> subprocess.Popen:
        command = [*PROGRAM, action, "--dir", str(self.folder), *words]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        return subprocess.Popen(command, cwd=self._elsewhere, text=True, **pipes, **options)

    def run(self, action: str, *words: str, text: str = "") -> tuple[int, str, str]:
        process = self.start(action, *words)
        out, err = process.communicate(text, timeout=120)
        return process.returncode, out, err

    def call(self, *words: str, text: str = "") -> dict:
        code, out, err = self.run("call", *words, text=text)
        assert out.count("\n") == 1, (out, err)
        answer = json.loads(out)
        assert code == (0 if answer["ok"] else 1), err
        return answer

    def status(self) -> dict:
        return json.loads(self.run("status")[1])


@pytest.fixture
def caller(tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    return Caller(tmp_path / "session", elsewhere)


def _begin(caller: Caller, *words: str) -> dict:
    code, out, err = caller.run("init", "--task", "timber/cabin", *words)
    assert code == 0, err
    return json.loads(out)


def test_a_house_by_single_calls(caller, tmp_path):
    begun = _begin(caller, "--attempts", "3", "--agent", "coder", "--effort", "high")
    assert begun["left"]["run"] == 3 and not begun["over"]
    code, prompt, _ = caller.run("prompt")
    assert code == 0 and "Build the timber frame" in prompt and "* run_code:" in prompt
    arguments = tmp_path / "arguments.json"
    program = load_task("timber/cabin").program()
    arguments.write_text(json.dumps({"code": program, "fresh": True}), encoding="utf-8")
    assert caller.call("run_code", f"@{arguments}")["members"] == 199
    more = json.dumps({"code": "import bpy\nprint(len(bpy.data.objects))", "fresh": False})
    assert "199" in caller.call("run_code", "-", text=more)["printed"]
    assert caller.call("run_code", '{"code": "1/0", "fresh": false}')["kind"] == "raised"
    assert caller.call("run_code", more)["kind"] == "budget"
    assert caller.call("run_code", "{half")["kind"] == "arguments"
    assert caller.call("dance")["kind"] == "unknown_tool"
    assert caller.call("check")["verdict"] == "passed"
    assert caller.status()["calls"] == 7
    assert caller.call("submit")["submitted"]
    assert caller.status()["over"] and caller.call("check")["kind"] == "ended"

    code, out, err = caller.run("finish")
    record = json.loads(out)
    assert code == 0 and is_record(record), err
    assert (record["verdict"], record["task"]) == ("passed", "timber/cabin")
    assert (record["agent"], record["effort"]) == ("coder", "high")
    assert record["metrics"]["members"] == 199
    assert record["metrics"]["tool_errors_by_class"]["raised"] == 1
    assert any("known-good program" in note for note in record["notes"])
    assert caller.run("finish")[:2] == (code, out)
    assert (caller.folder / "scene.blend").is_file()
    kinds = [json.loads(line)["type"] for line in (caller.folder / "transcript.jsonl").open()]
    assert kinds.count("tool") == 9 and kinds.count("execution") == 3


def test_what_was_never_built_fails(caller):
    _begin(caller)
    code, out, _ = caller.run("finish")
    record = json.loads(out)
    assert code == 1 and record["verdict"] == "failed" and record["checks"][0]["id"] == "program"


def _until(true, seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)


def _pending(caller: Caller) -> bool:
    return json.loads((caller.folder / FILE).read_text(encoding="utf-8"))["pending"] is not None


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_a_killed_call_costs_what_it_would_have_and_loses_nothing_else(caller):
    _begin(caller, "--attempts", "3")
    house = json.dumps({"code": load_task("timber/cabin").program(), "fresh": True})
    assert caller.call("run_code", "-", text=house)["members"] == 199
    process = caller.start("call", "run_code", SLOW)
    _until(lambda: _pending(caller))
    process.send_signal(signal.SIGKILL)
    process.communicate()
    status = caller.status()
    assert (status["members"], status["calls"]) == (199, 2)
    assert status["left"]["run"] == 1
    assert caller.call("check")["verdict"] == "passed"


@pytest.mark.skipif(os.name != "posix", reason="kills with SIGKILL")
def test_two_calls_at_once_wait_for_each_other(caller):
    _begin(caller)
    process = caller.start("call", "run_code", SLOW)
    try:
        _until(lambda: _pending(caller))
        with pytest.raises(SessionError, match="another call is still under way"):
            SessionFolder(caller.folder, patience=0.1)
        waiting = caller.start("status")
        time.sleep(1.0)
        assert waiting.poll() is None
    finally:
        process.kill()
        process.communicate()
    out, err = waiting.communicate(timeout=60)
    assert json.loads(out)["calls"] == 1, err


def test_changes_by_hand_are_noticed(caller):
    _begin(caller)
    house = json.dumps({"code": load_task("timber/cabin").program(), "fresh": True})
    assert caller.call("run_code", "-", text=house)["ok"]
    blend = caller.folder / "steps" / "run-01.blend"
    whole = blend.read_bytes()
    blend.write_bytes(whole + b"!")
    code, out, err = caller.run("finish")
    assert (code, out) == (3, "") and "changed by somebody else" in err
    blend.write_bytes(whole)
    state = caller.folder / FILE
    state.write_text(state.read_text(encoding="utf-8").replace('"calls": 1', '"calls": 0', 1))
    code, out, err = caller.run("status")
    assert (code, out) == (2, "") and "was changed by somebody else" in err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("status",), "no such folder"),
        (("init", "--task", "timber/castle"), "timber/castle"),
        (("init", "--task", "timber/cabin", "--attempts", "0"), "no whole number from 1 up"),
        (("init", "--task", "timber/cabin", "--protocol", "atomic"), "invalid choice"),
        (("call", "check", "@nothing.json"), "nothing.json"),
    ],
)
def test_wrong_usage_is_one_sentence(caller, words, told):
    code, out, err = caller.run(*words)
    assert code == 2 and out == "" and told in err
    assert not caller.folder.exists()


def test_folders_that_are_no_sessions_are_left_alone(caller):
    caller.folder.mkdir()
    (caller.folder / "letter.txt").write_text("dear", encoding="utf-8")
    code, _, err = caller.run("init", "--task", "timber/cabin")
    assert code == 2 and "holds other files" in err
    (caller.folder / FILE).write_text("{", encoding="utf-8")
    code, _, err = caller.run("status")
    assert code == 2 and "is no session" in err
