# SPDX-License-Identifier: GPL-3.0-or-later
"""Where members stand after edits, and which of them are seen, without asking each of them."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

pytestmark = pytest.mark.ends

bpy = pytest.importorskip("bpy")


@pytest.fixture
def stand(reviewed, registered):
    """``stand()``: the frame as it stands now."""
    from plumbline.addon.session import standing

    assert standing.of(reviewed, bpy.context.scene).here.all()

    def now():
        bpy.context.view_layer.update()
        return standing.of(reviewed, bpy.context.scene)  # an undo makes a new one

    return now


def names(stand, mask):
    return [name for name, set_ in zip(stand.index, mask, strict=True) if set_]


def view():
    """A context as a view has it when it is drawn."""
    known = bpy.types.SpaceView3D.bl_rna.properties
    settings = {p.identifier: True for p in known if p.identifier.startswith("show_object_")}
    area = SimpleNamespace(
        **settings, local_view=None, use_local_collections=False, as_pointer=lambda: 7
    )
    return SimpleNamespace(
        space_data=area,
        view_layer=bpy.context.view_layer,
        visible_objects=bpy.context.visible_objects,
    )


def test_motions_are_in_metres_and_only_of_what_moved(stand):
    bpy.data.objects["Stud_01"].location = (1.0, 2.0, 3.0)
    found = stand()
    assert names(found, found.moved) == ["Stud_01"]
    moves = found.moves_of(["Stud_01", "Stud_02", "nobody"])
    assert list(moves) == ["Stud_01"]
    assert moves["Stud_01"] == pytest.approx(
        np.array([[1, 0, 0, 1], [0, 1, 0, 2], [0, 0, 1, 3], [0, 0, 0, 1]])
    )
    changes = found.changes
    assert stand().changes == changes, "nothing was edited since"
    bpy.data.objects["Stud_01"].location = (0.0, 0.0, 0.0)
    assert not stand().moved.any() and stand().changes == changes + 1


def test_another_name_is_no_other_member_and_a_deleted_one_is_gone(stand):
    bpy.data.objects["Stud_01"].name = "Anything"
    assert stand().here.all() and not stand().moved.any()
    bpy.data.objects.remove(bpy.data.objects["Anything"])
    found = stand()
    assert "Stud_01" not in names(found, found.here) and found.here.sum() == 3
    again = bpy.data.objects.new("Stud_01", bpy.data.meshes["Stud_01"])
    bpy.context.scene.collection.objects.link(again)
    assert stand().here.sum() == 3, "the name alone does not make it the member"


def test_hidden_members_are_not_seen(stand):
    found = stand()
    assert found.visible(view()).all()
    kept = found.visible(view())
    bpy.data.objects["Stud_02"].location.x = 9.0
    assert stand().visible(view()) is kept, "moving hides nothing"
    bpy.data.objects["Stud_02"].hide_set(True)
    found = stand()
    assert "Stud_02" not in names(found, found.visible(view()))
    bpy.data.objects["Stud_02"].hide_set(False)
    bpy.data.objects["Sill_01"].hide_viewport = True
    found = stand()
    assert names(found, ~found.visible(view())) == ["Sill_01"]


def test_the_active_object_is_known_by_its_member(stand):
    uid = bpy.data.objects["TopPlate_01"].session_uid
    assert stand().member_of(uid) == "TopPlate_01" and stand().member_of(-5) is None


def test_undo_and_redo_count_as_edits(stand):
    from plumbline.addon.session import standing

    stand()
    before = standing.edits()
    bpy.ops.ed.undo_push(message="as it was")
    bpy.data.objects["Stud_01"].location.z = 4.0
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="moved")
    assert stand().moved.sum() == 1
    bpy.ops.ed.undo()
    assert not stand().moved.any() and stand().here.all()
    bpy.ops.ed.redo()
    assert stand().moved.sum() == 1 and standing.edits() > before


def test_a_scene_without_objects(stand):
    for obj in list(bpy.data.objects):
        bpy.data.objects.remove(obj)
    assert not stand().here.any() and not stand().visible(view()).any()


def test_nothing_is_left_after_detaching(stand):
    from plumbline.addon.session import standing

    stand()
    standing.detach()
    assert not standing._standings
    assert not any(standing._note_edit in each for each in standing._handler_lists())
    standing.attach()
    standing.attach()
    assert all(each.count(standing._note_edit) == 1 for each in standing._handler_lists())
