# SPDX-License-Identifier: GPL-3.0-or-later
"""What is built in the window as a run folder that every command reads."""

from __future__ import annotations

import json

import pytest
from plumbline.addon import bundled
from plumbline.addon.agent.agents import Limits
from plumbline.addon.runs import cli
from plumbline.addon.runs.judging import judge_structure
from plumbline.addon.runs.records import Result
from plumbline.addon.runs.runfolder import RunFolderError, read_run
from plumbline.addon.runs.shape import is_record
from plumbline.addon.session.recording import (
    STOPPED,
    Recording,
    Wish,
    broken_off,
    record,
    record_of,
)
from plumbline.checks.timber.structure import TimberStructure


@pytest.fixture
def task():
    return bundled.find("timber/cabin")


@pytest.fixture
def judgement():
    return judge_structure(TimberStructure.from_boxes((), (), (), ()), None, "engineering")


def person(folder, task, judgement, **said):
    known = {
        "agent": "human",
        "harness": "blender",
        "model": None,
        "protocol": "human",
        "end": "finished",
        "blend": None,
        "program": None,
        "timing": {"total": 42.0},
    }
    return record(folder, task, judgement, **{**known, **said})


def test_a_persons_attempt_is_a_run(tmp_path, task, judgement):
    blend = tmp_path / "mine.blend"
    blend.write_bytes(b"BLENDER")
    run = person(tmp_path / "run", task, judgement, blend=blend, program="import bpy\n")
    found = read_run(run)
    (one,) = found.records
    assert is_record(json.loads((run / "results.jsonl").read_text())) and not found.notes
    assert (one["agent"], one["task"], one["verdict"]) == ("human", "timber/cabin", "failed")
    assert one["timing"]["total"] == 42.0 and one["attempt"] == "attempts/timber/cabin/1"
    folder = found.folder_of(one)
    assert (folder / "scene.blend").read_bytes() == b"BLENDER"
    assert (folder / "program.py").read_text() == "import bpy\n"
    assert "One-room cabin" in (run / "report.html").read_text(encoding="utf-8")
    assert record_of(run, one["attempt"])["title"] == task.title
    assert record_of(run, "attempts/nothing") is None


def test_the_same_task_again_is_one_repetition_more(tmp_path, task, judgement):
    for _ in range(2):
        run = person(tmp_path / "run", task, judgement)
    found = read_run(run)
    assert [r["epoch"] for r in found.records] == [1, 2]
    assert len(found.header["sessions"]) == 2
    assert all(session["ended"] for session in found.header["sessions"])


def test_other_rules_or_other_files_are_not_mixed_in(tmp_path, task, judgement):
    run = person(tmp_path / "run", task, judgement)
    paper = judge_structure(TimberStructure.from_boxes((), (), (), ()), None, "paper")
    with pytest.raises(RunFolderError, match="was made with profile engineering"):
        person(run, task, paper)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("mine")
    with pytest.raises(RunFolderError, match="holds other files"):
        person(tmp_path / "other", task, judgement)
    assert (tmp_path / "other" / "letter.txt").read_text() == "mine"


def test_one_that_was_stopped_has_an_honest_record(tmp_path, task):
    wish = Wish("anthropic/m", "engineering", "managed", Limits(seconds=60.0), 120.0)
    recording = Recording(tmp_path / "run", task, wish, {"blender": "5.2.0"})
    recording.describe({"prompts": {"system": "abc"}})
    assert read_run(tmp_path / "run").records == (), "nothing is recorded before the end"
    recording.keep(broken_off("engineering", STOPPED, "the person stopped it", end="stopped"))
    recording.close()
    found = read_run(tmp_path / "run")
    (one,) = found.records
    assert (one["verdict"], one["end"]) == ("not_judged", "stopped")
    assert one["environment"] == {"kind": "stopped", "message": "the person stopped it"}
    assert all(check["status"] == "not_run" for check in one["checks"])
    session = found.header["sessions"][0]
    assert session["agent"] == {"prompts": {"system": "abc"}}
    assert session["versions"]["blender"] == "5.2.0"
    assert session["asked"]["max_seconds"] == 60.0 and session["asked"]["protocol"] == "managed"
    assert session["summary"]["environment"] == {"stopped": 1}


def test_reports_read_it_and_what_broke_off_can_be_gone_on_with(tmp_path, task, judgement, capsys):
    run = person(tmp_path / "run", task, judgement)
    assert cli.main(["report", str(run)]) == 0
    assert "report.html" in capsys.readouterr().out
    recording = Recording(run, task, Wish("human", "engineering", "human"))
    assert recording.name == "attempts/timber/cabin/2"
    with pytest.raises(OSError, match="another run is writing here"):
        Recording(run, task, Wish("human", "engineering", "human"))
    recording.close()
    assert len(read_run(run).records) == 1
    again = Recording(run, task, Wish("human", "engineering", "human"))
    again.keep(Result(judgement, end="finished"))
    assert [r["epoch"] for r in read_run(run).records] == [1, 2]
