# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs by outside commands and people, as they are started from a terminal."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from plumbline.addon.runs.runfolder import read_run

pytestmark = [pytest.mark.blender, pytest.mark.once]

HELPER = Path(__file__).parents[1] / "helpers" / "outside_builder.py"
TASKS = ("timber/cabin", "timber/shed_roof")


def test_a_run_by_an_outside_command_and_its_replay(plumbline, root, tmp_path):
    command = shlex.join([sys.executable, str(HELPER), "submit", str(root / "tasks" / "timber")])
    words = ("--agent", f"cli:{command}", "--effort", "low", "--workers", "2")
    done = plumbline("run", *words, "--tasks", *TASKS, "--out", "R", "--no-pictures")
    assert done.returncode == 0, done.stderr
    run = read_run(tmp_path / "R")
    assert sorted(record["task"] for record in run.records) == sorted(TASKS)
    for record in run.records:
        assert record["verdict"] == "passed" and record["end"] == "finished"
        assert record["agent"] == f"cli:{command}" and record["effort"] == "low"
        assert record["harness"].startswith("python") and record["model"] is None
        assert record["metrics"]["tool_calls"] == 3
        assert any("rights of whoever started" in note for note in record["notes"])
    work = run.folder_of(run.records[0]) / "work"
    assert (work / "reference" / "front_right.png").is_file()
    assert "reference/front.png" in (work / "TASK.md").read_text(encoding="utf-8")
    again = plumbline("run", "--agent", "replay:R", "--out", "Q", "--no-pictures")
    assert again.returncode == 0, again.stderr
    verdicts = {record["task"]: record["verdict"] for record in read_run(tmp_path / "Q").records}
    assert verdicts == dict.fromkeys(TASKS, "passed")


def test_a_command_that_is_not_there_is_wrong_usage(plumbline, tmp_path):
    words = ("--agent", "cli:no-such-agent", "--tasks", "timber/cabin", "--out", "R")
    done = plumbline("run", *words)
    assert done.returncode == 2 and "no-such-agent is no program" in done.stderr
    assert not (tmp_path / "R").exists()


@pytest.mark.skipif(os.name != "posix", reason="opens a terminal of its own")
def test_a_person_builds_and_the_run_can_be_repeated(plumbline, tmp_path):
    house = plumbline(
        "run", "--agent", "scripted", "--tasks", "timber/cabin", "--out", "H", "--no-pictures"
    )
    assert house.returncode == 0, house.stderr
    ours, theirs = os.openpty()
    words = ("run", "--agent", "human", "--tasks", "timber/cabin", "--out", "R", "--no-pictures")
    process = subprocess.Popen(
        [*plumbline.command, *words],
        cwd=tmp_path,
        env=plumbline.environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=theirs,
        text=True,
    )
    os.close(theirs)
    shown = b""
    while not (found := re.search(rb"build in (\S+build\.blend) \(", shown)):
        shown += os.read(ours, 4096)
    file = Path(found[1].decode())
    shutil.copyfile(tmp_path / "H/attempts/timber/cabin/1/scene.blend", file)
    handed_in = plumbline("session", "finish", "--dir", str(file.parent))
    assert handed_in.returncode == 0, handed_in.stderr
    out, _ = process.communicate(timeout=120)
    os.close(ours)
    assert process.returncode == 0, out
    record = read_run(tmp_path / "R").records[0]
    assert (record["verdict"], record["agent"], record["harness"]) == ("passed", "human", "blender")
    assert plumbline("run", "--agent", "replay:R", "--out", "Q", "--no-pictures").returncode == 0


def test_without_a_terminal_a_person_is_not_asked(plumbline, tmp_path):
    done = plumbline("run", "--agent", "human", "--tasks", "timber/cabin", "--out", "R")
    assert done.returncode == 2 and "needs a terminal" in done.stderr
    assert done.stderr.count("\n") == 1 and not (tmp_path / "R").exists()
