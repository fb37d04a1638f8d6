# SPDX-License-Identifier: GPL-3.0-or-later
"""Batched clipping against SciPy's convex hulls and against figures done by hand."""

import numpy as np
import pytest
from plumbline.checks.timber.polygons import areas, box_planes, clip, intersect_half_spaces

scipy_spatial = pytest.importorskip("scipy.spatial")
scipy_optimize = pytest.importorskip("scipy.optimize")


def rotations(rng, n):
    q, _ = np.linalg.qr(rng.normal(size=(n, 3, 3)))
    return q


def test_half_a_square_is_left_of_its_middle():
    square = np.array([[[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]])
    points, count = clip(square, np.array([4]), np.array([[1.0, 0, 0]]), np.array([1.0]))
    assert areas(points, count) == pytest.approx([2.0])


def test_nothing_is_left_of_a_polygon_outside():
    square = np.array([[[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0]]])
    _, count = clip(square, np.array([4]), np.array([[1.0, 0, 0]]), np.array([-1.0]))
    assert count.tolist() == [0]


def overlap(center, axes, half):
    normals, offsets = box_planes(center, axes, half)
    both = normals.reshape(1, 12, 3), offsets.reshape(1, 12)
    reach = np.linalg.norm(half[0]) * 1.01
    return intersect_half_spaces(*both, center[:1], np.array([reach]))


def reference_volume(normals, offsets):
    """Volume of an intersection by SciPy: inscribed sphere, then half spaces, then the hull."""
    norm = np.linalg.norm(normals, axis=1)
    result = scipy_optimize.linprog(
        [0, 0, 0, -1],
        A_ub=np.column_stack([normals, norm]),
        b_ub=offsets,
        bounds=[(None, None)] * 3 + [(None, None)],
    )
    if result.x is None or result.x[3] <= 1e-9:
        return 0.0
    corners = scipy_spatial.HalfspaceIntersection(
        np.column_stack([normals, -offsets]), result.x[:3]
    ).intersections
    return scipy_spatial.ConvexHull(corners).volume


@pytest.mark.parametrize("seed", range(60))
def test_overlap_of_two_boxes_matches_scipy(seed):
    rng = np.random.default_rng(seed)
    center = rng.normal(scale=0.25, size=(2, 3))
    axes = rotations(rng, 2)
    half = rng.uniform(0.05, 0.6, size=(2, 3))
    volume, faces, width = overlap(center, axes, half)
    normals, offsets = box_planes(center, axes, half)
    expected = reference_volume(normals.reshape(12, 3), offsets.reshape(12))
    assert volume[0] == pytest.approx(expected, rel=1e-6, abs=1e-10)
    corners = faces.reshape(-1, 3)
    corners = corners[~np.isnan(corners[:, 0])]
    if expected > 1e-9:
        assert scipy_spatial.ConvexHull(corners).volume == pytest.approx(expected, rel=1e-6)
        extent = np.ptp(corners @ normals.reshape(12, 3).T, axis=0)
        np.testing.assert_allclose(width[0], extent, atol=1e-9)


def test_faces_that_coincide_are_counted_once():
    center = np.array([[0.0, 0, 0], [0.5, 0, 0]])
    axes = np.stack([np.eye(3)] * 2)
    half = np.array([[1.0, 1, 1], [0.5, 1, 1]])
    volume, _, width = overlap(center, axes, half)
    assert volume == pytest.approx([4.0])
    assert width[0][:3] == pytest.approx([1.0, 2.0, 2.0])


def test_the_same_box_twice_overlaps_by_itself():
    center, axes = np.zeros((2, 3)), np.stack([np.eye(3)] * 2)
    half = np.array([[0.019, 0.07, 1.2]] * 2)
    volume, _, _ = overlap(center, axes, half)
    assert volume == pytest.approx([8 * 0.019 * 0.07 * 1.2])


def test_boxes_apart_have_no_overlap():
    center = np.array([[0.0, 0, 0], [5.0, 0, 0]])
    volume, _, width = overlap(center, np.stack([np.eye(3)] * 2), np.ones((2, 3)))
    assert volume.tolist() == [0.0]
    assert width.max() == 0.0
