# SPDX-License-Identifier: GPL-3.0-or-later
"""A house's program builds that house again, keeps to the policy, and can be read."""

from __future__ import annotations

import bpy
import gables
import numpy as np
import pytest
from framed_houses import framed, gable
from plumbline import tasks
from plumbline.addon.sandbox.policy import vet
from plumbline.addon.scene.members import structure_from_scene
from plumbline.checks.timber import TimberStructure, judge
from plumbline.tasks.houses.generate import generate
from plumbline.tasks.houses.program import program

pytestmark = pytest.mark.once


def build(text: str) -> TimberStructure:
    """What a program leaves in a fresh scene."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    exec(compile(text, "program", "exec"), {"__name__": "__main__"})
    return structure_from_scene()


def bundled(name: str):
    return framed(build(tasks.select([f"timber/{name}"])[0].program()), name)


HOUSES = {
    "gable": lambda: framed(gables.gable(0.5)),
    "numbered through": lambda: gable(160),
    "hips and jacks": lambda: bundled("hip_roof"),
    "valleys": lambda: bundled("wing_house"),
    "braces": lambda: bundled("barn"),
    "generated": lambda: generate("Cruciform", 2),
}


@pytest.fixture(params=HOUSES)
def house(request):
    return HOUSES[request.param]()


def test_it_builds_the_same_house_within_a_thousandth_of_a_millimetre(house):
    text = program(house)
    assert vet(text) == ()
    found, wanted = build(text), house.structure
    assert found.notes == found.findings == () and not found.skipped
    place = {name: i for i, name in enumerate(found.names)}
    assert set(place) == set(wanted.names)
    found = found.subset([place[name] for name in wanted.names])
    np.testing.assert_allclose(found.center, wanted.center, atol=1e-6)
    np.testing.assert_allclose(found.half, wanted.half, atol=1e-6)
    np.testing.assert_allclose(np.stack(found.aabb), np.stack(wanted.aabb), atol=2e-6)


@pytest.mark.parametrize("name", ["gable", "hips and jacks"])
def test_it_is_judged_as_the_house_is(name):
    house = HOUSES[name]()
    one, other = judge(build(program(house))), judge(house.structure)
    assert one.verdict == other.verdict == "passed"
    assert [c.status for c in one.checks] == [c.status for c in other.checks]


def test_it_is_short_and_the_same_again():
    house = gable(650)
    text = program(house)
    assert program(gable(650)) == text
    assert len(text) < 40_000
    assert max(map(len, text.splitlines())) <= 100
    assert text.count("boxes(") > 20 and "for i, line in enumerate(" in text


def test_a_row_is_one_line():
    text = program(framed(gables.gable(0.5)))
    assert 'boxes("Joist_##", every(T, ' in text or 'boxes("Joist_#", every(T, ' in text


def test_members_turned_in_any_way_names_of_any_kind():
    axes = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3, 3)))[0]
    names = ['Brace "a"', "Brace # 1", "Brace_1"]
    places, sizes = [(0, 0, 1), (2, 0, 1), (4, 0, 1)], [(2.0, 0.1, 0.05)] * 3
    wanted = TimberStructure.from_boxes(names, places, axes, sizes)
    text = program(framed(wanted, 'A """ of \\ trouble'))
    assert vet(text) == ()
    found = build(text)
    assert sorted(found.names) == sorted(names)
    found = found.subset([found.names.index(name) for name in names])
    np.testing.assert_allclose(np.stack(found.aabb), np.stack(wanted.aabb), atol=2e-6)
