# SPDX-License-Identifier: GPL-3.0-or-later
"""The runs of a rubric: each once, the same bits however they are made, nothing left of them."""

from __future__ import annotations

import json

import bpy
import numpy as np
import pytest
from plumbline.addon.scene.files import open_blend
from plumbline.addon.simulation import experiments
from plumbline.addon.simulation.experiments import simulate
from plumbline.addon.simulation.hashing import state_hash
from plumbline.addon.simulation.kept import forget_trajectories
from plumbline.addon.simulation.plain import simulation_from_plain, simulation_to_plain
from plumbline.addon.simulation.steps import SimulationError, finish
from plumbline.checks.reconstruction import ReconstructionBrief
from plumbline.checks.reconstruction.simulation import judge_simulation
from simulated_scene import ball, box, empty_world, wind

LEVEL = [{"predicate": "falls_below", "subject": "cue", "height": -0.5}]
PUSH = {"kind": "velocity", "object": "cue", "linear": [3, 0, 0]}
JOINT = {"kind": "remove_constraint", "constraint": "x"}
MOON = {"intervention": {"kind": "remove", "object": "moon"}, "expects": LEVEL}
BOUND = {"kind": "bound_support", "object": "table"}


def rubric(**more):
    """A ball that is pushed must fall past the table's edge (D.3.2 of the paper)."""
    asked = {
        "intervention": PUSH,
        "expects": LEVEL,
        "held": ["post"],
        "positive": {"intervention": BOUND, "expects": LEVEL},
        "negative": {"intervention": {"kind": "none"}, "expects": LEVEL},
        **more,
    }
    return {"criteria": [{"id": "edge", "counterfactual": asked}], "roles": {"cue": "Ball"}}


@pytest.fixture
def table(request, empty_scene):
    """A ball on a table that ends where it is seen to end, or far beyond."""
    scene = empty_world(20)
    far = getattr(request, "param", False)
    scene.collection.children.link(bpy.data.collections.new("Props"))
    box("table", (0, 0, -0.1), (2, 2, 0.2), None if far else "PASSIVE")
    if far:
        box("proxy", (0, 0, -0.1), (30, 30, 0.2), "PASSIVE").hide_render = True
    box("post", (0, 0.9, 0.2), (0.1, 0.1, 0.4), "PASSIVE")
    cue = ball("Ball", (0.7, 0, 0.1), 0.1)
    scene.collection.children["Props"].objects.link(cue)
    scene.collection.objects.unlink(cue)
    scene.frame_set(1)
    return scene, far


@pytest.mark.parametrize("table", [True, False], indirect=True)
def test_a_criterion_is_run_and_judged(table):
    scene, far = table
    before, counts = state_hash(scene), len(bpy.data.objects)
    seen = []
    brief = ReconstructionBrief.from_mapping(rubric())
    found = finish(simulate(scene, brief), lambda done, total: seen.append((done, total)))
    assert state_hash(scene) == before and len(bpy.data.objects) == counts
    assert seen == sorted(seen) and seen[-1][0] == seen[-1][1]
    runs = found.runs["edge"]
    assert runs.repeat is runs.baseline is runs.negative, "the same bits, kept once"
    assert not runs.refused
    told = judge_simulation(found, brief).check("counterfactual.edge")
    assert told.status == ("failed" if far else "passed"), told.reason
    moments = told.figures["moments"]
    assert moments["intervention"] == 1 and moments["largest_difference"]["body"] == "Ball"
    assert told.figures["applied"]["velocity"]["led"] == 2


@pytest.mark.once
def test_a_file_gives_the_same_bits_as_the_open_scene(table, tmp_path):
    scene, _ = table
    path = tmp_path / "table.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    here = simulation_to_plain(finish(simulate(scene, ReconstructionBrief.from_mapping(rubric()))))
    open_blend(path)
    brief = ReconstructionBrief.from_mapping(rubric())
    there = simulation_to_plain(finish(simulate(bpy.context.scene, brief)))
    assert json.dumps(here, sort_keys=True) == json.dumps(there, sort_keys=True)
    assert len(simulation_from_plain(there).runs) == 1


@pytest.mark.once
def test_runs_that_are_the_same_are_made_once(table, monkeypatch):
    scene, _ = table
    made = []
    real = experiments.record
    monkeypatch.setattr(experiments, "record", lambda *a, **k: made.append(1) or real(*a, **k))
    two = rubric()
    second = {**two["criteria"][0], "id": "again"}
    brief = ReconstructionBrief.from_mapping({**two, "criteria": [two["criteria"][0], second]})
    found = finish(simulate(scene, brief))
    assert len(made) == 4, "baseline, repeat, altered scene, positive control"
    assert found.runs["edge"].branch is found.runs["again"].branch


@pytest.mark.once
@pytest.mark.parametrize(
    ("more", "run", "words"),
    [
        ({"intervention": {**PUSH, "object": "cu"}}, "altered scene", "did you mean cue"),
        ({"intervention": JOINT}, "altered scene", "there is no joint or constraint 'x'"),
        ({"intervention": {**PUSH, "at_frame": 99}}, "altered scene", "that are run are 1 to"),
        ({"positive": MOON}, "positive control", "scene has the role or name 'moon'"),
    ],
)
def test_what_cannot_be_run_is_told_and_all_else_is_run(table, more, run, words):
    scene, _ = table
    brief = ReconstructionBrief.from_mapping(rubric(**more))
    found = finish(simulate(scene, brief))
    assert words in found.runs["edge"].refused[run]
    told = judge_simulation(found, brief).check("counterfactual.edge")
    assert told.status == "inconclusive" and words in told.reason


@pytest.mark.once
def test_a_solver_that_explodes_ends_in_a_result(empty_scene):
    scene = empty_world(12)
    box("floor", (0, 0, -0.5), (9, 9, 1), "PASSIVE")
    box("crate", (0, 0, 0.5))
    scene.frame_set(1)
    asked = {
        "intervention": {"kind": "gravity", "vector": [0, 0, -1e30]},
        "expects": [{"predicate": "arrested_at", "subject": "crate", "object": "floor"}],
    }
    brief = ReconstructionBrief.from_mapping({"criteria": [{"id": "x", "counterfactual": asked}]})
    told = judge_simulation(finish(simulate(scene, brief)), brief).check("counterfactual.x")
    assert told.status == "inconclusive", "one sentence, no traceback"
    assert told.reason


@pytest.mark.once
def test_called_off_in_midst_of_it_nothing_is_left(table):
    scene, _ = table
    before = state_hash(scene), len(bpy.data.objects), len(bpy.data.scenes), len(bpy.data.meshes)
    steps = simulate(scene, ReconstructionBrief.from_mapping(rubric()))
    for _ in range(50):
        next(steps)
    assert len(bpy.data.scenes) == 2, "in the midst of an altered run"
    steps.close()
    assert before == (
        *(state_hash(scene), len(bpy.data.objects)),
        *(len(bpy.data.scenes), len(bpy.data.meshes)),
    )


@pytest.mark.once
def test_wind_is_run_without_its_field_where_it_is_asked(empty_scene):
    scene = empty_world(12)
    box("crate", (0, 0, 5))
    wind("breeze", 30.0)
    scene.frame_set(1)
    found = finish(simulate(scene))
    assert found.without_fields is not None
    apart = found.trajectory.position[-1, 0] - found.without_fields.position[-1, 0]
    assert apart[0] > 0.1 > abs(apart[2])
    asked = {"criteria": [{"id": "g", "probes": ["gravity"]}]}
    found = finish(simulate(scene, ReconstructionBrief.from_mapping(asked)))
    assert found.without_fields is None and not found.runs


@pytest.mark.once
def test_no_more_is_kept_than_memory_is_for(table, monkeypatch):
    scene, _ = table
    monkeypatch.setattr(experiments, "MOST", 10_000)
    found = finish(simulate(scene, ReconstructionBrief.from_mapping(rubric())))
    assert all("ask for fewer frames" in why for why in found.runs["edge"].refused.values())
    assert found.runs["edge"].baseline is not None


@pytest.mark.once
def test_a_scene_without_frames_is_refused(table):
    scene, _ = table
    with pytest.raises(SimulationError, match="no frames to simulate"):
        finish(simulate(scene, first=5, last=5))
    assert np.isfinite(finish(simulate(scene, first=4, last=9)).trajectory.position).all()


@pytest.mark.parametrize("table", [False], indirect=True)
def test_runs_of_the_same_scene_are_kept_where_asked_for(table, monkeypatch):
    scene, _ = table
    made = []
    recorded = experiments.record
    monkeypatch.setattr(experiments, "record", lambda *a: made.append(a) or recorded(*a))
    asked = ReconstructionBrief.from_mapping(rubric())
    forget_trajectories()
    try:
        first = finish(simulate(scene, asked, kept=True))
        whole = len(made)
        again = finish(simulate(scene, asked, kept=True))
        assert len(made) == whole + 1, "that the scene repeats itself is tried out each time"
        assert again.trajectory is first.trajectory
        assert again.runs["edge"].branch is first.runs["edge"].branch
        bpy.data.objects["Ball"].location.x += 0.01
        moved = finish(simulate(scene, asked, kept=True))
        assert len(made) == 2 * whole + 1 and moved.trajectory is not first.trajectory
        finish(simulate(scene, asked))
        assert len(made) == 3 * whole + 1
    finally:
        forget_trajectories()
