# SPDX-License-Identifier: GPL-3.0-or-later
"""Whole episodes beside an open file, ticked by a loop: background has no timers."""

from __future__ import annotations

import time

import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.real_blender


@pytest.fixture
def place(tmp_path, monkeypatch):
    """Everything that the window keeps goes into a folder of the test's."""
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path))
    return tmp_path / "session"


@pytest.fixture
def choose(registered, place):
    """Sets the panel's choices; afterwards nothing runs and nothing is allowed."""
    from plumbline.addon.session import current

    def chosen(**values):
        state, choices = bpy.context.window_manager.plumbline, bpy.context.window_manager
        for name, value in values.items():
            holder = state if name in ("task", "profile") else choices.plumbline_agent
            setattr(holder, name, value)

    chosen(task="timber/cabin", provider="scripted")
    yield chosen
    current.close()


def to_the_end(seconds=120):
    """Tick the episode until it is over."""
    from plumbline.addon.session import current

    found = current.now()
    end = time.monotonic() + seconds
    while not found.job.over or not found.job.main.idle:
        found.tick()
        assert time.monotonic() < end, found.live
        time.sleep(0.005)
    found.tick()
    return found


@pytest.mark.parametrize("where", ["isolated", "session"])
def test_a_known_good_house_lands_and_is_judged(choose, where):
    from plumbline.addon import review
    from plumbline.addon.session.consent import consent

    choose(where=where)
    consent.give()
    assert bpy.ops.plumbline.start_agent() == {"FINISHED"}
    found = to_the_end()
    live = found.live
    assert (live.end, live.verdict) == ("finished", "passed"), live
    (key,) = live.tries
    scene = found.gallery.landed[key].scene
    assert scene.name == "cabin · program" and len(scene.objects) == 199
    assert bpy.context.window.scene == scene
    assert review.of(scene).judgement.verdict == "passed"
    assert scene["plumbline_task"] == "timber/cabin"
    assert live.code.startswith("# SPDX") and (found.job.result.verdict == "passed")


def test_names_that_the_file_has_already_lead_to_the_right_members(choose):
    """The second house can't have its names, yet a finding leads to its members."""
    from plumbline.addon import review
    from plumbline.addon.scene.members import object_of_member

    for _ in range(2):
        bpy.ops.plumbline.start_agent()
        found = to_the_end()
    scene = found.gallery.landed[1].scene
    shown = review.of(scene)
    obj = object_of_member("Joist_01", shown.structure, scene)
    assert obj.name == "Joist_01.001" and scene.objects.get(obj.name) == obj
    assert not shown.stale


def test_without_leave_it_does_not_start(choose):
    choose(where="session")
    with pytest.raises(RuntimeError, match="needs your permission"):
        bpy.ops.plumbline.start_agent()


def test_revoking_ends_an_episode(choose):
    from plumbline.addon.session.consent import consent

    choose(where="session")
    consent.give()
    bpy.ops.plumbline.start_agent()
    bpy.ops.plumbline.revoke_session()
    live = to_the_end().live
    assert (live.end, live.fault) == ("environment", "consent")
    assert bpy.data.scenes.keys() == ["Scene"]


def test_another_file_ends_the_episode_and_the_leave(choose):
    from plumbline.addon.session import current
    from plumbline.addon.session.consent import consent

    consent.give()
    bpy.ops.plumbline.start_agent()
    job = current.now().job
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    assert not consent.given and current.now() is None
    assert job.over or job.join(10)


def test_a_model_needs_a_name_a_key_and_the_network(choose, monkeypatch):
    monkeypatch.delenv("ANTHROPIC_API_KEY", raising=False)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    choose(provider="anthropic", model=" ")
    with pytest.raises(RuntimeError, match="model's name"):
        bpy.ops.plumbline.start_agent()
    choose(model="claude-x")
    bpy.ops.plumbline.start_agent()
    live = to_the_end().live
    expected = "key" if bpy.app.online_access else "offline"
    assert (live.end, live.fault) == ("environment", expected), live
    from plumbline.addon.runs.runfolder import read_run

    (record,) = read_run(live.run).records
    assert (record["verdict"], record["environment"]["kind"]) == ("not_judged", expected)


def test_an_episode_is_a_run_that_every_command_reads(choose, tmp_path, capsys):
    from plumbline.addon.runs import cli
    from plumbline.addon.runs.runfolder import read_run
    from plumbline.addon.session.opened import attempt_of

    bpy.ops.plumbline.start_agent()
    found = to_the_end()
    run = read_run(found.live.run)
    (record,) = run.records
    assert (record["verdict"], record["end"], record["agent"]) == ("passed", "finished", "scripted")
    folder = run.folder_of(record)
    kept = {path.name for path in folder.iterdir()}
    assert {"program.py", "scene.blend", "transcript.jsonl", "picture.png", "steps"} <= kept
    assert (found.asked.recording.path / "report.html").is_file()
    origin = attempt_of(found.gallery.landed[1].scene)
    assert (origin.run, origin.attempt, origin.step) == (run.path, record["attempt"], None)
    assert origin.record["verdict"] == "passed"
    again = tmp_path / "again"
    assert cli.main(["rejudge", str(run.path), "--out", str(again), "--no-pictures"]) == 0
    assert "no verdict has changed" in capsys.readouterr().out
    bpy.ops.plumbline.open_run(directory=found.live.run)
    bpy.ops.plumbline.open_attempt()
    assert bpy.context.scene.name.startswith("cabin") and len(bpy.context.scene.objects) == 199


def ticked_until(true, seconds=60):
    """Tick the episode until something is so."""
    from plumbline.addon.session import current

    end = time.monotonic() + seconds
    while not true():
        current.now().tick()
        assert time.monotonic() < end, current.now().live
        time.sleep(0.005)


def test_a_pause_waits_before_the_next_program_and_its_clock_stands_still(choose):
    from plumbline.addon.runs.runfolder import read_run
    from plumbline.addon.session import current

    assert not bpy.ops.plumbline.pause_agent.poll()
    bpy.ops.plumbline.start_agent()
    bpy.ops.plumbline.pause_agent()
    found = current.now()
    ticked_until(lambda: found.live.waiting)
    before = found.job.seconds
    time.sleep(0.1)
    assert found.job.seconds == pytest.approx(before, abs=1e-6) and not found.live.tries
    bpy.ops.plumbline.pause_agent()
    assert to_the_end().live.verdict == "passed" and not found.live.waiting
    (record,) = read_run(found.live.run).records
    assert record["timing"]["paused"] >= 0.1


def test_one_that_is_stopped_is_kept_as_that(choose):
    from plumbline.addon.runs.runfolder import read_run
    from plumbline.addon.session import current

    bpy.ops.plumbline.start_agent()
    bpy.ops.plumbline.pause_agent()
    ticked_until(lambda: current.now().live.waiting)
    bpy.ops.plumbline.stop_agent()
    live = to_the_end().live
    assert live.end == "stopped"
    (record,) = read_run(live.run).records
    assert (record["verdict"], record["end"]) == ("not_judged", "stopped")
    assert record["environment"]["kind"] == "stopped" and record["harness"] == "plumbline"


def test_code_and_talk_of_a_try_are_texts(choose):
    choose(where="isolated")
    assert not bpy.ops.plumbline.try_code.poll() and not bpy.ops.plumbline.show_talk.poll()
    bpy.ops.plumbline.start_agent()
    found = to_the_end()
    bpy.ops.plumbline.try_code()
    assert bpy.data.texts["cabin program.py"].as_string() == found.live.tries[1].code
    bpy.ops.plumbline.show_talk()
    talk = bpy.data.texts["cabin transcript"].as_string()
    assert "began timber/cabin" in talk and "ran program: to its end" in talk
    assert found.live.lines[0].startswith("began timber/cabin")
    assert bpy.ops.plumbline.step_try(step=1) == {"CANCELLED"}
