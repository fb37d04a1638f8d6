# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes, convex hulls and marks as triangles and lines, m."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from ...checks.timber.structure import CORNER_SIGNS
from .drawing import Floats, Ints, Solid

# A box is drawn this much larger than the member, so that its faces win against the member's own.
SKIN = 0.002  # m

# Arms of the cross that marks a place.
MARK = 0.12  # m

# Corners of CORNER_SIGNS, faces seen from outside, each as two triangles; the twelve edges.
_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (1, 5, 6, 2), (0, 3, 7, 4))
_TRIANGLES: Ints = np.array(
    [t for a, b, c, d in _FACES for t in ((a, b, c), (a, c, d))], dtype=np.int32
)
_EDGES: Ints = np.array(
    [
        (0, 1),
        (1, 2),
        (2, 3),
        (3, 0),
        (4, 5),
        (5, 6),
        (6, 7),
        (7, 4),
        (0, 4),
        (1, 5),
        (2, 6),
        (3, 7),
    ],
    dtype=np.int32,
)


def boxes(corners: Floats) -> Solid:
    """Boxes given by their corners, (n, 8, 3) in the order of ``CORNER_SIGNS``, as one solid."""
    count = len(corners)
    start = np.arange(count, dtype=np.int32)[:, None, None] * 8
    return Solid(
        np.asarray(corners, float).reshape(-1, 3),
        (start + _TRIANGLES[None]).reshape(-1, 3).astype(np.int32),
        (start + _EDGES[None]).reshape(-1, 2).astype(np.int32),
    )


def grown(corners: Floats, skin: float = SKIN) -> Floats:
    """Boxes, (n, 8, 3) m in the order of ``CORNER_SIGNS``, ``skin`` m larger on every side."""
    corners = np.asarray(corners, float).reshape(-1, 8, 3)
    outward = corners - corners.mean(axis=1, keepdims=True)
    if not len(corners):
        return corners
    # The box axes out of its corners: half the mean difference of opposite faces.
    half = np.einsum("ka,nkd->nad", CORNER_SIGNS, outward) / 8.0
    size = np.linalg.norm(half, axis=2, keepdims=True)
    unit = np.divide(half, size, out=np.zeros_like(half), where=size > 0)
    return corners + skin * np.einsum("ka,nad->nkd", CORNER_SIGNS, unit)


def moved(corners: Floats, names: Iterable[str], moves: Mapping[str, Floats]) -> Floats:
    """Boxes (n, 8, 3) m with those that were moved, by 4 x 4 matrices in m, where they are now."""
    corners = np.array(corners, float)
    for row, name in enumerate(names):
        if name in moves:
            matrix = moves[name]
            corners[row] = corners[row] @ matrix[:3, :3].T + matrix[:3, 3]
    return corners


def hull(points: Floats) -> Solid:
    """Convex hull of a few points, (n, 3) m, by trying every plane through three of them.

    Overlaps of two boxes have at most a few dozen corners: no search tree is worth its lines.
    Points that lie in one plane have no hull; an empty solid is returned.
    """
    points = np.unique(np.round(np.asarray(points, float).reshape(-1, 3), 7), axis=0)
    if len(points) < 4:
        return Solid()
    extent = float(np.ptp(points, axis=0).max())
    tolerance = max(extent * 1e-6, 1e-7)
    faces: dict[tuple[int, ...], Floats] = {}
    n = len(points)
    first, second, third = np.array(
        [(i, j, k) for i in range(n) for j in range(i + 1, n) for k in range(j + 1, n)]
    ).T
    normals = np.cross(points[second] - points[first], points[third] - points[first])
    sizes = np.linalg.norm(normals, axis=1)
    keep = sizes > tolerance * extent
    normals = normals[keep] / sizes[keep, None]
    first = first[keep]
    offsets = np.einsum("ij,ij->i", normals, points[first])
    distance = normals @ points.T - offsets[:, None]  # (planes, points)
    below = (distance <= tolerance).all(axis=1)
    above = (distance >= -tolerance).all(axis=1)
    flat = below & above
    for row in np.flatnonzero((below | above) & ~flat):
        on_face = tuple(int(i) for i in np.flatnonzero(np.abs(distance[row]) <= tolerance))
        faces.setdefault(on_face, normals[row] if below[row] else -normals[row])
    return _from_faces(points, faces)


def _from_faces(points: Floats, faces: Mapping[tuple[int, ...], Floats]) -> Solid:
    triangles: list[tuple[int, int, int]] = []
    edges: set[tuple[int, int]] = set()
    for face, normal in faces.items():
        ring = _ring(points, face, normal)
        triangles += [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
        edges |= {(min(a, b), max(a, b)) for a, b in zip(ring, ring[1:] + ring[:1], strict=True)}
    return Solid(
        points,
        np.array(triangles, np.int32).reshape(-1, 3),
        np.array(sorted(edges), np.int32).reshape(-1, 2),
    )


def _ring(points: Floats, face: tuple[int, ...], normal: Floats) -> list[int]:
    """The corners of a convex face in order round its normal."""
    corners = points[list(face)]
    middle = corners.mean(axis=0)
    along = corners[0] - middle
    along = along / np.linalg.norm(along)
    across = np.cross(normal, along)
    angles = np.arctan2((corners - middle) @ across, (corners - middle) @ along)
    return [face[int(i)] for i in np.argsort(angles)]


def quads(corners: Floats) -> Solid:
    """Four-sided faces (k, 4, 3), each with its corners in order, as one surface."""
    corners = np.asarray(corners, float).reshape(-1, 4, 3)
    first = np.arange(len(corners), dtype=np.int32)[:, None] * 4
    triangles = np.concatenate([first + (0, 1, 2), first + (0, 2, 3)], axis=1)
    edges = np.concatenate([first + pair for pair in ((0, 1), (1, 2), (2, 3), (3, 0))], axis=1)
    return Solid(
        corners.reshape(-1, 3),
        triangles.reshape(-1, 3).astype(np.int32),
        edges.reshape(-1, 2).astype(np.int32),
    )


def blocks(centers: Floats, edge: float = 1.0) -> Floats:
    """Corners (n, 8, 3) of cubes along the world's axes, for :func:`boxes`; ``edge`` in m."""
    return np.asarray(centers, float).reshape(-1, 1, 3) + 0.5 * edge * CORNER_SIGNS[None]


def cross(place: Iterable[float], reach: float = MARK) -> Floats:
    """Three lines through a place along the world's axes, (6, 3) m."""
    arms = np.concatenate([np.eye(3), -np.eye(3)]).reshape(2, 3, 3).transpose(1, 0, 2)
    return np.asarray(tuple(place), float) + arms.reshape(6, 3) * reach
