# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks in a scene: what is built is drawn, comes out again, and stands as people left it."""

import json

import bpy
import numpy as np
import pytest
from plumbline.addon.scene import block_tree
from plumbline.addon.scene.block_api import block_names
from plumbline.addon.scene.block_log import BlockLog
from plumbline.addon.scene.block_nodes import show_actions, shown_actions, shown_path
from plumbline.addon.scene.blocks import (
    BlockSession,
    add_blocks,
    blocks_object,
    kind_of_scene,
    log_from_scene,
    structure_from_blocks,
    structure_of_scene,
    write_log,
)
from plumbline.checks.voxel.cells import to_blender
from plumbline.checks.voxel.structure import VoxelStructure

pytestmark = pytest.mark.usefixtures("empty_scene")


@pytest.fixture
def log():
    """A table on four legs, its top changed once and one leg taken away, in two turns."""
    log = BlockLog()
    api = block_names(log)
    for x, z in ((0, 0), (2, 0), (0, 2), (2, 2)):
        api["fill"](x, 0, z, x, 1, z, "stone")
    api["fill"](0, 2, 0, 2, 2, 2, "oak_planks")
    api["next_turn"]()
    api["place_block"](1, 2, 1, "glass")
    api["remove_block"](2, 0, 2)
    return log


def drawn(obj):
    """Centres (n, 3), normals (n, 3) and material names of the faces that Blender shows."""
    mesh = obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).to_mesh()
    centres, normals = (np.empty(3 * len(mesh.polygons), np.float32) for _ in range(2))
    mesh.polygons.foreach_get("center", centres)
    mesh.polygons.foreach_get("normal", normals)
    names = [mesh.materials[p.material_index].name for p in mesh.polygons]
    return centres.reshape(-1, 3), normals.reshape(-1, 3), names


def shown_cells(obj):
    """Cells (Blender's axes) of which any face is shown, with its material."""
    centres, normals, names = drawn(obj)
    inside = np.rint(centres - 0.5 * normals).astype(int)
    return set(zip(map(tuple, inside.tolist()), names, strict=True))


def in_blender(structure):
    cells = to_blender(structure.positions).astype(int).tolist()
    return set(zip(map(tuple, cells), structure.materials, strict=True))


def test_what_is_written_is_read_and_drawn(log):
    obj = write_log(bpy.context.scene, log)
    assert kind_of_scene(bpy.context.scene) == "voxel"
    found = structure_from_blocks(bpy.context.scene)
    wanted = log.rows().structure()
    assert found.positions.tolist() == wanted.positions.tolist()
    assert found.materials == wanted.materials
    assert found.notes == ()
    assert [s.positions.tolist() for s in found.earlier] == [
        s.positions.tolist() for s in wanted.earlier
    ]
    assert shown_cells(obj) == in_blender(wanted)


def test_only_faces_that_can_be_seen_are_drawn():
    cube = [(x, y, z, "stone") for x in range(4) for y in range(4) for z in range(4)]
    obj = add_blocks(VoxelStructure.from_blocks(cube), bpy.context.scene)
    centres, normals, _ = drawn(obj)
    assert len(centres) == 6 * 4 * 4
    middle = to_blender([(1.5, 1.5, 1.5)])
    assert (np.einsum("ni,ni->n", centres - middle, normals) > 1.9).all()


@pytest.mark.parametrize("count", [0, 1, 9, 17, 18, 19])
def test_every_moment_can_be_shown(log, count):
    obj = write_log(bpy.context.scene, log)
    show_actions(obj, count)
    assert shown_cells(obj) == in_blender(log.rows().at(count))


def test_the_moment_can_be_keyed(log):
    obj = write_log(bpy.context.scene, log)
    for frame, count in ((1, 0), (11, 19)):
        show_actions(obj, count)
        obj.keyframe_insert(shown_path(obj), frame=frame)
    bpy.context.scene.frame_set(1)
    assert shown_actions(obj) == 0
    assert shown_cells(obj) == set()


def test_a_run_goes_on_from_the_blocks_of_its_scene(log):
    scene = bpy.context.scene
    first = write_log(scene, log)
    session = BlockSession(scene)
    session.names["place_block"](0, 3, 0, "red_wool")
    assert len(structure_from_blocks(scene)) == len(log)
    session.flush()
    assert blocks_object(scene) == first
    found = structure_from_blocks(scene)
    assert found.materials[-1] == "red_wool"
    assert len(found.earlier) == 1
    assert log_from_scene(scene).actions == log.actions + 1


def test_a_run_that_builds_no_block_leaves_the_scene_alone():
    session = BlockSession(bpy.context.scene)
    session.flush()
    assert blocks_object(bpy.context.scene) is None
    assert kind_of_scene(bpy.context.scene) == "timber"


def test_blocks_stand_where_they_were_moved_to(log):
    obj = write_log(bpy.context.scene, log)
    obj.location = (3.0, -2.0, 1.0)
    moved = structure_from_blocks(bpy.context.scene)
    there = log.rows().structure().positions + [3, 1, 2]
    assert moved.positions.tolist() == there.tolist()
    empty = bpy.data.objects.new("Site", None)
    bpy.context.scene.collection.objects.link(empty)
    obj.parent = empty
    empty.location.z = 4
    again = structure_from_blocks(bpy.context.scene)
    assert again.positions.tolist() == (there + [0, 4, 0]).tolist()


def test_feet_are_converted(log):
    bpy.context.scene.unit_settings.scale_length = 0.3048
    obj = write_log(bpy.context.scene, log)
    assert max(v.co.x for v in obj.data.vertices) == pytest.approx(2 / 0.3048)
    found = structure_from_blocks(bpy.context.scene)
    assert found.positions.tolist() == log.rows().structure().positions.tolist()
    assert found.notes == ()


@pytest.fixture
def edited(log):
    """The table in Edit Mode, with its points."""
    obj = write_log(bpy.context.scene, log)
    bpy.context.view_layer.objects.active = obj
    bpy.ops.object.mode_set(mode="EDIT")
    yield obj
    bpy.ops.object.mode_set(mode="OBJECT")


def edit(obj, how):
    import bmesh

    shape = bmesh.from_edit_mesh(obj.data)
    shape.verts.ensure_lookup_table()
    how(shape)
    bmesh.update_edit_mesh(obj.data)


def test_edits_are_read_while_they_are_made_and_afterwards(edited):
    def how(shape):
        points = {tuple(round(c) for c in v.co): v for v in shape.verts}
        points[(0, 0, 0)].co.x -= 4
        shape.verts.remove(points[(2, 0, 0)])
        shape.verts.new((0, -2, 6), points[(0, -2, 1)])  # a copy of that one

    edit(edited, how)
    during = structure_from_blocks(bpy.context.scene)
    bpy.ops.object.mode_set(mode="OBJECT")
    after = structure_from_blocks(bpy.context.scene)
    assert during.positions.tolist() == after.positions.tolist()
    copied = (
        "1 block is placed at the same moment as another, as copies made by hand are; the order "
        "of these says nothing."
    )
    assert during.notes == ("Read as it stands in Edit Mode: Blocks.", copied)
    assert after.notes == (copied,)
    cells = set(map(tuple, after.positions.tolist()))
    assert (-4, 0, 0) in cells and (0, 6, 2) in cells
    assert not {(0, 0, 0), (2, 0, 0)} & cells
    assert shown_cells(edited) == in_blender(after)


def test_a_block_between_cells_is_read_at_the_nearest_and_told(edited):
    edit(edited, lambda shape: setattr(shape.verts[0].co, "z", 0.4))
    bpy.ops.object.mode_set(mode="OBJECT")
    (note,) = structure_from_blocks(bpy.context.scene).notes
    assert note == (
        "1 block stands between whole coordinates and was read at the nearest, the first at "
        "(0, 0.4, 0) as block (0, 0, 0)."
    )


def test_of_two_objects_one_is_read_and_the_other_named(log):
    obj = write_log(bpy.context.scene, log)
    copy = obj.copy()
    bpy.context.scene.collection.objects.link(copy)
    found = structure_from_blocks(bpy.context.scene)
    assert len(found) == len(log)
    assert found.notes == (
        "Only the blocks of Blocks were read, not those of Blocks.001: delete all but one.",
    )


def test_cubes_that_a_program_made_itself_are_blocks_without_an_order():
    oak = bpy.data.materials.new("Oak Planks")
    for place, size in (((0, -2, 1), 1.0), ((1, 0, 0), 1.0), ((4.5, 0, 0), 1.0), ((9, 0, 0), 2.0)):
        bpy.ops.mesh.primitive_cube_add(size=size, location=place)
        bpy.context.object.name = "stone"
    bpy.data.objects["stone"].data.materials.append(oak)
    found = structure_of_scene(bpy.context.scene, "voxel")
    assert dict(zip(map(tuple, found.positions.tolist()), found.materials, strict=True)) == {
        (0, 1, 2): "oak_planks",
        (1, 0, 0): "stone",
    }
    assert found.ordered is False
    assert "2 cubes were read as blocks without a placement order" in found.notes[0]
    assert "2 objects that no cube of 1 m" in found.notes[1]
    assert found.notes[1].endswith("their centres on whole numbers, as (2, 0, 3).")


def test_of_materials_without_end_the_first_are_drawn(log, monkeypatch):
    monkeypatch.setattr(block_tree, "_MOST_SHOWN", 2)
    obj = write_log(bpy.context.scene, log)
    tree = obj.modifiers[0].node_group
    dressed = [n for n in tree.nodes if n.bl_idname == "GeometryNodeSetMaterial"]
    assert len(dressed) == 2 and len(log.palette) == 3
    assert set(structure_from_blocks(bpy.context.scene).materials) == set(log.palette)


def test_cubes_beside_blocks_are_told(log):
    write_log(bpy.context.scene, log)
    assert structure_from_blocks(bpy.context.scene).notes == ()
    bpy.ops.mesh.primitive_cube_add(size=1, location=(9, 0, 0))
    bpy.ops.mesh.primitive_cube_add(size=2, location=(19, 0, 0))
    found = structure_from_blocks(bpy.context.scene)
    (note,) = found.notes
    assert note.startswith("1 cube that stands beside the blocks was not read: Cube;")
    assert (9, 0, 0) not in found.index


def test_the_palette_and_the_turns_are_json(log):
    obj = write_log(bpy.context.scene, log)
    assert json.loads(obj["plumbline_palette"]) == ["stone", "oak_planks", "glass"]
    assert json.loads(obj["plumbline_turns"]) == [17]
