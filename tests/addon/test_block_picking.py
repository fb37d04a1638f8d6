# SPDX-License-Identifier: GPL-3.0-or-later
"""A ray meets the block that comes first along it, as small steps along the ray find it."""

import numpy as np
import pytest
from plumbline.addon.block_picking import block_hit
from plumbline.checks.voxel.cells import to_blender
from plumbline.checks.voxel.structure import VoxelStructure


def blocks(*cells):
    return VoxelStructure.from_blocks([(*cell, "stone") for cell in cells])


def test_of_two_in_a_row_the_nearer_is_met():
    row = blocks((0, 0, 0), (5, 0, 0))
    assert block_hit(row, (-10, 0, 0), (1, 0, 0)) == 0
    assert block_hit(row, (20, 0.2, 0), (-3, 0, 0)) == 1
    assert block_hit(row, (2, 0, 0), (1, 0, 0)) == 1


def test_axes_are_those_of_blender():
    tower = blocks((3, 7, 4))
    assert to_blender([(3, 7, 4)]).tolist() == [[3, -4, 7]]
    assert block_hit(tower, (3, -4, 50), (0, 0, -1)) == 0
    assert block_hit(tower, (3, 4, 50), (0, 0, -1)) is None


def test_a_ray_from_inside_meets_the_block_it_is_in():
    assert block_hit(blocks((0, 0, 0), (0, 1, 0)), (0.1, 0, 1.2), (0, 1, 0)) == 1


def test_what_lies_behind_beside_or_is_not_there_is_not_met():
    assert block_hit(blocks((0, 0, 0)), (5, 0, 0), (1, 0, 0)) is None
    assert block_hit(blocks((0, 0, 0)), (5, 0.51, 0), (-1, 0, 0)) is None
    assert block_hit(VoxelStructure.empty(), (5, 0, 0), (-1, 0, 0)) is None


@pytest.mark.parametrize("direction", [(0, 0, 0), (np.nan, 0, 1)])
def test_a_ray_without_a_direction_is_refused(direction):
    with pytest.raises(ValueError, match="direction"):
        block_hit(blocks((0, 0, 0)), (0, 0, 0), direction)


def test_far_blocks_are_met_across_many_portions():
    far = blocks((0, 0, 0), (900_000, 3, -1))
    assert block_hit(far, (10, 1.2, 2.9), (1, 0, 0)) == 1


def test_agrees_with_small_steps():
    rng = np.random.default_rng(3)
    cells = np.unique(rng.integers(-4, 5, (80, 3)), axis=0)
    some = VoxelStructure.from_blocks([(*c, "stone") for c in cells.tolist()])
    answers = []
    for _ in range(60):
        origin = rng.uniform(-9, 9, 3)
        way = rng.uniform(-3, 3, 3) - origin
        way /= np.linalg.norm(way)
        points = origin + np.arange(0, 25, 2e-3)[:, None] * way
        rows = some.rows_at(np.rint(points[:, [0, 2, 1]] * [1, 1, -1]).astype(int))
        met = rows[rows >= 0]
        answers.append((block_hit(some, origin, way), met[0] if len(met) else None))
    assert [one for one, _ in answers] == [other for _, other in answers]
    assert sum(one is not None for one, _ in answers) > 20
