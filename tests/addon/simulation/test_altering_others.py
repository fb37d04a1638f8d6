# SPDX-License-Identifier: GPL-3.0-or-later
"""Interventions on cloth, on what is animated first, and on supports that are more than seen."""

from __future__ import annotations

import bpy
import numpy as np
import pytest
from plumbline.addon.simulation.experiments import what_if
from plumbline.addon.simulation.hashing import state_hash
from plumbline.addon.simulation.steps import SimulationError, finish
from plumbline.checks.reconstruction.counterfactual import took_effect
from plumbline.checks.reconstruction.interventions import Intervention
from simulated_scene import ball, box, empty_world

pytestmark = pytest.mark.once


def tried(*asked, baseline=None):
    """Baseline and altered run of the open scene, which is as it was."""
    scene = bpy.context.scene
    before = state_hash(scene)
    several = [Intervention.from_mapping(one) for one in asked]
    found = finish(what_if(scene, several, baseline=baseline))
    assert state_hash(scene) == before
    return found


def of(trajectory, name):
    return trajectory.position[:, trajectory.index(name)]


@pytest.fixture
def thrown():
    """A box that keyframes carry along x up to frame 10, and that the solver has from then on."""
    scene = empty_world(24)
    box("floor", (0, 0, -0.5), (30, 30, 1), "PASSIVE")
    cue = box("cue", (0, 0, 3))
    for frame, x in ((1, 0.0), (10, 1.0)):
        cue.location.x = x
        cue.keyframe_insert("location", frame=frame)
    for frame, held in ((1, True), (11, False)):
        cue.rigid_body.kinematic = held
        cue.keyframe_insert("rigid_body.kinematic", frame=frame)
    scene.frame_set(1)
    yield scene
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def test_what_is_animated_first_starts_otherwise_where_it_is_let_go(thrown):
    base, altered = tried({"kind": "velocity", "object": "cue", "linear": [0, 2, 0]})
    one, other = of(base, "cue"), of(altered, "cue")
    assert (one[:9] == other[:9]).all() and base.kinematic[:12, 1].tolist() == [True] * 10 + [
        False
    ] * 2
    np.testing.assert_allclose(other[9], one[9], atol=1e-6)
    step = np.diff(other[9:11], axis=0)[0] * base.fps
    np.testing.assert_allclose(step[:2], [0, 2], atol=5e-3)
    assert altered.source["applied"]["velocity"]["let_go"] == 10
    whole, shifted = tried({"kind": "release", "object": "cue", "offset": [0, 1, 0]}, baseline=base)
    np.testing.assert_allclose(
        of(shifted, "cue") - of(whole, "cue"), np.tile([0, 1.0, 0], (24, 1)), atol=1e-5
    )
    _, late = tried(
        {"kind": "release", "object": "cue", "offset": [0, 1, 0], "at_frame": 5}, baseline=base
    )
    away = of(late, "cue") - one
    assert (away[:5] == 0).all() and away[5:, 1] == pytest.approx(np.ones(19), abs=1e-5)


def test_a_table_ends_where_it_is_seen_to_end(empty_scene):
    empty_world(24)
    box("table", (0, 0, -0.1), (2, 2, 0.2), None)
    box("proxy", (0, 0, -0.1), (20, 20, 0.2), "PASSIVE").hide_render = True
    ball("cue", (0.7, 0, 0.1), 0.1)
    push = {"kind": "velocity", "object": "cue", "linear": [2, 0, 0]}
    _, beyond = tried(push)
    assert of(beyond, "cue")[-1, 2] == pytest.approx(0.1, abs=0.01), "level beyond the edge"
    _, falls = tried(push, {"kind": "bound_support", "object": "table"})
    assert of(falls, "cue")[-1, 2] < -1
    assert of(falls, "cue")[3, 2] == pytest.approx(0.1, abs=0.01), "before the edge it is held"
    assert falls.source["applied"]["bound_support"]["silenced"] == ["proxy"]
    with pytest.raises(SimulationError, match="proxy is not seen"):
        tried({"kind": "bound_support", "object": "proxy"})


def test_a_collision_shape_that_is_not_what_is_seen_gives_way(empty_scene):
    empty_world(24)
    box("table", (0, 0, -0.1), (2, 2, 0.2), "PASSIVE", collision_shape="SPHERE")
    ball("cue", (0, 0, 1.5), 0.1)
    base, altered = tried({"kind": "bound_support", "object": "table"})
    assert of(base, "cue")[-1, 2] > 0.9, "held up by a ball that nobody sees"
    assert of(altered, "cue")[-1, 2] == pytest.approx(0.1, abs=0.01)


def test_cloth_feels_or_does_not_feel_one_thing(empty_scene):
    scene = empty_world(16)
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=8, y_subdivisions=8, size=2, location=(0, 0, 1))
    bpy.context.object.name = "sheet"
    bpy.context.object.modifiers.new("Cloth", "CLOTH")
    for name, at, size in (("post", 0.3, 0.5), ("ground", -0.5, 6)):
        one = box(name, (0, 0, at), (size, size, 0.5), "PASSIVE")
        one.modifiers.new("Collision", "COLLISION")
    scene.frame_set(1)
    pair = {"pair": ["sheet", "post"]}
    base, off = tried({"kind": "remove_contact", **pair})
    top = [float(t.meshes["sheet"][-1, :, 2].max()) for t in (base, off)]
    assert top[0] > 0.5 > 0.3 > top[1], "it falls through the post"
    assert off.source["applied"]["remove_contact"]["feels"] == ["ground"]
    _, late = tried({"kind": "remove_contact", **pair, "at_frame": 8}, baseline=base)
    apart = np.abs(late.meshes["sheet"] - base.meshes["sheet"]).max((1, 2))
    assert (apart[:8] == 0).all() and apart[8] > 0
    scene.objects["sheet"].modifiers["Cloth"].collision_settings.use_collision = False
    free, on = tried({"kind": "add_contact", **pair})
    top = [float(t.meshes["sheet"][-1, :, 2].max()) for t in (free, on)]
    assert top[0] < 0.3 < 0.5 < top[1]
    with pytest.raises(SimulationError, match="sheet doesn't feel ground as it is"):
        tried({"kind": "remove_contact", "pair": ["sheet", "ground"]})


def test_all_parts_of_an_assembly_are_felt(empty_scene):
    """A knight of two meshes under an empty, which nothing feels (D.3.4 of the paper)."""
    scene = empty_world(24)
    ball("piece", (0.3, 0, 1.4), 0.2)
    knight = bpy.data.objects.new("knight", None)
    scene.collection.objects.link(knight)
    for k, x in enumerate((-0.5, 0.4)):
        box(f"part {k}", (x, 0, 0.5), (0.8, 0.8, 1), None).parent = knight
    scene.frame_set(1)
    base, altered = tried({"kind": "add_contact", "pair": ["piece", "knight"]})
    assert of(base, "piece")[-1, 2] < 0
    assert of(altered, "piece")[-1, 2] == pytest.approx(1.2, abs=0.02)
    shapes = altered.source["applied"]["add_contact"]["shapes"]
    assert shapes == {"piece": "SPHERE", "part 0": "MESH", "part 1": "MESH"}


def test_animation_that_two_objects_share_is_held_in_the_copy_alone(empty_scene):
    scene = empty_world(12)
    one, other = box("one", (0, 0, 3)), box("other", (4, 0, 3))
    for frame, mass in ((1, 1.0), (12, 5.0)):
        one.rigid_body.mass = mass
        one.keyframe_insert("rigid_body.mass", frame=frame)
    other.animation_data_create().action = one.animation_data.action
    if hasattr(other.animation_data, "action_slot"):
        other.animation_data.action_slot = one.animation_data.action_slot
    scene.frame_set(1)
    _, altered = tried({"kind": "mass", "object": "one", "value": 7, "at_frame": 6})
    assert altered.source["applied"]["mass"]["mass"] == 7.0
    scene.frame_set(12)
    assert one.rigid_body.mass == other.rigid_body.mass == 5.0


def test_a_solver_that_starts_later_than_the_scene(empty_scene):
    """All before its start is as it was, and two bodies may start with velocities of their own."""
    scene = empty_world(12)
    for name, x in (("one", 0), ("other", 4), ("third", 8)):
        box(name, (x, 0, 3))
    scene.rigidbody_world.point_cache.frame_start = 5
    scene.frame_set(1)
    ask = {"kind": "velocity", "object": "one", "linear": [0, 1, 0]}
    base, altered = tried(ask, {**ask, "object": "other", "linear": [0, -2, 0]})
    for name, speed in (("one", 1), ("other", -2), ("third", 0)):
        way = of(altered, name)
        assert (way[:4] == of(base, name)[:4]).all()
        np.testing.assert_allclose(np.diff(way[4:, 1])[:2] * base.fps, speed, rtol=5e-3)
    assert set(altered.source["applied"]) == {"velocity", "velocity 2"}
    early = Intervention.from_mapping({**ask, "at_frame": 3})
    _, altered = finish(what_if(scene, [early], baseline=base))
    assert took_effect(early, base, altered) is True


def test_without_a_rigid_body_world_cloth_gets_a_support_that_it_feels(empty_scene):
    scene = bpy.context.scene
    scene.frame_end = 12
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=2, location=(0, 0, 1))
    bpy.context.object.name = "sheet"
    bpy.context.object.modifiers.new("Cloth", "CLOTH")
    scene.frame_set(1)
    base, altered = tried({"kind": "add_support", "centre": [0, 0, 0.5], "size": [3, 3, 0.4]})
    low = [float(t.meshes["sheet"][-1, :, 2].min()) for t in (base, altered)]
    assert low[0] < 0.6 < low[1]
