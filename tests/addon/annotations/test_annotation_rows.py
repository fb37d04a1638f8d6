# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows are of the published schema, tell subjects apart, and stand by their last word."""

import json
from dataclasses import replace

import jsonschema
import pytest
from judged_run import EVIL, LOAD, SPAN, finding, make_run, missed, structure
from plumbline.addon.annotations import row as rows


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return make_run(tmp_path_factory.mktemp("rows") / "run", picture=False, report=False)


@pytest.fixture
def every(run):
    """A row of each type."""
    of = rows.of_scene("house.blend", "Scene")
    return [
        structure(run, "Anna", "faulty", rating=2, judgment="agree", seconds=12.34),
        finding(run, "Anna", SPAN, "disagree", tags=["harmless"], comment=EVIL),
        missed(run, EVIL, "clear_span", "Joist_01"),
        rows.make_row("Ben", of, {"type": "event", "id": "fall", "frame": 3}, judgment="agree"),
        rows.make_row("Ben", of, {"type": "object", "id": "Cup"}, rating=5, blind=True),
        rows.make_row("Ben", of, {"type": "criterion", "id": "c1"}, judgment="unsure"),
        rows.make_row("Ben", of, {"type": "structure"}, withdrawn=True),
    ]


def test_every_type_keeps_to_the_schema(every):
    schema = rows.schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    for one in every:
        validator.validate(json.loads(json.dumps(one)))
        assert rows.is_row(one)


@pytest.mark.parametrize(
    "change",
    [
        {"rating": 6},
        {"rating": 0},
        {"judgment": "yes"},
        {"opinion": "passed"},
        {"annotator": ""},
        {"blind": None},
        {"tags": [""]},
        {"seconds": -1.0},
        {"of": {"run": "x"}},
        {"subject": {"type": "finding", "key": "a:b"}},
        {"subject": {"type": "wish", "id": "1"}},
        {"subject": {"type": "missed", "check": "a", "member": None, "location": [1.0]}},
        {"automatic": {"verdict": "fine"}},
        {"schema": "plumbline.annotation/2"},
    ],
)
def test_what_is_no_row_is_told_by_our_reader_and_by_the_schema_alike(every, change):
    wrong = {**every[1], **change}
    assert not rows.is_row(wrong)
    assert list(jsonschema.Draft202012Validator(rows.schema()).iter_errors(wrong))


def test_a_structure_needs_an_opinion_or_a_rating(run):
    with pytest.raises(ValueError, match="no judgment of a structure"):
        structure(run, "Anna", None)
    assert structure(run, "Anna", None, rating=3)["opinion"] is None


def test_nobody_judges_without_a_name(run):
    with pytest.raises(ValueError, match="write your name first"):
        structure(run, " \t ", "sound")


def test_a_name_has_one_form():
    assert rows.normal_name("  Jose\u0301   Maria ") == rows.normal_name("José Maria")


def test_the_last_word_stands_and_can_be_taken_back(run):
    first, second = finding(run, "Anna", SPAN, "agree"), finding(run, "Anna", SPAN, "disagree")
    other = finding(run, "Ben", SPAN, "agree")
    assert rows.latest([first, other, second]) == [other, second]
    back = {**second, "withdrawn": True}
    assert rows.latest([first, other, second, back]) == [other]
    assert rows.latest([back, first]) == [first]


def test_findings_of_one_key_are_told_apart():
    twice = rows.finding_subjects([SPAN, LOAD, replace(SPAN, related=("Beam_02",))])
    assert [s["number"] for s in twice] == [1, 1, 2]
    assert len({rows.subject_of({"subject": s}) for s in twice}) == 3


def test_which_structures_are_the_same():
    def item(**of):
        return rows.item_of({"of": of})

    a = rows.of_attempt("run", "2026-01-01T00:00:00Z", "attempts/t/1", {})
    renamed = {**a, "run": "a copy of it"}
    assert rows.item_of({"of": a}) == rows.item_of({"of": renamed})
    assert rows.item_of({"of": a}) != rows.item_of({"of": {**a, "started": "later"}})
    assert rows.item_of({"of": a}) != rows.item_of({"of": {**a, "step": "try 2"}})
    built = {"file": None, "scene": "Cabin", "task": "timber/cabin", "variant": "sound"}
    assert item(**built, session="1-1") == item(**{**built, "scene": "Cabin.001"}, session="2-9")
    own = {"file": None, "scene": "Scene", "task": None, "variant": None}
    assert item(**own, session="1-1") != item(**own, session="2-1")


@pytest.mark.parametrize(
    ("opinion", "verdict", "judgment"),
    [
        ("sound", "passed", "agree"),
        ("sound", "failed", "disagree"),
        ("faulty", "failed", "agree"),
        ("unsure", "failed", "unsure"),
        ("sound", "not_judged", None),
        (None, "passed", None),
    ],
)
def test_an_opinion_agrees_with_a_verdict(opinion, verdict, judgment):
    assert rows.judgment_of(opinion, {"verdict": verdict}) == judgment
    assert rows.judgment_of(opinion, None) is None
