# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances between convex point sets, many at a time.

Apart: the algorithm of Gilbert, Johnson and Keerthi (1988), with the nearest point of a simplex to
the origin found among all of its corners, edges, faces and its inside. Within each other: the least
of the overlaps along given directions, which is exact for polytopes where the directions hold all
face normals and crosses of edges (separating axes), and an upper bound elsewhere.
"""

from __future__ import annotations

import numpy as np

from .bodies import Body, Bools, Floats, Ints

# Steps of the search; convex bodies of a few hundred points need about ten.
_STEPS = 48
# Relative progress that ends the search, and the share of the sets' extent that counts as touching.
_PROGRESS = 1e-10
_TOUCH = 1e-9
# Directions spread over the sphere for solids without few faces.
_SPREAD = 96


def separation(first: Floats, second: Floats) -> tuple[Floats, Floats, Floats, Bools]:
    """Distance between the hulls of points (b, v, 3) and (b, w, 3), row by row.

    Returns the distance (b,), the unit direction from the second to the first (b, 3), the nearest
    points' middle (b, 3), and which rows overlap or touch (b,): those have distance 0.
    """
    rows = len(first)
    near_a, near_b = np.empty((rows, 3)), np.empty((rows, 3))
    overlap = np.zeros(rows, bool)
    scale = np.ptp(first, axis=1).max(1) + np.ptp(second, axis=1).max(1)
    scale += np.abs(first[:, 0] - second[:, 0]).max(1)
    live = np.arange(rows)
    a, b = first[:, 0], second[:, 0]
    corners_a, corners_b = np.repeat(a[:, None], 4, 1), np.repeat(b[:, None], 4, 1)
    at_a, at_b = a.copy(), b.copy()
    for _ in range(_STEPS):
        v = at_a - at_b
        length2 = np.einsum("bi,bi->b", v, v)
        new_a, new_b = _farthest(first[live], -v), _farthest(second[live], v)
        gain = length2 - np.einsum("bi,bi->b", v, new_a - new_b)
        touching = length2 <= (_TOUCH * scale[live]) ** 2
        done = touching | (gain <= _PROGRESS * length2)
        near_a[live], near_b[live] = at_a, at_b
        overlap[live[touching]] = True
        go = ~done
        if not go.any():
            live = live[:0]
            break
        live = live[go]
        corners_a, corners_b = corners_a[go], corners_b[go]
        weights = _nearest(new_a[go], new_b[go], corners_a, corners_b)
        at_a = np.einsum("bk,bki->bi", weights, corners_a)
        at_b = np.einsum("bk,bki->bi", weights, corners_b)
        _keep_used(weights, corners_a, corners_b)
    apart = near_a - near_b
    distance = np.linalg.norm(apart, axis=1)
    overlap |= distance <= _TOUCH * scale
    distance[overlap] = 0.0
    unit = np.divide(
        apart, distance[:, None], out=np.zeros_like(apart), where=(distance > 0)[:, None]
    )
    return distance, unit, (near_a + near_b) / 2, overlap


def _farthest(points: Floats, direction: Floats) -> Floats:
    """The point of each row that is farthest along its direction, (b, 3)."""
    best = np.einsum("bvi,bi->bv", points, direction).argmax(1)
    return points[np.arange(len(points)), best]


# Which of four corners make up each part of a simplex that the newest corner, 0, belongs to.
_PARTS = ((0,), (0, 1), (0, 2), (0, 3), (0, 1, 2), (0, 1, 3), (0, 2, 3), (0, 1, 2, 3))


def _nearest(new_a: Floats, new_b: Floats, corners_a: Floats, corners_b: Floats) -> Floats:
    """Put a new corner in and weigh the corners so that they give the point nearest to zero.

    Changes the corners, (b, 4, 3) each: the new one comes first. Corners that were unused are
    copies of another, which no part with both can use. Weights are (b, 4).
    """
    corners_a[:, 1:], corners_b[:, 1:] = corners_a[:, :3].copy(), corners_b[:, :3].copy()
    corners_a[:, 0], corners_b[:, 0] = new_a, new_b
    simplex = corners_a - corners_b
    rows = len(simplex)
    weights = np.zeros((rows, 4))
    weights[:, 0] = 1
    best = np.einsum("bi,bi->b", simplex[:, 0], simplex[:, 0])
    for part in _PARTS[1:]:
        base = simplex[:, 0]
        sides = simplex[:, part[1:]] - base[:, None]
        gram = np.einsum("bki,bli->bkl", sides, sides)
        aim = -np.einsum("bki,bi->bk", sides, base)
        size = np.prod(np.einsum("bkk->bk", gram), axis=1)
        whole = np.linalg.det(gram) > 1e-14 * size
        gram[~whole] = np.eye(len(part) - 1)
        share = np.linalg.solve(gram, aim[..., None])[..., 0]
        inside = whole & (share > 0).all(1) & (share.sum(1) < 1)
        point = base + np.einsum("bk,bki->bi", share, sides)
        length2 = np.einsum("bi,bi->b", point, point)
        better = inside & (length2 < best)
        best[better] = length2[better]
        weights[better] = 0
        weights[np.ix_(better, part[1:])] = share[better]
        weights[better, 0] = 1 - share[better].sum(1)
    return weights


def _keep_used(weights: Floats, corners_a: Floats, corners_b: Floats) -> None:
    """Corners without weight become copies of one that has some, the last ones first."""
    order = np.argsort(weights <= 0, axis=1, kind="stable")
    rows = np.arange(len(weights))[:, None]
    count = (weights > 0).sum(1)
    chosen = np.where(np.arange(4) < count[:, None], order, order[:, :1])
    corners_a[:] = corners_a[rows, chosen]
    corners_b[:] = corners_b[rows, chosen]


def depth(first: Floats, second: Floats, directions: Floats) -> tuple[Floats, Floats, Floats]:
    """How deep hulls of (b, v, 3) and (b, w, 3) are within each other along (b, k, 3) directions.

    Returns the least way (b,), m, by which the first must be shifted to be free, its direction
    (b, 3), and the place of the deepest point of the smaller one, (b, 3). Both senses are tried.
    """
    over_a = np.einsum("bki,bvi->bkv", directions, first)
    over_b = np.einsum("bki,bvi->bkv", directions, second)
    forth = over_b.max(2) - over_a.min(2)  # shift the first along the direction
    back = over_a.max(2) - over_b.min(2)
    both = np.concatenate((forth, back), axis=1)
    best = both.argmin(1)
    rows = np.arange(len(first))
    k = best % directions.shape[1]
    unit = directions[rows, k] * np.where(best < directions.shape[1], 1.0, -1.0)[:, None]
    deep = both.min(1)
    small = np.ptp(first, axis=1).max(1) <= np.ptp(second, axis=1).max(1)
    place = np.where(small[:, None], _end(first, -unit, deep), _end(second, unit, deep))
    return deep, unit, place


def _end(points: Floats, direction: Floats, deep: Floats) -> Floats:
    """The middle of the points that are about farthest along a direction, (b, 3)."""
    along = np.einsum("bvi,bi->bv", points, direction)
    far = along >= along.max(1, keepdims=True) - 1e-6 - 0.1 * deep[:, None]
    middle: Floats = np.einsum("bv,bvi->bi", far / far.sum(1, keepdims=True), points)
    return middle


def axes(body: Body) -> tuple[Floats, Floats]:
    """Directions of a body's faces and of its sharp edges, its own axes, (k, 3) and (m, 3).

    Where it has no triangles, or too many for a few faces, directions all round and no edges.
    """
    if not len(body.triangles) or body.pieces:
        return all_round(_SPREAD), np.zeros((0, 3))
    a, b, c = (body.vertices[body.triangles[:, j]] for j in range(3))
    normals = np.cross(b - a, c - a)
    length = np.linalg.norm(normals, axis=1)
    good = length > 0
    normals = normals[good] / length[good, None]
    faces = _distinct(normals)
    if len(faces) > _SPREAD:
        return np.concatenate((faces[:: len(faces) // _SPREAD + 1], all_round(_SPREAD))), faces[:0]
    edges = _sharp(body.triangles[good], normals)
    ways = _distinct(body.vertices[edges[:, 1]] - body.vertices[edges[:, 0]])
    return faces, ways if len(ways) <= 16 else ways[:0]


def _sharp(triangles: Ints, normals: Floats) -> Ints:
    """Edges at which the surface bends or ends, (e, 2)."""
    sides = np.sort(np.concatenate([triangles[:, [j, (j + 1) % 3]] for j in range(3)]), axis=1)
    facing = np.concatenate([normals] * 3)
    edges, which, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    total = np.zeros((len(edges), 3))
    np.add.at(total, which.reshape(-1), facing)
    flat = (count == 2) & (np.linalg.norm(total, axis=1) > 2 - 1e-6)
    sharp: Ints = edges[~flat]
    return sharp


def _distinct(ways: Floats) -> Floats:
    """Unit vectors of which no two are parallel, (k, 3)."""
    length = np.linalg.norm(ways, axis=1, keepdims=True)
    ways = ways[length[:, 0] > 0] / length[length[:, 0] > 0]
    if not len(ways):
        return np.zeros((0, 3))
    lead = np.abs(ways).argmax(1)
    ways = ways * np.sign(ways[np.arange(len(ways)), lead])[:, None]
    _, kept = np.unique(np.round(ways, 6), axis=0, return_index=True)
    distinct: Floats = ways[np.sort(kept)]
    return distinct


def all_round(count: int) -> Floats:
    """Directions spread over the sphere on a spiral of golden angles, (count, 3)."""
    k = np.arange(count) + 0.5
    z = 1 - 2 * k / count
    turn = np.pi * (1 + np.sqrt(5)) * k
    flat = np.sqrt(1 - z * z)
    return np.stack((flat * np.cos(turn), flat * np.sin(turn), z), axis=1)
