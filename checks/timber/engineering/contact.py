# SPDX-License-Identifier: GPL-3.0-or-later
"""Which members touch, how far apart or how deep, and over which patch.

Boxes are compared by separating axes (Gottschalk 1996): fifteen directions a pair, all pairs at
once. Where two parallel faces meet, the patch they share is measured along both members.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..broadphase import aabb_pairs
from ..polygons import clip
from ..structure import Floats
from . import table
from .frame import Frame

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Candidate pairs come this close, m: nothing farther apart is fastened or cut to fit.
REACH = table.FASTENED + 0.005

# Cosine of the steepest member that is cut plumb (70 degrees; an A-frame stands at 60).
_STEEPEST_CUT = 0.34

_NEXT = np.array([1, 2, 0])
_LAST = np.array([2, 0, 1])


@dataclass(frozen=True)
class Pairs:
    """``p`` pairs of members that come near each other, ``i < j``.

    Attributes
    ----------
    i, j
        Member indices, (p,).
    turn
        Axes of j in the frame of i: ``turn[:, k, l] = axis_k(i) . axis_l(j)``, (p, 3, 3).
    apart
        Centre of j from centre of i, world, (p, 3), m.
    gap
        Largest separation over the fifteen axes, (p,), m; negative is the depth of overlap.
    face
        Which face axis separates most: 0 to 2 of i, 3 to 5 of j, (p,).
    face_gap
        Separation along that face axis, (p,), m.
    patch
        Whether two parallel faces meet across that axis within the fastening distance, bool (p,).
    normal
        Unit normal of the patch from i to j, (p, 3).
    span_i, span_j
        Where the patch lies along the axes of i and j, (p, 2), m from their centres.
    spot
        Middle of the patch (of the overlapping boxes where there is none), (p, 3), m.
    """

    i: Ints
    j: Ints
    turn: Floats
    apart: Floats
    gap: Floats
    face: Ints
    face_gap: Floats
    patch: Bools
    normal: Floats
    span_i: Floats
    span_j: Floats
    spot: Floats

    def __len__(self) -> int:
        return len(self.i)

    @property
    def connected(self) -> Bools:
        """Pairs in contact, overlapping or fastened, bool (p,)."""
        return self.gap <= table.FASTENED + table.SLACK


def find_pairs(frame: Frame) -> Pairs:
    """All near pairs of a frame with their separations and contact patches.

    Raises ``CrowdedError`` where there are more than any frame has (:data:`table.MOST_PAIRS`).
    """
    limit = max(table.MOST_PAIRS, table.MOST_PAIRS_A_MEMBER * len(frame))
    i, j = aabb_pairs(*_reach(frame), REACH, limit)
    axes_i, axes_j = frame.axes[i], frame.axes[j]
    half_i, half_j = frame.half[i], frame.half[j]
    turn = axes_i @ axes_j.transpose(0, 2, 1)
    # Float noise would make axis-aligned boxes look askew and cost them the exact short cuts.
    turn = np.where(np.abs(turn) < 1e-7, 0.0, turn)
    apart = frame.center[j] - frame.center[i]
    separation = _face_separations(axes_i, axes_j, half_i, half_j, turn, apart)
    face = separation.argmax(axis=1)
    face_gap = separation[np.arange(len(i)), face] if len(i) else np.zeros(0)
    gap = np.maximum(face_gap, _edge_separation(axes_i, half_i, half_j, turn, apart))

    face, face_gap = _prefer_standing(frame, i, j, separation, face, face_gap)

    near = (gap <= REACH) | frame.sloped[i] | frame.sloped[j]
    i, j, turn, apart = i[near], j[near], turn[near], apart[near]
    face, face_gap, gap = face[near], face_gap[near], gap[near]
    return Pairs(
        i, j, turn, apart, gap, face, face_gap, *_patches(frame, i, j, turn, apart, face, face_gap)
    )


def _prefer_standing(
    frame: Frame, i: Ints, j: Ints, separation: Floats, face: Ints, face_gap: Floats
) -> tuple[Ints, Floats]:
    """Overlapping members that stand on each other meet at the level face, however deep.

    A joist drawn 60 mm into a sill still stands on it: that it overlaps is for ``clash`` to tell.
    Holds while the top of the lower one stays below the middle of the upper one.
    """
    rows = np.flatnonzero((face_gap < -table.CONTACT) & ~frame.sloped[i] & ~frame.sloped[j])
    rise = np.abs(np.concatenate([frame.axes[i[rows], :, 2], frame.axes[j[rows], :, 2]], axis=1))
    level = np.where(rise >= table.PARALLEL, separation[rows], -np.inf)
    best = level.argmax(axis=1) if len(rows) else np.zeros(0, np.intp)
    depth = -level[np.arange(len(rows)), best]
    lo, hi = frame.structure.aabb
    upper = np.where(frame.center[i[rows], 2] >= frame.center[j[rows], 2], i[rows], j[rows])
    stands = depth <= 0.5 * (hi[upper, 2] - lo[upper, 2])
    face, face_gap = face.copy(), face_gap.copy()
    face[rows[stands]] = best[stands]
    face_gap[rows[stands]] = -depth[stands]
    return face, face_gap


def _reach(frame: Frame) -> tuple[Floats, Floats]:
    """Axis-aligned bounds, two (n, 3), m, of members grown by what their ends may be short of.

    A steep rafter that is cut plumb may be modelled square and so stop well short of the ridge:
    the first edge to meet it can be twice the cut's half extent behind the last.
    """
    rise = np.abs(frame.along[:, 2])
    tangent = rise / np.sqrt(np.maximum(1.0 - rise**2, _STEEPEST_CUT**2))
    grown = frame.half.copy()
    askew = 2.0 * (frame.half[:, 1] * tangent + frame.half[:, 2])
    grown[:, 0] += table.END_SHORT + np.where(frame.sloped, askew, 0.0)
    extent = np.einsum("nij,ni->nj", np.abs(frame.axes), grown)
    return frame.center - extent, frame.center + extent


def _face_separations(
    axes_i: Floats, axes_j: Floats, half_i: Floats, half_j: Floats, turn: Floats, apart: Floats
) -> Floats:
    """Separations along the six face normals, (p, 6), m."""
    size = np.abs(turn)
    along_i = np.abs(np.einsum("pkd,pd->pk", axes_i, apart))
    along_j = np.abs(np.einsum("pkd,pd->pk", axes_j, apart))
    of_i = along_i - half_i - np.einsum("pkl,pl->pk", size, half_j)
    of_j = along_j - half_j - np.einsum("pkl,pk->pl", size, half_i)
    return np.concatenate([of_i, of_j], axis=1)


def _edge_separation(
    axes_i: Floats, half_i: Floats, half_j: Floats, turn: Floats, apart: Floats
) -> Floats:
    """Largest separation along the nine edge cross products, (p,), m; -inf for parallel boxes."""
    best = np.full(len(apart), -np.inf)
    askew = np.flatnonzero((np.abs(turn).max(axis=2) < 1.0 - 1e-6).any(axis=1))
    if len(askew) == 0:
        return best
    c = turn[askew]
    t = np.einsum("pkd,pd->pk", axes_i[askew], apart[askew])
    hi, hj = half_i[askew], half_j[askew]
    size = np.abs(c)
    for k in range(3):
        k1, k2 = _NEXT[k], _LAST[k]
        for m in range(3):
            m1, m2 = _NEXT[m], _LAST[m]
            norm = np.sqrt(np.maximum(1.0 - c[:, k, m] ** 2, 0.0))
            distance = np.abs(t[:, k2] * c[:, k1, m] - t[:, k1] * c[:, k2, m])
            reach = (
                hi[:, k1] * size[:, k2, m]
                + hi[:, k2] * size[:, k1, m]
                + hj[:, m1] * size[:, k, m2]
                + hj[:, m2] * size[:, k, m1]
            )
            usable = norm > 1e-3
            value = (distance - reach) / np.where(usable, norm, 1.0)
            best[askew] = np.maximum(best[askew], np.where(usable, value, -np.inf))
    return best


def _patches(
    frame: Frame, i: Ints, j: Ints, turn: Floats, apart: Floats, face: Ints, face_gap: Floats
) -> tuple[Bools, Floats, Floats, Floats, Floats]:
    """Patch fields of :class:`Pairs`, in its order from ``patch`` on; only close pairs have one."""
    p = len(i)
    lo, hi = frame.structure.aabb
    spot = 0.5 * (np.maximum(lo[i], lo[j]) + np.minimum(hi[i], hi[j]))
    close = np.flatnonzero(face_gap <= table.FASTENED + table.SLACK)
    found = _close_patches(
        frame, i[close], j[close], turn[close], apart[close], face[close], face_gap[close]
    )
    blank = (
        np.zeros(p, dtype=bool), np.zeros((p, 3)), np.zeros((p, 2)), np.zeros((p, 2)),
        spot,
    )  # fmt: skip
    for whole, part in zip(blank, found, strict=True):
        if whole is spot:
            part = np.where(found[0][:, None], part, spot[close])
        whole[close] = part
    return blank


def _close_patches(
    frame: Frame, i: Ints, j: Ints, turn: Floats, apart: Floats, face: Ints, face_gap: Floats
) -> tuple[Bools, Floats, Floats, Floats, Floats]:
    """Patches of pairs whose faces are within the fastening distance."""
    p = len(i)
    rows = np.arange(p)
    of_i = face < 3
    axis = np.where(of_i, face, face - 3)
    owner, other = np.where(of_i, i, j), np.where(of_i, j, i)
    owner_axes, other_axes = frame.axes[owner], frame.axes[other]
    turn_owner = np.where(of_i[:, None, None], turn, turn.transpose(0, 2, 1))
    facing = np.abs(turn_owner[rows, axis]).argmax(axis=1) if p else np.zeros(0, np.intp)
    parallel = np.abs(turn_owner[rows, axis, facing]) >= table.PARALLEL if p else np.zeros(0, bool)

    to_other = np.where(of_i[:, None], apart, -apart)
    normal = owner_axes[rows, axis]
    sign = np.where(np.einsum("pd,pd->p", normal, to_other) < 0, -1.0, 1.0)
    normal = sign[:, None] * normal

    # The other member's face as four corners in the plane coordinates (a, b) of the owner's face.
    a, b = _NEXT[axis], _LAST[axis]
    basis = np.stack([owner_axes[rows, a], owner_axes[rows, b]], axis=1)
    middle = np.einsum("pkd,pd->pk", basis, to_other)
    f, g = _NEXT[facing], _LAST[facing]
    side_f = np.einsum("pkd,pd->pk", basis, other_axes[rows, f]) * frame.half[other, f][:, None]
    side_g = np.einsum("pkd,pd->pk", basis, other_axes[rows, g]) * frame.half[other, g][:, None]
    corners = np.stack(
        [
            middle - side_f - side_g,
            middle + side_f - side_g,
            middle + side_f + side_g,
            middle - side_f + side_g,
        ],
        axis=1,
    )
    half = np.stack([frame.half[owner, a], frame.half[owner, b]], axis=1)
    points, count = clip_to_rectangle(corners, half)
    low, high = points.min(axis=1), points.max(axis=1)
    thick = ((high - low).min(axis=1) >= table.PATCH_MIN) & (count >= 3)
    patch = parallel & thick & (face_gap <= table.FASTENED + table.SLACK)

    # Back in the world, relative to the centre of i, on the owner's face.
    lifted = (frame.half[owner, axis] + 0.5 * np.maximum(face_gap, 0.0))[:, None] * normal
    from_i = np.where(of_i[:, None], lifted, lifted + apart)
    span_i = _span(points, basis, from_i, frame.axes[i, 0])
    span_j = _span(points, basis, from_i - apart, frame.axes[j, 0])
    middle = np.einsum("pk,pkd->pd", 0.5 * (low + high), basis)
    spot = frame.center[i] + from_i + middle
    outward = np.where(of_i[:, None], normal, -normal)
    return patch, outward, span_i, span_j, spot


def clip_to_rectangle(corners: Floats, half: Floats) -> tuple[Floats, Ints]:
    """Convex quadrilaterals (p, 4, 2) cut to rectangles of half sizes (p, 2) round the origin.

    Quadrilaterals with sides along the axes, nearly all in a framed house, are cut by taking
    bounds; only the rest is clipped edge by edge. Unused places repeat a point of the polygon, so
    that bounds over all of them are bounds of the polygon.
    """
    p = len(corners)
    count = np.full(p, 4, dtype=np.intp)
    points = np.zeros((p, 8, 2))
    if p == 0:
        return points, count
    side = np.abs(corners[:, 1] - corners[:, 0])
    scale = np.maximum(side.max(axis=1), 1e-12)
    straight = side.min(axis=1) < 1e-6 * scale
    low = np.maximum(corners.min(axis=1), -half)
    high = np.minimum(corners.max(axis=1), half)
    points[:, 0] = low
    points[:, 1, 0], points[:, 1, 1] = high[:, 0], low[:, 1]
    points[:, 2:] = high[:, None]
    points[:, 3, 0], points[:, 3, 1] = low[:, 0], high[:, 1]
    count[(low >= high).any(axis=1)] = 0

    slanted = np.flatnonzero(~straight)
    if len(slanted):
        cut, n = corners[slanted], np.full(len(slanted), 4, dtype=np.intp)
        for axis in (0, 1):
            for sign in (1.0, -1.0):
                normal = np.zeros((len(slanted), 2))
                normal[:, axis] = sign
                cut, n = clip(cut, n, normal, half[slanted, axis])
        cut = cut[:, :8]
        spare = np.arange(cut.shape[1]) >= n[:, None]
        cut = np.where(spare[:, :, None], cut[:, :1], cut)
        points[slanted] = cut[:, :1]
        points[slanted, : cut.shape[1]] = cut
        count[slanted] = n
    return points, count


def _span(points: Floats, basis: Floats, origin: Floats, along: Floats) -> Floats:
    """Bounds along unit vectors (p, 3) of plane points (p, k, 2) over an origin (p, 3), (p, 2)."""
    in_plane = np.einsum("pkd,pd->pk", basis, along)
    t = np.einsum("pck,pk->pc", points, in_plane)
    shift = np.einsum("pd,pd->p", origin, along)
    return np.stack([t.min(axis=1) + shift, t.max(axis=1) + shift], axis=1)
