# SPDX-License-Identifier: GPL-3.0-or-later
"""Members put in by hand are read by the checks as what they were meant to be."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")

INCH = 0.0254


@pytest.fixture
def scene(registered):
    """The open scene, metric, with the cursor at the origin."""
    scene = bpy.context.scene
    scene.unit_settings.system = "METRIC"
    scene.unit_settings.scale_length = 1.0
    scene.cursor.location = (0, 0, 0)
    return scene


def structure():
    from plumbline.addon.scene.members import structure_from_scene

    bpy.context.view_layer.update()
    return structure_from_scene(bpy.context.scene, bpy.context.evaluated_depsgraph_get())


def test_a_wall_is_built_and_read(scene):
    from plumbline.checks.timber.roles import resolve

    add, repeat = bpy.ops.plumbline.add_member, bpy.ops.plumbline.repeat_member
    assert add(role="BottomPlate", size="2x4", axis="X", length=3.0) == {"FINISHED"}
    scene.cursor.location = (0, 0, 2.4)
    add(role="TopPlate", size="2x4", axis="X", length=3.0)
    for obj in scene.objects:
        obj.select_set(True)
    scene.cursor.location = (0, 0, 1.0)
    assert add(role="Stud", size="2x4", placing="BETWEEN") == {"FINISHED"}
    first = bpy.context.active_object
    assert first.name == "Stud_01" and bpy.context.selected_objects == [first]
    assert tuple(first.scale) == (1, 1, 1)
    reach = 3.0 - 1.5 * INCH
    repeat(row_axis="X", spacing=0.4064, extent="LENGTH", reach=reach)
    found = structure()
    assert not found.notes and not found.findings
    roles = resolve(found).role
    assert (roles.count("Stud"), roles.count("TopPlate"), roles.count("BottomPlate")) == (9, 1, 1)
    studs = [i for i, role in enumerate(roles) if role == "Stud"]
    assert found.half[studs] * 2 == pytest.approx(
        found.half[studs[:1]].repeat(9, axis=0) * 2, abs=1e-6
    )
    assert sorted(2 * found.half[studs[0]]) == pytest.approx(
        [1.5 * INCH, 3.5 * INCH, 2.4 - 1.5 * INCH], abs=1e-6
    )
    assert found.aabb[1][studs, 0].max() == pytest.approx(3.0, abs=1e-6)
    assert len({obj.data for obj in scene.objects}) == len(scene.objects), "no shared meshes"


def test_what_was_built_has_no_clash_and_bears(scene):
    """The sill and joists of a small floor, as a person would put them in."""
    from plumbline.checks.timber.profiles import judge

    add, repeat = bpy.ops.plumbline.add_member, bpy.ops.plumbline.repeat_member
    for y in (0.0, 3.0):
        scene.cursor.location = (0, y, 0)
        add(role="Sill", size="2x6", axis="X", length=2.4)
    scene.cursor.location = (0.75 * INCH, -2.75 * INCH, 1.5 * INCH)
    add(role="Joist", size="2x10", axis="Y", length=3.0 + 5.5 * INCH)
    repeat(row_axis="X", spacing=0.4064, extent="COUNT", count=5)
    judged = judge(structure(), None, "engineering")
    status = {check.id: check.status for check in judged.checks}
    assert status["clash"] == "passed" and status["load_path"] == "passed"
    assert status["section"] == "passed" and status["orientation"] == "passed"


@pytest.mark.parametrize("scale", [1.0, 0.01, 0.3048])
def test_lengths_are_right_in_every_unit_of_the_scene(scene, scale):
    scene.unit_settings.scale_length = scale
    scene.cursor.location = (1.0 / scale, 0, 0)
    bpy.ops.plumbline.add_member(role="Beam", size="2x8", plies=2, axis="X", length=2.0 / scale)
    found = structure()
    assert (2 * found.half[0]).tolist() == pytest.approx([2.0, 7.25 * INCH, 3 * INCH], abs=1e-5)
    assert found.aabb[0][0] == pytest.approx([1.0, -1.5 * INCH, 0.0], abs=1e-5)
    bpy.ops.plumbline.repeat_member(row_axis="Y", spacing=0.5 / scale, count=1)
    found = structure()
    gap = abs(found.center[0, 1] - found.center[1, 1])
    assert gap == pytest.approx(0.5, abs=1e-5)


def test_from_a_noted_point_to_the_cursor(scene):
    scene.cursor.location = (0, 0, 2.5)
    bpy.ops.plumbline.note_point()
    state = bpy.context.window_manager.plumbline_member
    assert tuple(state.point) == (0, 0, 2.5)
    scene.cursor.location = (0, 3, 4.5)
    bpy.ops.plumbline.add_member(
        role="Rafter", size="2x8", placing="POINTS", point=state.point, under=True
    )
    found = structure()
    assert 2 * found.half[0, 0] == pytest.approx((9 + 4) ** 0.5, abs=1e-5)
    corners = found.corners[0]
    assert any(abs(c - [0.75 * INCH, 0, 2.5]).max() < 1e-5 for c in corners)


def test_what_cannot_be_placed_is_said_and_leaves_nothing(scene):
    with pytest.raises(RuntimeError, match="select two members, not 0"):
        bpy.ops.plumbline.add_member(placing="BETWEEN")
    assert not scene.objects and not bpy.data.meshes
    with pytest.raises(RuntimeError, match="poll"):
        bpy.ops.plumbline.repeat_member()
    bpy.ops.plumbline.add_member()
    with pytest.raises(RuntimeError, match="may have 500 copies"):
        bpy.ops.plumbline.repeat_member(extent="LENGTH", reach=1e6, spacing=0.02)
    assert len(scene.objects) == 1


def test_fields_of_panel_and_operators_are_the_same(registered):
    from plumbline.addon.session.building_aids import aid_for
    from plumbline.addon.session.member_choice import MEMBER_FIELDS, ROW_FIELDS

    aid = aid_for("timber")
    settings = getattr(bpy.context.window_manager, aid.settings)
    drawn = {name for step in aid.steps for name in step.fields}
    assert drawn == {*MEMBER_FIELDS, *ROW_FIELDS}
    for step, names in zip(aid.steps, (MEMBER_FIELDS, ROW_FIELDS), strict=True):
        module, name = step.button.operator.split(".")
        known = getattr(getattr(bpy.ops, module), name).get_rna_type().properties
        assert set(names) <= set(known.keys())
        assert all(hasattr(settings, other) for _, other, _ in step.when)


def test_numbers_go_on_above_those_of_other_scenes(scene):
    bpy.ops.plumbline.add_member(role="Stud")
    other = bpy.data.scenes.new("Other")
    bpy.context.window.scene = other
    bpy.ops.plumbline.add_member(role="Stud")
    assert [obj.name for obj in other.objects] == ["Stud_02"]
