# SPDX-License-Identifier: GPL-3.0-or-later
"""Going to a finding: select, unhide, make active; and what can be in the way."""

from __future__ import annotations

import pytest

bpy = pytest.importorskip("bpy")


def row_of(found, subject):
    return next(i for i, f in enumerate(found.table.findings) if f.subject == subject)


def selected():
    return sorted(obj.name for obj in bpy.context.selected_objects)


def test_the_member_is_selected_alone_and_made_active(reviewed):
    for obj in bpy.context.scene.objects:
        obj.select_set(True)
    assert bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01")) == {"FINISHED"}
    assert selected() == ["TopPlate_01"]
    assert bpy.context.view_layer.objects.active.name == "TopPlate_01"
    assert reviewed.chosen.subject == "TopPlate_01"


@pytest.mark.parametrize(
    "way", ["eye", "screen", "collection eye", "collection screen", "excluded"]
)
def test_a_hidden_member_is_shown_again_with_its_collection(reviewed, way):
    plate = bpy.data.objects["TopPlate_01"]
    outer, roof = bpy.data.collections.new("Outer"), bpy.data.collections.new("Roof")
    bpy.context.scene.collection.children.link(outer)
    outer.children.link(roof)
    roof.objects.link(plate)
    bpy.context.scene.collection.objects.unlink(plate)
    layer = bpy.context.view_layer.layer_collection.children["Outer"]
    if way == "eye":
        plate.hide_set(True)
    elif way == "screen":
        plate.hide_viewport = True
    elif way == "collection eye":
        layer.children["Roof"].hide_viewport = True
    elif way == "collection screen":
        outer.hide_viewport = True
    else:
        layer.exclude = True
    bpy.context.view_layer.update()
    assert not plate.visible_get()
    reviewed.stale = False
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    bpy.context.view_layer.update()
    assert plate.visible_get() and selected() == ["TopPlate_01"]
    assert not reviewed.stale, "looking at a member is no edit"


def test_members_that_take_part_are_unhidden_but_not_selected(reviewed):
    stud = bpy.data.objects["Stud_01"]
    stud.hide_set(True)
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    assert stud.visible_get() and not stud.select_get()


def test_a_member_in_two_collections_needs_only_one_of_them_open(reviewed):
    plate = bpy.data.objects["TopPlate_01"]
    other = bpy.data.collections.new("Other")
    bpy.context.scene.collection.children.link(other)
    other.objects.link(plate)
    bpy.context.view_layer.layer_collection.children["Other"].exclude = True
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    assert bpy.context.view_layer.layer_collection.children["Other"].exclude


def test_a_locked_member_stays_locked_and_the_person_is_told(reviewed, capfd):
    bpy.data.objects["TopPlate_01"].hide_select = True
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    assert bpy.data.objects["TopPlate_01"].hide_select
    assert "locked against selection" in capfd.readouterr().out


def test_a_member_that_is_gone_is_said(reviewed, capfd):
    assert bpy.ops.plumbline.show_finding(row=row_of(reviewed, "Ghost_01")) == {"FINISHED"}
    assert selected() == []
    assert "Ghost_01 is no longer in the scene" in capfd.readouterr().out


def test_a_place_selects_nothing(reviewed):
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "roof"))
    assert selected() == [] and bpy.context.view_layer.objects.active is None


def test_a_row_that_is_not_there_is_refused(reviewed):
    with pytest.raises(RuntimeError, match="There is no finding 100"):
        bpy.ops.plumbline.show_finding(row=99)


def test_clicking_the_list_does_what_the_operator_does(reviewed):
    state = bpy.context.window_manager.plumbline
    assert state.active_row == -1
    for place, row in enumerate(reviewed.table.view(state.query()).shown):
        state.active_row = place
        assert reviewed.active == row and state.active_row == place
    state.filter_text = "stud_02"
    assert state.active_row == -1, "the chosen one is filtered out"
    state.active_row = 0
    assert selected() == ["Stud_02"]


def test_stepping_goes_through_the_list_as_shown_and_round_its_ends(reviewed):
    state = bpy.context.window_manager.plumbline
    walked = []
    for _ in range(5):
        bpy.ops.plumbline.step_finding(step=1)
        walked.append(reviewed.chosen.subject)
    shown = [
        reviewed.table.findings[row].subject for row in reviewed.table.view(state.query()).shown
    ]
    assert walked == [*shown, shown[0]]
    bpy.ops.plumbline.step_finding(step=-1)
    assert reviewed.chosen.subject == shown[-1]
    state.filter_text = "no such thing"
    assert bpy.ops.plumbline.step_finding(step=1) == {"CANCELLED"}


def test_an_instance_is_shown_by_the_object_that_makes_it(registered, add_box):
    from plumbline.addon.scene import focus
    from plumbline.addon.scene.members import structure_from_scene

    roof = bpy.data.collections.new("Roof")
    add_box("Rafter_01", (0, 0, 0), (3, 0.038, 0.14), roof)
    empty = bpy.data.objects.new("House", None)
    empty.instance_type, empty.instance_collection = "COLLECTION", roof
    bpy.context.scene.collection.objects.link(empty)
    bpy.context.view_layer.update()
    structure = structure_from_scene(bpy.context.scene)
    assert structure.names == ("House/Rafter_01",)
    assert focus.go_to(bpy.context, structure, ["House/Rafter_01"]) == []
    assert selected() == ["House"]


def test_undo_takes_the_selection_back(reviewed):
    bpy.ops.ed.undo_push(message="before")
    bpy.ops.plumbline.show_finding("EXEC_DEFAULT", True, row=row_of(reviewed, "Stud_02"))
    assert selected() == ["Stud_02"]
    bpy.ops.ed.undo()
    assert selected() == []
    bpy.ops.ed.redo()
    assert selected() == ["Stud_02"]
    assert not reviewed.stale


@pytest.mark.parametrize("operator", ["show_finding", "step_finding"])
def test_without_findings_the_buttons_are_disabled(registered, operator):
    assert not getattr(bpy.ops.plumbline, operator).poll()
    with pytest.raises(RuntimeError, match="not checked yet: press Check Scene"):
        getattr(bpy.ops.plumbline, operator)()


def test_in_edit_mode_the_buttons_say_why_they_are_disabled(reviewed):
    bpy.context.view_layer.objects.active = bpy.data.objects["Stud_01"]
    bpy.ops.object.mode_set(mode="EDIT")
    for operator in ("show_finding", "check_scene", "build_task"):
        with pytest.raises(RuntimeError, match="Leave Edit Mode first"):
            getattr(bpy.ops.plumbline, operator)()


def test_a_check_can_be_listed_alone_and_all_again(reviewed):
    state = bpy.context.window_manager.plumbline
    bpy.ops.plumbline.filter_check(check="load_path")
    assert state.filter_check == "load_path"
    bpy.ops.plumbline.filter_check(check="load_path")
    assert state.filter_check == ""


def test_a_member_with_a_new_name_is_found_and_the_person_is_told(reviewed):
    plate = bpy.data.objects["TopPlate_01"]
    plate.name = "Plate of the north wall"
    assert bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01")) == {"FINISHED"}
    assert selected() == ["Plate of the north wall"]
    assert reviewed.told == ("TopPlate_01 is called Plate of the north wall now: check again",)


def test_a_member_whose_name_another_one_took_is_still_found(reviewed):
    bpy.data.objects["TopPlate_01"].name = "Swapped"
    bpy.data.objects["Stud_02"].name = "TopPlate_01"
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    assert selected() == ["Swapped"]


def test_a_member_made_anew_under_its_name_is_found_by_that(reviewed, add_box):
    bpy.data.objects.remove(bpy.data.objects["TopPlate_01"])
    add_box("TopPlate_01", (0, 0, 2.4), (3, 0.089, 2.438))
    bpy.ops.plumbline.show_finding(row=row_of(reviewed, "TopPlate_01"))
    assert selected() == ["TopPlate_01"] and reviewed.told == ()


def test_a_member_that_takes_part_can_be_gone_to_and_the_finding_stays(reviewed):
    row = row_of(reviewed, "TopPlate_01")
    bpy.ops.plumbline.show_finding(row=row)
    bpy.data.objects["Stud_01"].hide_set(True)
    assert bpy.ops.plumbline.show_member(member="Stud_01") == {"FINISHED"}
    assert selected() == ["Stud_01"] and reviewed.active == row
    assert reviewed.told == ("Stud_01 is shown again",)


def test_a_finding_as_text(reviewed):
    from plumbline.addon.findings import as_text

    with pytest.raises(RuntimeError, match="Choose a finding"):
        bpy.ops.plumbline.copy_finding()
    reviewed.active = row_of(reviewed, "TopPlate_01")
    assert bpy.ops.plumbline.copy_finding() == {"FINISHED"}
    assert as_text(reviewed.chosen).splitlines() == [
        "Load path: TopPlate_01",
        "TopPlate_01 floats 400 mm above the studs: lower it by 400 mm.",
        "Measured: 400 > 20 mm",
        "Clause: IRC R301.1",
        "Takes part: Stud_01",
        "At: 1.50, 0.04, 2.82 m",
    ]


def test_a_check_again_keeps_the_person_where_they_are(frame):
    from plumbline.addon import review

    bpy.ops.plumbline.check_scene()
    bpy.ops.plumbline.step_finding(step=1)
    chosen = review.of(bpy.context.scene).chosen.key
    bpy.ops.plumbline.check_scene()
    assert review.of(bpy.context.scene).chosen.key == chosen
