# SPDX-License-Identifier: GPL-3.0-or-later
"""The plan checker: a sound plan passes, each fault is said with its JSON path."""

import copy
import json
import math
from dataclasses import replace

import pytest
from plumbline.addon.agent.kinds import kind_for
from plumbline.tasks import load_task

TASK = load_task("timber/wing_house")
PLAN = {
    "lot_size": {"width": 12.0, "depth": 12.0},
    "stories": 1,
    "roof_type": "gable",
    "complexity": "complex",
    "sections": [
        {"name": "main", "bounds": {"x": [0, 8.16], "y": [0, 4.5], "z": [0, 5]}},
        {"name": "wing", "bounds": {"x": [2.8, 7.3], "y": [-3.25, 0], "z": [0, 5]}},
    ],
    "steps": [
        {"phase": "foundation", "member_types": ["Foundation", "Sill"], "depends_on": []},
        {"phase": "floor", "member_types": ["RimJoist", "Joist"], "depends_on": [0]},
        {"phase": "walls", "member_types": ["BottomPlate", "Stud"], "depends_on": [1]},
        {"phase": "roof", "member_types": ["Ridge", "Rafter"], "depends_on": [2, 1]},
    ],
    "expected_member_counts": {
        "Foundation": 8,
        "Sill": 10,
        "RimJoist": 8,
        "Joist": 30,
        "BottomPlate": 12,
        "Stud": 80,
        "Ridge": 2,
        "Rafter": 40,
    },
}


def problems(change=lambda plan: None, task=TASK):
    plan = copy.deepcopy(PLAN)
    changed = change(plan)
    return {
        problem.path: problem.message
        for problem in kind_for(task).check_plan(task, plan if changed is None else changed)
    }


def put(*path_and_value):
    *path, last, value = path_and_value

    def change(plan):
        for key in path:
            plan = plan[key]
        plan[last] = value

    return change


def test_a_sound_plan_has_no_problem():
    assert problems() == {}


@pytest.mark.parametrize(
    ("change", "path", "words"),
    [
        (put("lot_size", "width", 12.01), "$.lot_size.width", "12.00, not 12.01"),
        (put("lot_size", "depth", "12"), "$.lot_size.depth", "12.00, not '12'"),
        (put("lot_size", [12, 12]), "$.lot_size", "width and depth"),
        (put("stories", 2), "$.stories", "must repeat 1, not 2"),
        (put("stories", True), "$.stories", "not True"),
        (put("roof_type", "Gable"), "$.roof_type", "'gable', not 'Gable'"),
        (put("complexity", None), "$.complexity", "'complex'"),
        (put("sections", []), "$.sections", "at least one section"),
        (put("sections", 0, {"name": "main"}), "$.sections[0]", "bounds"),
        (put("sections", 0, "bounds", "z", [5, 0]), "$.sections[0].bounds.z", "low < high"),
        (put("sections", 0, "bounds", "x", [0, math.nan]), "$.sections[0].bounds.x", "metres"),
        (put("sections", 1, "bounds", "y", [-8, 0]), "$.sections", "12.5 m, but the lot is only"),
        (put("steps", {}), "$.steps", "list"),
        (put("steps", 2, "walls"), "$.steps[2]", "object"),
        (put("steps", 2, "phase", "attic"), "$.steps[2].phase", "one of foundation"),
        (put("steps", 2, "phase", "roof"), "$.steps", "no step builds the walls"),
        (put("steps", 1, "member_types", []), "$.steps[1].member_types", "at least one"),
        (put("steps", 1, "member_types", 1, "joist"), "$.steps[1].member_types[1]", "write Joist"),
        (put("steps", 1, "member_types", 1, "Bolt"), "$.steps[1].member_types[1]", "take one"),
        (put("steps", 1, "member_types", 1, {}), "$.steps[1].member_types[1]", "no member type"),
        (put("steps", 1, "depends_on", 0), "$.steps[1].depends_on", "list"),
        (put("steps", 1, "depends_on", [0, 4]), "$.steps[1].depends_on[1]", "from 0 to 3"),
        (put("steps", 1, "depends_on", [True]), "$.steps[1].depends_on[0]", "no step"),
        (put("steps", 1, "depends_on", [3]), "$.steps[1].depends_on", "can never begin: 1, 2, 3"),
        (put("steps", 0, "depends_on", [0]), "$.steps[0].depends_on", "circle"),
        (put("expected_member_counts", {}), "$.expected_member_counts", "each member type"),
        (put("expected_member_counts", "Bolt", 1), "$.expected_member_counts.Bolt", "no member"),
        (put("expected_member_counts", "Stud", 80.5), "$.expected_member_counts.Stud", "80.5"),
        (put("expected_member_counts", "Stud", 0), "$.expected_member_counts.Stud", "from 1"),
        (put("expected_member_counts", "Stud", 10**6), "$.expected_member_counts.Stud", "5000"),
        (lambda plan: plan["expected_member_counts"].pop("Stud") and None,
         "$.expected_member_counts", "Stud is in a step"),
        (lambda plan: ["a plan"], "$", "one JSON object"),
    ],
)  # fmt: skip
def test_each_fault_is_said_with_its_path(change, path, words):
    found = problems(change)
    assert words in found[path]


def test_lengths_are_compared_to_two_decimals():
    assert problems(put("lot_size", "width", 12.004)) == {}


def test_whatever_json_there_is_gets_an_answer():
    for text in ("[]", "null", '"x"', "3", "{}", '{"steps": [null], "sections": [3]}'):
        assert problems(lambda plan, text=text: json.loads(text) or {}) != {}


def test_what_the_task_does_not_say_need_not_be_repeated():
    bare = replace(TASK, constraints={})
    for name in ("lot_size", "stories", "roof_type", "complexity"):
        assert problems(lambda plan, name=name: plan.pop(name) and None, bare) == {}


def test_a_task_without_a_floor_needs_no_step_for_it():
    task = replace(TASK, brief={"required_categories": ["foundation", "walls", "roof"]})
    assert "no step builds the floor" in problems(put("steps", 1, "phase", "walls"))["$.steps"]
    assert problems(put("steps", 1, "phase", "walls"), task) == {}
