# SPDX-License-Identifier: GPL-3.0-or-later
"""Let it fall as it is offered: the operator, lessons, instances, files."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.simulation import probes

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once


def watch(seconds: float) -> None:
    bpy.context.window_manager.plumbline_physics.values["fall.seconds"].value = seconds


def outcome():
    from plumbline.addon.session import probing

    return probing.results(bpy.context.scene)[0].outcome


def test_it_is_offered_for_what_stands(registered):
    assert probes.find(probes.FALL) in probes.probes_for("timber")
    assert probes.find(probes.FALL) in probes.probes_for("voxel")
    assert probes.find("what_if").group == "counterfactual"


def test_the_hovering_roof_of_a_lesson_comes_down(registered):
    from plumbline.addon.session import playback

    bpy.ops.plumbline.open_lesson(lesson="hovering_roof")
    lesson = bpy.context.window.scene
    watch(0.5)
    assert bpy.ops.plumbline.let_it_fall() == {"FINISHED"}
    assert playback.is_playback(bpy.context.window.scene)
    bpy.ops.plumbline.stop_motion()
    assert bpy.context.window.scene == lesson
    found = outcome()
    assert "25 of 37 blocks moved" in found.says and len(found.findings) == 25
    motion = found.trajectory
    assert motion.replaces == ("Blocks",) and len(motion.shapes) == len(motion.names) == 37


def test_the_frame_of_a_scene_comes_down_where_its_plate_floats(frame):
    watch(0.4)
    bpy.context.scene.objects["Stud_01"].select_set(True)
    assert bpy.ops.plumbline.let_it_fall() == {"FINISHED"}
    bpy.ops.plumbline.stop_motion()
    motion = outcome().trajectory
    assert not motion.shapes and outcome().findings[0].subject == "TopPlate_01"
    k = motion.names.index("TopPlate_01")
    start = bpy.context.scene.objects["TopPlate_01"].matrix_world
    assert motion.matrices[0, k] == pytest.approx(np.array(start), abs=1e-5)
    assert motion.matrices[-1, k, 2, 3] - motion.matrices[0, k, 2, 3] == pytest.approx(
        -0.4, abs=0.02
    )
    assert bpy.ops.plumbline.run_probe(probe="what_if") == {"FINISHED"}
    assert outcome().says.startswith("If Stud_01 isn't there: TopPlate_01 went first")


def test_an_instance_falls_as_a_box_in_place_of_its_instancer(registered, frame):
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.simulation.falling.answers import let_it_fall, trajectory
    from plumbline.addon.simulation.steps import finish

    truss = bpy.data.collections.new("Truss")
    truss.objects.link(frame[3])
    bpy.context.scene.collection.objects.unlink(frame[3])
    empty = bpy.data.objects.new("Truss_A", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", truss
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    fallen = finish(let_it_fall(structure_from_scene(bpy.context.scene), seconds=0.3))
    motion = trajectory(fallen, bpy.context.scene)
    assert set(motion.shapes) == {"Truss_A/TopPlate_01"} and motion.replaces == ("Truss_A",)
    assert fallen.damage.first == "Truss_A/TopPlate_01"


def test_units_of_the_scene_are_those_of_the_motion(registered, frame):
    from plumbline.addon.scene.members import structure_from_scene
    from plumbline.addon.simulation.falling.answers import let_it_fall, trajectory
    from plumbline.addon.simulation.steps import finish

    scene = bpy.context.scene
    scene.unit_settings.scale_length = 0.01
    for obj in frame:
        obj.scale = (100.0, 100.0, 100.0)
    bpy.context.view_layer.update()
    fallen = finish(let_it_fall(structure_from_scene(scene), seconds=0.3))
    drop = trajectory(fallen, scene).matrices[:, fallen.model.names.index("TopPlate_01"), 2, 3]
    assert drop[0] == pytest.approx(0.0, abs=1e-3)
    assert drop[-1] == pytest.approx(-100 * 0.5 * 9.80665 * 0.2917**2, rel=0.08)


def test_a_file_falls(registered, frame, tmp_path):
    from plumbline.addon.simulation.falling.on_file import fall_of_file
    from plumbline.addon.simulation.steps import SimulationError

    path = tmp_path / "frame.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    found = fall_of_file(path, "timber", seconds=0.3, brief={"species": "southern-pine"})
    assert found["schema"] == "plumbline.fall/1" and found["first"] == "TopPlate_01"
    asked = [{"kind": "shift", "members": ["TopPlate_01"], "offset": [0.0, 0.0, -0.4]}]
    found = fall_of_file(path, "timber", seconds=0.3, asked=asked)
    assert found["only_baseline"] == ["TopPlate_01"] and found["altered"]["first"] is None
    with pytest.raises(SimulationError, match="no member 'Beam'"):
        fall_of_file(path, "timber", asked=[{"kind": "remove", "members": ["Beam"]}])


def test_a_worker_lets_a_file_fall(registered, frame, tmp_path):
    from plumbline.addon.sandbox.client import BlenderWorker
    from plumbline.addon.sandbox.process import WorkerError

    path = tmp_path / "frame.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    with BlenderWorker() as worker:
        found = worker.request("fall", blend=path, kind="timber", seconds=0.3)
        assert found["first"] == "TopPlate_01" and found["members"] == 4
        with pytest.raises(WorkerError, match="unknown kind 'burn'"):
            worker.request("fall", blend=path, asked=[{"kind": "burn"}])
