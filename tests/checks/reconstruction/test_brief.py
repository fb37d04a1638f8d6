# SPDX-License-Identifier: GPL-3.0-or-later
"""Rubrics: what is read, what is refused with which words, and that the schema says the same."""

from __future__ import annotations

import json
from dataclasses import fields
from pathlib import Path

import pytest
from plumbline.checks.reconstruction import BriefError, Limits, ReconstructionBrief
from plumbline.checks.reconstruction.expectations import PREDICATES, Expectation
from plumbline.checks.reconstruction.interventions import KINDS, Intervention
from plumbline.checks.reconstruction.limits import LimitError, table
from plumbline.checks.reconstruction.schema import rubric_schema

ROOT = Path(__file__).parents[3]
FILE = ROOT / "checks" / "reconstruction" / "schema" / "rubric-1.schema.json"

WHOLE = {
    "_comment": "a ball on a table",
    "criteria": [
        {
            "id": "g1",
            "mechanism": "gravity",
            "weight": 2,
            "cap": 0.5,
            "probes": ["gravity", "interpenetration"],
            "roles": ["ball"],
            "evidence": "acceleration in free flight",
        },
        {
            "id": "c1",
            "counterfactual": {
                "intervention": {
                    "kind": "release",
                    "object": "ball",
                    "offset": [0, 1, 0],
                    "at_frame": 12,
                },
                "expects": [{"predicate": "falls_below", "subject": "ball", "height": 0.5}],
                "held": ["table"],
                "positive": {
                    "intervention": {"kind": "bound_support", "object": "table"},
                    "expects": [{"predicate": "falls_below", "subject": "ball", "height": 0.5}],
                },
                "negative": {
                    "intervention": {"kind": "gravity", "scale": 0},
                    "expects": [{"predicate": "falls_below", "subject": "ball", "height": 0.5}],
                },
            },
        },
    ],
    "roles": {"ball": "Sphere.001"},
    "core": ["ball"],
    "admitted": {"gripper": ["keyframes"], "*": ["script"]},
    "sources": ["gripper"],
    "rolling": ["ball"],
    "may_overlap": [["foot", "table"]],
    "gravity": [0, 0, -9.81],
    "densities": {"balsa": [100, 200]},
    "limits": {"slip": 0.2},
    "not_applicable": {"cloth": "there is none"},
}


def test_a_whole_rubric_is_read():
    brief = ReconstructionBrief.from_mapping(WHOLE)
    assert [c.id for c in brief.criteria] == ["g1", "c1"]
    assert brief.limits.slip == 0.2 and brief.limits.energy_rise == 0.05
    assert brief.admits("gripper", "Cube", "keyframes") and brief.admits(None, "x", "script")
    assert not brief.admits("ball", "Sphere.001", "keyframes")
    assert brief.overlap_admitted({"table"}, {"foot", "Cube"})
    asked = brief.criteria[1].counterfactual
    assert asked.intervention.at_frame == 12 and asked.intervention.subjects == ("ball",)
    assert asked.negative.intervention.values == {"scale": 0.0}


def _deep(levels):
    """Lists in lists, deeper than Python's own words for them can go."""
    made = []
    for _ in range(levels):
        made = [made]
    return made


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"colour": 1}, "rubric: unknown field 'colour'"),
        ({"criteria": 3}, "criteria: must be a list"),
        ({"criteria": [{"id": "a"}]}, "criteria 1: a needs probes or a counterfactual"),
        ({"criteria": [{"probes": ["gravity"]}]}, "criteria 1: id is missing"),
        ({"criteria": [{"id": "a", "probes": ["luck"]}]}, "there is no probe 'luck'"),
        ({"criteria": [{"id": "a", "probes": ["gravity"], "cap": 2}]}, "cap must be"),
        ({"criteria": [{"id": "a", "probes": ["gravity"], "weight": -1}]}, "weight: must be 0"),
        ({"criteria": [{"id": "a", "probes": ["gravity"]}] * 2}, "two criteria have the id 'a'"),
        ({"limits": {"sleep": 1}}, "there is no limit 'sleep'"),
        ({"limits": {"slip": "much"}}, "limit slip must be a number"),
        ({"limits": {"slip": True}}, "limit slip must be a number"),
        ({"admitted": {"ball": ["magic"]}}, "unknown driver 'magic'"),
        ({"may_overlap": [["a", "a"]]}, "two different names"),
        ({"gravity": [0, 0]}, "gravity: must be three numbers"),
        ({"gravity": [0, 0, float("nan")]}, "must be a number"),
        ({"densities": {"air": [2, 1]}}, "lowest <= highest"),
        ({"roles": []}, "roles: must be an object"),
        ({"gravity": [0, 0, 10**400]}, "must be a number, not 1000"),
        ({"gravity": [0, 0, 10**5000]}, "a whole number beyond all bounds"),
        ({"limits": {"slip": 10**400}}, "limit slip must be a number"),
        ({"gravity": "x" * 100_000}, "must be three numbers, not 'xxx"),
        ({"gravity": _deep(5000)}, "must be three numbers"),
    ],
)
def test_bad_rubrics_are_one_sentence(change, words):
    with pytest.raises(BriefError, match=words) as caught:
        ReconstructionBrief.from_mapping({**WHOLE, **change})
    assert "\n" not in str(caught.value) and len(str(caught.value)) < 600


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ({"kind": "magic"}, "kind: must be gravity"),
        ({"kind": []}, "kind: must be gravity"),
        ({"kind": "gravity"}, "exactly one of vector and scale"),
        ({"kind": "gravity", "scale": 1, "vector": [0, 0, 1]}, "exactly one"),
        ({"kind": "remove"}, "object is missing"),
        ({"kind": "remove", "object": "a", "pair": ["a", "b"]}, "unknown field 'pair'"),
        ({"kind": "remove_contact", "pair": ["a"]}, "two different names"),
        ({"kind": "remove", "object": "a", "at_frame": 1.5}, "whole frame number"),
        ({"kind": "remove", "object": "a", "at_frame": 10**30}, "from -1048574 to 1048574"),
    ],
)
def test_bad_interventions_are_one_sentence(data, words):
    with pytest.raises(BriefError, match=words):
        Intervention.from_mapping(data)


def test_an_expectation_needs_frames_in_order():
    with pytest.raises(BriefError, match="to_frame 3 is before from_frame 9"):
        Expectation.from_mapping(
            {"predicate": "unchanged", "subject": "a", "from_frame": 9, "to_frame": 3}
        )


@pytest.mark.parametrize("kind", KINDS)
def test_every_intervention_has_an_example_that_is_read(kind):
    example = {"kind": kind, **KINDS[kind].example}
    assert Intervention.from_mapping(example).kind == kind
    back = Intervention.from_mapping(
        json.loads(json.dumps(Intervention.from_mapping({**example, "at_frame": 7}).to_plain()))
    )
    assert back.at_frame == 7


@pytest.mark.parametrize("predicate", PREDICATES)
def test_every_expectation_has_an_example_that_is_read(predicate):
    example = {"predicate": predicate, **PREDICATES[predicate].example}
    assert Expectation.from_mapping(example).subjects


def test_the_schema_file_is_what_the_tables_say():
    assert json.loads(FILE.read_text("utf-8")) == json.loads(json.dumps(rubric_schema()))


def test_the_schema_takes_and_refuses_what_we_do():
    jsonschema = pytest.importorskip("jsonschema")
    validator = jsonschema.Draft202012Validator(rubric_schema())
    validator.check_schema(rubric_schema())
    validator.validate(WHOLE)
    for kind, one in KINDS.items():
        validator.validate(_with({"kind": kind, **one.example}))
    for change in (
        {"colour": 1},
        {"criteria": [{"id": "a"}]},
        {"criteria": [{"id": "a", "probes": ["luck"]}]},
        {"limits": {"sleep": 1}},
        _with({"kind": "gravity"}),
        _with({"kind": "remove"}),
        {"may_overlap": [["a", "a"]]},
    ):
        assert not validator.is_valid({**WHOLE, **change}), change
        with pytest.raises(BriefError):
            ReconstructionBrief.from_mapping({**WHOLE, **change})


def _with(intervention):
    expects = [{"predicate": "unchanged", "subject": "a"}]
    asked = {"intervention": intervention, "expects": expects}
    return {"criteria": [{"id": "a", "counterfactual": asked}]}


def test_every_limit_has_a_unit_and_a_source():
    rows = table()
    assert [row["name"] for row in rows] == [f.name for f in fields(Limits)]
    assert all(row["unit"] and row["meaning"] for row in rows)
    assert {row["source"] for row in rows} <= {"paper", "default", "instrument", "solver"}
    with pytest.raises(LimitError):
        Limits(slip=-1)


def test_the_page_lists_every_probe_limit_intervention_and_expectation():
    page = (ROOT / "docs" / "checks-reconstruction.md").read_text("utf-8")
    from plumbline.checks.reconstruction.brief import PROBES

    for name in (*PROBES, *(f.name for f in fields(Limits)), *KINDS, *PREDICATES):
        assert f"`{name}`" in page, name
