# SPDX-License-Identifier: GPL-3.0-or-later
"""Oriented boxes round vertices: a batch for the common eight corners, a search for odd solids.

Pure NumPy. Axes are unit *rows*; extents are full sizes along them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Corners may stray this far from an exact box, as a share of its diagonal ...
BOX_TOLERANCE = 2e-5
#: ... and of the largest coordinate, since positions are float32 (2**-24, four roundings).
FLOAT_NOISE = 4 * 2.0**-24
#: Directions closer than this count as one when candidates are gathered (sine of the angle).
SAME_DIRECTION = 1e-3
#: Candidates of the search: dominating face normals, and long edges turned about each of them.
MANY_NORMALS, MANY_EDGES = 8, 24
#: Beyond so many vertices only face normals are tried (a box stays exact, a tree stays cheap).
SEARCH_EDGES_UP_TO = 512
#: Faces of a box over corners in the order of ``CORNER_SIGNS``, outward.
BOX_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2))
#: Their outward normals in box axes.
BOX_NORMALS: Floats = np.array(
    [[-1, 0, 0], [1, 0, 0], [0, -1, 0], [0, 1, 0], [0, 0, -1], [0, 0, 1]], dtype=np.float64
)


@dataclass(frozen=True)
class Boxes:
    """``m`` fitted boxes: ``center`` (m, 3), ``axes`` (m, 3, 3) unit rows, ``size`` (m, 3).

    ``exact`` (m,) says whether the points are the corners of that box.
    """

    center: Floats
    axes: Floats
    size: Floats
    exact: NDArray[np.bool_]


def fit_corners(points: Floats, tolerance: float = 0.0) -> Boxes:
    """Boxes of which ``points`` (m, 8, 3) are the corners, in whatever order.

    ``tolerance`` is how far a corner may stray, in the unit of ``points``, beyond the noise of
    float32. Where ``exact`` is false the other values are meaningless. Points that aren't finite
    are never exact.
    """
    points = np.asarray(points, dtype=np.float64)
    m = len(points)
    center = points.mean(axis=1)
    local = points - center[:, None]
    with np.errstate(all="ignore"):
        axes = _orthonormal(_edges_of_first_corner(local))
        axes = _averaged_axes(local, axes)
        along = local @ axes.transpose(0, 2, 1)
        half = np.abs(along).mean(axis=1)
        stray = np.abs(np.abs(along) - half[:, None]).max(axis=(1, 2))
        diagonal = 2 * np.linalg.norm(half, axis=1)
        noise = BOX_TOLERANCE * diagonal + FLOAT_NOISE * np.abs(points).max(axis=(1, 2))
        corner = (along > 0) @ np.array([4, 2, 1])
        all_eight = (np.sort(corner, axis=1) == np.arange(8)).all(axis=1)
        exact = all_eight & (stray <= np.maximum(noise, tolerance)) & (half.min(axis=1) > 0)
    return Boxes(center, axes, 2 * half, exact.reshape(m))


def _edges_of_first_corner(local: Floats) -> Floats:
    """Two edges (m, 2, 3) of each box that leave its first corner, the shortest one first.

    The nearest corner is always at the end of the shortest edge; of the corners in the plane
    across that edge the nearest is at the end of the middle one.
    """
    m = len(local)
    spokes = local[:, 1:] - local[:, :1]
    distance = np.einsum("mij,mij->mi", spokes, spokes)
    rows = np.arange(m)
    short = spokes[rows, np.argmin(distance, axis=1)]
    across = np.abs(np.einsum("mij,mj->mi", spokes, short))
    in_plane = across < 0.5 * np.einsum("mj,mj->m", short, short)[:, None]
    middle = spokes[rows, np.argmin(np.where(in_plane, distance, np.inf), axis=1)]
    return np.stack([middle, short], axis=1)


def _orthonormal(two: Floats) -> Floats:
    """Right-handed unit rows (m, 3, 3): the first of ``two`` kept, the second made square to it."""
    first = two[:, 0] / np.linalg.norm(two[:, 0], axis=1, keepdims=True)
    second = two[:, 1] - np.einsum("mi,mi->m", two[:, 1], first)[:, None] * first
    second /= np.linalg.norm(second, axis=1, keepdims=True)
    return np.stack([first, second, np.cross(first, second)], axis=1)


def _averaged_axes(local: Floats, axes: Floats) -> Floats:
    """Axes from all four edges a direction, the longest first: float noise shrinks with length."""
    side = np.sign(local @ axes.transpose(0, 2, 1))
    edges = side.transpose(0, 2, 1) @ local
    length = np.linalg.norm(edges, axis=2)
    order = np.argsort(-length, axis=1, kind="stable")[:, :2]
    return _orthonormal(np.take_along_axis(edges, order[:, :, None], axis=1))


def face_vectors(vertices: Floats, corners: NDArray[np.int32], starts: NDArray[np.int32]) -> Floats:
    """Area vectors (p, 3) of polygons: along the outward normal, as long as the area.

    ``corners`` are vertex indices face by face, ``starts`` where each face begins in them.
    Exact for any planar polygon, convex or not (sum of cross products round the border).
    """
    if not len(starts):
        return np.zeros((0, 3))
    here = vertices[corners] - np.repeat(
        vertices[corners[starts]], np.diff(np.append(starts, len(corners))), axis=0
    )
    following = np.empty_like(here)
    following[:-1] = here[1:]
    following[np.append(starts[1:], len(corners)) - 1] = 0.0  # each face's first corner
    return 0.5 * np.add.reduceat(_cross(here, following), starts, axis=0)


def _cross(a: Floats, b: Floats) -> Floats:
    """``numpy.cross`` of (n, 3) without its bookkeeping, which costs more than small arrays do."""
    x, y, z = a.T
    u, v, w = b.T
    return np.stack([y * w - z * v, z * u - x * w, x * v - y * u], axis=1)


def enclosed_volume(points_on_faces: Floats, vectors: Floats, about: Floats) -> float:
    """Volume inside a closed surface (divergence theorem); of an open one as seen from ``about``.

    ``points_on_faces`` (p, 3): any point of each face; ``vectors`` (p, 3): its area vector.
    """
    return abs(float(np.einsum("pi,pi->", points_on_faces - about, vectors))) / 3.0


def fit_solid(vertices: Floats, vectors: Floats, edges: Floats) -> tuple[Floats, Floats, Floats]:
    """Smallest box found round ``vertices`` (v, 3): its centre, axes as rows, full sizes.

    Tried are the coordinate axes, the principal axes, square pairs of dominating face normals
    (``vectors``, area vectors (p, 3)), and, for up to :data:`SEARCH_EDGES_UP_TO` vertices, each
    dominating normal with each long edge (``edges`` (e, 3)) square to it. A convex solid's smallest
    box with a side flush with one of its faces is among these (rotating calipers about each
    normal), so that boxes are exact however they are cut into faces, bevelled or notched.
    """
    normals = dominating_directions(vectors, MANY_NORMALS)
    search_edges = len(vertices) <= SEARCH_EDGES_UP_TO
    longest = dominating_directions(edges, MANY_EDGES) if search_edges else np.zeros((0, 3))
    candidates = [np.eye(3)[None], _principal_axes(vertices)[None]]
    for i, normal in enumerate(normals):
        others = np.concatenate([normals[i + 1 :], longest])
        flat = others - np.outer(others @ normal, normal)
        if not search_edges:  # only pairs that are square already
            flat = flat[np.abs(others @ normal) < SAME_DIRECTION]
        flat = flat[np.linalg.norm(flat, axis=1) > 0.1]
        if len(flat):
            first = np.broadcast_to(normal, flat.shape)
            candidates.append(_orthonormal(np.stack([first, flat], axis=1)))
    axes = np.concatenate(candidates)
    along = vertices @ axes.reshape(-1, 3).T
    low, high = along.min(axis=0).reshape(-1, 3), along.max(axis=0).reshape(-1, 3)
    volume = np.prod(high - low, axis=1)
    if volume.min() <= 0.0:  # flat: then the smallest area over the smallest thickness
        volume = np.sort(high - low, axis=1)[:, 1:].prod(axis=1) + (high - low).min(axis=1)
    # The first of practically equal ones, so that noise never picks the axes.
    best = int(np.argmax(volume <= volume.min() * (1 + 1e-6)))
    center = 0.5 * (low[best] + high[best]) @ axes[best]
    return center, axes[best], high[best] - low[best]


def dominating_directions(vectors: Floats, limit: int) -> Floats:
    """Up to ``limit`` unit directions that carry most of the length of ``vectors`` (p, 3).

    Opposite vectors count as one direction; nearly parallel ones are averaged.
    """
    length = np.linalg.norm(vectors, axis=1)
    vectors, length = vectors[length > 0], length[length > 0]
    if not len(vectors):
        return np.zeros((0, 3))
    key, sign = _direction_cells(vectors / length[:, None])
    _, group = np.unique(key, return_inverse=True)
    group = group.reshape(-1)
    top = np.argsort(-np.bincount(group, length), kind="stable")[:limit]
    signed = vectors * sign[:, None]
    summed = np.stack([np.bincount(group, signed[:, k]) for k in range(3)], axis=1)[top]
    return summed / np.linalg.norm(summed, axis=1, keepdims=True)


def shares_of_directions(vectors: Floats, owner: NDArray[np.intp], owners: int) -> Floats:
    """For each of ``owners``, the share of its vectors' length that three directions carry.

    ``vectors`` (p, 3) belong to ``owner`` (p,). The faces of any box give 1, those of a sphere
    nearly 0, as does an owner without vectors.
    """
    length = np.linalg.norm(vectors, axis=1)
    some = length > 0
    length, owner = length[some], owner[some]
    cell, _ = _direction_cells(vectors[some] / length[:, None])
    key, group = np.unique(cell + owner * _CELLS, return_inverse=True)
    weight = np.bincount(group.reshape(-1), length, minlength=len(key))
    owner_of_group = key // _CELLS
    order = np.lexsort((-weight, owner_of_group))
    first = np.searchsorted(owner_of_group, np.arange(owners))
    rank = np.arange(len(key)) - first[owner_of_group[order]]
    top = order[rank < 3]
    carried = np.bincount(owner_of_group[top], weight[top], minlength=owners)
    total = np.bincount(owner, length, minlength=owners)
    return carried / np.maximum(total, 1e-300)


#: Cells along one coordinate of a unit vector, and in all.
_SIDE = 2 * round(1 / SAME_DIRECTION) + 1
_CELLS = _SIDE**3


def _direction_cells(unit: Floats) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """A number for each direction that opposite and nearly equal ones share, and its sign."""
    cells = np.rint(unit / SAME_DIRECTION).astype(np.int64)
    leading = np.take_along_axis(cells, np.argmax(cells != 0, axis=1)[:, None], axis=1)
    sign = np.where(leading < 0, -1, 1)
    cells = cells * sign + _SIDE // 2
    return (cells[:, 0] * _SIDE + cells[:, 1]) * _SIDE + cells[:, 2], sign[:, 0]


def _principal_axes(vertices: Floats) -> Floats:
    """Principal axes of the vertices as rows of a rotation."""
    spread = vertices - vertices.mean(axis=0)
    _, vectors = np.linalg.eigh(spread.T @ spread)
    axes = vectors.T[::-1].copy()
    if np.linalg.det(axes) < 0:
        axes[2] = -axes[2]
    return axes
