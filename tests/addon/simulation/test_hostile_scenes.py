# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that nobody would build on purpose: told in a sentence, or recorded as they are."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from falling_bodies import box, recorded  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.experiments import what_if as altered  # noqa: E402
from plumbline.addon.simulation.hashing import state_hash  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.sides import Side  # noqa: E402
from plumbline.addon.simulation.solids import Solid  # noqa: E402
from plumbline.addon.simulation.steps import SimulationError, finish  # noqa: E402
from plumbline.checks.reconstruction.bodies import Body, TrajectoryError  # noqa: E402
from plumbline.checks.reconstruction.interventions import Intervention  # noqa: E402


def run(scene):
    with copied(scene, "Trial") as stage:
        return finish(record(stage))


@pytest.mark.parametrize("way", ["hidden", "excluded"])
def test_where_nothing_is_in_sight_all_is_simulated_and_read_all_the_same(empty_scene, way):
    """Poses used to be whatever the memory held: no object was there to be asked at once."""
    scene = bullet.start(6)
    bullet.box("crate", (0, 0, 4))
    scene.frame_set(1)
    if way == "hidden":
        for obj in scene.objects:
            obj.hide_viewport = obj.hide_render = True
    else:
        apart = bpy.data.collections.new("Apart")
        scene.collection.children.link(apart)
        for obj in list(scene.collection.objects):
            scene.collection.objects.unlink(obj)
            apart.objects.link(obj)
        scene.view_layers[0].layer_collection.children["Apart"].exclude = True
    found = run(scene)
    heights = found.position[:, found.index("crate"), 2]
    assert heights[0] == pytest.approx(4) and (np.diff(heights) < 0).all() and heights[-1] > 3


def test_vertices_that_are_no_numbers_are_refused_before_they_end_blender(empty_scene):
    scene = bullet.start(6)
    crate = bullet.box("crate", (0, 0, 4))
    crate.rigid_body.collision_shape = "CONVEX_HULL"
    crate.data.vertices[0].co = (float("nan"),) * 3
    before, scenes = state_hash(scene), len(bpy.data.scenes)
    with pytest.raises(SimulationError, match="crate has vertices that are no numbers"):
        run(scene)
    assert state_hash(scene) == before and len(bpy.data.scenes) == scenes
    crate.rigid_body.collision_shape = "BOX"
    assert len(run(scene)) == 6


def test_what_was_never_evaluated_and_has_no_mesh_has_no_surface(empty_scene):
    scene = bullet.start(4)
    bullet.box("crate", (0, 0, 4))
    for kind in ("FONT", "CURVE"):
        scene.collection.objects.link(
            bpy.data.objects.new(kind, bpy.data.curves.new(kind, type=kind))
        )
    found = run(scene)
    assert not len(found.bodies[found.index("CURVE")].vertices)


def test_a_linked_object_of_the_same_name_is_told(empty_scene, tmp_path):
    scene = bullet.start(4)
    crate = bullet.box("crate", (0, 0, 4))
    stored = bpy.data.objects.new("other", crate.data)
    bpy.data.libraries.write(str(tmp_path / "lib.blend"), {stored})
    bpy.data.objects.remove(stored)
    with bpy.data.libraries.load(str(tmp_path / "lib.blend"), link=True) as (_, into):
        into.objects = ["other"]
    scene.collection.objects.link(into.objects[0])
    assert len(run(scene).bodies) == 2
    crate.name = "other"
    with pytest.raises(SimulationError, match="two objects of Scene are called other"):
        run(scene)


def what_if(scene, **asked):
    """One altered run of four frames, or why there is none."""
    return finish(altered(scene, [Intervention.from_mapping(asked)], first=1, last=4))


def test_an_intervention_with_a_number_that_blender_does_not_take_is_told(empty_scene):
    scene = bullet.start(4)
    bullet.box("crate", (0, 0, 4))
    before = state_hash(scene)
    for asked in (
        {"kind": "none", "substeps": 1e300},
        {"kind": "none", "substeps": 1e308},
        {"kind": "gravity", "scale": 1e300},
        {"kind": "mass", "object": "crate", "scale": 1e300},
        {"kind": "friction", "object": "crate", "value": 1e300},
        {"kind": "add_support", "centre": [0, 0, 0], "size": [1e39, 1, 1]},
    ):
        with pytest.raises(SimulationError) as caught:
            what_if(scene, **asked)
        assert "\n" not in str(caught.value)
    assert state_hash(scene) == before


def test_a_cloth_that_is_kept_from_something_leaves_nothing_behind(empty_scene):
    scene = bullet.start(4)
    bullet.box("crate", (0, 0, 4))
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=4, y_subdivisions=4, location=(0, 0, 8))
    bpy.context.object.name = "sheet"
    bpy.context.object.modifiers.new("Cloth", "CLOTH")
    there = len(bpy.data.collections)
    for at in ({}, {"at_frame": 2}):
        what_if(scene, kind="add_contact", pair=["sheet", "crate"], **at)
    assert len(bpy.data.collections) == there


def test_a_role_of_two_objects_is_nobody(empty_scene):
    """One of them was altered and the other one measured."""
    scene = bullet.start(4)
    for k, name in enumerate(("one", "other")):
        bullet.box(name, (2 * k, 0, 4))["plumbline_role"] = "ball"
    with pytest.raises(SimulationError, match="role 'ball' is bound to 2 objects, one and other"):
        what_if(scene, kind="remove", object="ball")
    with pytest.raises(TrajectoryError, match="several bodies have the role 'ball'"):
        run(scene).index("ball")


def test_what_is_farther_than_single_precision_reaches_has_no_nearest_place():
    corners = np.array([[0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]])
    solid = Solid(corners, np.array([[0, 1, 2]]), False)
    distance, place, _ = solid.signed(np.array([[0, 0, 1e30], [0.1, 0.1, 2]]), 1e31)
    assert np.isinf(distance[0]) and distance[1] == pytest.approx(2) and np.isfinite(place[1]).all()


def test_a_triangle_without_area_beside_something_tiny_takes_no_more_places_than_others():
    """It took as many as its length has nanometres: all the memory that there is."""
    mote = box("mote", (1e-9, 1e-9, 1e-9))
    line = np.array([[0, 0, 0], [1.0, 0, 0], [2.0, 0, 0]])
    flat = np.array([[0, 1, 2]])
    needle = Body("needle", vertices=line, triangles=flat, convex=False, closed=False)
    made = recorded((mote, (0, 0, 0)), (needle, (0, 0, 0)), frames=2)
    corners, shares = Side(made, 1).places(made.bodies[0].size)
    assert 3 <= len(corners) == len(shares) < 50_000
