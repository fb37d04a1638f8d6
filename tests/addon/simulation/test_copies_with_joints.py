# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of scenes with joints are run and taken away, time and again; the original stays whole."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def test_a_scene_with_a_bearing_is_copied_run_and_left_as_it_was():
    from plumbline import tasks
    from plumbline.addon.simulation import copying, recording
    from plumbline.addon.simulation.steps import finish

    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    program = tasks.load_task("reconstruction/beam_on_a_bearing").program()
    exec(compile(program, "beam", "exec"), {"__name__": "__main__"})
    scene = bpy.context.scene
    names = sorted(obj.name for obj in bpy.data.objects)
    runs = []
    for _ in range(6):  # without care one of the first three ends Blender
        with copying.copied(scene, "trial") as stage:
            runs.append(finish(recording.record(stage, last=12, distances=False)))
    assert all((run.position == runs[0].position).all() for run in runs)
    assert sorted(obj.name for obj in bpy.data.objects) == names
    assert len(scene.rigidbody_world.constraints.objects) == 1
    assert bpy.data.objects["Bearing"].rigid_body_constraint is not None
