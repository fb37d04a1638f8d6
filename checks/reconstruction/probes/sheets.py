# SPDX-License-Identifier: GPL-3.0-or-later
"""Surfaces that deform: stretched edges, held vertices, and triangles that cross each other."""

from __future__ import annotations

import numpy as np

from ...result import Finding
from ..bodies import Body, Floats, Ints
from ..limits import Limits
from ..motion import rotations
from ..trajectory import Trajectory
from ..words import lengths
from .common import fault


def stretches(trajectory: Trajectory, k: int) -> Floats:
    """The largest relative change of an edge against its rest length, (f,), longer or shorter.

    Rest lengths are the declared ones or those of the first frame. A cloth may fold but hardly
    shorten; shortening is told by :func:`extremes`.
    """
    long, _ = extremes(trajectory, k)
    return long


def extremes(trajectory: Trajectory, k: int) -> tuple[Floats, Floats]:
    """The largest lengthening and shortening of an edge, shares, two of (f,)."""
    body = trajectory.bodies[k]
    mesh = trajectory.meshes[body.name]
    edge = np.linalg.norm(mesh[:, body.edges[:, 1]] - mesh[:, body.edges[:, 0]], axis=2)
    rest = edge[0] if body.rest_lengths is None else body.rest_lengths
    usable = rest > 0
    ratio = edge[:, usable] / rest[usable] - 1
    return ratio.max(1, initial=0.0), -ratio.min(1, initial=0.0)


def stretched(
    trajectory: Trajectory, check: str, k: int, limit: float
) -> tuple[float, list[Finding]]:
    """The largest stretch of a body's edges and its fault."""
    share = stretches(trajectory, k)
    row = int(share.argmax())
    worst = float(share[row])
    if worst <= limit:
        return worst, []
    body = trajectory.bodies[k]
    told = fault(
        *(trajectory, check, k, row),
        f"{body.name} is stretched by {worst:.0%} at frame {trajectory.frames[row]}; "
        f"{limit:.0%} is allowed: give it more quality steps, or make it stiffer",
        measured=worst,
        limit=limit,
        unit="1",
        at=trajectory.meshes[body.name][row].mean(0),
    )
    return worst, [told]


def unpinned(
    trajectory: Trajectory, check: str, k: int, limits: Limits
) -> tuple[float, list[Finding]]:
    """How far held vertices go from where the body's own pose holds them, and the fault."""
    body = trajectory.bodies[k]
    if not len(body.pinned):
        return 0.0, []
    mesh = trajectory.meshes[body.name][:, body.pinned]
    turned = rotations(trajectory)[:, k]
    local = np.einsum("fji,fvj->fvi", turned, mesh - trajectory.position[:, k, None])
    off = np.linalg.norm(local - local[:1], axis=2)
    row, vertex = np.unravel_index(int(off.argmax()), off.shape)
    worst, limit = float(off[row, vertex]), limits.drift * body.size
    if worst <= limit:
        return worst, []
    far, most = lengths(worst, limit)
    told = fault(
        *(trajectory, check, k, int(row)),
        f"{body.name} comes loose: a held vertex is {far} from its place at frame "
        f"{trajectory.frames[row]}; {most} is allowed",
        measured=worst,
        limit=limit,
        unit="m",
        at=mesh[row, vertex],
    )
    return worst, [told]


def neighbours(body: Body) -> set[tuple[int, int]]:
    """Pairs of triangles within a two-face neighbourhood: a corner shared, or with a common one.

    Of two triangles that share no corner, those count that a third one touches both of.
    """
    owners: dict[int, list[int]] = {}
    for t, corners in enumerate(body.triangles.tolist()):
        for v in corners:
            owners.setdefault(v, []).append(t)
    beside: list[set[int]] = [set() for _ in body.triangles]
    for shared in owners.values():
        for t in shared:
            beside[t].update(shared)
    pairs: set[tuple[int, int]] = set()
    for t, ones in enumerate(beside):
        near: set[int] = set().union(*(beside[u] for u in ones))
        pairs.update((t, u) for u in near if t < u)
    return pairs


def crossings(points: Floats, triangles: Ints, near: Ints) -> Ints:
    """Pairs of triangles that cross each other, (m, 2), but for those whose keys are in ``near``.

    ``points`` (v, 3); a key is t * (number of triangles) + u with t < u. Two triangles cross where
    an edge of one goes through the other.
    """
    corners = points[triangles]
    low, high = corners.min(1), corners.max(1)
    order = np.argsort(low[:, 0], kind="stable")
    reach = np.searchsorted(low[order, 0], high[order, 0], side="right")
    count = reach - np.arange(len(order)) - 1
    first = np.repeat(np.arange(len(order)), count)
    offset = np.arange(len(first)) - np.repeat(np.cumsum(count) - count, count)
    t, u = order[first], order[first + 1 + offset]
    meets = ((low[t, 1:] <= high[u, 1:]) & (low[u, 1:] <= high[t, 1:])).all(1)
    t, u = np.minimum(t[meets], u[meets]), np.maximum(t[meets], u[meets])
    far = ~np.isin(t * len(triangles) + u, near)
    t, u = t[far], u[far]
    if not len(t):
        return np.zeros((0, 2), np.int64)
    hit = np.zeros(len(t), bool)
    for a, b in ((t, u), (u, t)):
        for k in range(3):
            hit |= _pierces(corners[a, k], corners[a, (k + 1) % 3], corners[b])
    return np.stack((t[hit], u[hit]), axis=1)


def _pierces(start: Floats, end: Floats, triangle: Floats) -> Floats:
    """Whether a segment goes through a triangle, row by row (Möller and Trumbore, 1997)."""
    side1, side2 = triangle[:, 1] - triangle[:, 0], triangle[:, 2] - triangle[:, 0]
    ray = end - start
    cross = np.cross(ray, side2)
    turn = np.einsum("bi,bi->b", side1, cross)
    good = np.abs(turn) > 1e-14
    scale = np.divide(1.0, turn, out=np.zeros_like(turn), where=good)
    away = start - triangle[:, 0]
    u = np.einsum("bi,bi->b", away, cross) * scale
    over = np.cross(away, side1)
    v = np.einsum("bi,bi->b", ray, over) * scale
    at = np.einsum("bi,bi->b", side2, over) * scale
    inside: Floats = good & (u >= 0) & (v >= 0) & (u + v <= 1) & (at >= 0) & (at <= 1)
    return inside
