# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking a scene: one check anew, another brief, what stays and what goes, edits meanwhile."""

from __future__ import annotations

import math
import threading

import pytest

bpy = pytest.importorskip("bpy")


@pytest.fixture
def check(frame):
    """``check(**options)``: the review of the open scene after a check."""
    from plumbline.addon import review
    from plumbline.addon.session import checking

    def made(profile="engineering", **options):
        checking.check(bpy.context.scene, profile, **options)
        return review.of(bpy.context.scene)

    return made


def keys(found, check=None):
    return {f.key for f in found.judgement.findings if check in (None, f.check)}


def move(name, z):
    bpy.data.objects[name].location.z += z
    bpy.context.view_layer.update()


def test_a_check_tells_how_long_each_check_took(check):
    found = check()
    assert set(found.timing) == {c.id for c in found.judgement.checks}
    assert 0 < found.read_seconds < found.seconds
    assert sum(found.timing.values()) <= found.seconds


def test_the_chosen_finding_stays_chosen_and_what_changed_is_told(check):
    former = check()
    assert former.changes is None
    plate = "load_path:TopPlate_01"
    missing = next(f.key for f in former.table.findings if f.check == "completeness")
    former.active = former.table.row_of[missing]
    move("TopPlate_01", -0.4)
    found = check(keep=True)
    assert found is not former and found.chosen.key == missing
    assert plate in found.changes.mended and plate not in found.table.row_of


def test_a_chosen_finding_that_is_mended_is_chosen_no_longer(check):
    former = check()
    plate = "load_path:TopPlate_01"
    former.active = former.table.row_of[plate]
    former.told = ("something",)
    move("TopPlate_01", -0.4)
    found = check(keep=True)
    assert plate in found.changes.mended and found.chosen is None and found.told == ()


def test_one_check_anew_leaves_the_others_and_says_that_they_are_older(check):
    former = check()
    move("TopPlate_01", -0.4)
    assert former.stale
    found = check(only="load_path")
    assert "load_path:TopPlate_01" not in keys(found)
    assert keys(found, "completeness") == keys(former, "completeness")
    ids = {c.id for c in found.judgement.checks}
    assert found.older == ids - {"load_path"} and not found.stale
    again = check(only="clash")
    assert again.older == ids - {"load_path", "clash"}
    assert check(keep=True).older == frozenset()


def test_one_check_anew_of_a_scene_that_was_not_edited_makes_no_other_older(check):
    check()
    assert check(only="clash").older == frozenset()


def test_one_check_of_other_rules_than_those_before_is_a_whole_check(check):
    check("paper")
    found = check("engineering", only="clash")
    assert found.judgement.profile == "engineering" and found.older == frozenset()


def test_a_brief_of_ones_own_stands_in_the_place_of_the_tasks(check):
    from plumbline.addon import bundled

    task = bundled.timber_tasks()[0]
    bpy.context.scene[bundled.TASK_KEY] = task.id
    usual = check()
    heavy = check(brief={"floor_live": 9000.0})
    assert usual.task == heavy.task == task.id
    assert heavy.brief.floor_live == 9000.0 and usual.brief.floor_live != 9000.0
    assert heavy.brief.species == usual.brief.species
    assert heavy.overrides == {"floor_live": 9000.0} and usual.overrides == {}


def test_a_brief_that_is_refused_is_a_sentence_and_leaves_no_result(check):
    check()
    said = []
    assert check(brief={"floor_life": 1.0}, failed=said.append, keep=True) is None
    assert "unknown field 'floor_life'" in said[0]


def test_an_edit_while_it_is_being_judged_makes_the_result_stale(check, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.session import checking, jobs
    from window_timers import WindowLike

    window = WindowLike(monkeypatch, jobs)
    go_on = threading.Event()
    judge = review.judge_reading
    monkeypatch.setattr(review, "judge_reading", lambda *args: go_on.wait(20) and judge(*args))
    scene = bpy.context.scene
    work = checking.check(scene, "engineering", wait=0.0)
    assert checking.at_work(scene) is work and review.of(scene) is None
    move("TopPlate_01", -0.1)
    go_on.set()
    window.until(lambda: checking.at_work(scene) is None)
    window.until(lambda: review.of(scene) is not None)
    assert review.of(scene).stale


def test_a_newer_check_calls_the_older_one_off(check, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.session import checking, jobs
    from window_timers import WindowLike

    window = WindowLike(monkeypatch, jobs)
    came = []
    scene = bpy.context.scene
    judge = review.judge_reading

    def slow(reading, progress):
        if reading.profile == "paper":
            for _ in range(2000):
                progress("", 0, 1)  # ends once it is called off
                threading.Event().wait(0.01)
        return judge(reading, progress)

    monkeypatch.setattr(review, "judge_reading", slow)
    first = checking.check(scene, "paper", came.append, wait=0.0)
    second = checking.check(scene, "release", came.append, wait=0.0)
    assert first.stopping or first.job.over
    window.until(lambda: second.job.over and jobs.now() == ())
    assert [found.judgement.profile for found in came] == ["release"]


def test_a_scene_that_is_removed_meanwhile_gets_no_result(check, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.session import checking, jobs
    from window_timers import WindowLike

    window = WindowLike(monkeypatch, jobs)
    other = bpy.data.scenes.new("Other")
    came = []
    go_on = threading.Event()
    judge = review.judge_reading
    monkeypatch.setattr(review, "judge_reading", lambda *args: go_on.wait(20) and judge(*args))
    work = checking.check(other, "engineering", came.append, wait=0.0)
    bpy.data.scenes.remove(other)
    go_on.set()
    window.until(lambda: work.job.over and jobs.now() == ())
    assert came == [] and jobs.failures() == ()


def test_scripts_get_the_result_when_the_operator_returns(check):
    from plumbline.addon import review

    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}
    former = review.of(bpy.context.scene)
    move("TopPlate_01", -0.4)
    assert bpy.ops.plumbline.check_one(check="load_path") == {"FINISHED"}
    found = review.of(bpy.context.scene)
    assert found is not former and "clash" in found.older
    with pytest.raises(RuntimeError, match="have no check 'nothing'"):
        bpy.ops.plumbline.check_one(check="nothing")
    assert math.isfinite(found.seconds)
