# SPDX-License-Identifier: GPL-3.0-or-later
"""Dimension lines, rings, ticks and arrows, measured."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.pictures import marks, solids


def length(pair) -> float:
    return float(np.linalg.norm(np.subtract(pair[1], pair[0])))


def pieces(dimension, tone):
    """The pieces of a dimension line itself in a tone: neither ticks nor witness lines."""
    along = marks.unit(dimension.ends[1] - dimension.ends[0])
    found = [line for line in dimension.lines if line.tone == tone and len(line.points) == 2]
    return [
        line.points
        for line in found
        if abs(marks.unit(line.points[1] - line.points[0]) @ along) > 0.999
    ]


@pytest.mark.parametrize("seed", range(4))
def test_a_dimension_is_as_long_as_what_it_measures_and_stands_beside_it(seed):
    random = np.random.default_rng(seed)
    start, end, aside = random.normal(size=(3, 3))
    line = marks.dimension(start, end, aside, offset=0.3)
    assert length(line.ends) == pytest.approx(length((start, end)))
    shift = line.ends[0] - start
    assert np.linalg.norm(shift) == pytest.approx(0.3)
    assert shift @ (end - start) == pytest.approx(0, abs=1e-9) and shift @ aside > 0
    assert line.middle == pytest.approx(line.ends.mean(axis=0))


def test_the_allowed_part_is_green_and_the_excess_is_red():
    parts = marks.allowed_and_excess(4.22, 3.74)
    line = marks.dimension((0, 0, 1), (4.22, 0, 1), parts=parts)
    (green,), (red,) = pieces(line, "allowed"), pieces(line, "fault")
    assert length(green) == pytest.approx(3.74) and length(red) == pytest.approx(0.48)
    assert green[1] == pytest.approx(red[0])


@pytest.mark.parametrize("limit", [0.0, 5.0, -1.0])
def test_limits_beyond_the_ends_leave_one_colour(limit):
    line = marks.dimension((0, 0, 0), (2, 0, 0), parts=((limit, "allowed"), (2, "fault")))
    whole = [length(p) for tone in ("allowed", "fault") for p in pieces(line, tone)]
    assert whole == pytest.approx([2.0])


def test_a_length_of_nothing_is_no_error():
    line = marks.dimension((1, 1, 1), (1, 1, 1), parts=((1, "allowed"),))
    assert all(np.isfinite(part.points).all() for part in line.lines)


def test_rings_are_round_and_closed():
    circle = marks.ring((1, 2, 3), (0, 1, 1), 0.5)
    away = circle - np.array([1, 2, 3])
    assert np.linalg.norm(away, axis=1) == pytest.approx(0.5)
    assert away @ marks.unit((0, 1, 1)) == pytest.approx(0, abs=1e-9)
    assert circle[-1] == pytest.approx(circle[0])
    assert len(marks.ball((0, 0, 0), 1.0)) == 3 * len(circle)


def test_ticks_arrows_and_polylines():
    row = marks.ticks([(0, 0, 0), (1, 0, 0)], (0, 0, -5), 0.1)
    assert row == pytest.approx(np.array([(0, 0, 0.1), (0, 0, -0.1), (1, 0, 0.1), (1, 0, -0.1)]))
    head = marks.arrow((0, 0, 0), (0, 0, -1), 0.1)
    assert all(head[k] == pytest.approx([0, 0, -1]) for k in (1, 2, 4))
    assert head[3][2] == pytest.approx(-0.9) == head[5][2]
    line = marks.polyline([(0, 0, 0), (1, 0, 0), (1, 1, 0)])
    assert line.shape == (4, 3)
    assert marks.polyline([(0, 0, 0), (1, 0, 0), (1, 1, 0)], closed=True).shape == (6, 3)
    assert marks.polyline(np.zeros((0, 3))).shape == (0, 3)


def test_blocks_and_quads():
    corners = solids.blocks([(0, 0, 0), (2, 0, 0)], 1.0)
    solid = solids.boxes(corners)
    assert solid.points.min(axis=0) == pytest.approx([-0.5] * 3)
    assert solid.points.max(axis=0) == pytest.approx([2.5, 0.5, 0.5])
    square = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]
    flat = solids.quads([square, square])
    a, b, c = (flat.points[flat.triangles[:, k]] for k in range(3))
    assert np.linalg.norm(np.cross(b - a, c - a), axis=1).sum() / 2 == pytest.approx(2.0)
    assert flat.edges.shape == (8, 2)
