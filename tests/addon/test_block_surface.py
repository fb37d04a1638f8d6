# SPDX-License-Identifier: GPL-3.0-or-later
"""Faces of blocks for the view: only free ones, turned outwards, bent as far as is asked."""

import numpy as np
import pytest
from plumbline.addon.block_surface import edges_of, fitting_scale, hatching, surface_of
from plumbline.checks.voxel import VoxelStructure
from plumbline.checks.voxel.stress.element import CORNERS


def blocks(*cells):
    return VoxelStructure.from_blocks((*cell, "stone") for cell in cells)


def normals(quads):
    return np.cross(quads[:, 1] - quads[:, 0], quads[:, 3] - quads[:, 0])


def test_faces_between_blocks_are_left_out():
    row = blocks((0, 0, 0), (1, 0, 0), (2, 0, 0))
    surface = surface_of(row)
    assert np.bincount(surface.rows).tolist() == [5, 4, 5]
    cube = blocks(*np.ndindex(3, 3, 3))
    assert len(surface_of(cube).quads) == 6 * 9 and 13 not in surface_of(cube).rows


def test_every_face_looks_outwards_and_stands_where_blender_has_the_block():
    surface = surface_of(blocks((2, 5, -3)))
    middle = np.array([2.0, 3.0, 5.0])  # (x, -z, y)
    outwards = surface.quads.mean(axis=1) - middle
    assert normals(surface.quads) == pytest.approx(2.0 * outwards)
    assert surface.quads.reshape(-1, 3).min(axis=0) == pytest.approx(middle - 0.5)


def test_skin_lifts_each_face_off_the_block():
    surface = surface_of(blocks((0, 0, 0)), skin=0.01)
    assert np.linalg.norm(surface.quads.mean(axis=1), axis=1) == pytest.approx(0.51)


def test_a_displacement_moves_the_faces_by_its_scale():
    moved = np.zeros((1, 8, 3))
    moved[:, CORNERS[:, 1] == 1, 1] = -0.001  # the top sinks by a millimetre
    plain, bent = surface_of(blocks((0, 0, 0))), surface_of(blocks((0, 0, 0)), moved, 100.0)
    drop = (plain.quads - bent.quads)[..., 2]
    assert np.unique(drop.round(9)).tolist() == [0.0, 0.1]
    assert surface_of(blocks((0, 0, 0)), moved, 0.0).quads == pytest.approx(plain.quads)


def test_the_fitting_scale_shows_a_twentieth_of_the_size():
    assert fitting_scale(blocks((0, 0, 0), (0, 9, 0)), 0.001) == pytest.approx(500.0)
    assert fitting_scale(blocks((0, 0, 0)), 0.0) == fitting_scale(blocks((0, 0, 0)), np.nan) == 0


def test_edges_and_hatching_stay_within_their_face():
    quads = surface_of(blocks((0, 0, 0))).quads
    assert edges_of(quads).shape == (48, 3) and hatching(quads).shape == (36, 3)
    for lines in (edges_of(quads), hatching(quads)):
        per_face = lines.reshape(6, -1, 3)
        assert np.abs(per_face).max() == pytest.approx(0.5)
        flat = np.einsum("fij,fj->fi", per_face, normals(quads))
        assert flat == pytest.approx(0.5), "on the face itself"
        ends = lines.reshape(-1, 2, 3)
        assert (np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1) > 0.5).all()
