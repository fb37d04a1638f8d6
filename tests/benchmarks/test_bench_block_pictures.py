# SPDX-License-Identifier: GPL-3.0-or-later
"""What showing the findings of 100,000 blocks costs, once a check or once a row that is chosen.

The worst case: every block is of the wrong material, so that one finding names them all, and a
thousand of them float. Figures of interest: each of these takes a fraction of a second.
"""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.colouring import colours_of
from plumbline.addon.palette import STANDARD
from plumbline.addon.pictures.drawing import Shown
from plumbline.addon.pictures.voxel.book import PICTURES
from plumbline.checks.voxel.brief import CheckCall, VoxelBrief
from plumbline.checks.voxel.profiles import judge
from plumbline.checks.voxel.structure import VoxelStructure

pytestmark = pytest.mark.benchmark

BRIEF = VoxelBrief.of(
    CheckCall("material.is_all_material_equal_to", {"expected_material": "glass"}),
    CheckCall("physical_plausibility.is_ground_connected"),
)


@pytest.fixture(scope="module")
def hall():
    """A solid block of 99,000 and 1,000 single blocks in the air above it."""
    low = np.argwhere(np.ones((60, 30, 55), dtype=bool))
    x, z = np.divmod(np.arange(1000), 25)
    high = np.stack([2 * x, np.full(1000, 40), 2 * z], axis=1)
    cells = np.concatenate([low, high])
    return VoxelStructure(cells, ("stone",) * len(cells))


@pytest.fixture(scope="module")
def judgement(hall):
    return judge(hall, BRIEF)


@pytest.fixture(scope="module")
def subjects(hall, judgement):
    return PICTURES.subjects(hall, judgement.findings)


@pytest.mark.benchmark(group="findings of 100,000 blocks")
def test_what_can_be_coloured(benchmark, hall, judgement):
    found = benchmark.pedantic(PICTURES.subjects, (hall, judgement.findings), rounds=3)
    assert len(found.names) == 20_000


@pytest.mark.benchmark(group="findings of 100,000 blocks")
@pytest.mark.parametrize("row", [0, 1], ids=["all of them", "one that floats"])
def test_a_picture(benchmark, hall, judgement, subjects, row):
    shown = Shown(hall, judgement, BRIEF, None, judgement.findings[row], subjects)
    picture = benchmark.pedantic(PICTURES.picture, (shown,), rounds=3)
    assert picture.faces and picture.words


@pytest.mark.benchmark(group="findings of 100,000 blocks")
@pytest.mark.parametrize("mode", ["finding", "verdict", "check"])
def test_colours(benchmark, judgement, subjects, mode):
    chosen = judgement.findings[0]
    made = benchmark.pedantic(colours_of, (subjects, judgement, mode, STANDARD, chosen), rounds=2)
    assert made.weight.any()
