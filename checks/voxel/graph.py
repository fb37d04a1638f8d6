# SPDX-License-Identifier: GPL-3.0-or-later
"""Connected pieces, what can be reached, and the closed regions of a plane: array by array."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .cells import Bools, Ints

SIDES: Ints = np.array([[1, 0, 0], [-1, 0, 0], [0, 0, 1], [0, 0, -1]], dtype=np.int64)


def components(n: int, pairs: Ints) -> Ints:
    """Number of the connected piece of each of ``n`` nodes, (n,), counted from 0 in node order.

    ``pairs`` (m, 2) are the edges, in either direction.
    """
    label = np.arange(n, dtype=np.int64)
    a, b = (pairs[:, 0], pairs[:, 1]) if len(pairs) else (label[:0], label[:0])
    while True:
        la, lb = label[a], label[b]
        apart = la != lb
        if not apart.any():
            break
        a, b, la, lb = a[apart], b[apart], la[apart], lb[apart]
        # Every root takes the least root that it touches; then all point straight at roots.
        np.minimum.at(label, np.maximum(la, lb), np.minimum(la, lb))
        while True:
            shorter = label[label]
            if np.array_equal(shorter, label):
                break
            label = shorter
    return np.unique(label, return_inverse=True)[1].reshape(n).astype(np.int64)


def edges(neighbours: Ints, use: Bools | None = None) -> Ints:
    """Edges (m, 2) of a table of neighbours (n, k) with -1 for none, among the nodes of ``use``."""
    rows = np.repeat(np.arange(len(neighbours)), neighbours.shape[1])
    other = neighbours.ravel()
    keep = other >= 0
    if use is not None:
        keep &= use[rows] & use[other]
    return np.stack([rows[keep], other[keep]], axis=1)


def reach(neighbours: Ints, start: Bools, allowed: Bools) -> Bools:
    """Which nodes can be reached from ``start`` over ``allowed`` ones, (n,), along the directions
    of ``neighbours`` (n, k), -1 for none. Starts that are not allowed don't count."""
    seen = start & allowed
    front = np.flatnonzero(seen)
    while len(front):
        ahead = neighbours[front].ravel()
        ahead = ahead[ahead >= 0]
        ahead = np.unique(ahead[allowed[ahead] & ~seen[ahead]])
        seen[ahead] = True
        front = ahead
    return seen


class Regions(NamedTuple):
    """Empty cells of a plane that no way leads out of, as runs along x.

    ``total`` regions; ``region`` (r,) numbers them from 0; run ``i`` is the cells (lo..hi, z).
    """

    total: int
    region: Ints
    lo: Ints
    hi: Ints
    z: Ints

    def cells(self, region: int) -> Ints:
        """Cells (x, z) of one region, (k, 2)."""
        mine = self.region == region
        lo, length = self.lo[mine], self.hi[mine] - self.lo[mine] + 1
        step = np.arange(length.sum()) - np.repeat(np.cumsum(length) - length, length)
        return np.stack([np.repeat(lo, length) + step, np.repeat(self.z[mine], length)], axis=1)


def enclosed(occupied: Ints, corners: bool = True) -> Regions:
    """Regions of empty cells that the cells of ``occupied`` (m, 2) enclose on a plane.

    Cells are (x, z). With ``corners`` a way may lead diagonally between two occupied cells, as in
    the paper's 8-neighbour flood; without, it goes over sides alone.
    """
    none = np.zeros(0, dtype=np.int64)
    if not len(occupied):
        return Regions(0, none, none, none, none)
    lo, hi, z = _empty_runs(occupied)
    label = components(len(lo), _touching(lo, hi, z, 1 if corners else 0))
    inside = label != label[0]  # the first run is the border below the box, which is outside
    names, region = np.unique(label[inside], return_inverse=True)
    region = region.reshape(-1).astype(np.int64)
    return Regions(len(names), region, lo[inside], hi[inside], z[inside])


def _empty_runs(occupied: Ints) -> tuple[Ints, Ints, Ints]:
    """Maximal runs of empty cells, by z and x, in the box round ``occupied`` grown by one cell."""
    cells = np.unique(occupied[:, ::-1], axis=0)  # (z, x), sorted
    west, east = cells[:, 1].min() - 1, cells[:, 1].max() + 1
    rows = np.arange(cells[0, 0] - 1, cells[-1, 0] + 2)
    # A wall before and behind every row: what lies between two successive walls is a run.
    z = np.concatenate([rows, cells[:, 0], rows])
    x = np.concatenate([np.full(len(rows), west - 1), cells[:, 1], np.full(len(rows), east + 1)])
    order = np.lexsort((x, z))
    z, x = z[order], x[order]
    run = (z[1:] == z[:-1]) & (x[1:] - x[:-1] > 1)
    return x[:-1][run] + 1, x[1:][run] - 1, z[:-1][run]


def _touching(lo: Ints, hi: Ints, z: Ints, slack: int) -> Ints:
    """Pairs (m, 2) of runs in successive rows that touch, ``slack`` cells apart at most."""
    if not len(lo):
        return np.zeros((0, 2), dtype=np.int64)
    wide = int(hi.max() - lo.min()) + 4
    base = lo.min() - 2
    above = (z + 1) * wide
    first = np.searchsorted(z * wide + hi - base, above + lo - slack - base, side="left")
    last = np.searchsorted(z * wide + lo - base, above + hi + slack - base, side="right")
    count = np.maximum(last - first, 0)
    step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.stack(
        [np.repeat(np.arange(len(lo)), count), np.repeat(first, count) + step], axis=1
    ).astype(np.int64)


def nearest(a: Ints, b: Ints, chunk: int = 1 << 20) -> tuple[int, int, float]:
    """Rows of the nearest two of ``a`` (n, d) and ``b`` (m, d), and their distance."""
    best = (0, 0, np.inf)
    step = max(1, chunk // max(1, len(b)))
    for begin in range(0, len(a), step):
        apart = squares(a[begin : begin + step], b)
        at = int(apart.argmin())
        value = float(apart.flat[at])
        if value < best[2]:
            best = (begin + at // len(b), at % len(b), value)
    return best[0], best[1], float(np.sqrt(best[2]))


def squares(a: Ints, b: Ints) -> NDArray[np.float64]:
    """Squared distances between all rows of ``a`` (n, d) and ``b`` (m, d), (n, m)."""
    gap = a[:, None, :].astype(np.float64) - b[None, :, :]
    return np.einsum("ijk,ijk->ij", gap, gap)
