# SPDX-License-Identifier: GPL-3.0-or-later
"""The finite elements beside CalculiX: its own incompatible brick, and its brick of 20 nodes."""

import shutil
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("scipy", reason="the finite elements need SciPy")
from plumbline.checks.voxel import VoxelStructure
from plumbline.checks.voxel.stress import fem
from plumbline.checks.voxel.stress.element import CORNERS, von_mises

sys.path.insert(0, str(Path(__file__).parents[3] / "helpers"))
import calculix
from voxel_layouts import arch, box_cells, roof

pytestmark = pytest.mark.skipif(
    shutil.which("ccx") is None, reason="CalculiX is not installed (apt install calculix-ccx)"
)


def portal():
    """Two posts and a beam one block thick, in two materials."""
    posts = [(*c, "oak_planks") for x in (0, 7) for c in box_cells(1, 4, 1, (x, 0, 0))]
    beam = [(*c, "white_concrete") for c in box_cells(8, 1, 1, (0, 4, 0))]
    return VoxelStructure.from_blocks(posts + beam)


@pytest.mark.parametrize(
    "layout", [arch(), roof(2, five=True), portal()], ids=["arch", "roof", "portal"]
)
def test_same_as_the_incompatible_brick_of_calculix(layout, tmp_path):
    ours = fem.solve(layout)
    theirs = calculix.run(layout, ours.mesh, "C3D8I", tmp_path)
    largest = np.abs(theirs.displacement).max()
    assert ours.displacement == pytest.approx(theirs.displacement, abs=1e-5 * largest)
    inside = at_gauss_points(ours.corner_stress)
    assert np.sort(von_mises(inside), axis=1) == pytest.approx(
        np.sort(von_mises(theirs.stress), axis=1), abs=1e-5 * von_mises(inside).max()
    )


def test_near_the_brick_of_twenty_nodes_one_block_deep(tmp_path):
    layout = portal()
    ours = fem.solve(layout)
    theirs = calculix.run(layout, ours.mesh, "C3D20", tmp_path)
    assert ours.displacement[:, 1].min() == pytest.approx(theirs.displacement[:, 1].min(), rel=0.05)


def at_gauss_points(corners):
    """Stress at the eight Gauss points, (n, 8, 6), from that at the corners: it is trilinear."""
    points = (2.0 * CORNERS - 1.0) / np.sqrt(3.0)
    shape = (1 + points[:, None, :] * (2.0 * CORNERS - 1.0)[None]).prod(axis=2) / 8.0
    return np.einsum("gc,ncs->ngs", shape, corners)
