# SPDX-License-Identifier: GPL-3.0-or-later
"""Learn and Physics in every state of a lesson, a quiz and a probe; drawing changes nothing."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from recording_layout import RecordingLayout

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


def drawn(name: str) -> RecordingLayout:
    """A panel, drawn now."""
    from plumbline.panels import learn, physics

    cls = {"learn": learn.PLUMBLINE_PT_learn, "physics": physics.PLUMBLINE_PT_physics}[name]
    layout = RecordingLayout()
    before = sorted(bpy.context.scene.keys()), len(bpy.data.objects), len(bpy.data.scenes)
    cls.draw(SimpleNamespace(layout=layout), bpy.context)
    cls.__dict__.get("draw_header_preset", lambda *_: None)(
        SimpleNamespace(layout=layout), bpy.context
    )
    after = sorted(bpy.context.scene.keys()), len(bpy.data.objects), len(bpy.data.scenes)
    assert after == before
    return layout


def says(layout: RecordingLayout) -> str:
    return " ".join(layout.texts())


def buttons(layout: RecordingLayout) -> list[str]:
    return [given["operator"] for name, given in layout.items if name == "operator"]


@pytest.fixture
def lesson(registered):
    """The lesson of the thin joist, open."""
    from plumbline.addon.lessons import loader

    bpy.ops.plumbline.open_lesson(lesson="over_spanned_joist")
    return loader.find("over_spanned_joist")


def test_all_lessons_are_offered_easy_ones_first(registered):
    from plumbline.addon.lessons import loader

    texts = drawn("learn").texts()
    titles = [lesson.title for lesson in loader.bundled()]
    assert [text for text in texts if text in titles] == titles
    assert "First steps" in texts and "For experts" in texts


def test_every_step_of_a_lesson(lesson):
    from plumbline.addon.lessons.model import STEPS

    expected = {
        "see": "look alike",
        "question": "What is its trouble",
        "show": "3.74 m",
        "rule": "IRC R502.3",
        "mend": "Put a deeper joist in",
        "what_if": "Mend the building first",
    }
    for step, title in STEPS:
        bpy.ops.plumbline.lesson_step(step=step)
        layout = drawn("learn")
        assert expected[step] in says(layout), step
        assert f". {title}" in says(layout)
        assert "plumbline.leave_lesson" in buttons(layout)
    bpy.ops.plumbline.mend_lesson()
    for step, word in (("mend", "It stands"), ("what_if", "to spare"), ("show", "is mended")):
        bpy.ops.plumbline.lesson_step(step=step)
        assert word in says(drawn("learn")), step


def test_an_answer_is_explained(lesson):
    bpy.ops.plumbline.lesson_step(step="question")
    for place, choice in enumerate(lesson.question.choices):
        assert choice.why[:20] not in says(drawn("learn"))
        bpy.ops.plumbline.answer(choice=place)
        layout = drawn("learn")
        assert choice.why[:20] in says(layout)
        icons = [given.get("icon") for name, given in layout.items if name == "operator"]
        assert ("CHECKMARK" in icons) == choice.right
    bpy.ops.plumbline.answer(choice=77)
    drawn("learn")


def test_a_slider_shows_figure_and_limit(lesson):
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.plumbline.lesson_step(step="what_if")
    bpy.ops.plumbline.what_if(slider="depth", value=0.184)
    layout = drawn("learn")
    assert "184 mm: 13 % beyond the limit" in says(layout)
    assert "It fails: 1 fault" in says(layout) and "Tips over at 210 mm" in says(layout)
    bpy.ops.plumbline.what_if(slider="depth", value=0.286)
    assert "It stands" in says(drawn("learn"))


def test_broken_states_are_drawn(lesson):
    """Whatever somebody does to the scene of a lesson, the panel is drawn."""
    bpy.ops.plumbline.mend_lesson()
    bpy.ops.plumbline.lesson_step(step="what_if")
    scene = bpy.context.scene
    scene["plumbline_applied"] = "{"
    scene["plumbline_base"] = "7"
    scene["plumbline_slider_depth"] = 1e30
    drawn("learn")
    bpy.ops.plumbline.what_if(slider="load", value=3.0)
    scene["plumbline_slider_depth"] = "deep"
    drawn("learn")
    for obj in list(scene.objects):
        bpy.data.objects.remove(obj)
    drawn("learn")
    with pytest.raises(RuntimeError):
        bpy.ops.plumbline.what_if(slider="no such", value=3.0)
    bpy.ops.plumbline.what_if(slider="depth", value=0.184)
    assert "IndexError" not in says(drawn("learn"))
    scene["plumbline_lesson"] = "no_such_lesson"
    assert "First steps" in says(drawn("learn"))


def test_lesson_files_that_cannot_be_read_are_said(registered, tmp_path, monkeypatch):
    from plumbline.addon.lessons import loader

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "lesson.json").write_text("{}")
    monkeypatch.setattr(loader, "BUNDLED", tmp_path)
    loader.bundled.cache_clear()
    assert "title: missing" in says(drawn("learn")) or "missing; write it" in says(drawn("learn"))
    assert not bpy.ops.plumbline.start_quiz.poll()


def test_the_quiz_from_the_first_question_to_the_score(registered):
    from plumbline.addon.session import quizzing

    state = bpy.context.window_manager.plumbline_learn
    state.quiz_count = 3
    bpy.ops.plumbline.start_quiz()
    quiz = quizzing.now()
    while not quiz.over:
        question = quiz.question
        layout = drawn("learn")
        assert question.ask.split()[0] in says(layout)
        assert bpy.context.scene.name.startswith("Question"), "its name tells nothing"
        assert not bpy.ops.plumbline.quiz_next.poll(), "not before an answer"
        if question.kind == "choice":
            wrong = next(p for p, n in enumerate(question.order)
                         if not question.lesson.question.choices[n].right)  # fmt: skip
            bpy.ops.plumbline.quiz_choose(place=wrong)
        else:
            assert not bpy.ops.plumbline.quiz_point.poll(), "nothing was clicked"
            member = next(iter(bpy.context.scene.objects))
            bpy.context.view_layer.objects.active = member
            member.select_set(True)
            assert f"This One: {member.name}" in says(drawn("learn"))
            bpy.ops.plumbline.quiz_point()
        assert "plumbline.quiz_next" in buttons(drawn("learn"))
        bpy.ops.plumbline.quiz_next()
    assert "of 3 right at first" in says(drawn("learn"))
    assert "plumbline.save_quiz" in buttons(drawn("learn"))
    bpy.ops.plumbline.end_quiz()
    assert "First steps" in says(drawn("learn")) and len(bpy.data.scenes) == 1


def test_a_quiz_outlives_its_building(registered):
    from plumbline.addon.session import quizzing

    bpy.ops.plumbline.start_quiz()
    mine = next(s for s in bpy.data.scenes if s.get("plumbline_lesson") is None)
    gone = bpy.context.scene
    bpy.context.window.scene = mine
    bpy.data.scenes.remove(gone)
    layout = drawn("learn")
    assert "plumbline.quiz_building" in buttons(layout)
    assert not bpy.ops.plumbline.quiz_point.poll()
    bpy.ops.plumbline.quiz_building()
    assert quizzing.in_sight(bpy.context.scene)
    assert "plumbline.quiz_building" not in buttons(drawn("learn"))


def test_an_answer_after_a_check_says_so(registered):
    from plumbline.addon.session import quizzing

    bpy.context.window_manager.plumbline_learn.quiz_finds = False
    bpy.ops.plumbline.start_quiz()
    bpy.ops.plumbline.check_scene()
    bpy.ops.plumbline.quiz_choose(place=0)
    assert quizzing.now().answer.helped


def test_physics_says_that_there_is_none_yet(registered):
    from plumbline.addon.simulation import probes

    probes.unregister(probes.FALL)
    assert "no simulation for timber structures" in says(drawn("physics"))


def test_while_a_lesson_falls_its_outcome_and_the_way_back_are_shown(lesson):
    from plumbline.addon.session import playback

    bpy.context.window_manager.plumbline_physics.values["fall.seconds"].value = 0.3
    bpy.ops.plumbline.let_it_fall()
    outcome = playback.now().takes[-1].says
    layout = drawn("learn")
    assert outcome and outcome.split()[0] in says(layout) and lesson.title in says(layout)
    assert buttons(layout) == ["plumbline.stop_motion"], "no list of lessons, no quiz"
    assert "Back to the Lesson" in [g["text"] for n, g in layout.items if n == "operator"]
    assert not bpy.types.PLUMBLINE_PT_findings.poll(bpy.context)
    with pytest.raises(RuntimeError, match="copy that shows a motion"):
        bpy.ops.plumbline.check_scene()
    bpy.ops.plumbline.stop_motion()
    assert "plumbline.lesson_step" in buttons(drawn("learn"))


def test_physics_lists_probes_their_values_and_results(registered):
    import falling_box
    from plumbline.addon.simulation import probes

    falling_box.offer(falling_box.probe())
    try:
        layout = drawn("physics")
        assert "How long (0.1 to 4 s)" in says(layout) and "Every member falls" in says(layout)
        mesh = bpy.data.meshes.new("Stud_01")
        mesh.from_pydata([(0, 0, 1), (1, 0, 1), (0, 1, 1), (0, 0, 2)], [], [(0, 1, 2), (0, 1, 3)])
        bpy.context.scene.collection.objects.link(bpy.data.objects.new("Stud_01", mesh))
        bpy.ops.plumbline.run_probe(probe="fall")
        layout = drawn("physics")
        assert "1 of 1 fell." in says(layout) and "Stud_01 fell" in says(layout)
        bpy.ops.plumbline.let_it_fall()
        assert "shows a motion" in says(drawn("physics"))
        bpy.ops.plumbline.stop_motion()
    finally:
        probes.unregister(probes.FALL)
