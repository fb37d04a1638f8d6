# SPDX-License-Identifier: GPL-3.0-or-later
"""Asking physics of an open scene by its operators: real simulations, on copies that go again."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")
pytestmark = pytest.mark.once

KINDS = ("scenes", "objects", "meshes", "collections", "worlds", "actions", "materials")


def everything():
    """All that is in the file, by kinds of data."""
    return {kind: {block.session_uid for block in getattr(bpy.data, kind)} for kind in KINDS}


@pytest.fixture
def tower(registered):
    """The tower, and a check that no copy is left and the scene's state is the same."""
    import tumbling
    from plumbline.addon.simulation.hashing import state_hash

    scene, objects = tumbling.tower()
    asked = change()  # the window manager outlives files, and with it what tests before have asked
    asked.first.members.clear()
    asked.more.clear()
    asked.compare = False
    before, mine = everything(), state_hash(scene)
    yield objects
    bpy.ops.plumbline.stop_motion.poll() and bpy.ops.plumbline.stop_motion()
    scene.frame_set(1)
    assert everything() == before and state_hash(scene) == mine


def change():
    from plumbline.addon.session import interventions_here

    return interventions_here.state(bpy.context)


def ask_without(obj):
    """What if that body weren't there, by the buttons."""
    import tumbling

    tumbling.choose(obj)
    assert bpy.ops.plumbline.use_selected(slot=0) == {"FINISHED"}
    tumbling.choose()
    assert bpy.ops.plumbline.compare_runs() == {"FINISHED"}


def answer():
    from plumbline.addon.session import otherwise

    return otherwise.of(bpy.data.scenes["Scene"])[0]


def heights(frame):
    """Where the bodies of each take are in a frame of the playback."""
    from plumbline.addon.session import playback

    scene = bpy.context.window.scene
    assert playback.is_playback(scene)
    scene.frame_set(frame)
    return {
        name: [round(o.matrix_world.translation.z, 2) for o in playback.objects_of(scene, name)]
        for name in ("Low", "High", "Free")
    }


def test_probes_find_what_the_keys_do_and_a_click_goes_there(tower):
    import tumbling
    from plumbline.addon.session import probes_here

    scene = bpy.context.scene
    body = tower["High"].rigid_body
    for frame, height, held in ((1, 1.5, True), (5, 3.0, True), (6, 3.0, False)):
        tower["High"].location.z, body.kinematic = height, held
        tower["High"].keyframe_insert("location", frame=frame)
        body.keyframe_insert("kinematic", frame=frame)
    scene.frame_set(1)
    try:
        assert bpy.ops.plumbline.run_probes() == {"FINISHED"}
        found = probes_here.of(scene)
        driven = probes_here.check_of(found, "prescribed_motion")
        assert driven.status == "failed" and driven.findings[0].subject == "High"
        assert probes_here.check_of(found, "gravity").status == "passed"
        assert scene.frame_current == 1, "nothing but a click moves the playhead"
        assert bpy.ops.plumbline.show_moment(check="prescribed_motion", number=0) == {"FINISHED"}
        assert scene.frame_current == driven.findings[0].frame
        assert bpy.context.view_layer.objects.active == tower["High"]
        assert found.chosen is driven.findings[0]
        assert bpy.ops.plumbline.show_moment(body="Free", frame=12) == {"FINISHED"}
        run, graph = found.structure.trajectory, bpy.context.evaluated_depsgraph_get()
        fallen = run.position[run.row(12), run.index("Free")][2]
        there = tower["Free"].evaluated_get(graph).matrix_world.translation.z
        assert fallen < 4.9 and there == pytest.approx(fallen, abs=0.01), "as it was judged"
        assert bpy.ops.plumbline.run_probes(only="gravity") == {"FINISHED"}
        again = probes_here.of(scene)
        assert len(again.judgement.checks) == len(found.judgement.checks) == 15
        assert bpy.ops.plumbline.watch_probes() == {"FINISHED"}
        played = bpy.context.window.scene
        marks = {mark.frame: mark.name for mark in played.timeline_markers}
        assert marks[driven.findings[0].frame].startswith("High")
        assert not scene.timeline_markers, "marks are on the copy alone"
        bpy.ops.plumbline.stop_motion()
    finally:
        bpy.data.actions.remove(tower["High"].animation_data.action)
        tower["High"].animation_data_clear()
        tower["High"].rigid_body.kinematic = False
        tower["High"].location.z = 1.5
        tumbling.choose()
        bpy.context.view_layer.objects.active = None


def test_what_if_plays_both_on_one_timeline_and_says_the_difference(tower):
    scene = bpy.context.scene
    ask_without(tower["Low"])
    assert bpy.context.window.scene != scene
    at = heights(12)
    assert at["Low"] == [0.5], "it is in the first take alone"
    stays, falls = at["High"]
    assert stays == 1.5 and falls < 1.2
    assert at["Free"][0] == at["Free"][1] < 5.0
    found = answer()
    assert found.title == "Without Low"
    assert "1 of 3 bodies go otherwise; High first" in " ".join(found.says)
    assert bpy.ops.plumbline.stop_motion() == {"FINISHED"}
    assert bpy.context.window.scene == scene
    assert bpy.ops.plumbline.play_comparison(serial=found.serial) == {"FINISHED"}
    bpy.ops.plumbline.stop_motion()
    bpy.ops.plumbline.forget_comparison(serial=found.serial)
    with pytest.raises(RuntimeError, match="isn't kept any more: run it again"):
        bpy.ops.plumbline.play_comparison(serial=found.serial)


def test_a_control_is_the_third_view_and_changes_add_up(tower):
    from plumbline.addon.session import playback

    asked = change()
    asked.compare = True
    bpy.ops.plumbline.add_change()
    asked.more[0].kind, asked.more[0].gravity = "gravity", "UP"
    ask_without(tower["Low"])
    takes = playback.now().takes
    assert [take.title for take in takes] == [
        "As it is",
        "Without Low, gravity turned",
        "Control: the same once more",
    ]
    assert takes[2].says == "no body goes otherwise than as it is"
    at = heights(12)
    assert at["Free"][1] > 5.0 > at["Free"][0] == at["Free"][2]
    bpy.ops.plumbline.stop_motion()
    bpy.ops.plumbline.remove_change(slot=1)
    assert not asked.more


def test_a_control_is_the_altered_scene_and_one_thing_more(tower):
    from plumbline.addon.session import playback

    asked = change()
    asked.compare = True
    asked.third.control, asked.third.gravity = "gravity", "UP"
    ask_without(tower["Low"])
    assert playback.now().takes[2].title == "Control: also gravity turned"
    at = heights(12)
    assert at["Low"] == [0.5], "it is taken away in the control too"
    assert at["High"][1] < 1.2 and at["High"][2] > 1.8
    bpy.ops.plumbline.stop_motion()


def test_what_falls_for_ever_is_not_followed_and_what_stands_is_held_whole(tower):
    import numpy as np
    from plumbline.addon.session import framing, playback_scene
    from plumbline.addon.session.motion import Motion, Show, Take, moved_from_start

    places = np.tile(np.eye(4), (60, 2, 1, 1))
    places[:, 0, 2, 3], places[:, 1, 2, 3] = 0.5, 1.5
    places[20:, 1, 2, 3] -= 100.0 * np.arange(40)
    motion = Motion(("Low", "High"), places, 1, 24.0)
    show = Show((Take("", motion, moved_from_start(motion)),))
    stage = playback_scene.build(bpy.context.scene, show)
    try:
        (_, _, height), radius = framing.extent(show, stage)
        assert height + radius > 2.0 and height - radius < 0.0, "both boxes from top to bottom"
        assert radius < 2.2, "two boxes are 2 high: half as much more at most"
    finally:
        playback_scene.remove(stage.scene)


def test_who_was_picked_wrongly_is_told_what_to_pick(tower):
    asked = change()
    with pytest.raises(RuntimeError, match="Pick a body: select in the view"):
        bpy.ops.plumbline.compare_runs()
    with pytest.raises(RuntimeError, match="Select in the 3D view what you mean"):
        bpy.ops.plumbline.use_selected(slot=0)
    asked.first.members.add().name = "Renamed since"
    with pytest.raises(RuntimeError, match="Renamed since"):
        bpy.ops.plumbline.compare_runs()
    asked.first.kind = "remove_contact"
    with pytest.raises(RuntimeError, match="Pick two bodies"):
        bpy.ops.plumbline.compare_runs()
    bpy.context.view_layer.objects.active = tower["Low"]
    bpy.ops.object.mode_set(mode="EDIT")
    try:
        for name in ("run_probes", "show_moment"):
            with pytest.raises(RuntimeError, match="Leave Edit Mode first"):
                getattr(bpy.ops.plumbline, name)()
    finally:
        bpy.ops.object.mode_set(mode="OBJECT")
        bpy.context.view_layer.objects.active = None


def test_a_liquid_is_refused_in_words_where_its_solver_would_end_blender(tower):
    """In the bpy module a domain that is stepped aborts the process; it isn't stepped."""
    from plumbline.addon.session import stepping

    tank = bpy.data.objects.new("Tank", bpy.data.meshes.new("Tank"))
    domain = tank.modifiers.new("Fluid", "FLUID")
    domain.show_viewport = domain.show_render = False  # nor is it by the open scene itself
    domain.fluid_type = "DOMAIN"
    bpy.context.scene.collection.objects.link(tank)
    try:
        for name in ("run_probes", "check_scene"):
            with pytest.raises(RuntimeError, match="Tank is a domain of liquid or smoke"):
                getattr(bpy.ops.plumbline, name)()
        change().first.kind = "gravity"
        with pytest.raises(RuntimeError, match="save the file, then run plumbline check"):
            bpy.ops.plumbline.compare_runs()
        assert stepping.at_work(bpy.context.scene) is None
    finally:
        bpy.data.meshes.remove(tank.data)


def test_no_motion_gets_into_a_file(tower, tmp_path):
    scene = bpy.context.scene
    ask_without(tower["Low"])
    path = tmp_path / "mine.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), copy=True)
    assert bpy.context.window.scene == scene
    with bpy.data.libraries.load(str(path)) as (there, _):
        assert there.scenes == [scene.name] and sorted(there.objects) == sorted(tower)


def test_a_frame_falls_beside_how_it_stands(registered, frame):
    """The floating plate of the small frame: one click, and it comes down."""
    from plumbline.addon.session import playback

    before = everything()
    bpy.context.window_manager.plumbline_physics.values["fall.seconds"].value = 0.5
    assert bpy.ops.plumbline.let_it_fall(member="TopPlate_01") == {"FINISHED"}
    stands, falls = playback.now().takes
    assert stands.title == "As it stands" and "TopPlate_01" in falls.at_fault
    assert stands.count(99) == 0 and falls.count(99) >= 1
    bpy.context.window.scene.frame_set(12)
    one, other = playback.objects_of(bpy.context.window.scene, "TopPlate_01")
    assert one.matrix_world.translation.z - other.matrix_world.translation.z > 0.1
    bpy.ops.plumbline.stop_motion()
    asked = change()
    asked.first.falls, asked.seconds = "remove", 0.5
    asked.compare, asked.third.falls, asked.third.gravity = True, "gravity", "UP"
    frame[1].select_set(True)
    bpy.ops.plumbline.use_selected(slot=0)
    assert bpy.ops.plumbline.compare_runs() == {"FINISHED"}
    assert playback.now().takes[1].title == "Without Stud_01"
    assert "It comes down as it is already" in playback.now().takes[0].says
    assert playback.now().takes[2].title == "Control: also gravity turned"
    assert len(playback.objects_of(bpy.context.window.scene, "Stud_01")) == 1, "nor in the control"
    bpy.ops.plumbline.stop_motion()
    assert everything() == before
