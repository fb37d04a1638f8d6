# SPDX-License-Identifier: GPL-3.0-or-later
"""Signed distances of points to a triangle mesh: nearest places by a BVH, inside by pseudonormals.

The sign is that of the angle-weighted pseudonormal at the nearest place (Baerentzen and Aanaes,
2005), which is right for every closed surface that doesn't cross itself. A mesh of several closed
shells is the union of them, so that legs may reach into a table top; a shell that is turned inside
out is a hollow of the others. An open surface has no inside: its distances are never negative.
"""

from __future__ import annotations

import numpy as np
from mathutils.bvhtree import BVHTree

from ...checks.reconstruction.bodies import Bools, Floats, Ints

# Barycentric coordinate below which a place is on an edge or a corner of its triangle. The trees
# keep single precision.
_ON_EDGE = 1e-4
# Share of the extent by which a point may be before a plane of a convex shell, and planes of one.
_FLAT = 1e-5
_PLANES = 400
_NOWHERE = (float("nan"),) * 3


class Solid:
    """A surface of ``points`` (v, 3) m and ``triangles`` (t, 3) in axes of its own.

    ``convex`` is whether it is made of convex shells only.
    """

    def __init__(self, points: Floats, triangles: Ints, closed: bool) -> None:
        self._shells = [_Shell(points, part, closed) for part in _shells(points, triangles, closed)]
        self.convex = all(shell.planes is not None for shell in self._shells)

    def bound(self, points: Floats) -> Floats:
        """No more than the signed distance of points (k, 3), (k,); exact inside convex shells."""
        return np.min([shell.bound(points) for shell in self._shells], axis=0)

    def signed(self, points: Floats, reach: float) -> tuple[Floats, Floats, Floats]:
        """Signed distance (k,), the nearest place and the normal there (k, 3), of points (k, 3).

        Of what is farther than ``reach`` the distance is infinite and the rest NaN.
        """
        distance = np.full(len(points), np.inf)
        place, normal = np.full((2, len(points), 3), np.nan)
        for shell in self._shells:
            todo = np.flatnonzero(shell.bound(points) <= np.minimum(distance, reach))
            if not len(todo):
                continue
            found, at, out = shell.signed(points[todo])
            better = (found < distance[todo]) & (found <= reach)
            rows = todo[better]
            distance[rows], place[rows], normal[rows] = found[better], at[better], out[better]
        return distance, place, normal


class _Shell:
    """One surface of which all triangles hang together, or several that aren't told apart.

    ``planes`` are normals and heights of the faces of a convex one, (p, 3) and (p,), else ``None``.
    """

    def __init__(self, points: Floats, triangles: Ints, closed: bool) -> None:
        used, corners = np.unique(triangles, return_inverse=True)
        self._triangles = corners.reshape(-1, 3)
        self._middle = points[used].mean(0)  # keeps single precision near zero
        self._points = points[used] - self._middle
        self._closed = closed
        self._low, self._high = self._points.min(0), self._points.max(0)
        self._tree: BVHTree | None = None
        self._faces, self._edges, self._corners = _pseudonormals(self._points, self._triangles)
        self.planes = _planes(self._points, self._triangles, self._faces) if closed else None

    def bound(self, points: Floats) -> Floats:
        """As :meth:`Solid.bound`: distance to the planes of a convex shell, else to its box."""
        local = points - self._middle
        if self.planes is not None:
            normals, heights = self.planes
            deep: Floats = (local @ normals.T - heights).max(1)
            return deep
        off = np.maximum(np.maximum(self._low - local, local - self._high), 0)
        length: Floats = np.sqrt(np.einsum("ki,ki->k", off, off))
        return length

    def signed(self, points: Floats) -> tuple[Floats, Floats, Floats]:
        """As :meth:`Solid.signed`, however far."""
        local = points - self._middle
        distance = np.empty(len(local))
        place, normal = np.empty((2, len(local), 3))
        rest = np.arange(len(local))
        if self.planes is not None:
            normals, heights = self.planes
            deep = local @ normals.T - heights
            face = deep.argmax(1)
            inside = deep.max(1) < 0
            distance, normal = deep[rest, face], normals[face]
            place = local - distance[:, None] * normal
            rest = np.flatnonzero(~inside)
        if len(rest):
            distance[rest], place[rest], normal[rest] = self._found(local[rest])
        return distance, place + self._middle, normal

    def _found(self, local: Floats) -> tuple[Floats, Floats, Floats]:
        """The same by the tree."""
        if self._tree is None:
            self._tree = BVHTree.FromPolygons(
                self._points.tolist(), self._triangles.tolist(), all_triangles=True
            )
        find = self._tree.find_nearest
        # What is farther than single precision reaches has no nearest place.
        rows = [(*(at or _NOWHERE), index or 0) for at, _, index, _ in map(find, local.tolist())]
        told = np.array(rows, np.float64).reshape(-1, 4)
        place, face = told[:, :3], told[:, 3].astype(np.int64)
        away = local - place
        distance = np.sqrt(np.einsum("ki,ki->k", away, away))
        if self.planes is not None:  # what is not behind all planes is outside
            return distance, place, self._faces[face]
        normal = self._normals(place, face)
        if self._closed:
            distance[np.einsum("ki,ki->k", away, normal) < 0] *= -1
        return distance, place, normal

    def _normals(self, places: Floats, faces: Ints) -> Floats:
        """Unit pseudonormals at places on the surface, (k, 3)."""
        corners = self._points[self._triangles[faces]]
        share = _barycentric(places, corners)
        on = share < _ON_EDGE  # opposite to this corner
        count = on.sum(1)
        rows = np.arange(len(faces))
        normal = np.where((count == 0)[:, None], self._faces[faces], 0.0)
        edge, corner = count == 1, count > 1
        # Edge k of a triangle is opposite to corner k.
        normal[edge] = self._edges[faces, on.argmax(1)][edge]
        normal[corner] = self._corners[self._triangles[faces, share.argmax(1)][corner]]
        flat = ~np.isfinite(share).all(1)  # a triangle without area
        nearest = np.linalg.norm(corners - places[:, None], axis=2).argmin(1)
        normal[flat] = self._corners[self._triangles[faces, nearest][flat]]
        length = np.linalg.norm(normal, axis=1)
        unit: Floats = normal / np.where(length > 0, length, 1)[rows, None]
        return unit


def _planes(points: Floats, triangles: Ints, normals: Floats) -> tuple[Floats, Floats] | None:
    """Normals (p, 3) and heights (p,) of the faces' planes, if no point is before any of them."""
    heights = np.einsum("ti,ti->t", points[triangles[:, 0]], normals)
    slack = _FLAT * float(np.ptp(points, axis=0).max())
    whole = np.linalg.norm(normals, axis=1) > 0.5  # triangles that have an area
    rows = np.column_stack((normals, heights / max(slack / _FLAT, 1e-300)))[whole]
    _, one = np.unique(np.round(rows, 6), axis=0, return_index=True)
    normals, heights = normals[whole][one], heights[whole][one]
    if len(heights) > _PLANES or not len(heights):
        return None
    convex = (points @ normals.T - heights).max() <= slack
    return (normals, heights) if convex else None


def _barycentric(places: Floats, corners: Floats) -> Floats:
    """Shares of the three corners (k, 3, 3) that make up places in their planes, (k, 3)."""
    side1, side2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    across = _cross(side1, side2)
    area2 = np.einsum("ki,ki->k", across, across)
    away = places - corners[:, 0]
    with np.errstate(invalid="ignore", divide="ignore"):
        second = np.einsum("ki,ki->k", _cross(away, side2), across) / area2
        third = np.einsum("ki,ki->k", _cross(side1, away), across) / area2
    return np.stack((1 - second - third, second, third), axis=1)


def _cross(a: Floats, b: Floats) -> Floats:
    """Cross products of rows, (k, 3); NumPy's own takes several times as long."""
    ax, ay, az = a.T
    bx, by, bz = b.T
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=1)


def _pseudonormals(points: Floats, triangles: Ints) -> tuple[Floats, Floats, Floats]:
    """Normals of faces (t, 3), of the edge opposite to each corner (t, 3, 3), of corners (v, 3)."""
    corners = points[triangles]
    across = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    length = np.linalg.norm(across, axis=1, keepdims=True)
    faces = across / np.where(length > 0, length, 1)
    ahead = np.roll(corners, -1, axis=1) - corners
    ahead /= np.maximum(np.linalg.norm(ahead, axis=2, keepdims=True), 1e-300)
    behind = -np.roll(ahead, 1, axis=1)
    angle = np.arccos(np.clip(np.einsum("tki,tki->tk", ahead, behind), -1, 1))
    at_corners = np.zeros((len(points), 3))
    np.add.at(at_corners, triangles, angle[..., None] * faces[:, None])
    ends = np.sort(np.stack((np.roll(triangles, -1, 1), np.roll(triangles, -2, 1)), 2), axis=2)
    key = (ends[..., 0] * len(points) + ends[..., 1]).ravel()
    _, which = np.unique(key, return_inverse=True)
    sums = np.zeros((int(which.max()) + 1, 3))
    np.add.at(sums, which.reshape(-1), np.repeat(faces, 3, axis=0))
    return faces, sums[which.reshape(-1)].reshape(-1, 3, 3), at_corners


def _shells(points: Floats, triangles: Ints, closed: bool) -> list[Ints]:
    """The triangles of each shell, turned so that normals go outwards."""
    if not closed:
        return [triangles]
    part = _parts(triangles, len(points))
    corners = points[triangles] - points[triangles[:, :1]].mean(0)
    volumes = np.einsum("ti,ti->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    sums = np.bincount(part, volumes)
    if sums.sum() < 0:
        triangles, sums = triangles[:, ::-1], -sums
    if (sums < 0).any():
        return [triangles]
    return [triangles[part == k] for k in range(len(sums))]


def _parts(triangles: Ints, count: int) -> Ints:
    """Which of the parts that hang together each triangle belongs to, (t,), from 0 on."""
    label = np.arange(count)
    while True:
        least = label[triangles].min(1)
        new = label.copy()
        np.minimum.at(new, triangles, least[:, None])
        new = new[new]
        if (new == label).all():
            break
        label = new
    _, part = np.unique(label[triangles[:, 0]], return_inverse=True)
    return part.reshape(-1).astype(np.int64)


def spread(points: Floats, triangles: Ints, spacing: float) -> tuple[Ints, Floats]:
    """Places all over a surface: corners (s, 3) of triangles and shares of them (s, 3).

    Every vertex is one; larger triangles have more, ``spacing`` apart, m.
    """
    used = np.unique(triangles)
    rows = [np.repeat(used[:, None], 3, axis=1)]
    shares = [np.tile([1.0, 0.0, 0.0], (len(used), 1))]
    corners = points[triangles]
    longest = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(1)
    parts = np.ceil(longest / spacing).astype(int)
    for n in np.unique(parts[parts > 1]):
        a, b = np.meshgrid(np.arange(n + 1), np.arange(n + 1), indexing="ij")
        inside = (a + b <= n) & ~_at_corner(a, b, int(n))
        share = np.stack((n - a - b, a, b), axis=-1)[inside] / n
        those = triangles[parts == n]
        rows.append(np.repeat(those, len(share), axis=0))
        shares.append(np.tile(share, (len(those), 1)))
    return np.concatenate(rows), np.concatenate(shares)


def _at_corner(a: Ints, b: Ints, n: int) -> Bools:
    corner: Bools = ((a == 0) & (b == 0)) | ((a == n) & (b == 0)) | ((a == 0) & (b == n))
    return corner
