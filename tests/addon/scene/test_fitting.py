# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes fitted to points: exact for boxes however they are modelled, smallest for other solids."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plumbline.addon.scene.fitting import BOX_FACES, dominating_directions, fit_corners
from plumbline.addon.scene.solids import Solid, cuboid, prism, survey, together
from plumbline.checks.timber.structure import CORNER_SIGNS

SIZES = st.tuples(*[st.floats(0.01, 8.0)] * 3)


def rotation(seed: int) -> np.ndarray:
    q, r = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))
    q = q * np.sign(np.diag(r))
    q[:, 0] *= np.linalg.det(q)
    return q


def same_box(center, axes, size, want_center, want_corners, tolerance):
    """Whether a fitted box has the wanted corners, in whatever order of axes."""
    corners = np.asarray(center) + (0.5 * CORNER_SIGNS * size) @ axes
    distance = np.linalg.norm(corners[:, None] - want_corners[None], axis=2).min(axis=1)
    return np.allclose(center, want_center, atol=tolerance) and distance.max() < tolerance


@settings(max_examples=200, deadline=None)
@given(SIZES, st.integers(0, 10**6), st.permutations(range(8)), st.floats(-30, 30))
def test_any_box_is_found_from_its_corners_in_any_order(size, seed, order, offset):
    center = np.array([offset, -offset, 0.5 * offset])
    corners = center + (0.5 * CORNER_SIGNS * size) @ rotation(seed)
    fit = fit_corners(corners[order][None].astype(np.float32).astype(np.float64))
    assert fit.exact[0]
    assert same_box(fit.center[0], fit.axes[0], fit.size[0], center, corners, 2e-4)
    assert np.allclose(fit.axes[0] @ fit.axes[0].T, np.eye(3), atol=1e-12)


def test_length_is_exact_to_the_float_for_a_long_thin_rafter():
    size = np.array([6.1, 0.14, 0.038])
    corners = (0.5 * CORNER_SIGNS * size) @ rotation(3) + [4.0, 7.0, 5.0]
    fit = fit_corners(corners.astype(np.float32).astype(np.float64)[None])
    assert np.sort(fit.size[0])[::-1] == pytest.approx(size, abs=2e-6)


@pytest.mark.parametrize(
    "change",
    [
        lambda c: c.__setitem__((0, 0), c[0, 0] + 0.01),  # one corner pulled out
        lambda c: c.__iadd__(np.outer(c[:, 2], [0.05, 0, 0])),  # sheared
        lambda c: c.__setitem__(3, c[4]),  # two corners in one place
        lambda c: c.__setitem__((slice(None), 2), 0.0),  # flat
        lambda c: c.__setitem__((2, 1), np.nan),
        lambda c: c.__setitem__((2, 1), np.inf),
        lambda c: c.__imul__(0.0),
    ],
)
def test_what_is_no_box_is_not_called_exact(change):
    corners = CORNER_SIGNS * [2.0, 0.1, 0.05]
    change(corners)
    assert not fit_corners(corners[None]).exact[0]


def test_nothing_to_fit():
    assert len(fit_corners(np.zeros((0, 8, 3))).exact) == 0


def subdivided(size, cuts: int) -> Solid:
    """A box whose faces are grids of triangles."""
    parts = []
    n = np.linspace(-0.5, 0.5, cuts + 1)
    u, v = (a.ravel() for a in np.meshgrid(n, n, indexing="ij"))
    index = np.arange((cuts + 1) ** 2).reshape(cuts + 1, cuts + 1)
    a, b, c, d = index[:-1, :-1], index[1:, :-1], index[1:, 1:], index[:-1, 1:]
    quads = np.stack([a, b, c, d], axis=-1).reshape(-1, 4)
    triangles = np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]])
    for axis in range(3):
        for side in (-0.5, 0.5):
            points = np.insert(np.column_stack([u, v]), axis, side, axis=1) * size
            outward = (side > 0) == (axis != 1)
            faces = triangles if outward else triangles[:, ::-1]
            starts = np.arange(0, 3 * len(faces), 3)
            parts.append(Solid(points, faces.ravel().astype(np.int32), starts.astype(np.int32)))
    return together(parts)


@pytest.mark.parametrize("cuts", [1, 3, 17])
@pytest.mark.parametrize("seed", range(4))
def test_triangulated_and_subdivided_boxes_are_exact(cuts, seed):
    size, center = np.array([3.66, 0.286, 0.038]), np.array([1.0, -2.0, 3.0])
    turn = rotation(seed)
    solid = subdivided(size, cuts).moved(turn.T, center)
    got_center, axes, got_size, fill = solid.box()
    corners = center + (0.5 * CORNER_SIGNS * size) @ turn
    assert same_box(got_center, axes, got_size, center, corners, 1e-6)
    assert fill == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize("seed", range(4))
def test_a_bird_mouth_and_plumb_cuts_keep_the_rafters_box(seed):
    depth, length = 0.14, 4.0
    outline = np.array(
        [[0, 0], [0.9, 0], [0.95, 0.04], [1.0, 0], [length - 0.08, 0], [length, depth], [0, depth]]
    )
    turn = rotation(seed)
    solid = prism(outline, np.array([0, 0, 0.038])).moved(turn.T)
    center, axes, size, fill = solid.box()
    want = np.array([0.5 * length, 0.5 * depth, 0.019]) @ turn
    corners = want + (0.5 * CORNER_SIGNS * [length, depth, 0.038]) @ turn
    assert same_box(center, axes, size, want, corners, 1e-9)
    assert 0.97 < fill < 0.995


def test_a_wedge_gets_the_smallest_box_and_half_of_it():
    solid = prism(np.array([[0, 0], [2, 0], [0, 1.0]]), np.array([0, 0, 0.5])).moved(rotation(9).T)
    _, _, size, fill = solid.box()
    assert np.prod(size) == pytest.approx(1.0, rel=1e-9)
    assert fill == pytest.approx(0.5, rel=1e-9)


def test_smallest_box_beats_ten_thousand_random_turns():
    rng = np.random.default_rng(5)
    outline = np.array([[0, 0], [1.4, 0.2], [1.6, 0.7], [0.5, 1.1], [-0.2, 0.4]])
    solid = prism(outline, np.array([0.3, 0.1, 0.8]))
    _, _, size, _ = solid.box()
    turns = np.linalg.qr(rng.normal(size=(10_000, 3, 3)))[0]
    spans = np.ptp(np.einsum("vi,nij->nvj", solid.vertices, turns), axis=1)
    assert np.prod(size) <= np.prod(spans, axis=1).min() * (1 + 1e-9)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 10**6))
def test_the_box_holds_every_vertex(seed):
    rng = np.random.default_rng(seed)
    vertices = rng.normal(size=(12, 3)) * rng.uniform(0.1, 5, 3)
    corners = rng.integers(0, 12, 24).astype(np.int32)
    center, axes, size, _ = Solid(vertices, corners, np.arange(0, 24, 3, dtype=np.int32)).box()
    inside = np.abs((vertices - center) @ axes.T) <= 0.5 * size + 1e-9
    assert inside.all()
    assert np.linalg.det(axes) == pytest.approx(1.0)


def crown(seed: int) -> Solid:
    """Triangles that look in all directions."""
    rng = np.random.default_rng(seed)
    vertices = rng.normal(size=(60, 3))
    corners = rng.integers(0, 60, 300).astype(np.int32)
    return Solid(vertices, corners, np.arange(0, 300, 3, dtype=np.int32))


def test_a_survey_tells_trees_from_timber():
    broken = crown(1)
    broken.vertices[5, 1] = np.nan
    box = cuboid(np.array([1.0, 2, 3]), rotation(4), np.array([4, 0.1, 0.05]))
    rafter = prism(np.array([[0, 0], [4, 0], [3.9, 0.1], [0, 0.1]]), np.array([0, 0, 0.04]))
    solids = [crown(0), box, broken, rafter.moved(rotation(5)), crown(2), subdivided((1, 2, 3), 5)]
    seen = survey(solids)
    assert seen.finite.tolist() == [True, True, False, True, True, True]
    assert seen.organic.tolist()[0:2] == [True, False]
    assert seen.organic.tolist()[3:] == [False, True, False]
    for i in (0, 1, 3, 4, 5):
        low, high = solids[i].vertices.min(axis=0), solids[i].vertices.max(axis=0)
        assert seen.center[i] == pytest.approx(0.5 * (low + high))
        assert seen.size[i] == pytest.approx(high - low)
    assert seen.fill[5] == pytest.approx(1.0)
    assert seen.fill[1] == pytest.approx(0.02 / np.prod(np.ptp(box.vertices, axis=0)))
    alone = survey([crown(2)])
    assert alone.fill[0] == pytest.approx(seen.fill[4])
    assert len(survey([]).finite) == 0


def test_faces_of_the_box_look_outward():
    solid = cuboid(np.zeros(3), np.eye(3), np.array([1.0, 2.0, 3.0]))
    for face in BOX_FACES:
        a, b, c, _ = solid.vertices[list(face)]
        assert np.cross(b - a, c - a) @ a > 0


def test_directions_join_opposite_and_noisy_ones():
    vectors = np.array([[1, 0, 0], [-1, 1e-5, 0], [0, 2, 0], [0, 0, 0.5], [0, 0, 0]])
    found = dominating_directions(vectors, 8)
    assert len(found) == 3
    assert np.abs(found[:2, :2]).max(axis=1) == pytest.approx([1, 1], abs=1e-4)
