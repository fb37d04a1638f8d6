# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes as coloured meshes, dashes, arrows and rings."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.flowing import SHORT, SPACING, SPEED, heads, rings, shafts
from plumbline.addon.painted import dashes, faded, painted, painted_surfaces
from plumbline.addon.pictures import solids
from plumbline.addon.pictures.drawing import Solid
from plumbline.checks.timber.structure import CORNER_SIGNS

RED = (0.9, 0.1, 0.1)


def boxes(*sizes):
    return np.float32([CORNER_SIGNS * size / 2 for size in sizes])


def test_a_box_is_closed_and_its_faces_look_outward():
    mesh = painted(boxes((2.0, 4.0, 6.0)), np.float32([RED]))
    triangles = mesh.points[mesh.triangles]
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    assert (np.einsum("ij,ij->i", normals, triangles.mean(axis=1)) > 0).all()
    assert np.linalg.norm(normals, axis=1).sum() / 2 == pytest.approx(2 * (8 + 12 + 24))
    volume = np.einsum("ij,ij->i", triangles[:, 0], np.cross(triangles[:, 1], triangles[:, 2]))
    assert volume.sum() / 6 == pytest.approx(48.0)


def test_the_edges_of_a_box():
    mesh = painted(boxes((2.0, 4.0, 6.0)), np.float32([RED]), edge_skin=0.1)
    ends = mesh.edge_points[mesh.edges]
    lengths = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    assert len(mesh.edges) == 12 and len({tuple(sorted(e)) for e in mesh.edges.tolist()}) == 12
    assert (lengths > 2.0).all() and lengths.sum() < 4 * (2 + 4 + 6) + 12 * 0.2
    assert (np.abs(mesh.edge_points) > np.array([1.0, 2.0, 3.0])).all(), "lifted off the faces"


def test_every_face_has_one_shade_and_no_two_sides_are_lit_alike():
    mesh = painted(boxes((1, 1, 1), (1, 1, 1)), np.float32([RED, (0.2, 0.4, 0.6)]))
    colours = mesh.colours.reshape(2, 6, 4, 4)
    assert (colours == colours[:, :, :1]).all()
    shades = colours[0, :, 0, 0] / 0.9
    assert len(set(np.round(shades, 3))) == 6 and shades.min() > 0.6 and shades.max() <= 1.0
    assert colours[1, :, 0, 0] / 0.2 == pytest.approx(shades, abs=1e-6)
    first, second = mesh.triangles[:12], mesh.triangles[12:]
    assert first.max() < 24 <= second.min()


def test_no_boxes_and_flat_boxes():
    none = painted(np.zeros((0, 8, 3), np.float32), np.zeros((0, 3), np.float32))
    assert none.points.shape == (0, 3) and none.triangles.shape == (0, 3)
    flat = painted(boxes((1, 1, 0)), np.float32([RED]), 0.01)
    assert np.isfinite(flat.points).all() and np.isfinite(flat.edge_points).all()
    assert np.isfinite(flat.colours).all()


def test_faded_is_between_the_colour_and_the_ground():
    assert faded(np.float32([(1, 0, 0)]), (0, 0, 1), 0.75)[0] == pytest.approx((0.25, 0, 0.75))


def test_dashes():
    made = dashes(np.array([(0, 0, 0), (1, 0, 0), (0, 0, 0), (0, 0, 0.05)], float), 0.06, 0.04)
    pairs = made.reshape(-1, 2, 3)
    assert pairs[-1].tolist() == [[0, 0, 0], [0, 0, 0.05]], "a short line stays whole"
    along = pairs[:-1, :, 0]
    assert along[0, 0] == 0 and along[-1, 1] == pytest.approx(1.0), "a dash at either end"
    assert (along[:, 1] > along[:, 0]).all() and (along[1:, 0] > along[:-1, 1]).all()
    assert 8 <= len(along) <= 11
    assert dashes(np.zeros((0, 3)), 0.06, 0.04).shape == (0, 3)


def test_shafts_are_as_wide_and_long_as_they_should_be():
    triangles = shafts(np.array([[(0, 0), (10, 0)]], float), 2.0)
    a, b = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    assert np.abs(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum() / 2 == pytest.approx(20.0)
    assert triangles[..., 1].max() == 1.0 and triangles[..., 0].max() == 10.0


def test_heads_move_from_start_to_end():
    size = 10.0
    lines = np.array([[(0, 0), (200, 0)]], float)
    now, later = heads(lines, size, 0.4), heads(lines, size, 0.6)
    assert now[0, 0].tolist() == later[0, 0].tolist() == [200, 0], "one stands at the end"
    assert now[1:, 0, 0] + 0.2 * SPEED * size == pytest.approx(later[1 : len(now), 0, 0])
    assert np.diff(now[1:, 0, 0]) == pytest.approx(SPACING * size)
    assert now[1:, 0, 0].max() <= 200 - SHORT * size and now[1:, 0, 0].min() >= size
    full = SPACING / SPEED
    assert heads(lines, size, 0.4 + full) == pytest.approx(now), "and again and again"


def test_short_and_empty_arrows():
    short = heads(np.array([[(0, 0), (0, 6)], [(3, 3), (3, 3)]], float), 10.0, 0.7)
    assert len(short) == 2 and np.isfinite(short).all()
    assert short[0, 1, 1] >= 0, "a head is no longer than its arrow"
    assert heads(np.zeros((0, 2, 2)), 10.0, 0.7).shape == (0, 3, 2)


def test_rings():
    made = rings(np.array([(100.0, 50.0), (0.0, 0.0)]), 12.0, 4.0)
    away = np.linalg.norm(made[: len(made) // 2].reshape(-1, 2) - (100, 50), axis=1)
    assert away.max() == pytest.approx(14.0)
    assert not ((away > 4.01) & (away < 9.99)).any(), "nothing between the dot and the ring"


def test_a_surface_is_lit_triangle_by_triangle_with_edges_of_its_own():
    box = solids.boxes(solids.blocks([(0.0, 0.0, 0.0), (3.0, 0.0, 0.0)]))
    one = Solid(box.points[:8], box.triangles[:12], box.edges[:12])
    ball = Solid(box.points[8:] * 2, box.triangles[:12], box.edges[:0])
    rgb = np.array([[1.0, 0.0, 0.0], [0.0, 0.5, 1.0]], np.float32)
    mesh = painted_surfaces([one, ball], rgb)
    assert mesh.points.shape == (72, 3) and mesh.triangles.shape == (24, 3)
    assert mesh.edges.shape == (12, 2) and len(mesh.edge_points) == 24
    assert (mesh.colours[:36, 1:3] == 0).all() and (mesh.colours[36:, 0] == 0).all()
    shades = np.unique(mesh.colours[:36, 0].round(4))
    assert len(shades) == 6 and shades.min() > 0.6 and shades.max() <= 1
    nothing = painted_surfaces([], np.zeros((0, 3), np.float32))
    assert len(nothing.points) == len(nothing.edges) == 0
