# SPDX-License-Identifier: GPL-3.0-or-later
"""What is recorded of a scene copy: poses, settings and shapes, simulated afresh each time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")

import bullet_scenes as bullet  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.hashing import state_hash  # noqa: E402
from plumbline.addon.simulation.recording import frames_of, record  # noqa: E402
from plumbline.addon.simulation.steps import SimulationError, finish  # noqa: E402
from plumbline.checks.reconstruction.motion import rotations  # noqa: E402


def recorded(scene, *frames, **more):
    with copied(scene, "Trial") as stage:
        return finish(record(stage, *frames, **more))


def falling(frames=20):
    """A box that falls from 4 m onto a floor."""
    scene = bullet.start(frames)
    bullet.floor()
    bullet.box("crate", (0, 0, 4))
    return scene


def again(frames=20):
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    return falling(frames)


def test_a_fall_in_si_units(empty_scene):
    """Lengths, gravity and time of a scene whose unit is a foot."""
    scene = falling(12)
    scene.unit_settings.scale_length = 0.3048
    scene.gravity = (0, 0, -9.81 / 0.3048)
    scene.render.fps, scene.render.fps_base = 30, 1.001
    made = recorded(scene)
    assert made.names == ("floor", "crate") and made.frames.tolist() == list(range(1, 13))
    assert made.gravity == pytest.approx((0, 0, -9.81), rel=1e-6)
    assert made.fps == pytest.approx(30 / 1.001)
    assert made.velocity is None and made.substeps == 10
    height = made.position[:, 1, 2]
    assert height[0] == pytest.approx(4 * 0.3048)
    bend = np.diff(height, 2)[2:] * made.fps**2
    assert bend == pytest.approx(-9.81, rel=0.02)
    assert made.bodies[1].extents == pytest.approx(np.full(3, 0.3048))
    assert made.quaternion[0, 1].tolist() == [1, 0, 0, 0]
    assert not any("gravity" in note for note in made.notes)


def test_the_earths_number_in_other_units_is_told(empty_scene):
    scene = falling(4)
    assert not any("gravity" in note for note in recorded(scene).notes)
    scene.unit_settings.scale_length = 0.01
    [note] = [note for note in recorded(scene).notes if "gravity" in note]
    assert "0.0981 m/s2" in note and "981" in note


def test_the_same_bits_again_in_a_copy_and_in_a_worker(empty_scene, tmp_path):
    scene = bullet.dominoes()
    scene.frame_end = 40
    before = state_hash(scene)
    first, second = recorded(scene), recorded(scene)
    assert np.array_equal(first.position, second.position)
    assert np.array_equal(first.quaternion, second.quaternion)
    assert state_hash(scene) == before
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    program = tmp_path / "worker.py"
    package = Path(sys.modules["plumbline"].__file__).parent
    program.write_text(_WORKER.format(package=str(package), here=str(tmp_path)), encoding="utf-8")
    subprocess.run([sys.executable, program], check=True, timeout=120, capture_output=True)
    there = np.load(tmp_path / "poses.npz")
    assert np.array_equal(there["position"], first.position)
    assert np.array_equal(there["quaternion"], first.quaternion)


_WORKER = """
import importlib.util, sys
spec = importlib.util.spec_from_file_location(
    "plumbline", r"{package}/__init__.py", submodule_search_locations=[r"{package}"])
sys.modules["plumbline"] = importlib.util.module_from_spec(spec)
spec.loader.exec_module(sys.modules["plumbline"])
import bpy, numpy
from plumbline.addon.simulation.copying import copied
from plumbline.addon.simulation.recording import record
from plumbline.addon.simulation.steps import finish
bpy.ops.wm.open_mainfile(filepath=r"{here}/scene.blend", use_scripts=False)
with copied(bpy.context.scene, "Trial") as stage:
    made = finish(record(stage))
numpy.savez(r"{here}/poses.npz", position=made.position, quaternion=made.quaternion)
"""


def test_a_part_of_the_frames_is_the_same_as_in_the_whole(empty_scene):
    scene = falling(30)
    whole = recorded(scene)
    part = recorded(scene, 12, 20)
    assert part.frames.tolist() == list(range(12, 21))
    assert np.array_equal(part.position, whole.position[11:20])


def test_a_bake_is_thrown_away_in_the_copy_only(empty_scene):
    scene = falling()
    scene.gravity = (0, 0, -5)
    fresh = recorded(scene)
    scene = again()
    scene.rigidbody_world.point_cache.frame_end = 20
    bpy.ops.ptcache.bake_all(bake=True)
    scene.gravity = (0, 0, -5)
    before = state_hash(scene)
    made = recorded(scene)
    assert np.array_equal(made.position, fresh.position)
    assert "the bake of the rigid-body world was not used: it was simulated anew" in made.notes
    assert scene.rigidbody_world.point_cache.is_baked and state_hash(scene) == before


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (lambda s: setattr(s.rigidbody_world.point_cache, "frame_end", 8), "ends at frame 8"),
        (lambda s: setattr(s, "frame_step", 4), "not every 4 of them"),
        (lambda s: setattr(s.render, "frame_map_new", 200), "time remapping was left out"),
        (lambda s: s.frame_set(9, subframe=0.5), None),
    ],
)
def test_settings_of_playing_change_nothing(empty_scene, change, note):
    plain = recorded(falling())
    scene = again()
    change(scene)
    made = recorded(scene)
    assert np.array_equal(made.position, plain.position)
    assert note is None or note in " ".join(made.notes)


def test_a_solver_that_starts_before_or_after_the_first_frame(empty_scene):
    plain = recorded(falling(30))
    scene = again(30)
    scene.frame_start = 11
    assert np.array_equal(recorded(scene).position, plain.position[10:])
    scene = again(30)
    scene.rigidbody_world.point_cache.frame_start = 6
    made = recorded(scene)
    assert np.array_equal(made.position[5:], plain.position[:25])


def test_time_is_the_solver_s_where_its_world_runs_slower(empty_scene):
    scene = falling()
    scene.rigidbody_world.time_scale = 0.5
    made = recorded(scene)
    assert made.fps == 48 and "0.5 times the scene's speed" in " ".join(made.notes)
    assert np.diff(made.position[:, 1, 2], 2)[2:10] * 48**2 == pytest.approx(-9.81, rel=0.03)


def test_no_frames_and_no_physics_are_sentences(empty_scene):
    scene = falling()
    with pytest.raises(SimulationError, match=r"Scene has no frames.*first is 7, the last 7"):
        frames_of(scene, 7, 7)
    with pytest.raises(SimulationError, match="Scene has no frames"):
        recorded(scene, 9, 3)
    scene.rigidbody_world.time_scale = 0
    with pytest.raises(SimulationError, match="runs at speed 0 and nothing in it moves"):
        recorded(scene)
    scene.rigidbody_world.enabled = False
    with pytest.raises(SimulationError, match="no physics in Scene and nothing that moves"):
        recorded(scene)
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    with pytest.raises(SimulationError, match="nothing to simulate in Scene"):
        recorded(scene)


def test_what_only_keyframes_move_is_recorded(empty_scene):
    bpy.ops.rigidbody.world_add()
    obj = bullet.bare_box("lift", (0, 0, 1))
    obj.keyframe_insert("location", frame=1)
    obj.location.z = 3
    obj.keyframe_insert("location", frame=11)
    made = recorded(bpy.context.scene, 1, 11)
    assert made.position[[0, -1], 0, 2] == pytest.approx([1, 3])
    assert made.bodies[0].part == "none" and made.bodies[0].drivers[0].kind == "keyframes"


def test_how_each_object_takes_part(empty_scene):
    """Hidden ones simulate, a table without collision is a body, what nobody sees is told."""
    scene = falling(6)
    bullet.bare_box("table", (5, 0, 0.5))
    unseen = bullet.box("unseen", (8, 0, 3), kind="PASSIVE")
    unseen.hide_render = True
    hidden = bullet.box("hidden", (-5, 0, 3))
    hidden.hide_viewport = True
    bullet.bare_box("no part of it", (-8, 0, 1)).hide_render = True
    pushed = bullet.box("pusher", (0, 5, 1), kinematic=True)
    pushed.keyframe_insert("location", frame=1)
    pushed.location.y = 4
    pushed.keyframe_insert("location", frame=6)
    bullet.box("switched off", (0, -5, 1), enabled=False)
    made = recorded(scene)
    parts = {body.name: (body.part, body.visible) for body in made.bodies}
    assert parts == {
        "floor": ("passive", True),
        "crate": ("active", True),
        "table": ("none", True),
        "unseen": ("passive", False),
        "hidden": ("active", True),
        "pusher": ("animated", True),
        "switched off": ("passive", True),
    }
    assert made.position[-1, made.index("hidden"), 2] < 2.9
    assert hidden.hide_viewport, "the original is as it was"
    assert made.driven[:, made.index("crate")].sum() == 0


def test_what_only_the_rigid_body_world_holds_is_a_body_that_nobody_sees(empty_scene):
    scene = falling(30)
    ghost = bullet.box("ghost", (0, 0, 1.5), kind="PASSIVE")
    scene.collection.objects.unlink(ghost)
    before = len(bpy.data.objects)
    made = recorded(scene)
    k = made.index("ghost")
    assert (made.bodies[k].part, made.bodies[k].visible) == ("passive", False)
    assert made.position[-1, made.index("crate"), 2] > 2.4, "the crate lies on it"
    assert len(bpy.data.objects) == before


def test_a_body_that_is_let_go_is_driven_until_then(empty_scene):
    scene = falling(20)
    crate = bpy.data.objects["crate"]
    for frame, held in ((1, True), (9, True), (10, False)):
        crate.rigid_body.kinematic = held
        crate.rigid_body.keyframe_insert("kinematic", frame=frame)
    made = recorded(scene)
    k = made.index("crate")
    assert made.bodies[k].part == "active"
    assert made.driven[:, k].tolist() == [True] * 9 + [False] * 11
    assert made.position[8, k, 2] == pytest.approx(4) and made.position[-1, k, 2] < 3.5


def test_settings_roles_and_materials(empty_scene):
    scene = falling(3)
    crate = bpy.data.objects["crate"]
    crate["plumbline_role"] = "cargo"
    crate.data.materials.append(bpy.data.materials.new("Polished Oak.001"))
    bpy.data.objects["floor"]["plumbline_material"] = "concrete"
    crate.rigid_body.mass, crate.rigid_body.friction = 7.5, 0.25
    crate.rigid_body.collision_collections[3] = True
    made = recorded(scene)
    body = made.bodies[made.index("cargo")]
    assert (body.name, body.material, body.mass, body.friction) == ("crate", "oak", 7.5, 0.25)
    assert body.layers == 0b1001 and body.shape == "BOX" and body.margin == 0
    assert body.linear_damping == pytest.approx(0.04)
    assert made.bodies[0].material == "concrete" and made.bodies[0].mass is None
    assert body.convex and body.closed and body.drivers[0].kind == "solver"


def test_what_is_parented_is_one_solid(empty_scene):
    scene = falling(8)
    label = bullet.bare_box("label", (0, 0, 0.6), (0.4, 0.4, 0.2))
    label.parent = bpy.data.objects["crate"]
    made = recorded(scene)
    crate, stuck = (made.bodies[made.index(name)] for name in ("crate", "label"))
    assert crate.group == stuck.group == "crate" and made.bodies[0].group is None
    apart = made.position[:, made.index("label")] - made.position[:, made.index("crate")]
    assert apart[:, 2] == pytest.approx(0.6)


def test_a_compound_is_one_body_of_its_parts(empty_scene):
    scene = falling(40)
    lead = bullet.box("hammer", (3, 0, 2), (1.2, 0.1, 0.1), shape="COMPOUND")
    head = bullet.box("head", (0.5, 0, 0), (0.2, 0.4, 0.2))
    grip = bullet.box("grip", (0, 0, 0), (1.2, 0.1, 0.1))
    head.parent = grip.parent = lead
    made = recorded(scene)
    assert "head" not in made.names
    body = made.bodies[made.index("hammer")]
    assert len(body.pieces) == 3 and body.extents == pytest.approx((1.2, 0.4, 0.2))


def test_joints_have_their_pivots_in_each_body_s_axes(empty_scene):
    scene = bullet.pendulum()
    scene.frame_end = 30
    made = recorded(scene)
    (string,) = made.joints
    assert (string.name, string.kind, string.first, string.second) == (
        *("string", "point", "post", "bob"),
    )
    assert string.first_pivot == pytest.approx((0, 0, 0))
    assert string.second_pivot == pytest.approx((-1.5, 0, 0))
    assert string.until is None and not string.collides


def test_a_joint_that_breaks_held_until_then(empty_scene):
    scene = bullet.start(40)
    post = bullet.box("post", (0, 0, 5), (0.2, 0.2, 0.2), kind="PASSIVE")
    load = bullet.box("load", (0, 0, 4), mass=100.0)
    bullet.joint("glue", "FIXED", post, load, (0, 0, 4.5), use_breaking=True,
                 breaking_threshold=1.0)  # fmt: skip
    made = recorded(scene)
    (glue,) = made.joints
    assert glue.until is not None and glue.until < 10
    assert made.position[-1, 1, 2] < 3


def test_scripts_are_named_and_don_t_run(empty_scene):
    ran = []

    def meddle(scene, graph=None):
        ran.append(scene.frame_current)

    scene = falling(5)
    bpy.app.handlers.frame_change_post.append(meddle)
    try:
        made = recorded(scene)
    finally:
        bpy.app.handlers.frame_change_post.remove(meddle)
    assert not ran and any("meddle" in name for name in made.handlers)


def test_a_solver_that_explodes_is_recorded(empty_scene):
    from plumbline.checks.reconstruction import judge

    scene = falling(6)
    bpy.data.objects["crate"].location.x = float("nan")
    made = recorded(scene)
    assert not made.finite[:, 1].all()
    assert judge(made).check("numerical_stability").status == "failed"


def test_calling_it_off_leaves_nothing(empty_scene):
    scene = falling(20)
    before = state_hash(scene), len(bpy.data.objects), len(bpy.data.scenes)
    with copied(scene, "Trial") as stage:
        steps = record(stage)
        assert [next(steps) for _ in range(3)] == [(1, 20), (2, 20), (3, 20)]
        steps.close()
    assert (state_hash(scene), len(bpy.data.objects), len(bpy.data.scenes)) == before


def test_what_has_no_volume_or_no_mesh_is_recorded(empty_scene):
    scene = falling(6)
    bullet.box("flat", (3, 0, 3)).scale.z = 0
    bullet.box("nothing left", (6, 0, 3)).scale = (0, 0, 0)
    bare = bpy.data.objects.new("no mesh", bpy.data.meshes.new("no mesh"))
    scene.collection.objects.link(bare)
    bare.location = (9, 0, 3)
    bullet.body(bare, shape="CONVEX_HULL")
    made = recorded(scene)
    assert {"flat", "nothing left", "no mesh"} <= set(made.names)
    assert made.finite.all() and made.position[-1, made.index("flat"), 2] < 3


def test_a_mirrored_object_and_one_that_leans_look_as_they_do_in_the_scene(empty_scene):
    scene = falling(3)
    mirrored = bullet.bare_box("mirrored", (3, 0, 1), (1, 2, 3), (0.3, 0.2, 0.1))
    mirrored.scale = (-1, 1, 1)
    frame = bullet.bare_box("frame", (6, 0, 1))
    frame.scale = (1, 3, 1)
    leaning = bullet.bare_box("leaning", (0, 0, 1), turn=(0, 0, 0.5))
    leaning.parent = frame
    made = recorded(scene)
    bpy.context.view_layer.update()
    for obj in (mirrored, leaning):
        k = made.index(obj.name)
        own = np.array([v.co for v in obj.data.vertices]) @ np.array(obj.matrix_world)[:3, :3].T
        seen = made.bodies[k].vertices @ rotations(made)[0, k].T
        assert seen == pytest.approx(own, abs=1e-5)
        assert made.bodies[k].convex and made.bodies[k].closed


def test_an_altered_copy_may_hide_what_is_recorded(empty_scene):
    """Poses are still those of the right objects once others are hidden on the way."""
    scene = falling(12)
    for k in range(3):
        bullet.box(f"more {k}", (3 * k + 3, 0, 4 + k))
    plain = recorded(scene)
    with copied(scene, "Trial") as stage:
        hidden = stage.object("more 0")
        stage.after[5] = [lambda: setattr(hidden, "hide_viewport", True)]
        made = finish(record(stage))
    assert np.array_equal(made.position, plain.position)
