# SPDX-License-Identifier: GPL-3.0-or-later
"""What a person sets in the fields of *What If*, as data in SI units."""

from __future__ import annotations

import math

import pytest

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


@pytest.fixture
def change(registered):
    """The first change, in a scene in centimetres."""
    from plumbline.addon.session import interventions_here

    bpy.context.scene.unit_settings.scale_length = 0.01
    return interventions_here.state(bpy.context).first


def meant(change, *names):
    change.members.clear()
    for name in names:
        change.members.add().name = name


def asked(change, kind):
    from plumbline.addon.session import interventions_here

    change.kind = kind
    return [one.to_plain() for one in interventions_here.interventions(change, bpy.context.scene)]


def test_every_kind_of_a_simulated_scene(change):
    from plumbline.addon.physics_words import CHANGES
    from plumbline.checks.reconstruction.interventions import KINDS

    assert set(CHANGES) == set(KINDS)
    meant(change, "Ball")
    change.offset, change.rotation = (30.0, 0.0, 0.0), (0.0, 0.0, math.pi / 2)
    release = asked(change, "release")[0]
    assert release["offset"] == pytest.approx((0.3, 0, 0))
    assert release["rotation"] == pytest.approx((0, 0, math.pi / 2), abs=1e-6)
    change.linear = (250.0, 0.0, 0.0)
    assert asked(change, "velocity")[0]["linear"] == pytest.approx((2.5, 0, 0))
    change.times = 10.0
    assert asked(change, "mass") == [{"kind": "mass", "object": "Ball", "scale": 10.0}]
    change.amount, change.mass = "VALUE", 4.0
    assert asked(change, "mass") == [{"kind": "mass", "object": "Ball", "value": 4.0}]
    change.value = 0.25
    for kind in ("friction", "restitution"):
        assert asked(change, kind) == [{"kind": kind, "object": "Ball", "value": 0.25}]
    assert asked(change, "remove_constraint") == [
        {"kind": "remove_constraint", "constraint": "Ball"}
    ]
    assert asked(change, "field") == [{"kind": "field", "field": "Ball", "scale": 10.0}]
    assert asked(change, "add_support")[0]["size"] == pytest.approx((0.04, 0.04, 0.01))
    assert asked(change, "bound_support") == [{"kind": "bound_support", "object": "Ball"}]
    meant(change, "Ball", "Cup")
    assert [one["object"] for one in asked(change, "remove")] == ["Ball", "Cup"]
    for kind in ("remove_contact", "add_contact"):
        assert asked(change, kind) == [{"kind": kind, "pair": ("Ball", "Cup")}]


def test_gravity_from_off_to_its_own_direction(change):
    bpy.context.scene.gravity = (0.0, 0.0, -981.0)
    assert asked(change, "gravity") == [{"kind": "gravity", "scale": 0.0}]
    change.gravity = "X"
    assert asked(change, "gravity")[0]["vector"] == pytest.approx((9.81, 0, 0))
    change.gravity, change.late, change.at_frame = "TIMES", True, 7
    change.times = 0.5
    assert asked(change, "gravity") == [{"kind": "gravity", "scale": 0.5, "at_frame": 7}]


def test_what_is_missing_is_said_in_words(change):
    from plumbline.addon.session import interventions_here

    for names, kind, words in (
        ((), "remove", "Pick a body: select in the view, then Use Selected"),
        (("Ball",), "remove_contact", "Pick two bodies"),
        (("A", "B", "C"), "add_contact", "Pick only two bodies: 3 are picked"),
        ((), "field", "Pick the force field"),
    ):
        meant(change, *names)
        with pytest.raises(ValueError, match=words):
            asked(change, kind)
    meant(change, "A", "B", "C")
    change.falls = "cut"
    with pytest.raises(ValueError, match="Pick only two members"):
        interventions_here.what_ifs(change, bpy.context.scene)


def test_every_kind_of_what_stands_still(change):
    from plumbline.addon.physics_words import FALLS
    from plumbline.addon.session.interventions_here import what_ifs
    from plumbline.addon.simulation.falling.asked import KINDS

    assert set(FALLS) == set(KINDS)
    meant(change, "Stud_01", "Stud_02")
    change.offset, change.share, change.gravity = (0.0, 5.0, 0.0), 0.25, "Y"
    found = {}
    for kind in KINDS:
        change.falls = kind
        (found[kind],) = what_ifs(change, bpy.context.scene)
        assert found[kind].kind == kind
    assert found["shift"].offset == pytest.approx((0, 0.05, 0))
    assert found["weaken"].factor == 0.25
    assert found["gravity"].vector == pytest.approx((0, 1, 0))
    assert found["push"].vector == (2000.0, 0.0, 0.0) and found["push"].unit == "N"
    assert found["cut"].members == ("Stud_01", "Stud_02")


def test_it_is_called_by_what_is_otherwise(change):
    from plumbline.addon.session.interventions_here import words_of

    meant(change, "Ball", "Cup", "Egg")
    scene = bpy.context.scene
    assert words_of(change, scene, False) == "without Ball and 2 more"
    change.kind = "gravity"
    assert words_of(change, scene, False) == "gravity off"
    assert words_of(change, scene, False, control=True) == "the same once more"
