# SPDX-License-Identifier: GPL-3.0-or-later
"""Lesson files: the bundled ones are whole, faulty ones are told by file, place and remedy."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pytest
from plumbline.addon import bundled
from plumbline.addon.lessons import loader
from plumbline.addon.lessons.model import LessonError
from plumbline.checks.reconstruction.profiles import check_ids as reconstruction_ids
from plumbline.checks.timber.engineering.profile import check_ids
from plumbline.checks.voxel.registry import GRADERS
from plumbline.tasks import load_task

LESSONS = loader.bundled()
ROOT = Path(__file__).parents[3]


@pytest.fixture
def folder(tmp_path):
    """A copy of a bundled lesson, to be spoilt."""
    return Path(shutil.copytree(loader.BUNDLED / "missing_header", tmp_path / "missing_header"))


def spoil(folder: Path, change) -> None:
    file = folder / "lesson.json"
    data = json.loads(file.read_text("utf-8"))
    change(data)
    file.write_text(json.dumps(data), "utf-8")


def test_there_are_lessons_for_every_level():
    assert len(LESSONS) >= 12
    assert {lesson.level for lesson in LESSONS} == {1, 2, 3}
    kinds = ("timber", "voxel", "reconstruction")
    order = [(kinds.index(lesson.kind), lesson.level) for lesson in LESSONS]
    assert order == sorted(order) and {kind for kind, _ in order} == {0, 1, 2}
    assert len({lesson.title for lesson in LESSONS}) == len(LESSONS)


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_a_bundled_lesson_says_what_it_must(lesson):
    assert 3 <= len(lesson.question.choices) <= 5
    texts = [choice.text for choice in lesson.question.choices]
    assert len(set(texts)) == len(texts)
    for choice in lesson.question.choices:
        assert choice.why[-1] in ".?" and choice.why != choice.text
        assert choice.why.startswith("Right.") == choice.right
    assert lesson.question.ask.endswith("?")
    for text in (lesson.aim, lesson.see, lesson.show.say, lesson.rule.says, lesson.rule.why):
        assert text[0].isupper() and text.rstrip()[-1] in ".?:" and len(text) < 600
    checks = set(GRADERS) if lesson.of_blocks else set(check_ids())
    if lesson.of_motion:
        task = load_task(lesson.task)
        checks = set(reconstruction_ids(bundled.brief_of(task.id)))
        assert task.twin(lesson.twin).expectation.root.check == lesson.show.check
        assert bool(lesson.otherwise) == lesson.show.check.startswith("counterfactual.")
    assert lesson.show.check in checks
    assert bool(lesson.sliders) != lesson.of_motion and lesson.misconceptions
    assert {slider.check for slider in lesson.sliders} <= checks


def test_every_lesson_is_in_the_teachers_notes():
    notes = (ROOT / "docs" / "teach.md").read_text("utf-8")
    for lesson in LESSONS:
        assert lesson.title in notes, lesson.id
    for field in loader._FIELDS:
        assert f"`{field}`" in notes, field
    for field in (*loader._SLIDER, *loader._SLIDER_MORE):
        assert f"`{field}`" in notes, field


def no_right(data):
    for choice in data["question"]["choices"]:
        choice.pop("right", None)


FAULTS = {
    "title missing": (lambda d: d.pop("title"), "title: missing; write it"),
    "unknown field": (lambda d: d.update(colour=1), "colour: unknown field; known: "),
    "empty text": (lambda d: d.update(see=" "), "see: not a text; write"),
    "no level": (lambda d: d.update(level=9), "level: 9 is none; write 1 to 3"),
    "no task": (lambda d: d.update(task="timber/castle"), "task: .*; name a task as KIND/NAME"),
    "no twin": (lambda d: d.update(twin="dragon"), "twin: .* no twin 'dragon'; known: "),
    "none right": (no_right, r"question\.choices: not exactly one is right; write two"),
    "odd right": (
        lambda d: d["question"]["choices"][1].update(right="yes"),
        r"question\.choices\[1\]\.right: 'yes'; write true",
    ),
    "colours": (lambda d: d["show"].update(colours="pink"), "show.colours: unknown 'pink'; known"),
    "nobody": (lambda d: d["find"].update(accept=[]), "find.accept: empty; name the members"),
    "no list": (lambda d: d.update(what_if={}), "what_if: not a list"),
    "two ids": (lambda d: d["what_if"][1].update(id="depth"), "what_if: two have one id"),
    "bad id": (lambda d: d["what_if"][0].update(id="Depth!"), r"what_if\[0\]\.id: no plain name"),
    "ends": (lambda d: d["what_if"][1].update(low=9), r"what_if\[1\]\.high: not above low; swap"),
    "no number": (lambda d: d["what_if"][1].update(low="a"), r"what_if\[1\]\.low: not a number"),
    "beyond": (lambda d: d["what_if"][1].update(beyond=99), r"what_if\[1\]\.beyond: 99 can't be"),
    "off stop": (lambda d: d["what_if"][0].update(default=0.15), r"\.default: 0\.15 can't be"),
    "both": (lambda d: d["what_if"][1].update(members=["A"]), r"needs one of brief and members"),
    "unit": (lambda d: d["what_if"][1].update(unit="psf"), r"what_if\[1\]\.unit: 'psf'; loads"),
    "load": (lambda d: d["what_if"][1].update(brief="wind"), r"\.brief: .*; name such a load"),
    "tip": (lambda d: d["what_if"][1]["tip"].pop("at"), r"what_if\[1\]\.tip: needs one of at"),
    "program": (
        lambda d: d["what_if"][0].update(id="width"),
        r"what_if_width\.py: no such file; the lesson needs it",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_told_by_file_place_and_remedy(folder, fault):
    change, told = FAULTS[fault]
    spoil(folder, change)
    with pytest.raises(LessonError, match=told) as error:
        loader.load(folder)
    assert str(error.value).startswith(str(folder)) and ";" in str(error.value)


def test_a_table_is_asked_for_one_value(folder):
    table = {"role": "beam", "width": 0.1, "depth": 0.2, "spacing": 1, "span": 2}
    spoil(folder, lambda d: d["what_if"][1].update(tip={"because": "So", "table": table}))
    with pytest.raises(LessonError, match=r'tip\.table: not exactly one value; write "value"'):
        loader.load(folder)
    table.update(snow="value", role="wall")
    spoil(folder, lambda d: d["what_if"][1].update(tip={"because": "So", "table": table}))
    with pytest.raises(LessonError, match=r"tip\.table\.role: unknown 'wall'; known: joist"):
        loader.load(folder)


BLOCK_FAULTS = {
    "a task": (lambda d: d.update(task="voxel/tower"), "task: unknown field; known: "),
    "no brief": (lambda d: d.update(brief=[]), "brief: not an object; write checks"),
    "odd brief": (lambda d: d["brief"].update(checks=[]), "brief: .*checks must be a list"),
    "no check": (
        lambda d: d["brief"]["checks"][0].append({"fn": "shape.is_round"}),
        r"brief: there is no check 'shape\.is_round'; name another",
    ),
    "metres": (lambda d: d["what_if"][0].update(unit="m"), r"\.unit: 'm'; write \"blocks\""),
    "halves": (
        lambda d: d["what_if"][0].update(stops=[0, 0.5, 1]),
        r"what_if\[0\]\.stops: not whole numbers",
    ),
    "members": (
        lambda d: d["what_if"][0].update(members=["Stud_*"]),
        r"what_if\[0\]: names loads or members; leave out",
    ),
    "table": (
        lambda d: d["what_if"][0].update(
            tip={
                "because": "So",
                "table": {**dict.fromkeys(loader.TABLE[1:5], 1.0), "role": "beam"}
                | {"span": "value"},
            }
        ),
        r"what_if\[0\]\.tip: has no at",
    ),
}


@pytest.mark.parametrize("fault", BLOCK_FAULTS)
def test_a_fault_of_a_lesson_of_blocks_is_told(tmp_path, fault):
    name = "hovering_roof"
    folder = Path(shutil.copytree(loader.BUNDLED / name, tmp_path / name))
    assert loader.load(folder).of_blocks
    change, told = BLOCK_FAULTS[fault]
    spoil(folder, change)
    with pytest.raises(LessonError, match=told):
        loader.load(folder)


def test_a_lesson_of_blocks_needs_the_program_that_builds_it(tmp_path):
    folder = Path(shutil.copytree(loader.BUNDLED / "flat_bridge", tmp_path / "flat_bridge"))
    assert loader.load(folder).stress_limit == 2.0e6
    (folder / "build.py").unlink()
    with pytest.raises(LessonError, match=r"build\.py: no such file; the lesson needs it"):
        loader.load(folder)


@pytest.mark.parametrize("lesson", [it for it in LESSONS if it.of_motion], ids=lambda it: it.id)
def test_scenes_of_motion_are_built_beside_others_of_the_same_names(lesson):
    """The sound one is built while the flawed one is open: names would lead into that."""
    assert "bpy.data.objects[" not in load_task(lesson.task).program()


MOTION_FAULTS = {
    "sliders": (lambda d: d.update(what_if=[]), "what_if: unknown field; known: "),
    "no twin": (lambda d: d.update(twin="dragon"), "twin: .* no twin 'dragon'; known: "),
    "another kind": (lambda d: d.update(task="timber/cabin"), "task: it is of kind timber; name"),
    "silence": (lambda d: d.update(otherwise=""), "otherwise: not a text; write"),
}


@pytest.mark.parametrize("fault", MOTION_FAULTS)
def test_a_fault_of_a_lesson_of_motion_is_told(tmp_path, fault):
    name = "dish_without_contact"
    folder = Path(shutil.copytree(loader.BUNDLED / name, tmp_path / name))
    assert loader.load(folder).of_motion
    change, told = MOTION_FAULTS[fault]
    spoil(folder, change)
    with pytest.raises(LessonError, match=told):
        loader.load(folder)


def test_a_slider_of_blocks_says_how_many():
    slider = loader.find("flat_bridge").slider("rise")
    assert [slider.words(v) for v in (0, 1, 1.5, 4)] == [
        "0 blocks",
        "1 block",
        "1.5 blocks",
        "4 blocks",
    ]
    assert slider.taken(2.4) == 2


@pytest.mark.parametrize(("text", "told"), [("{", "no JSON"), ("[]", "not an object")])
def test_what_is_no_lesson_at_all(folder, text, told):
    (folder / "lesson.json").write_text(text, "utf-8")
    with pytest.raises(LessonError, match=told):
        loader.load(folder)


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("mend.py", "import bpy\n(", "mend.py: line 2: .*; mend it"),
        ("what_if_depth.py", "import bpy", "defines no change; define change"),
    ],
)
def test_programs_must_read_as_python(folder, name, text, told):
    (folder / name).write_text(text, "utf-8")
    with pytest.raises(LessonError, match=told):
        loader.load(folder)


def test_a_lesson_of_a_kind_to_come_is_read_but_not_offered(folder, monkeypatch):
    spoil(folder, lambda d: d.update(kind="assembly", task="assembly/tower", twin="leaning"))
    assert loader.load(folder).kind == "assembly"
    monkeypatch.setattr(loader, "BUNDLED", folder.parent)
    loader.bundled.cache_clear()
    try:
        assert loader.bundled() == ()
    finally:
        monkeypatch.undo()
        loader.bundled.cache_clear()
    assert loader.bundled() == LESSONS


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.id)
def test_programs_of_lessons_touch_only_their_members(lesson):
    """What a slider changes it must name, or it would not be put back."""
    for slider in lesson.sliders:
        if slider.brief is None:
            text = lesson.slider_program(slider)
            roles = {pattern.split("_")[0] for pattern in slider.members}
            named = set(re.findall(r'"([A-Z][A-Za-z]+)_', text))
            assert named - roles <= {"Stud", "Post"}, "others are only looked at"
