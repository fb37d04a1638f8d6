# SPDX-License-Identifier: GPL-3.0-or-later
"""What two convex solids share, against volumes that are known in closed form."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.pictures.drawing import Solid
from plumbline.addon.pictures.reconstruction.convex import (
    ball_solid,
    convex_solid,
    feature_edges,
    inside,
    shared,
)

CUBE = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float) / 2


def volume(solid: Solid) -> float:
    """Signed volume by the divergence theorem: right only if it is closed and faces outwards."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def test_two_boxes_share_a_box():
    common = shared((convex_solid(CUBE),), (convex_solid(CUBE + [0.8, 0.7, 0.9]),))
    assert volume(common) == pytest.approx(0.2 * 0.3 * 0.1)
    low, high = common.points.min(0), common.points.max(0)
    assert np.allclose(low, [0.3, 0.2, 0.4]) and np.allclose(high, 0.5)
    assert len(common.edges) >= 12


def test_a_turned_box_shares_what_a_grid_of_points_says():
    angle = 0.5
    turn = np.array(
        [[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]]
    )
    other = (CUBE + [0.6, 0.1, 0.2]) @ turn.T
    common = shared((convex_solid(CUBE),), (convex_solid(other),))
    step = 0.02
    line = np.arange(-0.5 + step / 2, 0.5, step)
    grid = np.stack(np.meshgrid(line, line, line), axis=-1).reshape(-1, 3)
    local = grid @ turn - [0.6, 0.1, 0.2]
    counted = int((np.abs(local) <= 0.5).all(1).sum()) * step**3
    assert volume(common) == pytest.approx(counted, rel=0.02)


def test_a_ball_in_a_floor_shares_a_cap():
    floor = convex_solid(CUBE * [4, 4, 1] - [0, 0, 0.9])
    common = shared((convex_solid(np.zeros((1, 3)), 0.5),), (floor,))
    cap = np.pi * 0.1**2 * (3 * 0.5 - 0.1) / 3
    assert volume(common) == pytest.approx(cap, rel=0.2)  # its ball has flat faces
    assert common.points[:, 2].max() <= -0.4 + 1e-9


def test_what_is_apart_shares_nothing():
    assert not len(shared((convex_solid(CUBE),), (convex_solid(CUBE + 2),)).triangles)
    near = convex_solid(CUBE + [1.0001, 0, 0])
    assert not len(shared((convex_solid(CUBE),), (near,)).triangles)


def test_a_ball_is_nearly_round_and_closed():
    ball = ball_solid(2.0)
    assert np.allclose(np.linalg.norm(ball.points, axis=1), 2.0)
    assert volume(ball) == pytest.approx(4 / 3 * np.pi * 8, rel=0.05)


def test_a_hull_of_many_points_keeps_the_outermost():
    rng = np.random.default_rng(1)
    corners = CUBE * 2
    every = np.concatenate((rng.uniform(-0.9, 0.9, (300, 3)), corners))
    assert volume(convex_solid(every)) == pytest.approx(8.0)


def test_edges_are_those_at_which_a_surface_turns():
    box = convex_solid(CUBE)
    assert len(feature_edges(box.points, box.triangles)) == 12
    assert len(feature_edges(box.points, box.triangles[:0])) == 0
    square = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], float)
    assert len(feature_edges(square, np.array([[0, 1, 2], [0, 2, 3]]))) == 4


def test_points_are_told_to_be_inside_a_surface_that_is_not_convex():
    # An L of two boxes: the notch is outside.
    ell = [convex_solid(CUBE), convex_solid(CUBE + [1, 0, 0]), convex_solid(CUBE + [0, 0, 1])]
    points = np.concatenate([s.points for s in ell])
    first = np.cumsum([0] + [len(s.points) for s in ell])[:-1]
    triangles = np.concatenate([s.triangles + n for s, n in zip(ell, first, strict=True)])
    found = inside(
        np.array([[0, 0, 0.1], [1.1, 0, 0.1], [0.1, 0, 1.2], [1, 0, 1], [5, 0, 0]]),
        Solid(points, triangles),
    )
    assert found.tolist() == [True, True, True, False, False]
