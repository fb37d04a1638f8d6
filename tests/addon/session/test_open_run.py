# SPDX-License-Identifier: GPL-3.0-or-later
"""A stored run in the open file: attempts brought in and judged again, two compared, damage."""

from __future__ import annotations

import json
import shutil
from types import SimpleNamespace

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")

from plumbline.addon import bundled  # noqa: E402
from plumbline.addon.runs.judging import judge_structure  # noqa: E402
from plumbline.addon.runs.records import Result  # noqa: E402
from plumbline.addon.runs.runfolder import Key, RunWriter, attempt_folder  # noqa: E402
from plumbline.addon.runs.verdicts import not_judged  # noqa: E402

PROGRAM = "import bpy\nprint('a house')\n"
TASK = "timber/shed_roof"


@pytest.fixture(scope="module")
def stored(tmp_path_factory):
    """A run: the sound shed, one with a planted fault, one that never began."""
    from plumbline.addon.scene.members import structure_from_scene

    path = tmp_path_factory.mktemp("stored") / "run"
    task = bundled.find(TASK)
    asked = {"tasks": [task.id], "agent": "somebody", "profile": "engineering"}
    with RunWriter(path, asked, {"plumbline": "0"}) as writer:
        for epoch, source in ((1, task), (2, task.twins[0])):
            key = Key(task.id, "somebody", None, epoch)
            folder = writer.attempt(key)
            bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
            exec(compile(source.program(), "program", "exec"), {"__name__": "__main__"})
            bpy.ops.wm.save_as_mainfile(filepath=str(folder / "scene.blend"), copy=True)
            structure = structure_from_scene()
            judged = judge_structure(structure, bundled.brief_of(TASK), "engineering")
            (folder / "program.py").write_text(PROGRAM)
            said = {"task": task.id, "agent": "somebody", "attempt": attempt_folder(key)}
            writer.append(Result(judged, epoch=epoch, end="finished", **said).to_record())
        broken = not_judged("engineering", "key", "There is no key; set ANTHROPIC_API_KEY.")
        told = {"task": task.id, "agent": "somebody", "epoch": 3}
        writer.append({**broken.to_record(), **told})
    return path


@pytest.fixture
def window(registered, tmp_path, monkeypatch):
    """The registered extension, keeping what it keeps in a folder of the test's."""
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))
    return bpy.context


@pytest.fixture
def opened(window, stored):
    """The run, open."""
    from plumbline.addon.session import open_run

    assert bpy.ops.plumbline.open_run(directory=str(stored)) == {"FINISHED"}
    return open_run.now()


def choose(row):
    bpy.context.window_manager.plumbline_run.active_row = row


def test_an_attempt_comes_into_a_scene_of_its_own_and_is_judged_again(opened, window):
    from plumbline.addon import review
    from plumbline.addon.session import open_run, recent
    from plumbline.addon.session.opened import attempt_of

    mine = window.scene
    assert opened.table.rows[0].said == "passed"
    choose(1)
    assert opened.chosen == 1 and bpy.ops.plumbline.open_attempt() == {"FINISHED"}
    scene = window.scene
    assert scene != mine and scene.name.startswith("shed_roof") and len(mine.objects) == 0
    today = opened.today[1]
    assert today.record["verdict"] == opened.run.records[1]["verdict"] == "failed"
    assert today.against.same_verdict and today.against.same_findings
    assert review.of(scene).judgement.verdict == "failed"
    origin = attempt_of(scene)
    assert (origin.run, origin.task) == (opened.run.path, TASK)
    assert origin.attempt == opened.run.records[1]["attempt"] and origin.folder.is_dir()
    assert attempt_of(mine) is None
    assert recent.runs() == (opened.run.path.resolve(),)
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert open_run.now() is None and attempt_of(bpy.context.scene) is None


def test_members_keep_their_names_beside_others_of_the_same_name(opened, window):
    """The second scene's objects are called ``.001``; findings and keys must not be."""
    from plumbline.addon import review
    from plumbline.addon.scene.members import object_of_member

    choose(0)
    bpy.ops.plumbline.open_attempt()
    bpy.ops.plumbline.step_attempt(step=1)
    found = review.of(window.scene)
    recorded = {f["subject"] for c in opened.run.records[1]["checks"] for f in c["findings"]}
    assert {f.subject for f in found.judgement.findings} == recorded
    assert not any(name.endswith(".001") for name in found.subjects.names)
    obj = object_of_member(found.subjects.names[0], found.structure, window.scene)
    assert obj.name.endswith(".001")
    copy = obj.copy()
    window.scene.collection.objects.link(copy)
    bpy.ops.plumbline.check_scene()
    names = review.of(window.scene).subjects.names
    assert len(set(names)) == len(names) == len(found.subjects.names) + 1
    assert copy.name in names, "what the person copied has its own name"


def test_one_without_a_scene_says_why(opened, window):
    before = len(bpy.data.scenes)
    choose(2)
    assert opened.files.scene is None and "There is no key" in opened.files.why
    assert not bpy.ops.plumbline.open_attempt.poll()
    assert not bpy.ops.plumbline.attempt_code.poll()
    assert bpy.ops.plumbline.step_attempt(step=1) == {"CANCELLED"}, "it is the last"
    assert len(bpy.data.scenes) == before


def test_code_and_talk_are_texts_and_a_changed_one_stays(opened):
    choose(0)
    assert not bpy.ops.plumbline.attempt_talk.poll(), "a program without a model has no talk"
    for _ in range(2):
        bpy.ops.plumbline.attempt_code()
    (text,) = bpy.data.texts
    assert text.name == "shed_roof.py" and text.as_string() == PROGRAM
    text.write("# mine")
    bpy.ops.plumbline.attempt_code()
    assert len(bpy.data.texts) == 2 and "# mine" in text.as_string()


def test_two_are_compared_by_todays_checks(opened, window):
    choose(0)
    bpy.ops.plumbline.use_side(side="A")
    assert not bpy.ops.plumbline.compare_attempts.poll()
    choose(1)
    bpy.ops.plumbline.use_side(side="B")
    assert bpy.ops.plumbline.compare_attempts() == {"FINISHED"}
    found = opened.compared
    assert found.verdicts == ("passed", "failed") and not opened.as_recorded
    assert found.only_b and not found.only_a
    members = found.members
    assert members.alike > 10 and (members.moved or members.only_a or members.only_b)
    scenes = [opened.landed[row].scene for row in (0, 1)]
    window.window.scene = scenes[0]
    bpy.ops.plumbline.flip_sides()
    assert window.scene == scenes[1]
    bpy.ops.plumbline.flip_sides()
    assert window.scene == scenes[0]
    assert bpy.ops.plumbline.remove_run_scenes() == {"FINISHED"}
    assert bpy.data.scenes.keys() == ["Scene"] and not bpy.data.objects


def test_one_without_a_scene_is_compared_by_its_record(opened):
    opened.a, opened.b = 0, 2
    bpy.ops.plumbline.compare_attempts()
    found = opened.compared
    assert opened.as_recorded and found.verdicts == ("passed", "not_judged")
    assert found.members is None and not found.same_verdict


def test_filters_leave_as_many_rows_as_pass(opened, window):
    state = window.window_manager.plumbline_run
    assert len(state.rows) == 3
    state.filter_verdict = "failed"
    assert len(state.rows) == 1 and opened.chosen == 0 and state.active_row == -1
    state.active_row = 0
    assert opened.chosen == 1
    state.filter_text = "nowhere"
    assert len(state.rows) == 0
    bpy.ops.plumbline.open_run(directory=str(opened.run.path))
    assert len(state.rows) == 3 and state.filter_text == ""


def test_a_folder_below_the_run_opens_the_run(window, stored):
    from plumbline.addon.session import open_run

    bpy.ops.plumbline.open_run(directory=str(stored / "attempts" / "timber"))
    assert open_run.now().run.path == stored


def test_what_is_no_run_is_said_in_a_sentence(window, tmp_path):
    from plumbline.addon.session import open_run

    with pytest.raises(RuntimeError, match=r"no run\.json in it"):
        bpy.ops.plumbline.open_run(directory=str(tmp_path))
    assert open_run.now() is None


def test_a_damaged_run_shows_what_is_left(window, stored, tmp_path):
    """Half a line, no scene, an empty .blend, an attempt's folder outside the run."""
    from plumbline.addon.session import open_run

    run = tmp_path / "run"
    shutil.copytree(stored, run)
    lines = (run / "results.jsonl").read_text().splitlines()
    records = [json.loads(line) for line in lines]
    (run / records[0]["attempt"] / "scene.blend").unlink()
    (run / records[1]["attempt"] / "scene.blend").write_bytes(b"")
    records[2]["attempt"] = "../elsewhere"
    (tmp_path / "elsewhere").mkdir()
    told = "\n".join([*(json.dumps(one) for one in records), "no record", '{"half'])
    (run / "results.jsonl").write_text(told)
    bpy.ops.plumbline.open_run(directory=str(run))
    found = open_run.now()
    assert len(found.table) == 3 and len(found.run.notes) == 2
    choose(0)
    assert "no longer in the run's folder" in found.files.why
    choose(1)
    with pytest.raises(RuntimeError, match=r"empty|cut off|damaged"):
        bpy.ops.plumbline.open_attempt()
    assert found.trouble[1] and bpy.data.scenes.keys() == ["Scene"]
    choose(2)
    assert found.files.folder is None and "../elsewhere is not in the run" in found.files.why


def test_the_program_s_own_fault_still_counts(opened):
    """What stopped with an error is failed, however sound the half that it left is."""
    from plumbline.addon import review
    from plumbline.addon.session.attempt_scene import today_record

    choose(0)
    bpy.ops.plumbline.open_attempt()
    program = {
        "id": "program",
        "status": "failed",
        "findings": [{"subject": "line 3", "message": "It stopped."}],
    }
    record = {**opened.run.records[0], "checks": [program, *opened.run.records[0]["checks"]]}
    today = today_record(record, review.of(bpy.context.scene))
    assert today["verdict"] == "failed" and today["checks"][0]["id"] == "program"


def test_what_this_version_cannot_judge_is_shown_all_the_same(window, stored, tmp_path):
    from plumbline.addon.session import open_run

    run = tmp_path / "run"
    shutil.copytree(stored, run)
    record = json.loads((run / "results.jsonl").read_text().splitlines()[0])
    (run / "results.jsonl").write_text(json.dumps({**record, "profile": "lunar"}) + "\n")
    bpy.ops.plumbline.open_run(directory=str(run))
    with pytest.raises(RuntimeError, match="can't judge a timber structure by lunar"):
        bpy.ops.plumbline.open_attempt()
    assert open_run.now().landed[0].scene == window.scene and not open_run.now().today


@pytest.fixture
def draw(window):
    """``draw(panel)``: what it asks for."""
    from recording_layout import RecordingLayout

    def drawn(panel):
        layout = RecordingLayout()
        panel.draw(SimpleNamespace(layout=layout), bpy.context)
        return layout

    return drawn


def test_the_panel_in_every_state(opened, draw, window):
    from plumbline.addon.session import open_run
    from plumbline.panels import run_compare, runs

    choose(1)
    said = " ".join(draw(runs.PLUMBLINE_PT_runs).texts())
    assert "Recorded: failed" in said and "Today: not judged yet" in said
    bpy.ops.plumbline.open_attempt()
    said = " ".join(draw(runs.PLUMBLINE_PT_runs).texts())
    assert "Today: failed" in said and "say the same as was recorded" in said
    choose(2)
    assert "No scene: There is no key" in " ".join(draw(runs.PLUMBLINE_PT_runs).texts())
    opened.a, opened.b = 0, 1
    bpy.ops.plumbline.compare_attempts()
    said = " ".join(draw(run_compare.PLUMBLINE_PT_compare).texts())
    for words in ("Both judged by today's checks", "Only in B", "moved or changed", "alike"):
        assert words in said
    open_run.close()
    said = " ".join(draw(runs.PLUMBLINE_PT_runs).texts())
    assert "Open a folder that holds run.json" in said
    assert not run_compare.PLUMBLINE_PT_compare.poll(window)


def test_findings_without_a_scene_are_told_as_recorded(window, stored, tmp_path, draw):
    from plumbline.panels import runs

    run = tmp_path / "run"
    shutil.copytree(stored, run)
    for scene in run.rglob("scene.blend"):
        scene.unlink()
    bpy.ops.plumbline.open_run(directory=str(run))
    choose(1)
    said = " ".join(draw(runs.PLUMBLINE_PT_runs).texts())
    assert "Found then (nothing to show it on)" in said and "No scene:" in said


def test_blind_mode_keeps_every_verdict_back(opened, draw, window):
    from plumbline.panels import run_compare, runs

    window.window_manager.plumbline_annotating.blind = True
    choose(1)
    bpy.ops.plumbline.open_attempt()
    opened.a, opened.b = 0, 1
    bpy.ops.plumbline.compare_attempts()
    for panel in (runs.PLUMBLINE_PT_runs, run_compare.PLUMBLINE_PT_compare):
        said = " ".join(draw(panel).texts())
        assert "failed" not in said and "passed" not in said and "fault" not in said, said
        assert "Hidden until" in said
    window.window_manager.plumbline_annotating.blind = False


@pytest.mark.once
def test_a_huge_run_is_listed_and_searched(window, stored, tmp_path, draw):
    from plumbline.addon.session import open_run
    from plumbline.panels import runs

    run = tmp_path / "run"
    shutil.copytree(stored, run)
    record = json.loads((run / "results.jsonl").read_text().splitlines()[1])
    with open(run / "results.jsonl", "a", encoding="utf-8") as stream:
        for epoch in range(10, 1010):
            stream.write(json.dumps({**record, "epoch": epoch}) + "\n")
    bpy.ops.plumbline.open_run(directory=str(run))
    state = window.window_manager.plumbline_run
    assert len(open_run.now().table) == len(state.rows) == 1003
    state.filter_text = "· 1009"
    assert len(state.rows) == 1
    assert "1 of 1,003 attempts shown" in draw(runs.PLUMBLINE_PT_runs).texts()
