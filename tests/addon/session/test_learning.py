# SPDX-License-Identifier: GPL-3.0-or-later
"""Opening and leaving lessons beside a person's own scenes: nothing of theirs is touched."""

from __future__ import annotations

import numpy as np
import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


def everything() -> dict[str, set[int]]:
    kinds = ("scenes", "objects", "meshes", "collections", "worlds")
    return {kind: {b.session_uid for b in getattr(bpy.data, kind)} for kind in kinds}


def corners(scene) -> dict[str, list]:
    return {
        obj.name: [tuple(obj.matrix_world @ v.co) for v in obj.data.vertices]
        for obj in scene.objects
        if obj.type == "MESH"
    }


def verdict() -> str:
    from plumbline.addon import review

    return review.of(bpy.context.scene).judgement.verdict


def test_a_lesson_comes_and_goes_without_a_trace(registered):
    before, mine = everything(), bpy.context.scene
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    lesson = bpy.context.scene
    assert lesson != mine and "Stud_N_03" in lesson.objects
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.plumbline.what_if(slider="bay", value=0.5)
    bpy.ops.plumbline.leave_lesson()
    assert bpy.context.window.scene == mine and everything() == before


def test_the_next_lesson_takes_the_place_of_the_one_before(registered):
    mine = bpy.context.scene
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    bpy.ops.plumbline.open_lesson(lesson="joist_laid_flat")
    assert len(bpy.data.scenes) == 2
    bpy.ops.plumbline.leave_lesson()
    assert bpy.context.window.scene == mine


def test_a_house_of_the_same_names_beside_it_is_left_alone(registered):
    """The person has the very house open: the lesson's members carry numbers then."""
    from plumbline.addon import bundled
    from plumbline.addon.scene.new_scene import build_in_new_scene

    task = bundled.find("timber/cabin")
    house = build_in_new_scene(task.program(), "Mine", "mine", bpy.context.window)
    before = corners(house)
    for lesson, slider, value in (
        ("joist_laid_flat", "spacing", 0.5),
        ("over_spanned_beam", "span", 2.7),
        ("rafters_on_one_side", "lift", 0.08),
        ("floating_collar_tie", "gap", 0.05),
    ):
        bpy.ops.plumbline.open_lesson(lesson=lesson)
        bpy.ops.plumbline.lesson_step(step="show")
        assert verdict() == "failed"
        bpy.ops.plumbline.mend_lesson()
        assert verdict() == "passed", lesson
        bpy.ops.plumbline.what_if(slider=slider, value=value)
        assert verdict() == "failed", lesson
        assert corners(house) == before
        bpy.ops.plumbline.leave_lesson()
    assert bpy.context.window.scene == house and corners(house) == before


def test_what_a_person_adds_to_a_lesson_stays(registered):
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    scene = bpy.context.scene
    scene.collection.objects.link(bpy.data.objects.new("My own", None))
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.plumbline.what_if(slider="bay", value=0.5)
    bpy.ops.plumbline.leave_lesson()
    assert "My own" in bpy.data.objects and scene.name in bpy.data.scenes
    assert not bpy.ops.plumbline.mend_lesson.poll()


def test_leaving_works_when_the_scene_before_is_gone(registered):
    mine = bpy.context.scene
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    bpy.data.scenes.remove(mine)
    bpy.ops.plumbline.leave_lesson()
    assert len(bpy.data.scenes) == 1 and not bpy.context.window.scene.get("plumbline_lesson")


def test_deleting_the_scene_of_a_lesson_offers_all_of_them_again(registered):
    from plumbline.addon.session import learning

    mine = bpy.context.scene
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    gone = bpy.context.scene
    bpy.context.window.scene = mine
    bpy.data.scenes.remove(gone)
    assert learning.open_now(bpy.context) is None
    assert not bpy.ops.plumbline.lesson_step.poll()
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    assert learning.open_now(bpy.context).id == "missing_stud"


def test_undo_breaks_it_again_and_redo_mends_it(registered):
    from plumbline.addon.session import lesson_scene

    bpy.ops.ed.undo_push(message="Start")
    bpy.ops.plumbline.open_lesson(lesson="missing_stud")
    bpy.ops.ed.undo_push(message="Open")
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.ed.undo_push(message="Mend")
    bpy.ops.ed.undo()
    scene = bpy.context.window.scene
    assert not lesson_scene.mended(scene) and "Stud_N_04" not in scene.objects
    bpy.ops.ed.redo()
    scene = bpy.context.window.scene
    assert lesson_scene.mended(scene) and "Stud_N_04" in scene.objects


def test_sliders_forget_where_they_have_been(registered):
    """The building depends on what the sliders say alone, however they got there."""
    bpy.ops.plumbline.open_lesson(lesson="joist_laid_flat")
    bpy.ops.plumbline.mend_lesson()
    sound = corners(bpy.context.scene)
    bpy.ops.plumbline.what_if(slider="spacing", value=0.5)
    wide = corners(bpy.context.scene)
    for value in (0.305, 0.6, 0.35):
        bpy.ops.plumbline.what_if(slider="spacing", value=value)
    bpy.ops.plumbline.what_if(slider="spacing", value=0.5)
    again = corners(bpy.context.scene)
    assert sorted(again) == sorted(wide)
    for name in wide:
        np.testing.assert_allclose(again[name], wide[name], atol=1e-6, err_msg=name)
    bpy.ops.plumbline.what_if(slider="spacing", value=0.406)
    back = corners(bpy.context.scene)
    assert sorted(back) == sorted(sound)
    for name in sound:
        np.testing.assert_allclose(back[name], sound[name], atol=1e-6, err_msg=name)


@pytest.mark.parametrize("kind", ["CURVE", "EMPTY"])
def test_a_member_that_is_no_mesh_any_more_is_put_back(registered, kind):
    """Whatever a class makes of the members, the sliders find them again."""
    bpy.ops.plumbline.open_lesson(lesson="short_bearing")
    bpy.ops.plumbline.mend_lesson()
    scene = bpy.context.scene
    sound = corners(scene)
    member = scene.objects["Joist_S1_07"]
    data = bpy.data.curves.new("Odd", "CURVE") if kind == "CURVE" else None
    for name in ("Joist_S1_07", "Joist_S1_07.001"):  # in its place, and a copy that goes
        odd = bpy.data.objects.new("Odd", data)
        scene.collection.objects.link(odd)
        odd["wanted"] = name
    kept = dict(member.items())
    bpy.data.objects.remove(member)
    for odd in [obj for obj in scene.objects if obj.get("wanted")]:
        odd.name = odd["wanted"]
        for key, value in kept.items():
            odd[key] = value
    bpy.ops.plumbline.what_if(slider="bearing", value=0.02)
    bpy.ops.plumbline.what_if(slider="bearing", value=_default("short_bearing", "bearing"))
    assert [obj.name for obj in scene.objects if obj.get("wanted")] == []
    back = corners(scene)
    assert sorted(back) == sorted(sound)
    np.testing.assert_allclose(back["Joist_S1_07"], sound["Joist_S1_07"], atol=1e-6)


def _default(lesson, slider):
    from plumbline.addon.lessons import loader

    return loader.find(lesson).slider(slider).default


def test_what_somebody_wrote_into_a_lesson_is_a_sentence(registered):
    from plumbline.addon.session import learning

    bpy.ops.plumbline.open_lesson(lesson="short_bearing")
    bpy.ops.plumbline.mend_lesson()
    bpy.context.scene["plumbline_base"] = '{"Joist_S1_07": {"matrix": 3}}'
    bpy.ops.plumbline.what_if(slider="bearing", value=0.02)
    assert "what if of lesson short_bearing stopped" in learning.trouble()


def test_a_program_that_fails_leaves_nothing(registered, monkeypatch):
    from plumbline.addon.lessons import loader
    from plumbline.addon.lessons.model import Lesson

    before, mine = everything(), bpy.context.scene
    lesson = loader.find("missing_stud")
    monkeypatch.setattr(type(_twin(lesson)), "patch", lambda self: "raise ValueError('no wood')")
    with pytest.raises(RuntimeError, match="no wood"):
        bpy.ops.plumbline.open_lesson(lesson=lesson.id)
    assert everything() == before and bpy.context.window.scene == mine
    monkeypatch.undo()
    bpy.ops.plumbline.open_lesson(lesson=lesson.id)
    monkeypatch.setattr(Lesson, "mend_program", lambda self: "import bpy\nbpy.data.objects['X']")
    with pytest.raises(RuntimeError, match="no member 'X'"):
        bpy.ops.plumbline.mend_lesson()
    assert bpy.ops.plumbline.mend_lesson.poll(), "it can be tried again"


def _twin(lesson):
    from plumbline.addon import bundled

    return bundled.find(lesson.task).twin(lesson.twin)


def test_the_caption_says_what_the_panel_says(registered):
    from plumbline.addon.session import caption

    assert caption.attached() == 1
    assert caption.caption_of(bpy.context) is None
    bpy.ops.plumbline.open_lesson(lesson="over_spanned_joist")
    assert "look alike" in caption.caption_of(bpy.context).sentences[0]
    bpy.ops.plumbline.lesson_step(step="question")
    assert len(caption.caption_of(bpy.context).sentences) == 5
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.plumbline.lesson_step(step="what_if")
    bpy.ops.plumbline.what_if(slider="depth", value=0.184)
    said = caption.caption_of(bpy.context)
    assert said.sentences == ("Depth of the joist: 184 mm",)
    assert said.number == "13 % beyond the limit" and not said.holds
    assert said.used == pytest.approx(4.224 / 3.745, rel=1e-3)
    bpy.ops.plumbline.start_quiz()
    assert caption.caption_of(bpy.context).title == "Question 1 of 8"
