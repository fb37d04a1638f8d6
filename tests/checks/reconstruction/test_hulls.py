# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of convex solids against closed forms and against certificates."""

from __future__ import annotations

import numpy as np
import pytest
from falling_bodies import ball, box, floor, recorded, spun
from plumbline.checks.reconstruction import Distances, Limits
from plumbline.checks.reconstruction.hulls import axes, depth, separation
from plumbline.checks.reconstruction.near import near


def _clouds(rows=300, seed=3):
    rng = np.random.default_rng(seed)
    first = rng.normal(size=(rows, 11, 3)) * rng.uniform(0.1, 2, (rows, 1, 1))
    second = rng.normal(size=(rows, 17, 3)) + rng.normal(size=(rows, 1, 3)) * 3
    return first, second


def test_distance_is_what_a_plane_between_them_certifies():
    """The slab across the direction has the distance's width: no less, and no more is possible."""
    first, second = _clouds()
    distance, unit, middle, overlap = separation(first, second)
    apart = ~overlap
    assert 50 < apart.sum() < 300
    lower = np.einsum("bvi,bi->bv", first, unit).min(1)
    upper = np.einsum("bvi,bi->bv", second, unit).max(1)
    np.testing.assert_allclose((lower - upper)[apart], distance[apart], atol=1e-9)
    between = np.einsum("bi,bi->b", middle, unit)
    np.testing.assert_allclose(between[apart], ((lower + upper) / 2)[apart], atol=1e-9)


def test_overlap_is_what_a_linear_program_says():
    linprog = pytest.importorskip("scipy.optimize").linprog
    first, second = _clouds(60, 4)
    overlap = separation(first, second)[3]
    for a, b, told in zip(first, second, overlap, strict=True):
        ones = np.zeros((2, 28))
        ones[0, :11] = ones[1, 11:] = 1
        equal = np.vstack((np.hstack((a.T, -b.T)), ones))
        shared = linprog(np.zeros(28), A_eq=equal, b_eq=[0, 0, 0, 1, 1]).status == 0
        assert shared == told
    assert overlap.any() and not overlap.all()


def test_one_shift_by_the_depth_frees_them():
    first, second = _clouds(200, 5)
    overlap = separation(first, second)[3]
    first, second = first[overlap], second[overlap]
    ways = np.broadcast_to(axes(ball("any"))[0], (len(first), 96, 3))
    deep, unit, _ = depth(first, second, ways)
    assert (deep > 0).all()
    freed = separation(first + (unit * (deep * 1.0001)[:, None])[:, None], second)
    assert not freed[3].any()


def _distance(one, at, other, there, turned=None):
    found = near(recorded((one, at), (other, there), frames=2, turned=turned), Limits()).rows
    return float(found.distance[0]), found.normal[0], found.point[0]


def test_boxes_in_closed_form():
    gap, normal, point = _distance(box("a"), (0, 0, 0), box("b"), (0, 0, 1.01))
    assert gap == pytest.approx(0.01) and normal == pytest.approx([0, 0, -1], abs=1e-9)
    assert point[2] == pytest.approx(0.505)
    assert _distance(box("a"), (0, 0, 0), box("b"), (0.3, 0.2, 0.9))[0] == pytest.approx(-0.1)
    eighth = {"b": spun((0, 0, 1), [np.pi / 4] * 2)}
    far = 0.5 + np.sqrt(0.5) - 0.05
    assert _distance(box("a"), (0, 0, 0), box("b"), (far, 0, 0), eighth)[0] == pytest.approx(-0.05)


def test_two_crossed_edges_need_their_cross_product():
    """Two bars of square section on edge, one across the other: they part along z only."""
    bar = (4.0, 0.2, 0.2)
    on_edge = spun((1, 0, 0), [np.pi / 4] * 2)
    across = spun((0, 0, 1), [np.pi / 2] * 2)
    w, x = on_edge[0, 0], on_edge[0, 1]
    c, s = across[0, 0], across[0, 3]
    both = np.tile([c * w, c * x, s * x, s * w], (2, 1))
    height = 2 * 0.1 * np.sqrt(2)
    turned = {"a": on_edge, "b": both}
    found = _distance(box("a", bar), (0, 0, 0), box("b", bar), (0, 0, height - 0.01), turned)
    assert found[0] == pytest.approx(-0.01) and abs(found[1][2]) == pytest.approx(1)


def test_balls_in_closed_form():
    slab, at = floor()
    gap, normal, point = _distance(ball("a", 0.3), (0.2, 0, 0.305), slab, at)
    assert gap == pytest.approx(0.005) and normal == pytest.approx([0, 0, 1])
    assert point == pytest.approx([0.2, 0, 0.0025])
    assert _distance(ball("a", 0.3), (0, 0, 0), ball("b", 0.2), (0, 0.49, 0))[0] == pytest.approx(
        -0.01
    )
    assert _distance(ball("a", 0.3), (0, 0, -0.1), slab, at)[0] == pytest.approx(-0.4)


def test_a_hollow_body_is_measured_piece_by_piece():
    from dataclasses import replace

    whole = box("cup", (1, 1, 1))
    wall = whole.vertices * [0.05, 1, 1]
    sides = tuple(
        p + np.array(at)
        for p, at in (
            *((wall, (-0.475, 0, 0)), (wall, (0.475, 0, 0))),
            *((wall[:, [1, 0, 2]], (0, s, 0)) for s in (-0.475, 0.475)),
        )
    )
    cup = replace(whole, convex=False, pieces=sides, part="passive")
    assert _distance(ball("a", 0.3), (0, 0, 0), cup, (0, 0, 0))[0] == pytest.approx(0.15)
    hollow = replace(whole, convex=False, part="passive")
    found = near(recorded((ball("a", 0.3), (0, 0, 0)), (hollow, (0, 0, 0)), frames=2), Limits())
    assert found.unmeasured.tolist() == [[0, 1]] and found.unknown.all()


def test_what_the_recorder_measured_is_taken():
    from dataclasses import replace

    hollow = replace(box("cup"), convex=False, part="passive")
    made = recorded((ball("a", 0.3), (0, 0, 0)), (hollow, (0, 0, 0)), frames=3)
    rows = np.arange(3)
    given = Distances(
        *(rows, rows * 0, rows * 0 + 1, np.array([0.2, 0.1, -0.02])),
        *(np.zeros((3, 3)), np.full((3, 3), np.nan), np.array([[0, 1]])),
        method="BVH",
        exact=False,
    )
    found = near(replace(made, distances=given), Limits())
    assert not len(found.unmeasured) and found.rows.distance.tolist() == [0.2, 0.1, -0.02]
    assert found.touch.tolist() == [False, False, True] and not found.rows.exact


def test_what_stands_still_is_measured_once_and_told_for_every_frame():
    made = recorded(floor(), (box("a"), (0, 0, 0.5)), frames=50)
    rows = near(made, Limits()).rows
    assert rows.frame.tolist() == list(range(50)) and np.ptp(rows.distance) == 0
