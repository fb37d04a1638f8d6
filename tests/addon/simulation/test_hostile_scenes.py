# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes that nobody would build on purpose: told in a sentence, or recorded as they are."""

from __future__ import annotations

import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from falling_bodies import box, recorded  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.hashing import state_hash  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.sides import Side  # noqa: E402
from plumbline.addon.simulation.steps import SimulationError, finish  # noqa: E402
from plumbline.checks.reconstruction.bodies import Body  # noqa: E402


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


def test_a_triangle_without_area_beside_something_tiny_takes_no_more_places_than_others():
    """It took as many as its length has nanometres: all the memory that there is."""
    mote = box("mote", (1e-9, 1e-9, 1e-9))
    line = np.array([[0, 0, 0], [1.0, 0, 0], [2.0, 0, 0]])
    flat = np.array([[0, 1, 2]])
    needle = Body("needle", vertices=line, triangles=flat, convex=False, closed=False)
    made = recorded((mote, (0, 0, 0)), (needle, (0, 0, 0)), frames=2)
    corners, shares = Side(made, 1).places(made.bodies[0].size)
    assert 3 <= len(corners) == len(shares) < 50_000
