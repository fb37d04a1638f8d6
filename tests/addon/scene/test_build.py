# SPDX-License-Identifier: GPL-3.0-or-later
"""Structures put into a scene come out of it again as they were."""

import bpy
import numpy as np
import pytest
from plumbline.addon.scene.build import scene_from_structure
from plumbline.addon.scene.members import structure_from_scene
from plumbline.checks.timber.structure import TimberStructure

pytestmark = pytest.mark.usefixtures("empty_scene")


def house(n=60, seed=0):
    rng = np.random.default_rng(seed)
    axes = np.linalg.qr(rng.normal(size=(n, 3, 3)))[0]
    roles = ["Stud" if i % 7 == 0 else None for i in range(n)]
    return TimberStructure.from_boxes(
        [f"Member_{i:03}" for i in range(n)],
        rng.normal(size=(n, 3)) * 5,
        axes,
        rng.uniform(0.03, 4, (n, 3)),
        roles,
    )


@pytest.mark.parametrize("unit", [1.0, 0.3048, 0.001])
def test_round_trip(unit):
    bpy.context.scene.unit_settings.scale_length = unit
    before = house()
    collection = scene_from_structure(before, "House")
    after = structure_from_scene()
    assert after.names == before.names
    assert after.explicit_roles == before.explicit_roles
    assert after.findings == ()
    assert after.source["fill"] == {}
    assert np.abs(after.half - before.half).max() < 2e-6
    assert np.abs(after.corners - before.corners).max() < 1e-5
    assert collection.name in bpy.context.scene.collection.children
    assert all(tuple(obj.scale) == pytest.approx((1, 1, 1)) for obj in collection.objects)


def test_bounds_are_those_of_the_member():
    """Meshes copied from a pattern keep its cached bounds unless they are told."""
    before = house(3)
    for obj, half in zip(scene_from_structure(before, "H").objects, before.half, strict=True):
        assert np.abs(np.array(obj.bound_box)).max(axis=0) == pytest.approx(half, rel=1e-5)


def test_a_taken_name_is_remembered():
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Member_000", None))
    collection = scene_from_structure(house(2), "House")
    first, second = collection.objects
    assert first["plumbline_member"] == "Member_000"
    assert "plumbline_member" not in second


def test_no_members():
    scene_from_structure(house(0), "Nothing")
    assert len(structure_from_scene()) == 0


def test_a_large_house():
    scene_from_structure(house(1548), "House")
    assert len(structure_from_scene()) == 1548
