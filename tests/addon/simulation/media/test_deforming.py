# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth, soft bodies and wind, simulated here and judged: sound ones pass, faulty ones fail."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

import deforming_scene as scenes  # noqa: E402
import numpy as np  # noqa: E402
from plumbline.addon.simulation.copying import copied  # noqa: E402
from plumbline.addon.simulation.experiments import simulate  # noqa: E402
from plumbline.addon.simulation.recording import record  # noqa: E402
from plumbline.addon.simulation.steps import finish  # noqa: E402
from plumbline.checks.reconstruction import ReconstructionBrief  # noqa: E402
from plumbline.checks.reconstruction.probes import PROBES  # noqa: E402
from plumbline.checks.reconstruction.simulation import judge_simulation  # noqa: E402

pytestmark = pytest.mark.once


@pytest.fixture(autouse=True)
def _afterwards():
    yield
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)


def recorded(first=None, last=None):
    with copied(bpy.context.scene, "trial") as stage:
        return finish(record(stage, first, last))


def judged(simulation):
    return {check.id: check for check in judge_simulation(simulation).checks}


def test_a_flag_in_the_wind_is_sound_and_without_self_collision_it_is_not():
    scenes.flag()
    made = finish(simulate(bpy.context.scene))
    told = judged(made)
    failed = {name: c.findings[0].message for name, c in told.items() if c.status == "failed"}
    assert failed == {}
    assert told["cloth"].status == told["wind"].status == "passed"
    body = made.trajectory.bodies[0]
    assert len(body.pinned) == 15 and not body.closed and body.margin == 0
    assert made.trajectory.fields[0].kind == "WIND" and made.trajectory.fields[0].bodies is None
    # Diagonals of quads are no threads.
    assert (body.rest_lengths > 0).sum() == 2 * 14 * 15
    scenes.flag(self_collision=False)
    told = PROBES["cloth"](recorded(), ReconstructionBrief(), ReconstructionBrief().limits)
    assert told.status == "failed" and "crosses itself" in told.findings[0].message


def test_what_hangs_in_a_wind_that_does_nothing_is_told():
    scenes.flag(frames=12)
    flag = bpy.data.objects["flag"]
    flag.modifiers["Cloth"].settings.effector_weights.wind = 0.0
    made = finish(simulate(bpy.context.scene))
    assert made.trajectory.fields[0].bodies == ()
    assert judged(made)["wind"].status == "vacuous"
    flag.modifiers["Cloth"].settings.effector_weights.wind = 1e-4
    assert judged(finish(simulate(bpy.context.scene)))["wind"].status == "failed"


def test_a_cloth_over_a_ball_lies_on_it():
    scenes.drape()
    made = recorded()
    brief = ReconstructionBrief()
    for name in ("cloth", "interpenetration", "contact", "numerical_stability"):
        told = PROBES[name](made, brief, brief.limits)
        assert told.status == "passed", (name, told.reason, told.findings)
    ball, cloth = made.bodies[made.index("ball")], made.bodies[made.index("cloth")]
    assert cloth.margin == pytest.approx(0.015) and ball.margin == pytest.approx(0.02)
    found = made.distances
    assert len(found.frame) > 8 and 0 < found.distance.min() < 0.04
    assert PROBES["contact"](made, brief, brief.limits).figures["pairs"] == 1


def test_a_soft_ball_bounces_and_keeps_its_volume():
    scenes.jelly()
    made = recorded()
    brief = ReconstructionBrief()
    told = PROBES["soft_body"](made, brief, brief.limits)
    assert told.status == "passed" and told.figures["jelly"]["volume_change"] > 0
    for name in ("interpenetration", "prescribed_motion", "numerical_stability"):
        assert PROBES[name](made, brief, brief.limits).status == "passed", name
    low = made.meshes["jelly"][..., 2].min(1)
    assert low.argmin() not in (0, len(low) - 1) and made.bodies[0].closed


def test_a_soft_ball_that_gives_way_is_told():
    scenes.jelly()
    settings = bpy.data.objects["jelly"].modifiers["Softbody"].settings
    settings.pull = settings.push = 0.2
    settings.bend = 0
    brief = ReconstructionBrief()
    told = PROBES["soft_body"](recorded(), brief, brief.limits)
    assert told.status == "failed" and {f.unit for f in told.findings} == {"1"}
    assert any("of its volume" in f.message for f in told.findings)


@pytest.mark.parametrize("kind", ["CLOTH", "SOFT_BODY"])
def test_pinned_are_just_those_that_the_solver_holds(kind):
    weights = [1.0, 0.9998, 0.9997, 0.9, 0.0]
    scenes.empty(8)
    obj = scenes.sheet("sheet", len(weights) - 1, 1.0, (0, 0, 1))
    group = obj.vertex_groups.new(name="held")
    column = np.array([round((v.co.x + 0.5) * (len(weights) - 1)) for v in obj.data.vertices])
    for k, weight in enumerate(weights):
        group.add(np.flatnonzero(column == k).tolist(), weight, "REPLACE")
    settings = obj.modifiers.new("solver", kind).settings
    if kind == "CLOTH":
        settings.vertex_group_mass = "held"
    else:
        settings.use_goal, settings.vertex_group_goal = True, "held"
        settings.goal_default, settings.goal_max, settings.goal_spring = 1.0, 1.0, 0.0
    made = recorded()
    mesh = made.meshes["sheet"]
    still = np.flatnonzero((mesh[-1] == mesh[0]).all(1))
    assert made.bodies[0].pinned.tolist() == still.tolist() and len(still) == 10


def test_a_part_of_the_frames_is_the_same_as_in_the_whole():
    scenes.flag(frames=14, side=8)
    whole, part = recorded(), recorded(8, 12)
    assert part.frames.tolist() == [8, 9, 10, 11, 12]
    assert (part.meshes["flag"] == whole.meshes["flag"][7:12]).all()
    assert (part.bodies[0].rest_lengths == whole.bodies[0].rest_lengths).all()


def test_two_runs_in_one_process_repeat_also_where_cloth_collides():
    scenes.drape(frames=16)
    first, second = (recorded().meshes["cloth"] for _ in range(2))
    far = np.linalg.norm(first - second, axis=2).max()
    assert far <= ReconstructionBrief().limits.repeat_size * 1.2


def test_pins_that_follow_a_moved_hook_are_left_out_and_that_is_told():
    flag = scenes.flag(frames=6, side=4)
    hook = bpy.data.objects.new("hand", None)
    bpy.context.scene.collection.objects.link(hook)
    hook.keyframe_insert("location", frame=1)
    hook.location.z = 1.0
    hook.keyframe_insert("location", frame=6)
    modifier = flag.modifiers.new("hold", "HOOK")
    modifier.object = hook
    flag.modifiers.move(1, 0)
    made = recorded()
    body = made.bodies[made.index("flag")]
    assert len(body.pinned) == 0 and {d.kind for d in body.drivers} == {"solver", "modifier"}
    assert any("its pins follow modifier" in note for note in made.notes)


def test_units_of_the_scene_are_metres_in_the_recording():
    scenes.flag(frames=4, side=4)
    bpy.context.scene.unit_settings.scale_length = 0.1
    made = recorded()
    assert np.ptp(made.meshes["flag"][0], axis=0).max() == pytest.approx(0.1, rel=1e-5)
    assert made.bodies[0].size == pytest.approx(0.1, rel=1e-5)


def test_particles_are_kept_as_a_whole():
    scenes.empty(10)
    emitter = scenes.ball("emitter", 0.2, (0, 0, 2))
    emitter.modifiers.new("dust", "PARTICLE_SYSTEM")
    settings = emitter.particle_systems[0].settings
    settings.count, settings.frame_start, settings.frame_end = 50, 1, 5
    scenes.sheet("cloth", 3, 1.0, (3, 0, 0)).modifiers.new("Cloth", "CLOTH")
    made = recorded()
    (rows,) = made.source["particles"].values()
    assert [row["row"] for row in rows] == list(range(10)) and rows[-1]["alive"] == 50
    assert rows[-1]["centre"][2] < 2 and rows[-1]["low"][2] <= rows[-1]["centre"][2]
    assert any("particles of emitter are recorded as a whole" in note for note in made.notes)


def test_a_surface_that_changes_its_vertices_is_left_out_and_that_is_told():
    scenes.drape(frames=6, side=4)
    cloth = bpy.data.objects["cloth"]
    bevel = cloth.modifiers.new("grow", "ARRAY")
    bevel.count = 1
    bevel.keyframe_insert("count", frame=1)
    bevel.count = 2
    bevel.keyframe_insert("count", frame=4)
    made = recorded()
    assert "cloth" not in made.meshes
    assert any("was not recorded: it has 25 vertices at first" in note for note in made.notes)
    told = PROBES["cloth"](made, ReconstructionBrief(), ReconstructionBrief().limits)
    assert told.status == "not_run"
