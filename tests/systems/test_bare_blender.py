# SPDX-License-Identifier: GPL-3.0-or-later
"""``blender -b --python run_suite.py -- …`` from a bare checkout, with what it carries itself."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import time
from pathlib import Path

import pytest
from plumbline.tasks import load_task

pytestmark = pytest.mark.real_blender
ROOT = Path(__file__).parents[2]

TASK = "timber/cabin"


def test_tasks_are_listed(suite):
    done = suite("tasks", "list")
    assert done.returncode == 0, done.stderr
    assert "timber/cabin" in done.stdout


def test_the_doctor_finds_this_blender_well(suite):
    done = suite("doctor")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("arguments", [["nonsense"], ["check"], ["check", "nowhere.blend"]])
def test_wrong_usage_is_told_by_the_code(suite, arguments):
    done = suite(*arguments)
    assert done.returncode == 2, done.stdout + done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_without_arguments_it_judges_the_smoke_suite(suite):
    done = suite()
    assert done.returncode == 0, done.stdout + done.stderr
    (run,) = (suite.folder / "runs").iterdir()
    records = [json.loads(line) for line in (run / "results.jsonl").read_text().splitlines()]
    assert len(records) >= 8
    assert {record["verdict"] for record in records} == {"passed"}
    assert (run / "report.html").exists()


_SAVE = """
import bpy
bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
exec(compile(open("program.py").read(), "program.py", "exec"), {"__name__": "__main__"})
bpy.ops.wm.save_as_mainfile(filepath="house.blend")
"""


def test_a_flawed_house_fails_and_names_its_defect_first(blender, suite):
    twin = load_task(TASK).twins[0]
    (blender.folder / "program.py").write_text(twin.program())
    saved = blender("-b", "--python-exit-code", "3", "--python-expr", _SAVE)
    assert saved.returncode == 0, saved.stdout + saved.stderr
    done = suite("check", "house.blend", "--task", TASK, "--json-out", "verdict.jsonl")
    assert done.returncode == 1, done.stdout + done.stderr
    record = json.loads((blender.folder / "verdict.jsonl").read_text())
    subjects = {found["subject"] for check in record["checks"] for found in check["findings"]}
    root = twin.expected["root"]["subject"]
    assert root in subjects
    assert min(subjects, key=lambda name: _first(name, done.stdout)) == root, done.stdout


def _first(name: str, text: str) -> int:
    """Where ``name`` first stands in ``text``, far away if nowhere."""
    found = re.search(rf"\b{re.escape(name)}\b", text)
    return found.start() if found else len(text)


def test_ctrl_c_ends_with_130_and_keeps_what_was_judged(blender_path, tmp_path, monkeypatch):
    monkeypatch.setenv("BLENDER_USER_RESOURCES", str(tmp_path / "user"))
    command = [str(blender_path), "-b", "--factory-startup", "--python", str(ROOT / "run_suite.py")]
    process = subprocess.Popen(
        [*command, "--", "run", "--out", "run"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    results = tmp_path / "run" / "results.jsonl"
    deadline = time.monotonic() + 120
    while not (results.exists() and results.stat().st_size) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert results.exists(), "nothing was judged in two minutes"
    os.kill(_inside(process.pid), signal.SIGINT)
    assert process.wait(timeout=60) == 130
    for line in results.read_text().splitlines():
        json.loads(line)


def _inside(pid: int) -> int:
    """The Blender that the wrapper ``pid`` waits for."""
    for children in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in children.read_text().split():
            return _inside(int(child)) if "bwrap" in _name(int(child)) else int(child)
    return pid


def _name(pid: int) -> str:
    return Path(f"/proc/{pid}/comm").read_text().strip()
