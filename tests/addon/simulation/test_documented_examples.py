# SPDX-License-Identifier: GPL-3.0-or-later
"""Every example of docs/checks-reconstruction.md runs on a small scene, and says something."""

from __future__ import annotations

import json
import re
from pathlib import Path

import bpy
import pytest
from plumbline.addon.simulation.experiments import simulate, what_if
from plumbline.addon.simulation.steps import finish
from plumbline.checks.reconstruction.counterfactual import took_effect
from plumbline.checks.reconstruction.expectations import PREDICATES, Expectation
from plumbline.checks.reconstruction.interventions import KINDS, Intervention
from plumbline.checks.reconstruction.limits import Limits
from plumbline.checks.reconstruction.responses import measure
from simulated_scene import ball, box, empty_world, joint, layers, wind

pytestmark = pytest.mark.once

PAGE = Path(__file__).parents[3] / "docs" / "checks-reconstruction.md"
ROW = re.compile(r"^\| `(\w+)` \|.*\| `(\{.*\})` \|$", re.MULTILINE)
EXAMPLES = [(name, json.loads(example)) for name, example in ROW.findall(PAGE.read_text("utf-8"))]
INTERVENTIONS = [example for name, example in EXAMPLES if "kind" in example]
EXPECTATIONS = [example for name, example in EXAMPLES if "predicate" in example]


def test_the_page_has_an_example_of_each():
    assert [one["kind"] for one in INTERVENTIONS] == list(KINDS)
    assert [one["predicate"] for one in EXPECTATIONS] == list(PREDICATES)


@pytest.fixture(scope="module")
def run():
    """A scene with all that the examples speak of, and its run."""
    scene = empty_world(16)
    table = box("table", (0, 0, -0.5), (20, 20, 1), "PASSIVE", collision_shape="CONVEX_HULL")
    table.rigid_body.use_margin = True
    ball("ball", (0, 0, 0.9))
    box("target", (0, 0, 0.2), (0.4, 0.4, 0.4))
    dish = box("dish", (3, 0, 0.5), (1, 1, 0.2))
    layers(dish, 0, 1)
    layers(ball("piece", (6, 0, 1.6), 0.2), 0, 2)
    box("knight", (6, 0, 0.5), (0.5, 0.5, 1), None)
    post, rotor = box("post", (-4, 0, 2), (0.2, 0.2, 0.2), "PASSIVE"), box("rotor", (-5, 0, 1.2))
    joint("hinge", (-4, 0, 2), post, rotor)
    ball("cue_ball", (-8, 0, 2), 0.3)
    for name, x in (("egg", 1.5), ("crate", -2), ("flag", 8)):
        box(name, (x, 4, 0.6), (0.4, 0.4, 0.4))
    wind("wind", 20.0)
    scene.frame_set(1)
    yield scene, finish(simulate(scene)).trajectory
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


@pytest.mark.parametrize("example", INTERVENTIONS, ids=lambda e: e["kind"])
def test_an_intervention_takes_effect(run, example):
    scene, base = run
    asked = Intervention.from_mapping(example)
    _, altered = finish(what_if(scene, [asked], baseline=base))
    assert took_effect(asked, base, altered) is True
    assert asked.kind in altered.source["applied"]


@pytest.mark.parametrize("example", EXPECTATIONS, ids=lambda e: e["predicate"])
def test_an_expectation_is_measured(run, example):
    told = measure(Expectation.from_mapping(example), run[1], run[1], Limits())
    assert told.holds is not None, told.message
