# SPDX-License-Identifier: GPL-3.0-or-later
"""A real probe on copies of scenes, through the operators: the person's scene stays as it is."""

from __future__ import annotations

import falling_box
import numpy as np
import pytest
from plumbline.addon.simulation import copying, probes

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def fall(registered):
    """The falling box, offered."""
    falling_box.offer(falling_box.probe())
    yield
    probes.unregister(probes.FALL)


@pytest.fixture
def box(registered, add_box):
    """One box whose underside is 2 m above the ground, in a collection of its own."""
    obj = add_box("Beam_01", (0.0, 0.0, 2.0), (2.0, 1.0, 3.0))
    own = bpy.data.collections.new("Mine")
    bpy.context.scene.collection.children.link(own)
    own.objects.link(obj)
    return obj


def everything() -> dict[str, set[int]]:
    """All that is in the file, by kinds of data."""
    return {
        kind: {block.session_uid for block in getattr(bpy.data, kind)}
        for kind in ("scenes", "objects", "meshes", "collections", "worlds", "actions")
    }


def state(scene) -> list:
    """What a person would notice of a scene."""
    return [
        scene.frame_current,
        scene.rigidbody_world is None,
        sorted(scene.keys()),
        [(o.name, tuple(map(tuple, o.matrix_world)), o.select_get(), sorted(o.keys()))
         for o in scene.objects],
        bpy.context.view_layer.objects.active,
        bpy.context.window.scene.session_uid,
        bpy.context.window.view_layer.name,
    ]  # fmt: skip


def results():
    from plumbline.addon.session import probing

    return probing.results(bpy.context.scene)


def test_a_box_falls_in_a_copy_and_nothing_else_changes(fall, box):
    bpy.context.view_layer.objects.active = box
    box.select_set(True)
    before, mine = everything(), state(bpy.context.scene)
    assert bpy.ops.plumbline.run_probe(probe="fall") == {"FINISHED"}
    assert everything() == before and state(bpy.context.scene) == mine
    result = results()[0]
    assert result.values == {"seconds": 1.0}
    fallen = result.outcome.findings[0]
    assert fallen.subject == "Beam_01" and fallen.frame == 24
    # One second of free fall less the first frame and its steps: 4.9 m, within a tenth.
    assert fallen.measured == pytest.approx(0.5 * 9.81 * (23 / 24) ** 2, rel=0.1)
    motion = result.outcome.trajectory
    assert motion.names == ("Beam_01",) and motion.matrices.shape == (24, 1, 4, 4)
    assert np.all(np.diff(motion.matrices[:, 0, 2, 3]) <= 0.0)


def test_what_is_set_in_the_panel_counts(fall, box):
    values = bpy.context.window_manager.plumbline_physics.values
    values["fall.seconds"].value = 99.0
    bpy.ops.plumbline.run_probe(probe="fall")
    assert results()[0].values == {"seconds": 4.0}
    values["fall.seconds"].value = 0.5
    bpy.ops.plumbline.run_probe(probe="fall")
    assert results()[0].values == {"seconds": 0.5}
    assert [len(r.outcome.trajectory.matrices) for r in results()] == [12, 96]


def test_a_motion_is_played_in_a_copy_and_the_way_back_leaves_nothing(fall, box):
    bpy.ops.plumbline.run_probe(probe="fall")
    scene, before = bpy.context.scene, everything()
    handlers = len(bpy.app.handlers.frame_change_pre)
    assert bpy.ops.plumbline.play_motion(serial=results()[0].serial) == {"FINISHED"}
    copy = bpy.context.window.scene
    assert copy != scene and copy.frame_end == 24
    assert not bpy.ops.plumbline.run_probe.poll(), "a playback is nothing to ask physics of"
    heights = []
    for frame in (1, 12, 24):
        copy.frame_set(frame)
        # Beside it stands the box as it is, which doesn't move.
        bodies = [o for o in copy.objects if o.type == "MESH"]
        heights.append(min(body.matrix_world.translation.z for body in bodies))
    expected = results_of(scene)[0].outcome.trajectory.matrices[:, 0, 2, 3]
    assert heights == pytest.approx([expected[0], expected[11], expected[23]], abs=1e-5)
    assert box.matrix_world.translation.z == 0.0
    assert bpy.ops.plumbline.stop_motion() == {"FINISHED"}
    assert bpy.context.window.scene == scene and everything() == before
    assert len(bpy.app.handlers.frame_change_pre) == handlers


def results_of(scene):
    from plumbline.addon.session import probing

    return probing.results(scene)


def test_let_it_fall_says_why_it_is_grey_and_plays_once_it_can(registered, box):
    probes.unregister(probes.FALL)
    assert not bpy.ops.plumbline.let_it_fall.poll()
    with pytest.raises(RuntimeError, match="no simulation yet in which a timber structure falls"):
        bpy.ops.plumbline.let_it_fall()
    falling_box.offer(falling_box.probe())
    try:
        scene = bpy.context.scene
        assert bpy.ops.plumbline.let_it_fall() == {"FINISHED"}
        assert bpy.context.window.scene != scene, "the motion is shown"
        bpy.ops.plumbline.stop_motion()
        assert bpy.context.window.scene == scene
    finally:
        probes.unregister(probes.FALL)


def test_a_lesson_s_building_falls(fall):
    """Learn's own button: the flawed cabin of a lesson, a real simulation of all its members."""
    from plumbline.addon.session import learning

    bpy.ops.plumbline.open_lesson(lesson="floating_collar_tie")
    bpy.context.window_manager.plumbline_physics.values["fall.seconds"].value = 0.2
    scene = bpy.context.scene
    number = len(scene.objects)
    assert bpy.ops.plumbline.let_it_fall() == {"FINISHED"}
    motion = results_of(scene)[0].outcome.trajectory
    assert len(motion.names) == number and "CollarTie_3" in motion.names
    bpy.ops.plumbline.stop_motion()
    assert learning.open_now(bpy.context).id == "floating_collar_tie"


def test_a_probe_that_fails_leaves_its_sentence_and_no_copy(registered, box):
    def refuse(stage, values):
        yield 1, 10
        raise ValueError("this is too heavy for a test; take something off")

    falling_box.offer(falling_box.probe(refuse))
    try:
        before = everything()
        with pytest.raises(RuntimeError, match="too heavy for a test"):
            bpy.ops.plumbline.run_probe(probe="fall")
        assert everything() == before and not results()
    finally:
        probes.unregister(probes.FALL)


def test_a_probe_may_fill_its_copy_with_what_it_likes(registered, box):
    def litter(stage, values):
        mesh = bpy.data.meshes.new("Litter")
        stage.scene.collection.objects.link(bpy.data.objects.new("Litter", mesh))
        yield 1, 1
        return probes.Outcome("Littered.")

    falling_box.offer(falling_box.probe(litter))
    try:
        before = everything()
        bpy.ops.plumbline.run_probe(probe="fall")
        assert everything() == before
    finally:
        probes.unregister(probes.FALL)


def test_a_copy_that_somebody_removes_ends_the_probe_in_words(registered, box):
    def lose(stage, values):
        yield 1, 10
        copying.remove(stage.scene)
        yield 2, 10

    falling_box.offer(falling_box.probe(lose))
    try:
        before = everything()
        with pytest.raises(RuntimeError, match="was undone or removed"):
            bpy.ops.plumbline.run_probe(probe="fall")
        assert everything() == before
    finally:
        probes.unregister(probes.FALL)


def test_no_copy_gets_into_a_file(registered, box, tmp_path):
    """Saved in the midst of a probe: the file holds the person's scene and nothing of ours."""
    path = tmp_path / "mine.blend"

    def save(stage, values):
        yield 1, 2
        bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
        yield 2, 2

    falling_box.offer(falling_box.probe(save))
    try:
        with pytest.raises(RuntimeError, match="the file was saved"):
            bpy.ops.plumbline.run_probe(probe="fall")
    finally:
        probes.unregister(probes.FALL)
    with bpy.data.libraries.load(str(path)) as (there, _):
        assert list(there.scenes) == [bpy.context.scene.name]
        assert list(there.objects) == ["Beam_01"]


def test_a_copy_is_told_apart_whatever_its_objects_are_called(registered, add_box):
    names = ["Post", "Post.001", "Post.002.001", "Beam.010"]
    for i, name in enumerate(names):
        add_box(name, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)).location.x = 3.0 * i
    scene = bpy.context.scene
    stage = copying.copy_of(scene, bpy.context.window, "Trial")
    try:
        assert bpy.context.window.scene == scene
        assert sorted(stage.names.values()) == sorted(names)
        for i, name in enumerate(names):
            assert stage.object(name).location.x == pytest.approx(3.0 * i)
            assert stage.object(name) != scene.objects[name]
        with pytest.raises(KeyError, match="no object 'Roof'"):
            stage.object("Roof")
    finally:
        copying.remove(stage.scene)
    with pytest.raises(probes.StageGone, match="run it again"):
        stage.scene  # noqa: B018
