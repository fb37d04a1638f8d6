# SPDX-License-Identifier: GPL-3.0-or-later
"""A voxel task from the panel to its findings: built, checked, shown, asked, edited, annotated."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest
from recording_layout import RecordingLayout

pytestmark = pytest.mark.once

bpy = pytest.importorskip("bpy")

TASK, TWIN = "voxel/2-bt-2-multi_rooms-01-01", "floating_block"
ARCH = "voxel/5-ce-2-arched_bridges-02-01"


@pytest.fixture
def state(registered, tmp_path, monkeypatch):
    monkeypatch.setenv("PLUMBLINE_CACHE", str(tmp_path / "cache"))
    return bpy.context.window_manager.plumbline


def build(state, task=TASK, twin=TWIN):
    state.task, state.variant = task, twin
    assert bpy.ops.plumbline.build_task() == {"FINISHED"}


def check():
    from plumbline.addon import review

    assert bpy.ops.plumbline.check_scene() == {"FINISHED"}
    return review.of(bpy.context.scene)


def drawn(cls):
    layout = RecordingLayout()
    for method in ("draw_header_preset", "draw"):
        cls.__dict__.get(method, lambda *_: None)(SimpleNamespace(layout=layout), bpy.context)
    return " ".join([*layout.texts(), *map(str, layout.items)])


def test_the_fault_of_a_twin_is_found_and_gone_to(state):
    from plumbline.addon.pictures.named import at_fault

    build(state)
    found = check()
    assert (found.kind, found.judgement.profile, found.task) == ("voxel", "paper", TASK)
    floats = [f for f in found.table.findings if f.check.endswith("is_ground_connected")]
    row = found.table.findings.index(floats[0])
    area = next(a for a in bpy.context.window.screen.areas if a.type == "VIEW_3D")
    view = area.spaces.active.region_3d
    assert bpy.ops.plumbline.show_finding(row=row) == {"FINISHED"}
    assert found.chosen is floats[0] and not found.told
    looks_at = tuple(round(v) for v in view.view_location)
    x, y, z = floats[0].detail["blocks"][0]
    assert looks_at == (x, -z, y)
    assert set(at_fault(floats[0])) <= set(found.subjects.names)
    first = view.view_location.copy()
    bpy.ops.plumbline.show_finding(row=row, stay=True)
    bpy.ops.plumbline.show_member(member="block (0, 0, 0)")
    assert view.view_location != first and tuple(view.view_location) == (0, 0, 0)


def test_rules_and_bottom_are_chosen_for_blocks_alone(state):
    build(state, ARCH, "sound")
    assert check().judgement.profile == "paper"
    state.bottom = "belly"
    found = check()
    assert found.overrides == {"bottom": "belly"} and found.brief.bottom == "belly"
    result = found.judgement.check("shape.is_bottom_surface_concave")
    assert result.status == "failed" and result.figures["bottom"] == "belly"
    state.bottom, state.block_profile = "RULES", "code"
    found = check()
    assert found.judgement.profile == "code" and not found.overrides
    assert state.rules("timber") == "engineering" and state.overrides("timber") == {}
    assert found.judgement.check("shape.is_bottom_surface_concave").figures["bottom"] == "belly"
    check_id = "shape.is_bottom_surface_concave"
    assert bpy.ops.plumbline.check_one(check=check_id) == {"FINISHED"}


def test_panels_tell_checks_in_groups_with_what_was_asked_and_found(state):
    from plumbline.panels import checks, findings, summary, task

    build(state)
    check()
    bpy.ops.plumbline.show_finding(row=0)
    each = drawn(checks.PLUMBLINE_PT_each_check)
    for words in ("Plausibility", "Shape", "Ground connection", "Asked: ", "Found: floating 1"):
        assert words in each, words
    top = drawn(checks.PLUMBLINE_PT_checks)
    assert "block_profile" in top and "blocks in" in top and "score " in top
    listed = drawn(findings.PLUMBLINE_PT_findings)
    assert "floats" in listed and "plumbline.point_at_block" in listed
    assert "Blocks" in drawn(summary.PLUMBLINE_PT_summary)
    state.task = "voxel/4-cm-9-multi(2)-turn-revision-01-01"
    brief = drawn(task.PLUMBLINE_PT_task_brief)
    assert "leaves open what is built" in brief and "make_task_pictures" not in brief
    assert "Turn 1 of 2" in brief and "Turn 2 of 2" in brief and "Worded" in brief
    state.task = ARCH
    build(state, ARCH, "sound")
    assert "bottom" in drawn(checks.PLUMBLINE_PT_checks)


def test_a_task_of_two_turns_is_judged_turn_by_turn(state):
    from plumbline.addon.pictures.kind import pictures_of
    from plumbline.panels import checks, overlay

    build(state, "voxel/4-cm-9-multi(2)-turn-revision-01-01", "not_revised")
    found = check()
    assert {c.id.partition(".")[0] for c in found.judgement.checks} == {"turn1", "turn2"}
    assert "Turn 2: Shape" in drawn(checks.PLUMBLINE_PT_each_check)
    assert pictures_of(found.kind) is not None
    for row in range(len(found.table)):
        bpy.ops.plumbline.show_finding(row=row)
        assert overlay.picture_of(found, {}) is not None


def test_playing_the_blocks_is_no_edit_and_changing_them_is(state):
    from plumbline.addon.scene.block_nodes import show_actions
    from plumbline.addon.scene.blocks import BlockSession, blocks_object

    build(state)
    found = check()
    show_actions(blocks_object(bpy.context.scene), 3)
    bpy.context.view_layer.update()
    assert not found.stale
    blocks = BlockSession(bpy.context.scene)
    blocks.names["place_block"](9, 0, 9, "stone")
    blocks.flush()
    bpy.context.view_layer.update()
    assert found.stale


def test_live_a_finding_goes_once_the_block_is_gone(state, monkeypatch):
    from plumbline.addon import review
    from plumbline.addon.scene.blocks import BlockSession
    from plumbline.addon.session import live_check

    monkeypatch.setattr(live_check, "SETTLED", 0.0)
    build(state)
    former = check()
    live_check.switch(True)
    try:
        floats = next(f for f in former.table.findings if "ground" in f.check)
        blocks = BlockSession(bpy.context.scene)
        blocks.names["remove_block"](*floats.detail["blocks"][0])
        blocks.flush()
        bpy.context.view_layer.update()
        live_check.tick()
        fresh = review.of(bpy.context.scene)
        assert fresh is not former and floats.key in fresh.changes.mended
        assert fresh.judgement.profile == "paper"
    finally:
        live_check.switch(False)


def test_a_block_is_asked_what_it_is_and_what_was_found_there(state):
    from plumbline.addon.session import picking, pointing

    build(state)
    found = check()
    floats = next(f for f in found.table.findings if "ground" in f.check)
    cell = tuple(floats.detail["blocks"][0])
    pointed = pointing.point_at(bpy.context.scene, cell)
    row = found.structure.index[cell]
    material = found.structure.materials[row]
    assert pointed.caption.startswith(f"block {cell} · {material} · {row + 1}")
    assert pointed.caption.endswith(" placed") and pointing.of(bpy.context.scene) is pointed
    about = pointing.rows_about(found, cell)
    assert found.table.findings.index(floats) in about
    assert pointing.rows_about(found, (99, 99, 99)) == ()
    assert pointing.point_at(bpy.context.scene, (99, 99, 99)) is None
    assert pointing.of(bpy.context.scene) is None
    # A ray from above ends on the block's upper face.
    graph = bpy.context.evaluated_depsgraph_get()
    x, y, z = cell
    hit = bpy.context.scene.ray_cast(graph, (x + 0.2, -z + 0.1, y + 3), (0, 0, -1))
    assert picking._block(bpy.context, hit[1], hit[2]).member == floats.subject
    assert picking.active(bpy.context) is None, "the object of all blocks is none of them"


def test_cubes_made_by_hand_are_judged_and_followed_for_a_voxel_task(state):
    from plumbline.addon import bundled
    from plumbline.addon.session import standing

    build(state, TASK, "empty")
    stone = bpy.data.materials.new("Stone")
    for at in ((0, 0, 0), (0, 0, 4)):
        bpy.ops.mesh.primitive_cube_add(size=1, location=at)
        bpy.context.object.data.materials.append(stone)
    assert bpy.context.scene[bundled.TASK_KEY] == TASK
    found = check()
    assert found.kind == "voxel" and len(found.structure) == 2
    assert set(found.structure.materials) == {"stone"}
    floats = next(f for f in found.table.findings if "ground" in f.check)
    assert floats.subject == "block (0, 4, 0)"
    stand = standing.of(found, bpy.context.scene)
    assert stand.here.all() and not stand.moved.any()
    efficiency = [c for c in found.judgement.checks if c.id.startswith("efficiency")]
    assert all(c.status == "not_run" and c.reason for c in efficiency)


def test_findings_of_blocks_are_annotated_copied_and_exported(state, tmp_path):
    from plumbline.addon.session import annotating, sitting

    build(state)
    assert "shape.has_rooms" in annotating.faults(bpy.context), "before the first check"
    found = check()
    bpy.context.window_manager.plumbline_annotating.annotator = "Anna"
    bpy.ops.plumbline.show_finding(row=0)
    assert bpy.ops.plumbline.judge_finding(judgment="agree") == {"FINISHED"}
    bpy.ops.plumbline.mark_fault(
        member="block (0, 1, 0)", location=(0, 0, 1), check="shape.has_rooms"
    )
    one, missed = sitting.sitting(bpy.context).desk.read().rows
    assert one["judgment"] == "agree" and one["subject"]["check"] == found.chosen.check
    assert missed["subject"]["member"] == "block (0, 1, 0)"
    json.dumps([one, missed])
    assert bpy.ops.plumbline.copy_finding() == {"FINISHED"}
    for form, ending in (("csv", "csv"), ("bcf", "bcf"), ("page", "html")):
        file = tmp_path / f"said.{ending}"
        export = bpy.ops.plumbline.export_annotations(form=form, filepath=str(file))
        assert export == {"FINISHED"} and file.stat().st_size


def test_without_a_task_what_always_holds_is_looked_at(state):
    from plumbline.addon.scene import blocks
    from plumbline.checks.voxel import VoxelStructure

    bpy.context.window.scene = bpy.data.scenes.new("mine")
    blocks.add_blocks(VoxelStructure.from_blocks([(0, 2, 0, "stone")]), bpy.context.scene)
    found = check()
    assert found.kind == "voxel" and found.judgement.verdict == "failed"
    state.bottom = "soffit"
    assert check().brief.bottom == "soffit"


def test_panels_see_blocks_come_and_go(state):
    from plumbline.addon.scene.blocks import blocks_object
    from plumbline.addon.session.kind_here import has_blocks, kind_here

    bpy.context.window.scene = scene = bpy.data.scenes.new("other")
    assert kind_here(scene) == "timber" and not has_blocks(scene)
    build(state)
    scene = bpy.context.scene
    assert kind_here(scene) == "voxel" and has_blocks(scene)
    del scene["plumbline_task"]
    bpy.data.objects.remove(blocks_object(scene))
    bpy.context.view_layer.update()
    assert kind_here(scene) == "timber" and kind_here(None) == "timber"
