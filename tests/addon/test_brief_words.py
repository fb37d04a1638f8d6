# SPDX-License-Identifier: GPL-3.0-or-later
"""A brief reads as a person would say it, with the units that they use."""

from __future__ import annotations

from dataclasses import replace

import pytest
from plumbline.addon import bundled
from plumbline.addon.brief_words import lines_of, page
from plumbline.tasks import load_task

CABIN = load_task("timber/cabin")


def said(task, system="metric"):
    return {line.label: line.value for line in lines_of(task, system)}


def test_the_cabin_in_metric():
    assert said(CABIN) == {
        "Footprint": "4.91 m along X, 3.69 m along Y",
        "Storeys": "1",
        "Roof": "gable, 33.7° (8 in 12), overhanging 350 mm",
        "Lot": "8.00 m by 8.00 m",
        "On centre": "at most 406 mm",
        "Lumber": "spruce pine fir, grade No. 2",
        "On floors": "1.92 kPa live, 0.48 kPa dead",
        "On the roof": "0.96 kPa live, 0.48 kPa dead",
        "Must have": "foundation, floor, walls, roof",
    }


def test_the_cabin_in_feet_and_pounds():
    found = said(CABIN, "imperial")
    assert found["On floors"] == "40 psf live, 10 psf dead"
    assert found["Footprint"].startswith("16'") and found["On centre"] == "at most 1' 4\""


def test_what_a_task_sets_beside_the_usual():
    brief = {
        "species": "southern-pine",
        "grade": "SS",
        "ground_snow": 1436.0,
        "ceiling_on_rafters": True,
        "required_categories": ["roof"],
        "ground": 0.5,
        "optional": ["clear_span"],
        "not_applicable": {"notching": "nothing is notched"},
    }
    found = said(replace(CABIN, brief=brief, constraints={}))
    assert found["Lumber"] == "southern pine, select structural"
    assert found["Snow"] == "1.44 kPa on the ground" and found["Must have"] == "roof"
    assert found["Ground"] == "at a height of 500 mm" and found["On centre"] == "at most 610 mm"
    assert found["Not needed"] == "Clear span"
    assert found["Not judged"] == "Notching: nothing is notched"
    assert "hangs on the rafters" in found["Ceiling"] and "Footprint" not in found


def test_a_kind_without_words_gives_its_plain_fields():
    other = replace(
        CABIN, kind="assembly", constraints={}, brief={"max_blocks": 40, "sizes": [1, 2]}
    )
    assert said(other) == {"Max blocks": "40", "Sizes": "[1, 2]"}
    assert page(other, "Paper").endswith(
        "by the rules Paper. Lengths in the scene are metres, Z is up.\n"
    )


@pytest.mark.parametrize("task", bundled.timber_tasks(), ids=lambda task: task.id)
def test_every_task_fills_a_page_that_can_be_read(task):
    text = page(task, "Engineering", "imperial")
    assert text.startswith(task.title) and "rules Engineering" in text and "Stud_07" in text
    assert " ".join(task.description.split()) in " ".join(text.split())
    assert max(map(len, text.splitlines())) < 100


def test_a_task_of_blocks_says_its_turns_its_wording_and_its_checks():
    every = [task for task in bundled.all_tasks() if task.kind == "voxel"]
    for task in every[::40]:
        text = page(task, "Paper")
        assert text.startswith(task.title) and "Blocks are cubes of 1 m" in text
        assert " ".join(task.description.split()) in " ".join(text.split())
        assert max(map(len, text.splitlines())) < 100
    (two, *_) = [task for task in every if len(task.prompts) == 2]
    lines = {line.label: line.value for line in lines_of(two)}
    assert "verb: build" in lines["Worded"]
    assert any(label.startswith("Turn 2: ") for label in lines)
    walls = bundled.find("voxel/1-se-2-walls-03-02")
    lines = {line.label: line.value for line in lines_of(walls)}
    assert lines["Exact number of blocks"].startswith("expected count ")
    assert lines["Ground connection"] == "yes"


def test_the_rubric_of_a_simulation_is_a_line_a_criterion():
    task = replace(
        CABIN,
        kind="reconstruction",
        constraints={},
        brief={
            "criteria": [
                {"id": "N3", "mechanism": "energy", "weight": 2, "cap": 0.5, "probes": ["energy"]},
                {
                    "id": "S1",
                    "roles": ["ball"],
                    "counterfactual": {
                        "intervention": {"kind": "remove", "object": "table"},
                        "expects": [{"predicate": "falls_below", "subject": "ball", "height": 0}],
                    },
                },
            ],
            "roles": {"ball": "Sphere.001"},
            "admitted": {"gripper": ["keyframes"]},
            "rolling": ["ball"],
        },
    )
    found = said(task)
    assert found["N3"] == "energy (weight 2, at most 0.5 if broken)"
    assert found["S1"] == "run again: without table; of ball (weight 1)"
    assert found["Ball"] == "is the object Sphere.001"
    assert found["Gripper"] == "may be moved by keyframes"
    assert "plumbline_role" in page(task, "Paper")
