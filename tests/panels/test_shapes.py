# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of findings: boxes, hulls and marks, in the units of the scene."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.review import Review
from plumbline.checks.result import CheckResult, Finding, Judgement
from plumbline.checks.timber.structure import TimberStructure
from plumbline.panels import shapes


def volume(solid: shapes.Solid) -> float:
    """Signed volume by the divergence theorem: right only if all triangles face outwards."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


def review_of(finding: Finding, unit_scale: float = 1.0) -> Review:
    structure = TimberStructure.from_boxes(
        ["Post", "Beam"],
        [[0, 0, 1], [3, 0, 2]],
        [np.eye(3), np.eye(3)],
        [[0.1, 0.1, 2.0], [4.0, 0.1, 0.2]],
        source={"unit_scale": unit_scale},
    )
    judgement = Judgement("timber", "engineering", (CheckResult("clash", "failed", (finding,)),))
    review = Review(judgement, structure, None, 0.1)
    review.active = 0
    return review


def test_a_box_is_closed_and_faces_outwards():
    structure = review_of(Finding("clash", "Post", ".")).structure
    solid = shapes.boxes(structure.corners)
    assert solid.triangles.shape == (24, 3) and solid.edges.shape == (24, 2)
    assert volume(solid) == pytest.approx(0.1 * 0.1 * 2.0 + 4.0 * 0.1 * 0.2)


def test_edges_of_a_box_run_along_its_axes():
    solid = shapes.boxes(review_of(Finding("clash", "Post", ".")).structure.corners)
    along = solid.points[solid.edges[:, 1]] - solid.points[solid.edges[:, 0]]
    assert (np.sort(np.abs(along), axis=1)[:, :2] < 1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_hull_agrees_with_an_independent_one(seed):
    spatial = pytest.importorskip("scipy.spatial")
    points = np.random.default_rng(seed).normal(size=(18, 3))
    ours, theirs = shapes.hull(points), spatial.ConvexHull(points)
    assert volume(ours) == pytest.approx(theirs.volume)
    assert len(ours.triangles) == len(theirs.simplices)


def test_hull_of_a_box_has_square_faces_and_no_diagonals():
    corners = review_of(Finding("clash", "Post", ".")).structure.corners[0]
    inside = corners.mean(axis=0, keepdims=True)
    solid = shapes.hull(np.concatenate([corners, corners, inside]))
    assert len(solid.edges) == 12 and len(solid.triangles) == 12
    assert volume(solid) == pytest.approx(0.02)


@pytest.mark.parametrize(
    "points",
    [np.zeros((0, 3)), np.zeros((5, 3)), np.eye(3), [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]],
    ids=["none", "one place", "a triangle", "a square"],
)
def test_what_has_no_volume_has_no_hull(points):
    assert len(shapes.hull(np.asarray(points, float)).triangles) == 0


def test_picture_of_a_clash():
    overlap = [[x, y, z] for x in (1, 1.05) for y in (0, 0.05) for z in (1.9, 2)]
    finding = Finding(
        "clash", "Post", "Post and Beam overlap.", related=("Beam", "gone"),
        location=(1.0, 0.0, 1.95), detail={"solid": overlap},
    )  # fmt: skip
    picture = shapes.picture_of(review_of(finding), {})
    assert len(picture.fault.points) == 8 and len(picture.related.points) == 8
    assert volume(picture.overlap) == pytest.approx(0.05 * 0.05 * 0.1)
    assert len(picture.marks) == 0, "the overlap itself marks the place"
    assert picture.anchor == (1.0, 0.0, 1.95)


def test_a_place_has_a_mark_and_no_member_at_fault():
    finding = Finding(
        "opening_header", "north wall", "No header.", subject_kind="place", related=("Post",),
        location=(0, 0, 2), detail={"from": [0, 0, 2], "to": [1, 0, 2]},
    )  # fmt: skip
    picture = shapes.picture_of(review_of(finding), {})
    assert len(picture.fault.points) == 0 and len(picture.related.points) == 8
    assert picture.marks.shape == (8, 3)


def test_a_scene_in_millimetres_is_drawn_in_millimetres():
    finding = Finding("clash", "Post", ".", location=(0, 0, 1))
    picture = shapes.picture_of(review_of(finding, unit_scale=0.001), {})
    assert np.ptp(picture.fault.points[:, 2]) == pytest.approx(2000 + 2000 * shapes.SKIN)
    assert picture.anchor == pytest.approx((0, 0, 1000))


def test_the_picture_follows_a_moved_member_and_drops_what_was_measured_before():
    finding = Finding(
        "clash", "Post", ".", location=(0, 0, 1), detail={"solid": np.eye(3).tolist()}
    )
    matrix = np.eye(4)
    matrix[:3, 3] = (5, 0, 0)
    picture = shapes.picture_of(review_of(finding), {"Post": matrix})
    assert picture.fault.points[:, 0].mean() == pytest.approx(5)
    assert len(picture.marks) == 0 and len(picture.overlap.points) == 0
    assert picture.anchor == pytest.approx((5, 0, 1))


def test_nothing_chosen_nothing_drawn():
    review = review_of(Finding("clash", "Post", "."))
    review.active = -1
    assert shapes.picture_of(review, {}) is None
