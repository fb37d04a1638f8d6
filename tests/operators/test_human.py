# SPDX-License-Identifier: GPL-3.0-or-later
"""A person builds by hand in the open Blender: nothing is lost, and the record is everybody's."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def home(registered, tmp_path, monkeypatch):
    """Our lasting folders, in a temporary place."""
    from plumbline.addon.session import by_hand_session, place

    monkeypatch.setattr(place, "own_folder", lambda name: _made(tmp_path / name))
    by_hand_session.forget()
    yield tmp_path
    by_hand_session.forget()


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def begin(task="timber/cabin", person="Ada"):
    from plumbline.addon.session import by_hand_session

    state = bpy.context.window_manager.plumbline
    state.task = task
    bpy.context.window_manager.plumbline_by_hand.person = person
    assert bpy.ops.plumbline.begin_by_hand() == {"FINISHED"}
    return by_hand_session.now()


def build(task="timber/cabin"):
    """What a person would build in an hour, at once: the known-good house in the open scene."""
    from plumbline.tasks import load_task

    code = compile(load_task(task).program(), "by hand", "exec")
    exec(code, {"__name__": "__main__"})
    bpy.context.view_layer.update()


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="Windows has no such signal")
def test_no_worker_that_dies_takes_the_person_s_blender_with_it(registered):
    assert signal.getsignal(signal.SIGPIPE) is not signal.SIG_DFL


def test_begin_opens_a_scene_of_its_own(home, add_box):
    mine = bpy.context.scene
    add_box("Mine", (0, 0, 0), (1, 1, 1))
    session = begin()
    scene = bpy.context.scene
    assert scene != mine and not scene.objects and scene.unit_settings.system == "METRIC"
    assert scene == session.scene and scene["plumbline_task"] == "timber/cabin"
    assert [o.name for o in mine.objects] == ["Mine"] and "plumbline_task" not in mine
    text = bpy.data.texts["Brief"].as_string()
    assert text.startswith("One-room cabin") and "16 inches on centre" in text
    assert session.clock.running and session.tries == 0
    assert (session.folder / "work.blend").is_file()
    with pytest.raises(RuntimeError, match="building already"):
        bpy.ops.plumbline.begin_by_hand()


def test_what_is_handed_in_is_an_attempt_like_everybodys(home):
    from plumbline.addon import review
    from plumbline.addon.runs.runfolder import read_run
    from plumbline.addon.session import by_hand, by_hand_session, opened

    session = begin()
    assert bpy.ops.plumbline.try_by_hand() == {"FINISHED"}
    assert review.of(session.scene).judgement.verdict == "failed"
    build()
    bpy.ops.plumbline.try_by_hand()
    assert session.tries == 2
    session.scene.name = "Something else"
    bpy.ops.plumbline.pause_by_hand()
    assert not session.clock.running
    scene, draft = session.scene, session.folder
    assert bpy.ops.plumbline.hand_in() == {"FINISHED"}
    assert by_hand_session.now() is None and not draft.exists()
    outcome = by_hand.last()
    assert (outcome.verdict, outcome.end, outcome.faults) == ("passed", "finished", 0)
    run = read_run(outcome.stored.run)
    record = run.records[0]
    expected = {
        "agent": "human",
        "harness": "blender",
        "model": None,
        "isolation": None,
        "task": "timber/cabin",
        "epoch": 1,
        "end": "finished",
        "verdict": "passed",
    }
    assert {name: record[name] for name in expected} == expected
    assert record["metrics"]["tries"] == 2 and record["metrics"]["members"] == 199
    assert (
        0 < record["metrics"]["work_seconds"] == pytest.approx(record["timing"]["build"], abs=0.1)
    )
    assert record["versions"]["blender"] == ".".join(map(str, bpy.app.version))
    assert run.header["sessions"][0]["agent"]["person"] == "Ada"
    folder = run.folder_of(record)
    assert (folder / "scene.blend").stat().st_size > 10_000
    assert (folder / "program.py").read_text() == ""
    assert (folder / "picture.png").is_file()
    assert "One-room cabin" in (run.path / "report.html").read_text(encoding="utf-8")
    assert opened.attempt_of(scene).attempt == record["attempt"]


@pytest.mark.once
def test_the_record_has_the_shape_that_the_command_line_writes(home, tmp_path_factory):
    """Fields, metrics and files of both ways are the same, but for what each can't know."""
    from plumbline.addon.agent.agents import Assignment
    from plumbline.addon.agent.human import HumanAgent
    from plumbline.addon.runs.attempts import Place, Settings, attempt
    from plumbline.addon.runs.seats import WorkerSeat
    from plumbline.addon.session import by_hand
    from plumbline.tasks import load_task

    begin("timber/shed_roof")
    build("timber/shed_roof")
    session = by_hand.attempts.now()
    by_hand.attempts.keep(session)
    built = session.folder / "work.blend"

    def person(text):
        import shutil
        import subprocess
        import threading

        place = Path(text.partition("build in ")[2].partition(" (the task")[0])

        def work():
            shutil.copyfile(built, place)
            subprocess.run([str(place.parent / "plumbline-session"), "finish"], check=True)

        threading.Thread(target=work).start()

    folder = tmp_path_factory.mktemp("cli")
    seat = WorkerSeat()
    try:
        settings = Settings(pictures=False)
        assignment = Assignment(load_task("timber/shed_roof"), "human")
        told = attempt(assignment, HumanAgent(person), seat, Place(folder, "x"), settings)
    finally:
        seat.close()
    other = told.to_record()
    bpy.ops.plumbline.hand_in()
    stored = by_hand.last().stored
    mine = json.loads((stored.run / "results.jsonl").read_text())
    assert set(mine) == set(other)
    assert set(mine["metrics"]) == set(other["metrics"])
    assert set(mine["timing"]) == set(other["timing"])
    assert set(mine["versions"]) == set(other["versions"])
    same = ("task", "title", "agent", "harness", "model", "effort", "protocol", "end", "verdict")
    assert {n: mine[n] for n in same} == {n: other[n] for n in same}
    assert mine["versions"]["blender"] == other["versions"]["blender"]
    ours = {p.name for p in (stored.run / mine["attempt"]).iterdir()}
    assert {"program.py", "scene.blend", "transcript.jsonl"} <= ours


def test_giving_up_is_an_honest_end_and_keeps_what_was_built(home):
    from plumbline.addon.runs.runfolder import read_run
    from plumbline.addon.session import by_hand, by_hand_session

    session = begin()
    bpy.ops.plumbline.add_member(role="Sill", axis="X", length=3.0)
    scene = session.scene
    assert bpy.ops.plumbline.give_up() == {"FINISHED"}
    run = read_run(by_hand.last().stored.run)
    record = run.records[0]
    assert (record["end"], record["verdict"]) == ("gave_up", "failed")
    assert record["checks"][0]["findings"][0]["message"].endswith("left it out")
    folder = run.folder_of(record)
    assert not (folder / "scene.blend").exists()
    with bpy.data.libraries.load(str(folder / "left.blend")) as (source, _):
        assert list(source.objects) == ["Sill_01"]
    assert [o.name for o in scene.objects] == ["Sill_01"], "and it stays in its scene"
    assert by_hand_session.now() is None


def test_another_file_loses_nothing_and_it_can_be_taken_up_again(home, tmp_path):
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.session import by_hand_session

    session = begin()
    bpy.ops.plumbline.try_by_hand()
    bpy.ops.plumbline.add_member(role="Beam", size="2x10", axis="X", length=3.0)
    bpy.ops.object.mode_set(mode="EDIT")
    bpy.ops.mesh.select_all(action="SELECT")
    bpy.ops.transform.translate(value=(0, 0, 2))
    session.clock._before += 600.0
    bpy.ops.wm.read_homefile(use_factory_startup=True)
    assert by_hand_session.now() is None
    kept = by_hand_session.unfinished()
    assert [k.draft.title for k in kept] == ["One-room cabin"]
    assert kept[0].draft.seconds >= 600
    mine = bpy.context.scene
    objects = len(mine.objects)
    assert bpy.ops.plumbline.take_up_by_hand(draft=kept[0].folder.name) == {"FINISHED"}
    again = by_hand_session.now()
    assert again.scene == bpy.context.scene != mine and len(mine.objects) == objects
    found = structure_from_scene(again.scene, bpy.context.evaluated_depsgraph_get())
    assert found.names == ("Beam_01",)
    assert found.aabb[0][0, 2] == pytest.approx(2.0, abs=1e-5), "also the edit under way is kept"
    assert again.clock.running and again.clock.seconds > 600
    assert (again.tries, again.person, again.task.id) == (1, "Ada", "timber/cabin")
    assert by_hand_session.unfinished() == ()
    bpy.ops.plumbline.give_up()
    assert by_hand_session.unfinished() == ()


def test_undo_takes_the_scene_away_and_not_the_attempt(home):
    from plumbline.addon.session import by_hand_session

    bpy.ops.ed.undo_push(message="before")
    session = begin()
    bpy.ops.ed.undo_push(message="begun")
    bpy.ops.plumbline.add_member(role="Sill", axis="X", length=3.0)
    bpy.ops.ed.undo_push(message="added")
    by_hand_session.keep(session)
    bpy.ops.ed.undo()
    assert session.scene is not None and not session.scene.objects
    bpy.ops.ed.undo()
    assert session.scene is None and by_hand_session.now() is session
    with pytest.raises(RuntimeError, match="is gone: redo"):
        bpy.ops.plumbline.hand_in()
    bpy.ops.ed.redo()
    bpy.ops.ed.redo()
    assert session.scene is not None and [o.name for o in session.scene.objects] == ["Sill_01"]


def test_a_scene_that_was_removed_is_brought_back_as_it_was_kept(home):
    from plumbline.addon.session import by_hand_session

    session = begin()
    bpy.ops.plumbline.add_member(role="Sill", axis="X", length=3.0)
    by_hand_session.keep(session)
    bpy.data.scenes.remove(session.scene)
    assert session.scene is None
    by_hand_session.keep(session)
    assert bpy.ops.plumbline.bring_back_by_hand() == {"FINISHED"}
    names = [o.name.partition(".")[0] for o in session.scene.objects]
    assert names == ["Sill_01"] and bpy.context.scene == session.scene


def test_the_work_is_kept_when_the_file_is_saved_and_when_time_is_up(home, tmp_path):
    from plumbline.addon.session import by_hand

    session = begin()
    blend = session.folder / "work.blend"
    before = blend.stat().st_mtime_ns
    by_hand.tick(session)
    assert blend.stat().st_mtime_ns == before, "it isn't time yet"
    session.kept -= 60.0 * bpy.context.window_manager.plumbline_by_hand.minutes
    by_hand.tick(session)
    later = blend.stat().st_mtime_ns
    assert later > before
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "mine.blend"))
    assert blend.stat().st_mtime_ns > later


def test_tries_are_counted_only_if_the_person_wants_it(home):
    from plumbline.addon.session import by_hand

    bpy.context.window_manager.plumbline_by_hand.count_tries = False
    session = begin()
    bpy.ops.plumbline.try_by_hand()
    assert session.tries is None
    bpy.ops.plumbline.hand_in()
    record = by_hand.last().stored.record
    assert record["metrics"]["tries"] is None and record["verdict"] == "failed"
    assert any("not counted" in note for note in record["notes"])


def test_checks_by_the_other_button_count_too(home):
    from plumbline.addon.session import by_hand

    session = begin()
    bpy.ops.plumbline.check_scene()
    by_hand.tick(session)
    by_hand.tick(session)
    assert session.tries == 1


def test_where_nothing_can_be_written_nothing_begins(home, monkeypatch):
    from plumbline.addon.session import by_hand_session, place

    (home / "file").write_text("in the way")
    monkeypatch.setattr(place, "own_folder", lambda name: home / "file" / name)
    scenes = len(bpy.data.scenes)
    with pytest.raises(RuntimeError, match="Nothing has begun"):
        bpy.ops.plumbline.begin_by_hand()
    assert by_hand_session.now() is None and len(bpy.data.scenes) == scenes


def test_a_disk_that_refuses_the_record_leaves_the_attempt_as_it_was(home, monkeypatch):
    from plumbline.addon.session import by_hand, by_hand_session, place

    session = begin()
    own_folder = place.own_folder
    (home / "file").write_text("in the way")
    monkeypatch.setattr(
        place,
        "own_folder",
        lambda name: home / "file" if name == by_hand.RUNS else own_folder(name),
    )
    with pytest.raises(RuntimeError, match="can't be stored"):
        bpy.ops.plumbline.hand_in()
    assert by_hand_session.now() is session and session.clock.running
    with pytest.raises(RuntimeError, match="could not be stored"):
        bpy.ops.plumbline.give_up()
    assert by_hand_session.now() is session
