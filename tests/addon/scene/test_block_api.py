# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions that programs build with: what they place, in which order, what they refuse."""

import numpy as np
import pytest
from plumbline.addon.scene.block_api import NAMES, block_names
from plumbline.addon.scene.block_log import BlockLog


@pytest.fixture
def log():
    return BlockLog()


@pytest.fixture
def api(log):
    return block_names(log)


def test_all_names_are_there(api):
    assert tuple(api) == NAMES


def test_fill_stacks_columns_from_the_first_corner_to_the_second(api, log):
    assert api["fill"](0, 0, 0, 1, 1, 1, "stone") == 8
    assert log.cells == [
        (0, 0, 0), (0, 1, 0), (0, 0, 1), (0, 1, 1), (1, 0, 0), (1, 1, 0), (1, 0, 1), (1, 1, 1),
    ]  # fmt: skip
    assert api["fill"](5, 3, 0, 4, 1, 0, "stone") == 6
    assert log.cells[8:11] == [(5, 3, 0), (5, 2, 0), (5, 1, 0)]


@pytest.mark.parametrize("size", [(1, 1, 1), (2, 2, 2), (3, 3, 3), (4, 3, 5), (5, 1, 3)])
def test_hollow_box_is_the_shell_of_its_filled_one(api, log, size):
    x, y, z = (n - 1 for n in size)
    count = api["hollow_box"](0, 0, 0, x, y, z, "stone")
    shell = {
        (i, j, k)
        for i in range(x + 1)
        for j in range(y + 1)
        for k in range(z + 1)
        if i in (0, x) or j in (0, y) or k in (0, z)
    }
    assert set(log.cells) == shell
    assert count == len(shell) == len(log.cells)


def test_a_line_takes_the_nearest_cells(api, log):
    assert api["line"](0, 0, 0, 0, 0, -2, "stone") == 3
    assert log.cells == [(0, 0, 0), (0, 0, -1), (0, 0, -2)]
    assert api["line"](0, 1, 0, 4, 3, 0, "stone") == 5
    assert log.cells[3:] == [(0, 1, 0), (1, 2, 0), (2, 2, 0), (3, 3, 0), (4, 3, 0)]
    assert api["line"](7, 7, 7, 7, 7, 7, "stone") == 1


def test_blocks_are_asked_for_and_removed(api):
    api["place_block"](0, 0, 0, "minecraft:stone")
    assert api["block_at"](0, 0, 0) == "stone"
    assert api["remove_block"](0, 0, 0) is True
    assert api["remove_block"](0, 0, 0) is False
    assert api["block_at"](0, 0, 0) is None


def test_whole_numbers_of_any_type_do(api, log):
    api["place_block"](np.int64(1), 2.0, np.float64(3), "stone")
    assert log.cells == [(1, 2, 3)]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((0.5, 0, 0, "stone"), "x = 0.5 is no whole number"),
        ((0, "up", 0, "stone"), "y = up is no whole number"),
        ((0, 0, float("nan"), "stone"), "z = nan is no whole number"),
        ((0, 10**9, 0, "stone"), "y = 1000000000 is farther than"),
        ((0, 0, 0, "Oak Planks"), "'Oak Planks' is no block id"),
        ((0, 0, 0, ""), "is no block id"),
        ((0, 0, 0, None), "'None' is no block id"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(api, log, arguments, words):
    with pytest.raises(ValueError, match=words.replace("(", r"\(")):
        api["place_block"](*arguments)
    assert log.cells == []


@pytest.mark.parametrize("name", ["fill", "hollow_box"])
def test_a_box_of_too_many_blocks_is_refused_before_it_is_begun(api, log, name):
    with pytest.raises(ValueError, match="blocks are too many"):
        api[name](0, 0, 0, 10_000, 10_000, 10_000, "stone")
    assert log.cells == []
