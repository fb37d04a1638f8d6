# SPDX-License-Identifier: GPL-3.0-or-later
"""Blocks as plain data: one a cell, in placement order; turns merged as published."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.checks.voxel.cells import block_name, to_blender
from plumbline.checks.voxel.structure import (
    Action,
    GridTooLarge,
    VoxelError,
    VoxelStructure,
    from_actions,
    merge,
)

PLACES = st.tuples(st.integers(-3, 3), st.integers(-3, 3), st.integers(-3, 3))


def rows(structure):
    return [(*p, m) for p, m in zip(structure.positions.tolist(), structure.materials, strict=True)]


def test_a_cell_built_on_twice_keeps_its_place_and_takes_the_last_material():
    made = VoxelStructure.from_blocks(
        [(0, 0, 0, "dirt"), (1, 0, 0, "stone"), (0, 0, 0, "oak_planks")]
    )
    assert rows(made) == [(0, 0, 0, "oak_planks"), (1, 0, 0, "stone")]
    assert made.notes == ("1 cell was built on more than once; the last material counts",)


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(PLACES, st.sampled_from(["a", "b"]))))
def test_as_a_dictionary_would_merge_them(placed):
    made = VoxelStructure.from_blocks([(*cell, m) for cell, m in placed])
    assert rows(made) == [(*cell, m) for cell, m in dict(placed).items()]


@settings(max_examples=30, deadline=None)
@given(st.lists(PLACES, unique=True, max_size=40), PLACES, st.lists(PLACES, max_size=10))
def test_cells_and_neighbours_are_looked_up_as_in_a_dictionary(cells, step, wanted):
    made = VoxelStructure.from_blocks([(*c, "stone") for c in cells])
    plain = {c: i for i, c in enumerate(cells)}
    assert made.index == plain
    assert made.rows_at(wanted).tolist() == [plain.get(c, -1) for c in wanted]
    moved = [tuple(a + b for a, b in zip(c, step, strict=True)) for c in cells]
    assert made.neighbours([step]).ravel().tolist() == [plain.get(c, -1) for c in moved]


def test_places_far_beyond_all_blocks_are_empty():
    made = VoxelStructure.from_blocks([(0, 0, 0, "stone")])
    assert made.rows_at([[10**12, 0, 0], [0, -(10**7), 0], [0, 0, 0]]).tolist() == [-1, -1, 0]


def test_a_grid_has_the_blocks_where_they_are():
    made = VoxelStructure.from_blocks([(5, -2, 7, "stone"), (6, 0, 7, "stone")])
    solid, origin = made.dense
    assert origin.tolist() == [4, -3, 6] and solid.shape == (4, 5, 3)
    assert np.argwhere(solid).tolist() == [[1, 1, 1], [2, 3, 1]]
    with pytest.raises(ValueError, match="read-only"):
        solid[0, 0, 0] = True


def test_blocks_far_apart_have_no_grid():
    made = VoxelStructure.from_blocks([(0, 0, 0, "stone"), (9000, 9000, 9000, "stone")])
    with pytest.raises(GridTooLarge, match="9001 x 9001 x 9001"):
        made.grid()


def test_positions_cannot_be_written_to():
    made = VoxelStructure.from_blocks([(0, 0, 0, "stone")])
    with pytest.raises(ValueError, match="read-only"):
        made.positions[0, 0] = 1


@pytest.mark.parametrize(
    ("blocks", "words"),
    [
        ([(0.5, 0, 0, "stone")], r"block 0 at \(0.5, 0, 0\): .*whole numbers"),
        ([(0, 0, 0, "stone"), (0, 10**9, 0, "stone")], "block 1 .*within 1000000"),
        ([(0, float("nan"), 0, "stone")], "block 0 .*whole"),
        ([("here", 0, 0, "stone")], "whole numbers"),
        ([(3, 1, 2, None)], r"block \(3, 1, 2\): the material must be a text"),
    ],
)
def test_bad_blocks_are_refused_in_words(blocks, words):
    with pytest.raises(VoxelError, match=words):
        VoxelStructure.from_blocks(blocks)


def test_without_a_block_there_are_no_bounds():
    with pytest.raises(VoxelError, match="no block"):
        _ = VoxelStructure.empty().low


def test_blender_has_minus_z_for_its_y():
    assert to_blender([[1, 2, 3], [0, 0, 0]]).tolist() == [[1.0, -3.0, 2.0], [0.0, 0.0, 0.0]]
    assert block_name(np.array([1, -2, 3])) == "block (1, -2, 3)"


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        (("place", 1.9, -1.9, "3", "stone"), Action("place", 1, -1, 3, "stone")),
        (("place", 0, 0, 0), Action("place", 0, 0, 0, "unknown")),
        (("place", "x", 0, 0, "stone"), None),
        (("place", float("inf"), 0, 0, "stone"), None),
        (("place", None, 0, 0, "stone"), None),
        (("jump", 0, 0, 0, "stone"), None),
    ],
)
def test_actions_are_read_as_published(raw, read):
    assert Action.read(*raw) == read


def test_a_turn_takes_away_blocks_of_earlier_turns_only():
    first = from_actions([Action("place", i, 0, 0, "stone") for i in range(3)])
    turn = [
        Action("place", 9, 0, 0, "dirt"),
        Action("remove", 9, 0, 0),
        Action("remove", 1, 0, 0),
        Action("place", 0, 0, 0, "glass"),
    ]
    after = merge(first, turn)
    assert rows(after) == [(0, 0, 0, "glass"), (2, 0, 0, "stone"), (9, 0, 0, "dirt")]
    in_order = merge(first, turn, "in_order")
    assert rows(in_order) == [(0, 0, 0, "glass"), (2, 0, 0, "stone")]


def test_a_cell_cleared_and_built_anew_comes_at_the_end():
    first = from_actions([Action("place", i, 0, 0, "stone") for i in range(2)])
    turn = [Action("remove", 0, 0, 0), Action("place", 0, 0, 0, "dirt")]
    for removals in ("earlier_turns", "in_order"):
        assert rows(merge(first, turn, removals)) == [(1, 0, 0, "stone"), (0, 0, 0, "dirt")]


def test_a_merge_keeps_that_there_was_no_order():
    imported = VoxelStructure.from_blocks([(0, 0, 0, "stone")], ordered=False)
    assert not merge(imported, [Action("place", 1, 0, 0)]).ordered
    assert from_actions([]).ordered and len(from_actions([])) == 0


@pytest.mark.parametrize(
    ("wanted", "substring", "any_case", "rows_found"),
    [
        ("stone", False, False, [0]),
        ("stone", True, False, [0, 1]),  # no taxonomy: cobblestone contains it
        ("Door", True, False, []),
        ("Door", True, True, [2, 3]),  # and a trapdoor contains door
        ("", True, False, [0, 1, 2, 3]),
        ("bed", True, False, [4]),
    ],
)
def test_materials_match_as_text(wanted, substring, any_case, rows_found):
    names = ["stone", "cobblestone", "oak_door", "iron_trapdoor", "bedrock", ""]
    made = VoxelStructure.from_blocks([(i, 0, 0, m) for i, m in enumerate(names)])
    found = np.flatnonzero(made.of_material(wanted, substring, any_case)).tolist()
    assert found == ([*rows_found, 4] if wanted == "" else rows_found)  # nameless never matches
