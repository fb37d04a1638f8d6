# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking again by itself: once an edit has settled, and never at a bad moment."""

from __future__ import annotations

import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def live(frame, monkeypatch):
    """The switch on, a first result there, and no time to wait for."""
    from plumbline.addon.session import live_check

    monkeypatch.setattr(live_check, "SETTLED", 0.0)
    bpy.ops.plumbline.check_scene()
    live_check.switch(True)
    yield live_check
    live_check.switch(False)


def kept():
    from plumbline.addon import review

    return review.of(bpy.context.scene)


def move(name="TopPlate_01", z=-0.4):
    bpy.data.objects[name].location.z += z
    bpy.context.view_layer.update()


def test_a_finding_goes_by_itself_once_it_is_mended(live):
    former = kept()
    assert "load_path:TopPlate_01" in former.table.row_of
    assert not live.tick() and kept() is former, "nothing was edited"
    move()
    assert former.stale
    assert not live.tick()
    assert kept() is not former and not kept().stale
    assert "load_path:TopPlate_01" in kept().changes.mended


def test_it_waits_until_the_edit_has_settled(live, monkeypatch):
    former = kept()
    monkeypatch.setattr(live, "SETTLED", 1000.0)
    move()
    assert live.tick() and kept() is former
    monkeypatch.setattr(live, "SETTLED", 0.0)
    assert not live.tick() and kept() is not former


def test_many_edits_are_one_check(live):
    serial = kept().serial
    for _ in range(5):
        move(z=-0.01)
    live.tick()
    assert kept().serial == serial + 1 and not live.tick()


def test_in_edit_mode_it_waits_and_says_so(live):
    former = kept()
    bpy.context.view_layer.objects.active = bpy.data.objects["Stud_01"]
    move()
    bpy.ops.object.mode_set(mode="EDIT")
    assert live.tick() and kept() is former
    assert "Object Mode" in live.waits_for()
    bpy.ops.object.mode_set(mode="OBJECT")
    assert not live.tick() and kept() is not former and live.waits_for() == ""


def test_switched_off_it_does_nothing(live):
    former = kept()
    move()
    live.switch(False)
    assert not live.tick() and kept() is former and former.stale
    move(z=0.1)
    assert not live.tick()


def test_switching_it_on_checks_what_was_edited_before(live):
    live.switch(False)
    move()
    former = kept()
    live.switch(True)
    live.tick()
    assert kept() is not former and not kept().stale


def test_switching_it_on_checks_a_scene_that_never_was(frame):
    from plumbline.addon.session import live_check

    live_check.SETTLED, usual = 0.0, live_check.SETTLED
    try:
        live_check.switch(True)
        live_check.tick()
        assert kept() is not None and kept().judgement.profile == "engineering"
    finally:
        live_check.SETTLED = usual
        live_check.switch(False)


def test_undo_is_an_edit_and_looking_is_none(live):
    bpy.ops.ed.undo_push(message="before")
    move()
    bpy.ops.ed.undo_push(message="moved")
    live.tick()
    mended = kept()
    assert "load_path:TopPlate_01" not in mended.table.row_of
    bpy.ops.ed.undo()
    assert mended.stale
    live.tick()
    assert "load_path:TopPlate_01" in kept().changes.new
    former = kept()
    bpy.ops.plumbline.show_finding("EXEC_DEFAULT", True, row=0)
    assert not live.tick() and kept() is former


def test_a_new_name_is_an_edit(live):
    former = kept()
    bpy.data.objects["Stud_01"].name = "Joist_01"
    bpy.context.view_layer.update()
    assert former.stale
    live.tick()
    assert kept() is not former and "Joist_01" in kept().member_index


def test_rules_and_brief_stay_those_of_the_check_before(live):
    from plumbline.addon.session import checking

    checking.check(bpy.context.scene, "paper", brief={"species": "douglas fir-larch"})
    bpy.context.window_manager.plumbline.profile = "release"
    move()
    live.tick()
    assert kept().judgement.profile == "paper"
    assert kept().overrides == {"species": "douglas fir-larch"}


def test_huge_scenes_are_left_alone_with_a_sentence(live, monkeypatch):
    monkeypatch.setattr(live, "MOST_OBJECTS", 3)
    former = kept()
    move()
    assert not live.tick() and kept() is former
    assert "4 objects" in live.why_off(bpy.context.scene)
    monkeypatch.setattr(live, "MOST_OBJECTS", 5000)
    former.read_seconds = 2.0
    assert "2.0 s" in live.why_off(bpy.context.scene)


def test_a_check_that_fails_is_said_and_tried_again_after_the_next_edit(live, monkeypatch):
    from plumbline.addon.scene import members
    from plumbline.addon.session import jobs
    from plumbline.checks.timber.structure import StructureError

    read = members.structure_from_scene

    def refuse(*_args):
        raise StructureError("member 'Stud_01': center is not finite")

    monkeypatch.setattr(members, "structure_from_scene", refuse)
    move()
    assert not live.tick() and kept() is None
    assert "Stud_01" in jobs.failures()[0].sentence
    monkeypatch.setattr(members, "structure_from_scene", read)
    move(z=0.01)
    live.tick()
    assert kept() is not None and jobs.failures() == ()


def test_scenes_that_are_not_shown_wait_for_the_button(live):
    scene = bpy.context.scene
    move()
    bpy.context.window.scene = bpy.data.scenes.new("Other")
    former = kept()
    assert not live.tick() and former is None
    bpy.context.window.scene = scene
    assert kept().stale
