# SPDX-License-Identifier: GPL-3.0-or-later
"""What a mesh is, what collision shape Blender makes of it, and poses from matrices."""

from __future__ import annotations

import numpy as np
import pytest
from falling_bodies import _FACES, _SIGNS
from plumbline.addon.simulation import kept
from plumbline.addon.simulation.collision import collision_shape
from plumbline.addon.simulation.joints_of import broken_at
from plumbline.addon.simulation.poses import quaternions, split, steady
from plumbline.addon.simulation.surfaces import hull_of, surface
from plumbline.checks.reconstruction.motion import matrices
from plumbline.checks.reconstruction.surroundings import Joint

BOX = _SIGNS * (0.5, 1.0, 1.5)
ONE = np.ones(3)


def ball(segments=32, rings=16, radius=0.5):
    """Vertices and triangles of a ball about the origin."""
    up = np.linspace(0, np.pi, rings + 1)[1:-1]
    round_ = np.linspace(0, 2 * np.pi, segments, endpoint=False)
    ring = np.stack([np.stack((np.sin(a) * np.cos(round_), np.sin(a) * np.sin(round_),
                               np.full(segments, np.cos(a))), axis=1) for a in up])  # fmt: skip
    points = np.concatenate((ring.reshape(-1, 3), [[0, 0, 1], [0, 0, -1]])) * radius
    at = lambda i, j: i * segments + j % segments  # noqa: E731
    faces = []
    for j in range(segments):
        faces.append((len(points) - 2, at(0, j), at(0, j + 1)))
        faces.append((len(points) - 1, at(rings - 2, j + 1), at(rings - 2, j)))
        for i in range(rings - 2):
            faces.append((at(i, j), at(i + 1, j), at(i + 1, j + 1)))
            faces.append((at(i, j), at(i + 1, j + 1), at(i, j + 1)))
    return points, np.array(faces)


def test_a_box_is_convex_and_closed_whichever_way_its_faces_go():
    mixed = np.where(np.arange(12)[:, None] % 2, _FACES, _FACES[:, ::-1])
    for faces in (_FACES, _FACES[:, ::-1], mixed):
        found = surface(BOX, faces)
        assert found.convex and found.closed and found.radius == 0
        a, b, c = (found.vertices[found.triangles[:, k]] for k in range(3))
        assert np.einsum("ti,ti->", a, np.cross(b, c)) / 6 == pytest.approx(6.0)


def test_a_box_without_a_lid_and_two_boxes_are_no_hull():
    assert not surface(BOX, _FACES[2:]).convex and not surface(BOX, _FACES[2:]).closed
    two = surface(np.concatenate((BOX, BOX + [4, 0, 0])), np.concatenate((_FACES, _FACES + 8)))
    assert two.closed and not two.convex


def test_a_plate_is_convex_and_a_notched_one_is_not():
    plate = np.array([[0, 0, 1.0], [2, 0, 1], [2, 2, 1], [0, 2, 1], [1, 1, 1]])
    whole = np.array([[0, 1, 4], [1, 2, 4], [2, 3, 4], [3, 0, 4]])
    assert surface(plate, whole).convex and not surface(plate, whole).closed
    assert not surface(plate, whole[1:]).convex


def test_a_ball_is_told_by_its_radius():
    assert surface(*ball()).radius == pytest.approx(0.5) and surface(*ball()).convex
    points, faces = ball()
    assert surface(points * (1, 1, 1.2), faces).radius == 0
    assert surface(points + [0.1, 0, 0], faces).radius == 0
    dented = points.copy()
    dented[40] *= 0.8
    assert not surface(dented, faces).convex


def test_nothing_and_what_is_flat_as_a_line_have_no_solid():
    line = np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]])
    for vertices in (np.zeros((0, 3)), np.zeros((3, 3)), line):
        faces = np.array([[0, 1, 2]]) if len(vertices) else np.zeros((0, 3), np.int64)
        assert not surface(vertices, faces).convex


def test_the_hull_in_a_plane():
    points = np.array([[0, 0], [1, 0], [1, 1], [0, 1], [0.5, 0.5], [0.5, 0]])
    assert sorted(hull_of(points).tolist()) == [[0, 0], [0, 1], [1, 0], [1, 1]]


# Seen in Blender 5.0: where each shape comes to rest on a floor that is a box.
@pytest.mark.parametrize(
    ("shape", "scale", "extents"),
    [
        ("BOX", (1, 1, 1), (1, 2, 3)),
        ("BOX", (2, 1, 0.5), (2, 2, 1.5)),
        ("SPHERE", (1, 1, 1), (3, 3, 3)),
        ("SPHERE", (2, 1, 1), (6, 6, 6)),
        ("CAPSULE", (1, 1, 1), (2, 2, 3)),
        ("CYLINDER", (1, 1, 1), (2, 2, 3)),
        ("CONE", (1, 1, 2), (2, 2, 6)),
        ("CONVEX_HULL", (0.1, 0.1, 0.1), (0.1, 0.2, 0.3)),
    ],
)
def test_collision_shapes_are_made_round_the_box_of_the_mesh(shape, scale, extents):
    felt = collision_shape(shape, BOX, np.array(scale, float), 0.04, False)
    lengths = np.ptp(felt.vertices, axis=0) + 2 * felt.rounding
    assert lengths == pytest.approx(extents, rel=1e-6)
    assert felt.margin == (0.04 if shape == "CONE" else 0)


def test_a_shape_is_about_the_origin_and_a_hull_where_the_mesh_is():
    moved = BOX + [0, 0, 1]
    assert collision_shape("BOX", moved, ONE, 0.04, False).vertices.mean(0)[2] == 0
    assert collision_shape("CONVEX_HULL", moved, ONE, 0.04, False).vertices.mean(0)[2] == 1


def test_margins_of_hulls_and_meshes():
    assert collision_shape("CONVEX_HULL", BOX, ONE, 0.02, True).margin == 0.02
    mesh = collision_shape("MESH", BOX, ONE, 0.04, False)
    assert mesh.vertices is None and mesh.margin == 0.04
    assert collision_shape("MESH", BOX[:0], ONE, 0.04, False).vertices is not None


def test_matrices_are_taken_apart_mirrored_ones_too():
    rng = np.random.default_rng(1)
    quaternion = rng.normal(size=(50, 4))
    quaternion /= np.linalg.norm(quaternion, axis=1, keepdims=True)
    turned = matrices(quaternion)
    whole = np.zeros((50, 4, 4))
    scale = rng.uniform(0.2, 3, (50, 3))
    whole[:, :3, :3] = turned * scale[:, None]
    whole[:, :3, 3], whole[:, 3, 3] = rng.normal(size=(50, 3)), 1
    whole[25:, :3, 0] *= -1
    place, found, size = split(whole)
    assert place == pytest.approx(whole[:, :3, 3])
    assert np.linalg.det(found) == pytest.approx(np.ones(50))
    assert (size[:25] > 0).all() and (size[25:] < 0).all()
    assert found[:25] == pytest.approx(turned[:25])
    again = quaternions(found[:25])
    same = np.abs((again * quaternion[:25]).sum(1))
    assert same == pytest.approx(np.ones(25))


def test_what_has_no_extent_has_a_rotation_and_what_is_no_number_has_none():
    flat = np.eye(4)
    flat[0, 0] = flat[1, 1] = 0
    _, turned, size = split(flat[None])
    assert np.linalg.det(turned[0]) == pytest.approx(1) and size[0].tolist() == [0, 0, 1]
    broken = np.full((1, 4, 4), np.nan)
    assert np.isnan(quaternions(split(broken)[1])).all()


def test_quaternions_keep_their_side():
    turn = np.linspace(0, 4 * np.pi, 40)
    whole = np.stack((np.cos(turn / 2), 0 * turn, 0 * turn, np.sin(turn / 2)), axis=1)[:, None]
    found = steady(quaternions(matrices(whole)))
    assert np.abs(np.diff(found, axis=0)).max() < 0.3


def test_a_joint_broke_where_its_ends_part_for_good():
    joint = Joint("j", "point", "a", "b", (0, 0, 0), (0, 0, 0))
    position, turned = np.zeros((20, 2, 3)), np.broadcast_to(np.eye(3), (20, 2, 3, 3))
    assert broken_at(joint, position, turned, 1.0) is None
    position[8, 1, 0] = 0.2  # for a moment
    assert broken_at(joint, position, turned, 1.0) is None
    position[12:, 1, 0] = 0.2
    assert broken_at(joint, position, turned, 1.0) == 12
    slider = Joint("j", "slider", "a", "b", (0, 0, 0), (0, 0, 0))
    assert broken_at(slider, position, turned, 1.0) is None


def test_what_was_recorded_is_kept_within_bounds(monkeypatch):
    from falling_bodies import box, recorded

    one = recorded((box("a"), (0, 0, 0)), frames=10)
    size = kept.size_of(one)
    assert size >= 10 * 7 * 8
    monkeypatch.setattr(kept, "MOST", int(2.5 * size))
    kept.forget_trajectories()
    try:
        for key in ("first", "second"):
            kept.keep_trajectory(key, one)
        assert kept.kept_trajectory("first") is one
        kept.keep_trajectory("third", one)
        assert kept.kept_trajectory("second") is None, "the one used longest ago goes"
        assert kept.kept_trajectory("first") is one and kept.kept_trajectory("third") is one
        monkeypatch.setattr(kept, "MOST", size - 1)
        kept.keep_trajectory("large", one)
        assert kept.kept_trajectory("large") is None
    finally:
        kept.forget_trajectories()
