# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex solids and what two of them share; what of one surface is inside another. Lengths in m."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..drawing import Floats, Ints, Solid
from ..solids import hull

#: Points of a hull beyond this are thinned to the outermost ones: planes are tried one by one.
_MOST_POINTS = 32
#: Pairs of points and triangles that are looked at together.
_AT_ONCE = 50_000
#: An edge is seen where its two faces turn by more than this, cosine (25 degrees).
_SHARP = 0.906

_GOLDEN = (1 + 5**0.5) / 2
_ICOSAHEDRON = np.array(
    [
        *([-1, _GOLDEN, 0], [1, _GOLDEN, 0], [-1, -_GOLDEN, 0], [1, -_GOLDEN, 0]),
        *([0, -1, _GOLDEN], [0, 1, _GOLDEN], [0, -1, -_GOLDEN], [0, 1, -_GOLDEN]),
        *([_GOLDEN, 0, -1], [_GOLDEN, 0, 1], [-_GOLDEN, 0, -1], [-_GOLDEN, 0, 1]),
    ]
)
_FACES = (
    *((0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11), (1, 5, 9), (5, 11, 4)),
    *((11, 10, 2), (10, 7, 6), (7, 1, 8), (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8)),
    *((3, 8, 9), (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1)),
)


def ball_solid(radius: float, splits: int = 2) -> Solid:
    """A ball round the origin as triangles, each face of an icosahedron split in four so often.

    Its corners are on the ball; it has no edges, since a ball shows none.
    """
    points = _ICOSAHEDRON / np.linalg.norm(_ICOSAHEDRON[0])
    faces = np.array(_FACES, np.int64)
    for _ in range(splits):
        corners = points[faces]  # (f, 3, 3)
        middles = (corners + np.roll(corners, -1, axis=1)) / 2
        middles /= np.linalg.norm(middles, axis=2, keepdims=True)
        a, b, c = (corners[:, k] for k in range(3))
        ab, bc, ca = (middles[:, k] for k in range(3))
        every = np.stack(
            [np.stack(t, axis=1) for t in ((a, ab, ca), (b, bc, ab), (c, ca, bc), (ab, bc, ca))],
            axis=1,
        ).reshape(-1, 3)
        points, back = np.unique(np.round(every, 9), axis=0, return_inverse=True)
        faces = back.reshape(-1, 3)
    return Solid(points * radius, faces.astype(np.int32), np.zeros((0, 2), np.int32))


def convex_solid(points: Floats, rounding: float = 0.0) -> Solid:
    """The hull of points (k, 3), grown by a radius all round; a ball where there is one point."""
    points = np.asarray(points, float).reshape(-1, 3)
    if len(points) == 1:
        ball = ball_solid(rounding)
        return Solid(ball.points + points, ball.triangles, ball.edges)
    if rounding > 0:
        points = (points[:, None] + ball_solid(rounding, 0).points[None]).reshape(-1, 3)
    return hull(thinned(points))


def thinned(points: Floats) -> Floats:
    """At most so many points of a hull as can be tried: those that are outermost."""
    if len(points) <= _MOST_POINTS:
        return points
    ways = np.concatenate((np.eye(3), -np.eye(3), ball_solid(1.0, 1).points))
    # Of several that reach equally far the first: the corners of a box before its middle.
    rows = np.unique((points @ ways.T).argmax(0))
    return points[rows[:_MOST_POINTS]] if len(rows) > _MOST_POINTS else points[rows]


def planes(solid: Solid) -> tuple[Floats, Floats]:
    """Outward unit normals (p, 3) and offsets (p,) of the faces of a convex solid, each once."""
    a, b, c = (solid.points[solid.triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1)
    keep = size > 1e-15
    normal, start = normal[keep] / size[keep, None], a[keep]
    offset = np.einsum("pi,pi->p", normal, start)
    inward = normal @ solid.points.mean(0) > offset
    normal[inward], offset[inward] = -normal[inward], -offset[inward]
    both = np.concatenate((normal, offset[:, None]), axis=1)
    once = np.unique(np.round(both, 7), axis=0, return_index=True)[1]
    return normal[once], offset[once]


def shared(first: tuple[Solid, ...], second: tuple[Solid, ...]) -> Solid:
    """What two unions of convex solids share, as triangles: of each the faces within the other."""
    corners: list[Floats] = []
    for one in first:
        for other in second:
            if _apart(one, other):
                continue
            corners += _within(one, other)
            corners += _within(other, one)
    if not corners:
        return Solid()
    points = np.concatenate(corners)
    triangles = np.arange(len(points), dtype=np.int32).reshape(-1, 3)
    return Solid(points, triangles, _outline(corners))


def _apart(one: Solid, other: Solid) -> bool:
    low, high = one.points.min(0), one.points.max(0)
    return bool(((other.points.max(0) < low) | (other.points.min(0) > high)).any())


def _within(one: Solid, other: Solid) -> list[Floats]:
    """Triangles of one convex solid cut to what is within another, (3, 3) m each."""
    normals, offsets = planes(other)
    outer = one.points @ normals.T - offsets > 1e-9  # (v, p)
    of_face = outer[one.triangles]  # (t, 3, p)
    near = np.flatnonzero(~of_face.all(1).any(1))
    # Polygons of a few corners are quicker as plain numbers than as arrays.
    corners = one.points[one.triangles[near]].tolist()
    every = np.concatenate((normals, offsets[:, None]), axis=1).tolist()
    made: list[Floats] = []
    for polygon, cuts in zip(corners, of_face[near].any(1), strict=True):
        for plane in np.flatnonzero(cuts).tolist():
            polygon = _cut(polygon, every[plane])
            if len(polygon) < 3:
                break
        made += [np.array([polygon[0], *polygon[k : k + 2]]) for k in range(1, len(polygon) - 1)]
    return made


def _cut(polygon: list[list[float]], plane: list[float]) -> list[list[float]]:
    """The part of a convex polygon below a plane (Sutherland and Hodgman, 1974)."""
    a, b, c, d = plane
    heights = [a * x + b * y + c * z - d for x, y, z in polygon]
    if max(heights) <= 0:
        return polygon
    kept: list[list[float]] = []
    for k, (point, height) in enumerate(zip(polygon, heights, strict=True)):
        after = (k + 1) % len(polygon)
        other, beyond = polygon[after], heights[after]
        if height <= 0:
            kept.append(point)
        if (height < 0) != (beyond < 0) and height != beyond:
            share = height / (height - beyond)
            kept.append([p + share * (q - p) for p, q in zip(point, other, strict=True)])
    return kept


def _outline(triangles: list[Floats]) -> Ints:
    """Edges of loose triangles where the surface turns, as indices into their corners in order."""
    flat = np.concatenate(triangles)
    points, back = np.unique(np.round(flat, 7), axis=0, return_inverse=True)
    first = np.zeros(len(points), np.int64)
    first[back.reshape(-1)] = np.arange(len(flat))
    edges = feature_edges(points, back.reshape(-1, 3))
    return first[edges].astype(np.int32)


def feature_edges(points: Floats, triangles: NDArray[np.signedinteger[Any]]) -> Ints:
    """Edges (e, 2) at which a surface turns sharply or ends."""
    if not len(triangles):
        return np.zeros((0, 2), np.int32)
    a, b, c = (points[triangles[:, k]] for k in range(3))
    normal = np.cross(b - a, c - a)
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    normal = np.divide(normal, size, out=np.zeros_like(normal), where=size > 0)
    ends = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    owner = np.tile(np.arange(len(triangles)), 3)
    ends = np.sort(ends, axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    ends, owner = ends[order], owner[order]
    same = np.zeros(len(ends), bool)
    same[:-1] = (ends[:-1] == ends[1:]).all(1)
    follows = np.zeros(len(ends), bool)
    follows[1:] = same[:-1]
    pairs = np.flatnonzero(same & ~follows)
    flat = np.einsum("ei,ei->e", normal[owner[pairs]], normal[owner[pairs + 1]]) > _SHARP
    seen = ~follows
    seen[pairs[flat]] = False
    found: Ints = ends[seen].astype(np.int32)
    return found


def inside(points: Floats, solid: Solid) -> NDArray[np.bool_]:
    """Which points (k, 3) are within a closed surface, (k,): by its winding number.

    The sum of the solid angles of its triangles (van Oosterom and Strackee, 1983).
    """
    if not len(points) or not len(solid.triangles):
        return np.zeros(len(points), bool)
    low, high = solid.points.min(0), solid.points.max(0)
    near = ((points >= low) & (points <= high)).all(1)
    found = np.zeros(len(points), bool)
    corners = solid.points[solid.triangles]
    rows = np.flatnonzero(near)
    for part in np.array_split(rows, max(1, len(rows) * len(corners) // _AT_ONCE)):
        a, b, c = (corners[None, :, k] - points[part, None] for k in range(3))
        la, lb, lc = (np.linalg.norm(v, axis=2) for v in (a, b, c))
        triple = np.einsum("pti,pti->pt", a, np.cross(b, c))
        under = la * lb * lc + np.einsum("pti,pti->pt", a, b) * lc
        under += np.einsum("pti,pti->pt", b, c) * la + np.einsum("pti,pti->pt", c, a) * lb
        found[part] = np.abs(np.arctan2(triple, under).sum(1)) > np.pi  # half of 4 pi / 2
    return found
