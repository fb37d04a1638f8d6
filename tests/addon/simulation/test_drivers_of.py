# SPDX-License-Identifier: GPL-3.0-or-later
"""What moves an object is read rightly in every Blender, and no script runs for it."""

from __future__ import annotations

import math

import pytest

bpy = pytest.importorskip("bpy")

from plumbline.addon.simulation.drivers_of import drivers_of, handlers_of  # noqa: E402


@pytest.fixture
def scene():
    """An empty scene of 24 frames."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    made = bpy.context.scene
    made.frame_start, made.frame_end = 1, 24
    yield made
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def added(name="ball", data=None):
    """An object with a triangle for a mesh, or with other data."""
    if data is None:
        data = bpy.data.meshes.new(name)
        data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    obj = bpy.data.objects.new(name, data)
    bpy.context.scene.collection.objects.link(obj)
    return obj


def keyed(block, path, *values):
    """Keys of those values, 10 frames apart."""
    for k, value in enumerate(values):
        setattr(block, path, value)
        block.keyframe_insert(path, frame=1 + 10 * k)


def kinds(obj):
    return [driver.kind for driver in drivers_of(obj)]


def test_keys_that_change_move_and_those_that_dont_dont(scene):
    ball = added()
    assert drivers_of(ball) == ()
    keyed(ball, "location", (0, 0, 1), (0, 0, 1))
    keyed(ball, "hide_viewport", False, True)
    assert drivers_of(ball) == ()
    keyed(ball, "location", (0, 0, 1), (0, 0, 3))
    assert set(kinds(ball)) == {"keyframes"}
    assert drivers_of(ball)[0].detail == "location"
    ball.animation_data.action_influence = 0
    assert drivers_of(ball) == ()


def test_muted_curves_and_other_slots_dont_count(scene):
    ball, other = added(), added("other")
    keyed(ball, "location", (0, 0, 1), (0, 0, 3))
    other.animation_data_create().action = ball.animation_data.action
    if hasattr(other.animation_data, "action_slot"):
        # The action holds curves of the ball only, in its slot.
        other.animation_data.action_slot = other.animation_data.action.slots.new("OBJECT", "new")
        assert drivers_of(other) == ()
    assert kinds(ball) == ["keyframes"]


def test_strips(scene):
    ball = added()
    keyed(ball, "rotation_euler", (0, 0, 0), (0, 0, 2))
    action, data = ball.animation_data.action, ball.animation_data
    slot = getattr(data, "action_slot", None)
    track = data.nla_tracks.new()
    strip = track.strips.new("turn", 1, action)
    if slot is not None:
        strip.action_slot = slot
    data.action = None
    assert kinds(ball) == ["nla"] and drivers_of(ball)[0].detail == f"{strip.name}: rotation_euler"
    track.mute = True
    assert drivers_of(ball) == ()


def test_drivers_are_told_and_their_python_never_runs(scene):
    ball = added()
    bpy.app.driver_namespace["ran"] = ran = []
    curve = ball.driver_add("location", 2)
    curve.driver.expression = "frame / 10"
    (told,) = drivers_of(ball)
    assert told.kind == "driver" and told.detail == "location: frame / 10"
    ran.clear()
    curve.driver.expression = "ran.append(1) or 3"
    ran.clear()
    (told,) = drivers_of(ball)
    assert "Python that was not evaluated" in told.detail and ran == []
    curve.mute = True
    assert drivers_of(ball) == ()
    del bpy.app.driver_namespace["ran"]


def test_shape_keys_count_where_their_values_change(scene):
    ball = added()
    ball.shape_key_add(name="Basis")
    key = ball.shape_key_add(name="Wide")
    key.value = 1.0
    assert drivers_of(ball) == ()
    key.keyframe_insert("value", frame=1)
    key.value = 0.0
    key.keyframe_insert("value", frame=9)
    (told,) = drivers_of(ball)
    assert told.kind == "shape_keys" and "Wide" in told.detail


def test_parents_count_where_something_moves_them(scene):
    hand, arm, ball = added("hand"), added("arm"), added()
    ball.parent, hand.parent = hand, arm
    assert drivers_of(ball) == ()
    keyed(arm, "location", (0, 0, 1), (0, 0, 3))
    (told,) = drivers_of(ball)
    assert told.kind == "parent" and told.detail == "hand, moved by parent"


def test_constraints_count_where_they_are_on(scene):
    ball = added()
    one = ball.constraints.new("COPY_LOCATION")
    one.target = added("other")
    assert kinds(ball) == ["constraint"]
    one.influence = 0
    assert drivers_of(ball) == ()
    one.influence, one.mute = 1, True
    assert drivers_of(ball) == ()


@pytest.mark.parametrize("kind", ["HOOK", "LATTICE", "ARMATURE"])
def test_modifiers_that_follow_what_moves(scene, kind):
    data = {"LATTICE": bpy.data.lattices, "ARMATURE": bpy.data.armatures}.get(kind)
    target, ball = added("target", data.new("t") if data is not None else None), added()
    modifier = ball.modifiers.new("follow", kind)
    modifier.object = target
    assert drivers_of(ball) == ()
    if kind == "ARMATURE":
        bpy.context.view_layer.objects.active = target
        bpy.ops.object.mode_set(mode="EDIT")
        target.data.edit_bones.new("bone").tail = (0, 0, 1)
        bpy.ops.object.mode_set(mode="OBJECT")
        keyed(target.pose.bones["bone"], "location", (0, 0, 0), (0, 0, 1))
    else:
        keyed(target, "location", (0, 0, 1), (0, 0, 3))
    (told,) = drivers_of(ball)
    assert told.kind == "modifier" and told.detail == "follow follows target, moved by keyframes"
    modifier.show_viewport = False
    assert drivers_of(ball) == ()


def test_a_modifier_that_moves_by_itself_or_is_keyed(scene):
    ball = added()
    ball.modifiers.new("w", "WAVE")
    assert kinds(ball) == ["modifier"]
    ball.modifiers.clear()
    bend = ball.modifiers.new("bend", "SIMPLE_DEFORM")
    assert drivers_of(ball) == ()
    keyed(bend, "angle", 0.0, 1.0)
    assert kinds(ball) == ["modifier"]


def nodes(*names):
    tree = bpy.data.node_groups.new("tree", "GeometryNodeTree")
    for name in names:
        tree.nodes.new(name)
    return tree


def test_geometry_nodes_count_where_they_know_the_time(scene):
    ball = added()
    modifier = ball.modifiers.new("nodes", "NODES")
    modifier.node_group = nodes("GeometryNodeSetPosition")
    assert drivers_of(ball) == ()
    inner = nodes("GeometryNodeInputSceneTime")
    modifier.node_group = outer = nodes("GeometryNodeGroup")
    outer.nodes[0].node_tree = inner
    (told,) = drivers_of(ball)
    assert told.kind == "geometry_nodes" and "Scene Time" in told.detail
    inner.nodes[0].mute = True
    assert drivers_of(ball) == ()
    value = outer.nodes.new("ShaderNodeValue").outputs[0]
    value.default_value = 0.0
    value.keyframe_insert("default_value", frame=1)
    assert kinds(ball) == ["geometry_nodes"]


def test_what_the_solver_moves(scene):
    ball = added()
    bpy.ops.rigidbody.world_add()
    world = scene.rigidbody_world
    world.collection = bpy.data.collections.new("bodies")
    world.collection.objects.link(ball)
    assert kinds(ball) == ["solver"]
    ball.rigid_body.type = "PASSIVE"
    assert drivers_of(ball) == ()
    ball.rigid_body.type, ball.rigid_body.kinematic = "ACTIVE", True
    assert drivers_of(ball) == ()
    ball.keyframe_insert("rigid_body.kinematic", frame=1)
    ball.rigid_body.kinematic = False
    ball.keyframe_insert("rigid_body.kinematic", frame=5)
    assert kinds(ball) == ["solver"]
    flag = added("flag")
    flag.modifiers.new("cloth", "CLOTH")
    assert [d.detail for d in drivers_of(flag)] == ["cloth"]


def test_handlers_and_registered_texts_are_told_and_not_run(scene):
    ran = []

    def turn(*_):
        ran.append(1)

    assert handlers_of() == ()
    bpy.app.handlers.frame_change_pre.append(turn)
    try:
        text = bpy.data.texts.new("rig.py")
        text.write("import bpy\nbpy.app.driver_namespace['ran'] = True\n")
        text.use_module = True
        assert handlers_of() == ("turn (frame_change_pre)", "rig.py (registered text)")
        assert ran == [] and "ran" not in bpy.app.driver_namespace
    finally:
        bpy.app.handlers.frame_change_pre.remove(turn)


def test_circles_of_parents_and_targets_end(scene):
    first, second = added("first"), added("second")
    for one, other in ((first, second), (second, first)):
        hook = one.modifiers.new("hook", "HOOK")
        hook.object = other
    assert drivers_of(first) == ()
    first.location.x = math.pi
    keyed(first, "location", (0, 0, 1), (0, 0, 3))
    assert kinds(first) == ["keyframes"] and kinds(second) == ["modifier"]
