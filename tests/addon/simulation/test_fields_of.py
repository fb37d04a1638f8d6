# SPDX-License-Identifier: GPL-3.0-or-later
"""Which fields are at work, how strongly, whether they are seen, and which bodies feel them."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

import simulated_scene  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.fields_of import fields_of  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.steps import finish  # noqa: E402


@pytest.fixture
def scene():
    """A box that falls, a flag and a wind."""
    made = simulated_scene.empty_world(20)
    simulated_scene.box("box", (0, 0, 1))
    flag = simulated_scene.box("flag", (2, 0, 1), kind=None)
    flag.modifiers.new("Cloth", "CLOTH")
    add("wind", "WIND", 5.0)
    yield made
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def add(name, kind, strength):
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    with bpy.context.temp_override(object=obj, active_object=obj):
        bpy.ops.object.forcefield_toggle()
    obj.field.type, obj.field.strength = kind, strength
    return obj


def test_a_field_that_all_feel(scene):
    (wind,) = fields_of(scene)
    assert (wind.name, wind.kind, wind.strength) == ("wind", "WIND", 5.0)
    assert wind.bodies is None and wind.visible
    (renamed,) = fields_of(scene, {"wind": "Wind of the person"})
    assert renamed.name == "Wind of the person"


def test_every_kind_has_its_weight(scene):
    kinds = [
        item.identifier for item in bpy.types.FieldSettings.bl_rna.properties["type"].enum_items
    ]
    wind = bpy.data.objects["wind"]
    weights = bpy.data.objects["flag"].modifiers["Cloth"].settings.effector_weights
    for kind in set(kinds) - {"NONE"}:
        wind.field.type = kind
        (one,) = fields_of(scene)
        assert one.kind == kind and one.bodies is None
    weights.wind = 0.0
    wind.field.type = "WIND"
    assert fields_of(scene)[0].bodies == ("box",)
    wind.field.type = "FORCE"
    assert fields_of(scene)[0].bodies is None
    scene.rigidbody_world.effector_weights.all = 0.0
    assert fields_of(scene)[0].bodies == ("flag",)


def test_a_collection_of_effectors(scene):
    add("other", "VORTEX", 1.0)
    chosen = bpy.data.collections.new("chosen")
    chosen.objects.link(bpy.data.objects["other"])
    weights = bpy.data.objects["flag"].modifiers["Cloth"].settings.effector_weights
    weights.collection = chosen
    felt = {one.name: one.bodies for one in fields_of(scene)}
    assert felt == {"wind": ("box",), "other": None}


def test_hidden_fields_work_and_disabled_ones_dont(scene):
    wind = bpy.data.objects["wind"]
    wind.hide_set(True)
    assert [one.visible for one in fields_of(scene)] == [False]
    wind.hide_set(False)
    wind.hide_viewport = True
    assert fields_of(scene) == ()
    wind.hide_viewport = False
    group = bpy.data.collections.new("group")
    scene.collection.children.link(group)
    scene.collection.objects.unlink(wind)
    group.objects.link(wind)
    group.hide_viewport = True
    assert fields_of(scene) == ()


def test_a_recording_tells_a_field_that_was_hidden(scene):
    def told():
        with copied(scene, "trial") as stage:
            (one,) = finish(record(stage, 1, 3)).fields
        return one.visible

    assert told()
    bpy.data.objects["wind"].hide_set(True)
    assert not told()


def test_a_keyed_strength_counts_where_it_is_greatest(scene):
    field = bpy.data.objects["wind"].field
    for frame, strength in ((1, 0.0), (10, -80.0), (20, 0.0)):
        field.strength = strength
        field.keyframe_insert("strength", frame=frame)
    assert fields_of(scene)[0].strength == pytest.approx(-80.0)
