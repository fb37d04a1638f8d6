# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking a scene in motion: simulated on a copy, followed frame by frame, stale after edits."""

from __future__ import annotations

import moving_scene
import numpy as np
import pytest

bpy = pytest.importorskip("bpy")

pytestmark = pytest.mark.ends


@pytest.fixture
def scene(registered):
    return moving_scene.fill(bpy)


@pytest.fixture
def checked(scene):
    from plumbline.addon import review
    from plumbline.addon.session import checking

    sentences = []
    checking.check(scene, "paper", failed=sentences.append)
    assert not sentences
    return review.of(scene)


def places(scene):
    graph = bpy.context.evaluated_depsgraph_get()
    return {o.name: o.evaluated_get(graph).matrix_world.translation.copy() for o in scene.objects}


def test_a_scene_is_in_motion_once_something_in_it_can_move(registered):
    from plumbline.addon import review
    from plumbline.addon.session.kind_here import kind_here

    scene = bpy.context.scene
    bpy.ops.mesh.primitive_cube_add()
    cube = bpy.context.object

    def kinds():
        bpy.context.view_layer.update()
        return review.kind_of_scene(scene), kind_here(scene)

    assert kinds() == ("timber", "timber")
    cube.modifiers.new("Cloth", "CLOTH")
    assert kinds() == ("reconstruction", "reconstruction")
    cube.modifiers.clear()
    assert kinds() == ("timber", "timber")
    bpy.ops.rigidbody.object_add()
    assert kinds() == ("reconstruction", "reconstruction")
    bpy.ops.rigidbody.object_remove()
    assert kinds() == ("timber", "timber")


def test_a_check_simulates_a_copy_and_leaves_the_scene_as_it_was(checked, scene):
    assert checked.kind == "reconstruction" and checked.judgement.profile == "paper"
    found = {(f.check, f.subject) for f in checked.judgement.findings}
    assert ("contact", "token") in found and ("interpenetration", "token") in found
    assert not {("contact", "crate"), ("interpenetration", "crate"), ("support", "crate")} & found
    assert len(bpy.data.scenes) == 1 and len(bpy.data.objects) == 3
    assert scene.frame_current == 1 and not checked.stale
    assert len(checked.structure.trajectory) == moving_scene.FRAMES
    assert checked.explained.strip is not None


def test_boxes_and_objects_agree_in_every_frame_that_is_played(checked, scene):
    from plumbline.addon.session import standing

    for frame in range(1, 31):
        scene.frame_set(frame)
    stand = standing.of(checked, scene)
    assert not stand.moved.any() and not checked.stale
    boxes = checked.subjects_at(30)
    for name, place in places(scene).items():
        box = boxes.corners[boxes.index[name]]
        assert np.allclose(box.mean(0), place, atol=1e-4)
    bpy.data.objects["floor"].location.x = 0.5
    bpy.context.view_layer.update()
    assert standing.of(checked, scene).moves_of(["floor"]) and checked.stale


@pytest.mark.parametrize(
    "edit",
    [
        lambda: setattr(bpy.data.objects["crate"].rigid_body, "mass", 9),
        lambda: setattr(bpy.context.scene, "gravity", (0, 0, -1)),
        lambda: setattr(bpy.data.objects["crate"], "location", (0, 0, 5)),
        lambda: setattr(bpy.data.objects["crate"].data.vertices[0], "co", (1, 1, 1)),
    ],
    ids=["mass", "gravity", "place", "shape"],
)
def test_an_edit_makes_the_result_stale_in_any_frame(checked, scene, edit):
    scene.frame_set(2)
    edit()
    bpy.data.objects["crate"].data.update()
    bpy.context.view_layer.update()
    assert checked.stale


def test_selecting_in_another_frame_is_no_edit(checked, scene):
    for frame in range(1, 10):
        scene.frame_set(frame)
    bpy.data.objects["crate"].select_set(True)
    bpy.context.view_layer.update()
    assert not checked.stale


def test_going_to_a_finding_plays_up_to_its_frame(checked, scene):
    from plumbline.addon.session import standing

    row = next(i for i, f in enumerate(checked.table.findings) if f.check == "contact")
    assert bpy.ops.plumbline.show_finding(row=row) == {"FINISHED"}
    frame = checked.chosen.frame
    assert frame > 5 and scene.frame_current == frame
    assert not standing.of(checked, scene).moved.any()
    assert bpy.context.view_layer.objects.active.name == "token"


def test_what_cannot_be_simulated_is_a_sentence(scene):
    from plumbline.addon import review
    from plumbline.addon.session import checking

    scene.frame_end = scene.frame_start
    with pytest.raises(ValueError, match="no frames to simulate"):
        checking.check(scene, "paper")
    assert review.of(scene) is None and len(bpy.data.scenes) == 1


def test_the_picture_is_that_of_the_frame_that_is_shown(checked, scene):
    from plumbline.panels import overlay_shown

    checked.active = next(
        i for i, f in enumerate(checked.table.findings) if f.check == "interpenetration"
    )
    frame = checked.chosen.frame
    there = overlay_shown.picture_of(checked, {}, checked.subjects_at(frame), frame=frame)
    begin = overlay_shown.picture_of(checked, {}, checked.subjects_at(1), frame=1)
    assert any(f.behind > 0.5 for f in there.faces) and not any(f.behind > 0.5 for f in begin.faces)


def meddled(monkeypatch, at, does):
    """Simulations during which somebody does something, after so many steps."""
    from plumbline.addon.simulation import experiments

    real = experiments.simulate

    def simulate(scene, brief, **_):
        steps = real(scene, brief)
        try:
            for number in range(10**6):
                try:
                    told = next(steps)
                except StopIteration as end:
                    return end.value
                if number == at:
                    does()
                yield told
        finally:
            steps.close()

    monkeypatch.setattr(experiments, "simulate", simulate)


def test_a_check_that_is_called_off_leaves_nothing(scene, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.session import checking, jobs, stepping

    meddled(monkeypatch, 5, lambda: jobs.now()[0].cancel())
    done, failed = [], []
    work = checking.check(scene, "paper", done.append, failed.append)
    assert work.job.state == "stopped" and not done and not failed
    assert review.of(scene) is None and stepping.at_work(scene) is None
    assert len(bpy.data.scenes) == 1 and len(bpy.data.objects) == 3
    assert [window.scene for window in bpy.context.window_manager.windows] == [scene]


def test_what_is_edited_meanwhile_makes_the_result_stale(scene, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.session import checking

    def edit():
        bpy.data.objects["crate"].rigid_body.mass = 7
        bpy.context.view_layer.update()

    meddled(monkeypatch, 5, edit)
    checking.check(scene, "paper")
    assert review.of(scene).stale


def test_lengths_are_metres_whatever_the_unit_of_the_scene(scene):
    from plumbline.addon import review
    from plumbline.addon.session import checking, standing

    scene.unit_settings.scale_length = 0.1
    checking.check(scene, "paper")
    found = review.of(scene)
    assert found.unit == pytest.approx(0.1)
    crate = found.subjects.corners[found.subjects.index["crate"]]
    assert np.ptp(crate, axis=0) == pytest.approx([0.1] * 3)
    for frame in range(1, 11):
        scene.frame_set(frame)
    assert not standing.of(found, scene).moved.any()


def test_one_probe_can_be_asked_anew(checked, scene):
    from plumbline.addon import review
    from plumbline.addon.session import checking

    bpy.data.objects["token"].rigid_body.collision_collections[0] = True
    bpy.context.view_layer.update()
    assert checked.stale
    checking.check(scene, "paper", only="contact")
    found = review.of(scene)
    assert not found.judgement.check("contact").findings
    assert found.judgement.check("interpenetration").findings
    assert "interpenetration" in found.older and "contact" not in found.older


def test_it_is_never_checked_by_itself(checked, scene):
    from plumbline.addon.session import live_check

    assert "must be simulated" in live_check.why_off(scene)


def test_what_deforms_is_played_up_to_the_frame_as_well(registered):
    from plumbline.addon import review
    from plumbline.addon.session import at_frame, checking

    scene = bpy.context.scene
    scene.frame_end = 14
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=6, y_subdivisions=6, size=1, location=(0, 0, 3))
    sheet = bpy.context.object
    sheet.modifiers.new("Cloth", "CLOTH")
    bpy.context.view_layer.update()
    checking.check(scene, "paper")
    found = review.of(scene)
    assert found.kind == "reconstruction"

    def height():
        graph = bpy.context.evaluated_depsgraph_get()
        return max(corner[2] for corner in sheet.evaluated_get(graph).bound_box) + 3

    fallen = found.structure.trajectory.meshes["Grid"][11, :, 2].max()
    assert fallen < 2.9
    assert at_frame.go_to(found, scene, 12) == [] and scene.frame_current == 12
    assert height() == pytest.approx(fallen, abs=0.01)
    box = found.subjects_at(12).corners[0]
    assert box[:, 2].max() == pytest.approx(fallen, abs=1e-3)
