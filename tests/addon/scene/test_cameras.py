# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras by the published table, and pictures that are filled but never cut."""

import math

import numpy as np
import pytest
from plumbline.addon.scene.cameras import AIR, VIEWS, camera_for
from plumbline.checks.timber.structure import CORNER_SIGNS

EXTENT = np.array([12.0, 8.0, 6.0])
CENTER = np.array([5.0, -3.0, 2.0])
POINTS = CENTER + 0.5 * CORNER_SIGNS * EXTENT


@pytest.mark.parametrize(
    ("view", "toward", "right"),
    [
        ("front", (0, -1, 0), (1, 0, 0)),
        ("back", (0, 1, 0), (-1, 0, 0)),
        ("left", (-1, 0, 0), (0, -1, 0)),
        ("right", (1, 0, 0), (0, 1, 0)),
    ],
)
def test_orthographic_views(view, toward, right):
    camera = camera_for(view, POINTS, (512, 512))
    direction = (camera.position - CENTER) / np.linalg.norm(camera.position - CENTER)
    assert direction == pytest.approx(toward)
    assert camera.rotation[:, 0] == pytest.approx(right)
    assert camera.rotation[:, 1] == pytest.approx((0, 0, 1))
    assert camera.ortho_scale == pytest.approx(1.1 * 12)
    assert camera.shift == pytest.approx((0, 0))


def test_perspective_view():
    camera = camera_for("front_right", POINTS, (512, 512))
    x, y, z = camera.position - CENTER
    assert math.degrees(math.atan2(y, x)) == pytest.approx(-45)
    assert math.degrees(math.asin(z / np.linalg.norm([x, y, z]))) == pytest.approx(25)
    radius, fov = 0.5 * np.linalg.norm(EXTENT), 2 * math.atan(18 / 50)
    assert np.linalg.norm([x, y, z]) == pytest.approx(1.1 * radius / math.sin(fov / 2))
    assert camera.ortho_scale is None


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("size", [(1200, 800), (512, 512), (300, 900)])
@pytest.mark.parametrize("extent", [EXTENT, (30, 3, 3), (2, 2, 9), (5, 5, 0)])
def test_everything_is_in_the_picture(view, size, extent):
    points = CENTER + 0.5 * CORNER_SIGNS * extent
    camera = camera_for(view, points, size)
    seen = camera.project(points)
    assert seen.min() > 0.0
    assert seen.max() < 1.0
    depth = (points - camera.position) @ -camera.rotation[:, 2]
    assert depth.min() > camera.near
    assert depth.max() < camera.far
    if size[0] != size[1]:
        assert np.ptp(seen, axis=0).max() == pytest.approx(1 / AIR, abs=1e-6)
        assert 0.5 * (seen.min(axis=0) + seen.max(axis=0)) == pytest.approx((0.5, 0.5), abs=1e-6)


def test_unknown_view():
    with pytest.raises(KeyError):
        camera_for("top", POINTS, (10, 10))
