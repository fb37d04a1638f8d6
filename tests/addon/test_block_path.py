# SPDX-License-Identifier: GPL-3.0-or-later
"""The way in placement order: its figures are those of the check, its colours tell the place."""

import numpy as np
import pytest
from plumbline.addon.block_path import path_of
from plumbline.checks.voxel import VoxelStructure


def path(*cells):
    return path_of(VoxelStructure.from_blocks((*cell, "stone") for cell in cells))


def test_figures_of_a_way_with_one_jump():
    way = path((0, 0, 0), (1, 0, 0), (1, 4, 0), (1, 4, 1))
    assert (way.length, way.least) == (6, 3) and way.score == pytest.approx(0.5)
    pairs, colours, jumps = way.pairs()
    assert jumps.tolist() == [False, True, False]
    assert pairs[2:4].tolist() == [[1, 0, 0], [1, 0, 4]], "as Blender has it"
    assert len(pairs) == len(colours) == 6


def test_colours_run_along_the_whole_way_also_where_a_part_is_shown():
    way = path(*((x, 0, 0) for x in range(11)))
    _, colours, _ = way.pairs()
    pairs, some, _ = way.pairs(4)
    assert len(pairs) == 6 and some == pytest.approx(colours[:6])
    light = colours @ (0.2126, 0.7152, 0.0722, 0.0)
    assert (np.diff(light) >= 0).all() and light[-1] > light[0] + 0.3


@pytest.mark.parametrize(("cells", "least"), [((), 0), (((3, 1, 2),), 0)])
def test_no_way_where_there_is_none_to_go(cells, least):
    way = path(*cells)
    assert (way.length, way.least, way.score) == (0, least, 1.0)
    for first in (None, 0, 1, 5):
        pairs, colours, jumps = way.pairs(first)
        assert len(pairs) == len(colours) == len(jumps) == 0
