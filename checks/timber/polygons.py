# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex clipping for thousands of polygons and solids at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .structure import Floats

Ints = NDArray[np.intp]

# Planes closer than this with the same normal are one face, m; far below any tolerance of use.
_SAME_PLANE = 1e-9


def clip(points: Floats, count: Ints, normal: Floats, offset: Floats) -> tuple[Floats, Ints]:
    """Cut each convex polygon to the half space ``normal . x <= offset`` (Sutherland-Hodgman).

    ``points`` (p, k, d) with the first ``count`` (p,) of each row valid, in order; ``normal``
    (p, d), ``offset`` (p,). Returns points (p, k', d) and counts, k' just large enough.
    """
    p, k, d = points.shape
    if p == 0 or k == 0:
        return points, count
    signed = np.einsum("pkd,pd->pk", points, normal) - offset[:, None]
    column = np.arange(k)
    valid = column < count[:, None]
    inside = (signed <= 0.0) & valid
    following = np.where(column + 1 >= count[:, None], 0, column + 1)
    next_signed = np.take_along_axis(signed, following, axis=1)
    next_inside = np.take_along_axis(inside, following, axis=1)
    crossing = valid & (inside != next_inside)
    with np.errstate(invalid="ignore", divide="ignore"):
        share = np.where(crossing, signed / (signed - next_signed), 0.0)
    next_points = np.take_along_axis(points, following[:, :, None], axis=1)
    cut = points + share[:, :, None] * (next_points - points)

    emitted = np.stack([points, cut], axis=2).reshape(p, 2 * k, d)
    keep = np.stack([inside, crossing], axis=2).reshape(p, 2 * k)
    new_count = keep.sum(axis=1)
    width = max(int(new_count.max(initial=0)), 1)
    order = np.argsort(~keep, axis=1, kind="stable")[:, :width]
    return np.take_along_axis(emitted, order[:, :, None], axis=1), new_count


def areas(points: Floats, count: Ints) -> Floats:
    """Areas of planar convex polygons in space, (p,), m2; ``points`` (p, k, 3)."""
    p, k, _ = points.shape
    if p == 0 or k < 3:
        return np.zeros(p)
    spokes = points[:, 1:] - points[:, :1]
    wedge = np.cross(spokes[:, :-1], spokes[:, 1:])
    used = (np.arange(2, k) < count[:, None])[:, :, None]
    return 0.5 * np.linalg.norm(np.where(used, wedge, 0.0).sum(axis=1), axis=1)


def box_planes(center: Floats, axes: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Outward unit normals (p, 6, 3) and offsets (p, 6) of boxes, +axis faces then -axis faces."""
    normals = np.concatenate([axes, -axes], axis=1)
    middle = np.einsum("pid,pd->pi", axes, center)
    return normals, np.concatenate([middle + half, half - middle], axis=1)


def intersect_half_spaces(
    normals: Floats, offsets: Floats, around: Floats, reach: Floats
) -> tuple[Floats, Floats, Floats]:
    """Bounded intersections of half spaces ``normal . x <= offset``, many at once.

    Parameters
    ----------
    normals, offsets
        (p, m, 3) unit vectors and (p, m), m; unused planes have zero normals and offset 1.
    around, reach
        (p, 3) and (p,): the solid lies within ``reach`` m of ``around``.

    Returns
    -------
    volume (p,), m3; faces (p * m, k, 3) padded with NaN, row ``i * m + j`` being face j of solid i;
    width (p, m): extent of the solid along each normal, m (0 where the solid is empty).

    Each face starts as a square in its plane and is cut by all other planes; the volume is a third
    of the sum of face area times distance (divergence theorem).
    """
    p, m, _ = normals.shape
    used = np.abs(normals).sum(axis=2) > 0.5
    helper = np.where(np.abs(normals[:, :, :1]) < 0.6, [1.0, 0.0, 0.0], [0.0, 1.0, 0.0])
    first = np.cross(normals, helper)
    first /= np.maximum(np.linalg.norm(first, axis=2, keepdims=True), 1e-300)
    second = np.cross(normals, first)
    height = offsets - np.einsum("pmd,pd->pm", normals, around)
    middle = around[:, None] + height[:, :, None] * normals
    size = 2.0 * reach[:, None, None]
    square = np.stack(
        [
            middle + size * (first + second),
            middle + size * (second - first),
            middle - size * (first + second),
            middle + size * (first - second),
        ],
        axis=2,
    ).reshape(p * m, 4, 3)
    count = np.where(used & (np.abs(height) <= 2.0 * reach[:, None]), 4, 0).reshape(-1)
    face = np.tile(np.arange(m), p)
    points = square
    for other in range(m):
        n = np.repeat(normals[:, other], m, axis=0)
        d = np.repeat(offsets[:, other], m)
        own_n = normals.reshape(p * m, 3)
        same = (np.einsum("qd,qd->q", own_n, n) > 1.0 - 1e-12) & (
            np.abs(offsets.reshape(-1) - d) < _SAME_PLANE
        )
        # Of coincident planes only the first owns the face, or it would be counted twice.
        count = np.where(same & (other < face), 0, count)
        skip = same | (face == other) | ~np.repeat(used[:, other], m)
        n = np.where(skip[:, None], 0.0, n)
        d = np.where(skip, 1.0, d)
        points, count = clip(points, count, n, d)
    area = areas(points, count).reshape(p, m)
    volume = np.maximum((area * height).sum(axis=1) / 3.0, 0.0)
    gone = np.arange(points.shape[1]) >= count[:, None]
    faces = np.where(gone[:, :, None], np.nan, points)
    corners = faces.reshape(p, m * points.shape[1], 3)
    along = np.einsum("pcd,pmd->pcm", np.nan_to_num(corners), normals)
    missing = np.isnan(corners[:, :, :1])
    high = np.where(missing, -np.inf, along).max(axis=1, initial=-np.inf)
    low = np.where(missing, np.inf, along).min(axis=1, initial=np.inf)
    width = np.where(np.isfinite(high) & np.isfinite(low), high - low, 0.0)
    return volume, faces, width
