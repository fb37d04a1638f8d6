# SPDX-License-Identifier: GPL-3.0-or-later
"""Every lesson in Blender, by its operators: the fault is found, the mend is green, sliders tip."""

from __future__ import annotations

import fnmatch

import pytest
from plumbline.addon.lessons import loader

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")

LESSONS = loader.bundled()
TIMBER = [lesson for lesson in LESSONS if lesson.kind == "timber"]
BLOCKS = [lesson for lesson in LESSONS if lesson.of_blocks]
SLIDERS = [(lesson, slider) for lesson in LESSONS for slider in lesson.sliders]


def by_name(value):
    return getattr(value, "id", None)


@pytest.fixture
def opened(registered, request):
    """The lesson of the test, open."""
    lesson = request.getfixturevalue("lesson")
    assert bpy.ops.plumbline.open_lesson(lesson=lesson.id) == {"FINISHED"}
    return lesson


def found():
    from plumbline.addon import review

    return review.of(bpy.context.scene)


def put(slider, value: float):
    """The slider at a value; what the check then says."""
    bpy.ops.plumbline.what_if(slider=slider.id, value=value)
    return found().judgement


@pytest.mark.parametrize("lesson", TIMBER, ids=by_name)
def test_the_fault_is_found_and_the_mend_is_green(opened, lesson):
    from plumbline.addon import bundled

    names = bpy.context.scene.objects.keys()
    accepted = [
        name
        for name in names
        if any(fnmatch.fnmatchcase(name, pattern) for pattern in lesson.find.accept)
    ]
    assert accepted, "somebody can answer by a click"
    for pattern in lesson.find.accept:
        assert fnmatch.filter(names, pattern), pattern
    bpy.ops.plumbline.lesson_step(step="show")
    review = found()
    twin = bundled.find(lesson.task).twin(lesson.twin)
    findings = review.judgement.findings
    assert twin.expectation.differences(findings, review.judgement.verdict) == []
    shown = review.chosen
    assert shown is not None and shown.check == lesson.show.check and shown.is_root
    clauses = [clause.strip() for clause in (shown.clause or "").split(",")]
    assert lesson.rule.clause in clauses
    bpy.ops.plumbline.mend_lesson()
    assert found().judgement.verdict == "passed"
    assert not bpy.ops.plumbline.mend_lesson.poll()


@pytest.mark.parametrize("lesson", BLOCKS, ids=by_name)
def test_the_fault_of_blocks_is_found_and_nothing_of_them_stays(opened, lesson):
    from plumbline.addon.session import stress

    kinds = ("objects", "meshes", "node_groups", "materials")
    bpy.ops.plumbline.lesson_step(step="show")
    judgement = found().judgement
    assert judgement.verdict == "failed" and found().chosen.check == lesson.show.check
    assert [f.check for f in judgement.findings if f.is_root] == [lesson.show.check]
    shown = stress.of(bpy.context.scene)
    assert (shown is not None) == (lesson.stress_limit is not None)
    if shown is not None:
        assert shown.result.figures["greatest"] > lesson.stress_limit
    bpy.ops.plumbline.check_scene()
    assert found().judgement.verdict == "failed", "by the lesson's checks, whoever asks"
    bpy.ops.plumbline.mend_lesson()
    assert found().judgement.verdict == "passed"
    bpy.ops.plumbline.leave_lesson()
    left = [block for kind in kinds for block in getattr(bpy.data, kind) if "Blocks" in block.name]
    assert not left and not [m for m in bpy.data.materials if m.get("plumbline_material")]


def test_a_lesson_of_motion_is_played_otherwise_mended_and_leaves_nothing(registered):
    """One with a joint; what is found in every scene the tests of the cases tell."""
    from plumbline.addon.session import learning, lesson_runs, playback

    kinds = ("objects", "meshes", "materials", "collections", "cameras", "lights", "worlds")
    before = {kind: set(getattr(bpy.data, kind).keys()) for kind in kinds}
    lesson = loader.find("table_without_contact")
    bpy.ops.plumbline.open_lesson(lesson=lesson.id)
    assert not bpy.ops.plumbline.play_otherwise.poll(), "nothing was run yet"
    assert bpy.ops.plumbline.play_lesson() == {"FINISHED"}
    assert bpy.context.scene.frame_current == bpy.context.scene.frame_end
    bpy.ops.plumbline.lesson_step(step="show")
    assert found().judgement.verdict == "failed" and found().chosen.check == lesson.show.check
    assert found().chosen.subject == "Beam"
    for titles in (["This scene", "As it should be"], ["This scene"]):
        assert bpy.ops.plumbline.play_otherwise() == {"FINISHED"}
        assert [take.title for take in playback.now().takes] == titles
        answers = [take.answer for take in playback.now().takes]
        assert answers[-1] == "Table stops Beam"
        assert len(titles) == 1 or answers[0].startswith("Beam "), answers
        played, mended = lesson_runs.playing()
        assert played.id == lesson.id and mended == (len(titles) == 1)
        low = min(take.motion.matrices[..., 2, 3].min() for take in playback.now().takes)
        assert (low < -1) != mended, "only without contact the beam falls past the table"
        bpy.ops.plumbline.stop_motion()
        assert lesson_runs.playing() is None
        assert learning.open_now(bpy.context).id == lesson.id
        if not mended:
            bpy.ops.plumbline.mend_lesson()
            assert found().judgement.verdict == "passed"
    bpy.ops.plumbline.leave_lesson()
    assert {kind: set(getattr(bpy.data, kind).keys()) for kind in kinds} == before


@pytest.mark.once
@pytest.mark.parametrize(("lesson", "slider"), SLIDERS, ids=by_name)
def test_a_slider_tips_where_it_says(opened, lesson, slider):
    from plumbline.addon.session import what_if

    bpy.ops.plumbline.mend_lesson()
    assert put(slider, slider.default).verdict == "passed"
    judgement = put(slider, slider.beyond)
    assert judgement.verdict == "failed"
    assert judgement.check(slider.check).status == "failed"
    meter = what_if.meter_of(bpy.context.scene, slider)
    assert not meter.holds and "beyond" in meter.words
    tip = what_if.tip_of(lesson, slider)
    assert tip is not None and slider.low < tip < slider.high
    assert (slider.default < tip) == (tip < slider.beyond)
    # A hair before the limit it holds, a hair after it does not; stops are the hairs of some.
    step = 0.03 * (slider.high - slider.low) * (1 if tip > slider.default else -1)
    before, after = tip - step, tip + step
    if slider.stops:
        ways = sorted(slider.stops, key=lambda stop: abs(stop - slider.default))
        before = max((s for s in ways if (s < tip) == (slider.default < tip)), key=ways.index)
        after = min((s for s in ways if (s < tip) != (slider.default < tip)), key=ways.index)
    put(slider, before)
    assert what_if.meter_of(bpy.context.scene, slider).holds, before
    put(slider, after)
    assert not what_if.meter_of(bpy.context.scene, slider).holds, after
    assert put(slider, slider.default).verdict == "passed", "and back again"
