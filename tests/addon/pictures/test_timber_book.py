# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of timber findings: boxes, hulls and marks, in metres."""

from __future__ import annotations

import numpy as np
import pytest
from plumbline.addon.pictures import solids
from plumbline.addon.pictures.drawing import Picture, Shown, Solid
from plumbline.addon.pictures.timber.book import PICTURES
from plumbline.checks.result import CheckResult, Finding, Judgement
from plumbline.checks.timber.structure import TimberStructure


def volume(solid: Solid) -> float:
    """Signed volume by the divergence theorem: right only if all triangles face outwards."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    return float(np.einsum("ij,ij->", a, np.cross(b, c)) / 6)


STRUCTURE = TimberStructure.from_boxes(
    ["Post", "Beam"],
    [[0, 0, 1], [3, 0, 2]],
    [np.eye(3), np.eye(3)],
    [[0.1, 0.1, 2.0], [4.0, 0.1, 0.2]],
)


def picture_of(finding: Finding, moves=None) -> Picture:
    judgement = Judgement("timber", "engineering", (CheckResult("clash", "failed", (finding,)),))
    subjects = PICTURES.subjects(STRUCTURE)
    explained = PICTURES.explain(STRUCTURE, None, judgement)
    return PICTURES.picture(
        Shown(STRUCTURE, judgement, None, explained, finding, subjects, moves or {})
    )


def faces(picture: Picture, tone: str, outline: str | None = None) -> Solid:
    """The one solid of that tone and outline (the tone's own unless another is named)."""
    found = [f.solid for f in picture.faces if f.tone == tone and f.outline == (outline or tone)]
    assert len(found) <= 1
    return found[0] if found else Solid()


def marks(picture: Picture):
    return sum(len(line.points) for line in picture.lines)


def test_a_box_is_closed_and_faces_outwards():
    solid = solids.boxes(STRUCTURE.corners)
    assert solid.triangles.shape == (24, 3) and solid.edges.shape == (24, 2)
    assert volume(solid) == pytest.approx(0.1 * 0.1 * 2.0 + 4.0 * 0.1 * 0.2)


def test_edges_of_a_box_run_along_its_axes():
    solid = solids.boxes(STRUCTURE.corners)
    along = solid.points[solid.edges[:, 1]] - solid.points[solid.edges[:, 0]]
    assert (np.sort(np.abs(along), axis=1)[:, :2] < 1e-12).all()


@pytest.mark.parametrize("seed", range(5))
def test_hull_agrees_with_an_independent_one(seed):
    spatial = pytest.importorskip("scipy.spatial")
    points = np.random.default_rng(seed).normal(size=(18, 3))
    ours, theirs = solids.hull(points), spatial.ConvexHull(points)
    assert volume(ours) == pytest.approx(theirs.volume)
    assert len(ours.triangles) == len(theirs.simplices)


def test_hull_of_a_box_has_square_faces_and_no_diagonals():
    corners = STRUCTURE.corners[0]
    inside = corners.mean(axis=0, keepdims=True)
    solid = solids.hull(np.concatenate([corners, corners, inside]))
    assert len(solid.edges) == 12 and len(solid.triangles) == 12
    assert volume(solid) == pytest.approx(0.02)


@pytest.mark.parametrize(
    "points",
    [np.zeros((0, 3)), np.zeros((5, 3)), np.eye(3), [[0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 1, 0]]],
    ids=["none", "one place", "a triangle", "a square"],
)
def test_what_has_no_volume_has_no_hull(points):
    assert len(solids.hull(np.asarray(points, float)).triangles) == 0


def test_picture_of_a_clash():
    overlap = [[x, y, z] for x in (1, 1.05) for y in (0, 0.05) for z in (1.9, 2)]
    finding = Finding(
        "clash", "Post", "Post and Beam overlap.", related=("Beam", "gone"),
        location=(1.0, 0.0, 1.95), detail={"solid": overlap},
    )  # fmt: skip
    picture = picture_of(finding)
    assert len(faces(picture, "fault").points) == 8 == len(faces(picture, "related").points)
    assert volume(faces(picture, "fault", "plain")) == pytest.approx(0.05 * 0.05 * 0.1)
    assert marks(picture) == 0, "the overlap itself marks the place"
    assert picture.anchor == (1.0, 0.0, 1.95)


def test_a_place_has_a_mark_and_no_member_at_fault():
    finding = Finding(
        "opening_header", "north wall", "No header.", subject_kind="place", related=("Post",),
        location=(0, 0, 2), detail={"from": [0, 0, 2], "to": [1, 0, 2]},
    )  # fmt: skip
    picture = picture_of(finding)
    assert not len(faces(picture, "fault").points) and len(faces(picture, "related").points) == 8
    assert marks(picture) == 8


def test_boxes_are_drawn_a_skin_larger_on_every_side():
    picture = picture_of(Finding("clash", "Post", ".", location=(0, 0, 1)))
    extent = np.ptp(faces(picture, "fault").points, axis=0)
    assert extent == pytest.approx(np.array([0.1, 0.1, 2.0]) + 2 * solids.SKIN)


def test_the_picture_follows_a_moved_member_and_drops_what_was_measured_before():
    finding = Finding(
        "clash", "Post", ".", location=(0, 0, 1), detail={"solid": np.eye(3).tolist()}
    )
    matrix = np.eye(4)
    matrix[:3, 3] = (5, 0, 0)
    picture = picture_of(finding, {"Post": matrix})
    assert faces(picture, "fault").points[:, 0].mean() == pytest.approx(5)
    assert marks(picture) == 0 and not len(faces(picture, "fault", "plain").points)
    assert picture.anchor == pytest.approx((5, 0, 1))
