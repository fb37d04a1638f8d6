# SPDX-License-Identifier: GPL-3.0-or-later
"""What a triangle mesh is the surface of: closed or open, convex, flat, a ball. No ``bpy`` here."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

# Share of the extent that counts as nothing.
_NOTHING = 1e-5
# Vertices times triangles that are compared outright; of more, so many triangles are.
_PRODUCT = 20_000_000
_SAMPLES = 400
# A ball of 16 segments, the coarsest that is taken for one, stays within 4 % of its radius.
_SAGITTA = 0.05
_FEWEST_OF_BALL = 12


@dataclass(frozen=True, eq=False)
class Surface:
    """Vertices (v, 3) and triangles (t, 3), and what they enclose.

    ``radius`` is that of the ball about the origin that all vertices lie on, else 0.
    """

    vertices: Floats
    triangles: Ints
    closed: bool
    convex: bool
    radius: float = 0.0


def surface(vertices: Floats, triangles: Ints) -> Surface:
    """What a mesh is, in whatever axes its vertices are; a convex solid's triangles go outwards."""
    whole = _each_edge_twice(triangles)
    convex = is_convex(vertices, triangles, whole)
    closed = is_closed(triangles)
    if convex and whole:
        triangles, closed = _outwards(vertices, triangles), True
    radius = ball_radius(vertices, triangles, closed)
    return Surface(vertices, triangles, closed, convex, radius)


def _edges(triangles: Ints) -> Ints:
    return np.concatenate((triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]))


def is_closed(triangles: Ints) -> bool:
    """Whether every edge has one triangle to either side, going round it in opposite ways."""
    if not len(triangles):
        return False
    ends, count = _edges(triangles), int(triangles.max()) + 1
    there = np.sort(ends[:, 0] * count + ends[:, 1])
    back = np.sort(ends[:, 1] * count + ends[:, 0])
    return bool((there == back).all() and (np.diff(there) > 0).all())


def _each_edge_twice(triangles: Ints) -> bool:
    """Whether every edge has two triangles, whichever way they go round."""
    if not len(triangles):
        return False
    ends = np.sort(_edges(triangles), axis=1)
    _, count = np.unique(ends[:, 0] * (int(triangles.max()) + 1) + ends[:, 1], return_counts=True)
    return bool((count == 2).all())


def _outwards(vertices: Floats, triangles: Ints) -> Ints:
    """Triangles of a convex solid, all going round it anticlockwise as seen from outside."""
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    away = corners.mean(1) - vertices[np.unique(triangles)].mean(0)
    wrong = np.einsum("ti,ti->t", normals, away) < 0
    return np.where(wrong[:, None], triangles[:, ::-1], triangles)


def is_convex(vertices: Floats, triangles: Ints, closed: bool) -> bool:
    """Whether the hull of the vertices is the solid: closed, or flat and without notches."""
    if not len(triangles):
        return False
    used = vertices[np.unique(triangles)]
    extent = float(np.ptp(used, axis=0).max(initial=0.0))
    if extent == 0 or not np.isfinite(used).all():
        return False
    corners = vertices[triangles]
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    area = np.linalg.norm(normals, axis=1)
    whole = area > (1e-7 * extent) ** 2
    if not whole.any():
        return False
    normals, corners, area = (a[whole] for a in (normals, corners, area))
    unit = normals / area[:, None]
    across = used @ unit[int(area.argmax())]
    if np.ptp(across) <= _NOTHING * extent:
        return _is_flat_hull(used, unit[int(area.argmax())], float(area.sum()) / 2)
    if not closed:
        return False
    away = np.einsum("ti,ti->t", corners.mean(1) - used.mean(0), unit)
    unit = np.where(away < 0, -1.0, 1.0)[:, None] * unit
    return _none_outside(used, corners[:, 0], unit, _NOTHING * extent)


def _none_outside(points: Floats, places: Floats, normals: Floats, slack: float) -> bool:
    """Whether all points are behind all planes. Of very many planes, some are looked at."""
    heights = np.einsum("ti,ti->t", places, normals)
    # Many triangles share a plane: of each one is enough.
    rounded = np.round(np.column_stack((normals, heights / (slack / _NOTHING))), 5)
    _, one = np.unique(rounded, axis=0, return_index=True)
    if len(points) * len(one) > _PRODUCT:
        one = one[np.linspace(0, len(one) - 1, _SAMPLES).astype(int)]
    for start in range(0, len(one), 256):
        at = one[start : start + 256]
        if (points @ normals[at].T - heights[at] > slack).any():
            return False
    return True


def _is_flat_hull(points: Floats, normal: Floats, area: float) -> bool:
    """Whether a flat surface has the area of the hull of its points, seen along its normal."""
    first = np.eye(3)[np.abs(normal).argmin()]
    first = np.cross(normal, first)
    first /= np.linalg.norm(first)
    flat = np.column_stack((points @ first, points @ np.cross(normal, first)))
    outline = hull_of(flat)
    x, y = outline.T
    whole = abs(float((x * np.roll(y, -1) - y * np.roll(x, -1)).sum())) / 2
    return abs(area - whole) <= 1e-4 * whole


def hull_of(points: Floats) -> Floats:
    """Corners of the hull of points (k, 2) in a plane, anticlockwise (Andrew 1979)."""
    order = points[np.lexsort((points[:, 1], points[:, 0]))].tolist()

    def half(row: list[list[float]]) -> list[list[float]]:
        made: list[list[float]] = []
        for p in row:
            while len(made) > 1 and _turn(made[-2], made[-1], p) <= 0:
                made.pop()
            made.append(p)
        return made[:-1]

    return np.array(half(order) + half(order[::-1]) or order[:1])


def _turn(a: list[float], b: list[float], c: list[float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def ball_radius(vertices: Floats, triangles: Ints, closed: bool) -> float:
    """Radius of the ball about the origin that a closed surface is a net of; 0 if it is none."""
    if not closed or len(vertices) < _FEWEST_OF_BALL:
        return 0.0
    far = np.linalg.norm(vertices, axis=1)
    radius = float(far.max())
    if radius == 0 or float(far.min()) < radius * (1 - 1e-4):
        return 0.0
    middle = np.linalg.norm(vertices[triangles].mean(1), axis=1)
    return radius if float(middle.min()) >= radius * (1 - _SAGITTA) else 0.0
