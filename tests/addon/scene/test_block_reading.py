# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects of blocks that somebody wrote wrongly, or to do harm: told in sentences, rest read."""

import bpy
import numpy as np
import pytest
from plumbline.addon.scene.block_log import MOST_ACTIONS, BlockLog
from plumbline.addon.scene.blocks import BlockSession, structure_from_blocks, write_log
from plumbline.checks.voxel.structure import VoxelError

pytestmark = [pytest.mark.usefixtures("empty_scene"), pytest.mark.once]


@pytest.fixture
def row():
    """Three blocks in a row."""
    log = BlockLog()
    for x in range(3):
        log.place((x, 0, 0), "stone")
    return write_log(bpy.context.scene, log)


def read():
    return structure_from_blocks(bpy.context.scene)


def replaced(obj, name, data_type, domain="POINT"):
    obj.data.attributes.remove(obj.data.attributes[name])
    return obj.data.attributes.new(name, data_type, domain)


@pytest.mark.parametrize("data_type", ["FLOAT", "STRING", "FLOAT_VECTOR"])
def test_an_order_of_another_type_is_no_order(row, data_type):
    made = replaced(row, "order", data_type)
    if data_type == "FLOAT":
        made.data.foreach_set("value", np.full(3, np.nan, np.float32))
    found = read()
    assert (len(found), found.ordered) == (3, False)
    assert "the placement order is unknown" in found.notes[0]


def test_without_until_everything_stands(row):
    row.data.attributes.remove(row.data.attributes["until"])
    assert len(read()) == 3


def test_nonsense_in_until_leaves_blocks_out_by_name(row):
    row.data.attributes["until"].data.foreach_set("value", np.array([-5, 2**31 - 1, 0], np.int32))
    found = read()
    assert found.positions[:, 0].tolist() == [1]
    assert "2 blocks are removed before being placed" in found.notes[0]
    assert "block (0, 0, 0)" in found.notes[0]


@pytest.mark.parametrize(
    "palette", ["{}", "stone", "[1, 2]", 5, "[" * 200_000, '["' + "x" * 300 + '"]']
)
def test_a_palette_that_is_no_list_of_names_leaves_materials_unknown(row, palette):
    row["plumbline_palette"] = palette
    found = read()
    assert found.materials == ("unknown",) * 3
    (note,) = found.notes
    assert "plumbline_palette is no JSON list" in note


@pytest.mark.parametrize("turns", ["[2, 1]", "[-1]", "[true]", '["1"]', "7", "[0.5]"])
def test_turns_that_are_no_counts_are_one_turn(row, turns):
    row["plumbline_turns"] = turns
    found = read()
    assert found.earlier == ()
    assert "it counts as built in one turn" in found.notes[0]


@pytest.mark.parametrize("value", [np.nan, np.inf, 1e30])
def test_a_block_at_no_place_is_left_out_and_told(row, value):
    row.data.vertices[1].co.y = value
    found = read()
    assert found.positions[:, 0].tolist() == [0, 2]
    assert "1 block is left out for standing at no finite place" in found.notes[0]
    assert "point 1 of the mesh" in found.notes[0]


def test_a_matrix_that_is_no_number_leaves_all_out(row):
    row.scale = (np.nan, 1, 1)
    assert len(read()) == 0


def test_too_many_points_are_refused_and_so_is_building_on(row):
    row.data.vertices.add(MOST_ACTIONS)
    with pytest.raises(VoxelError, match="Blocks holds 1,000,003 blocks, more than the 1,000,000"):
        read()
    session = BlockSession(bpy.context.scene)
    with pytest.raises(ValueError, match="Blocks holds 1,000,003 blocks"):
        session.names["fill"](0, 0, 0, 1, 1, 1, "stone")
    session.flush()
    assert len(row.data.vertices) == MOST_ACTIONS + 3


def test_a_mark_on_what_is_no_mesh_is_none():
    empty = bpy.data.objects.new("Blocks", None)
    empty["plumbline_blocks"] = "plumbline.blocks/1"
    bpy.context.scene.collection.objects.link(empty)
    assert len(read()) == 0
