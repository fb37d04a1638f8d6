# SPDX-License-Identifier: GPL-3.0-or-later
"""Checking the open scene: results are kept beside it, never in it."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def kept():
    from plumbline.addon import review

    return review.of(bpy.context.scene)


@pytest.mark.parametrize("profile", ["engineering", "paper", "release"])
def test_a_check_changes_nothing_in_the_scene(frame, profile):
    from plumbline.addon.scene.state import scene_hash

    before = scene_hash(bpy.context.scene)
    bpy.context.window_manager.plumbline.profile = profile
    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}
    assert scene_hash(bpy.context.scene) == before
    found = kept()
    assert found.judgement.profile == profile
    assert found.judgement.verdict == "failed"
    assert len(bpy.context.window_manager.plumbline.rows) == len(found.table) > 0


def test_the_floating_plate_is_named(frame):
    bpy.ops.plumbline.check_scene()
    subjects = {f.subject for f in kept().table.findings if f.check == "load_path"}
    assert "TopPlate_01" in subjects


def test_an_empty_scene_is_judged_too(registered):
    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}
    assert kept().judgement.verdict != "passed"


def test_a_twin_is_judged_by_its_task_and_names_its_defect_first(registered):
    from plumbline.addon import bundled

    state = bpy.context.window_manager.plumbline
    task = next(t for t in bundled.timber_tasks() if t.twins)
    state.task = task.id
    state.variant = task.twins[0].id
    bpy.ops.plumbline.build_task()
    bpy.ops.plumbline.check_scene()
    found = kept()
    assert found.task == task.id
    assert found.judgement.verdict == "failed"
    first = found.table.findings[found.table.view(state.query()).shown[0]]
    assert first.is_root


def test_the_sound_building_passes(registered):
    from plumbline.addon import bundled

    state = bpy.context.window_manager.plumbline
    state.task = bundled.timber_tasks()[0].id
    bpy.ops.plumbline.build_task()
    bpy.ops.plumbline.check_scene()
    assert kept().judgement.verdict == "passed", [f.message for f in kept().table.findings]
    assert len(state.rows) == 0


def test_an_edit_makes_the_result_stale_and_looking_does_not(reviewed):
    stud = bpy.data.objects["Stud_01"]
    stud.select_set(True)
    bpy.context.view_layer.update()
    assert not reviewed.stale
    stud.location.x += 0.1
    bpy.context.view_layer.update()
    assert reviewed.stale


def test_an_edited_mesh_makes_the_result_stale(reviewed):
    mesh = bpy.data.objects["Stud_01"].data
    for vertex in mesh.vertices:
        vertex.co.z *= 0.9
    mesh.update()
    bpy.context.view_layer.update()
    assert reviewed.stale


def test_a_check_that_fails_leaves_no_earlier_result(reviewed, monkeypatch):
    from plumbline.addon.scene import members
    from plumbline.checks.timber.structure import StructureError

    def fail(*_args):
        raise StructureError("member 'Stud_01': center is not finite")

    monkeypatch.setattr(members, "structure_from_scene", fail)
    with pytest.raises(RuntimeError, match="Stud_01"):
        bpy.ops.plumbline.check_scene()
    assert kept() is None


def test_a_deleted_or_added_member_makes_the_result_stale(reviewed, add_box):
    bpy.data.objects.remove(bpy.data.objects["Stud_01"])
    bpy.context.view_layer.update()
    assert reviewed.stale
    reviewed.stale = False
    add_box("Stud_03", (1, 0, 0), (1.038, 0.089, 2))
    bpy.context.view_layer.update()
    assert reviewed.stale


def test_clearing_forgets_the_result(reviewed):
    assert bpy.ops.plumbline.clear_review() == {"FINISHED"}
    assert kept() is None and len(bpy.context.window_manager.plumbline.rows) == 0
    with pytest.raises(RuntimeError, match="no result to clear"):
        bpy.ops.plumbline.clear_review()


def test_nothing_of_ours_is_written_into_the_file(frame, tmp_path):
    def saved(name):
        bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / name), compress=False, copy=True)
        return (tmp_path / name).read_bytes()

    before = saved("before.blend")
    bpy.ops.plumbline.check_scene()
    bpy.context.window_manager.plumbline.filter_text = "a very particular search"
    after = saved("after.blend")
    assert len(after) == len(before)
    assert b"a very particular search" not in after
    for finding in kept().table.findings:
        assert finding.message.encode() not in after


def test_another_file_starts_without_results(reviewed, tmp_path):
    from plumbline.addon import review

    path = str(tmp_path / "mine.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert review.of(bpy.context.scene) is None and review.longest() == 0
    assert len(bpy.context.window_manager.plumbline.rows) == 0


def test_two_scenes_keep_their_own_results(reviewed):
    first = bpy.context.scene
    second = bpy.data.scenes.new("Other")
    bpy.context.window.scene = second
    assert kept() is None and not bpy.ops.plumbline.show_finding.poll()
    bpy.context.window.scene = first
    assert kept() is reviewed


def test_a_brief_that_is_refused_is_reported_in_a_sentence(frame, monkeypatch):
    from plumbline.addon import bundled
    from plumbline.checks.timber.brief import BriefError

    bpy.context.scene[bundled.TASK_KEY] = bundled.timber_tasks()[0].id

    def refuse(_task):
        raise BriefError("brief: floor_live must be a number that is not negative")

    monkeypatch.setattr(bundled, "brief_of", refuse)
    with pytest.raises(RuntimeError, match="floor_live must be a number"):
        bpy.ops.plumbline.check_scene()
    assert kept() is None
