# SPDX-License-Identifier: GPL-3.0-or-later
"""Which boxes come near which: candidate pairs in about ``n log n``, in NumPy alone.

A balanced tree of bounding boxes is made by splitting the members at the median of their longest
side, all nodes of a level at once, and then walked against itself level by level, again with one
array operation a level. A kilometre-long member widens only its own chain of nodes, so it costs
one walk over the tree and no more; a grid would be filled by it, and a sweep along one axis would
compare it, and every plate along the house, with everybody.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]

# Most members in a leaf: fewer means more levels, more means more useless tests.
_LEAF = 2
# Node or member pairs worked on at once: bounds the memory of crowded scenes.
_CHUNK = 1 << 20
# Pairs that a caller can reasonably hold: 5 million are what 3,100 members at one place give; a
# house of 20,000 members has 120,000.
MAX_PAIRS = 5_000_000


class CrowdedError(ValueError):
    """More boxes lie on top of each other than their pairs can be listed for."""


@dataclass(frozen=True)
class _Tree:
    """Boxes in tree order: node ``k`` of a level is ``order[starts[k]:starts[k + 1]]``,
    and ``bounds`` of a level the boxes round its nodes, (2, 3, nodes)."""

    order: Ints
    starts: tuple[Ints, ...]
    bounds: tuple[Floats, ...]


def aabb_pairs(
    lo: ArrayLike, hi: ArrayLike, margin: float = 0.0, limit: int = MAX_PAIRS
) -> tuple[Ints, Ints]:
    """Pairs of boxes whose gap is at most ``margin`` on all three axes.

    Parameters
    ----------
    lo, hi
        Lowest and highest corners, (n, 3), m.
    margin
        Largest gap along each axis that still counts, m; 0 asks for boxes that touch or overlap.
    limit
        Most pairs to list.

    Returns
    -------
    i, j
        Indices with ``i < j``, sorted by ``i``, then ``j``; each pair once.

    Raises
    ------
    CrowdedError
        If there are more than ``limit`` pairs.
    """
    boxes = _boxes(lo, hi)
    tree = _build(boxes)
    first, second = _collect(_walk(tree, tree, boxes, boxes, margin), limit)
    return _sorted(np.minimum(first, second), np.maximum(first, second), boxes.shape[2])


def aabb_pairs_between(
    lo_a: ArrayLike,
    hi_a: ArrayLike,
    lo_b: ArrayLike,
    hi_b: ArrayLike,
    margin: float = 0.0,
    limit: int = MAX_PAIRS,
) -> tuple[Ints, Ints]:
    """Pairs (one box of set a, one of set b) whose gap is at most ``margin`` on all axes.

    Returns indices into a and into b, sorted by a, then b. Raises :class:`CrowdedError` as
    :func:`aabb_pairs` does.
    """
    a, b = _boxes(lo_a, hi_a), _boxes(lo_b, hi_b)
    first, second = _collect(_walk(_build(a), _build(b), a, b, margin), limit)
    return _sorted(first, second, b.shape[2])


def components(n: int, i: ArrayLike, j: ArrayLike) -> Ints:
    """Connected components of ``n`` nodes joined by edges (i, j): the lowest member of each, (n,).

    Hooking and pointer jumping: every round hangs each root under the lowest root it meets and
    then halves all paths, so the number of rounds grows with the logarithm of ``n`` even along a
    chain; each round is a few array operations.
    """
    root = np.arange(n, dtype=np.intp)
    first, second = np.asarray(i, dtype=np.intp), np.asarray(j, dtype=np.intp)
    while len(first):
        a, b = root[first], root[second]
        apart = a != b
        first, second, a, b = first[apart], second[apart], a[apart], b[apart]
        np.minimum.at(root, np.maximum(a, b), np.minimum(a, b))
        while True:
            jumped = root[root]
            if np.array_equal(jumped, root):
                break
            root = jumped
    return root


def _boxes(lo: ArrayLike, hi: ArrayLike) -> Floats:
    """Boxes as (2, 3, n): axes apart, so that each can be read, and rejected, by itself."""
    corners = [np.asarray(c, dtype=np.float64).reshape(-1, 3).T for c in (lo, hi)]
    return np.ascontiguousarray(corners)


def _build(boxes: Floats) -> _Tree:
    """Balanced tree of ``n`` boxes; every node of a level is split in one sort."""
    lo, hi = boxes
    n = lo.shape[1]
    order = np.arange(n, dtype=np.intp)
    depth = max(0, int(np.ceil(np.log2(n / _LEAF)))) if n else 0
    starts = tuple((np.arange(2**level + 1) * n) // 2**level for level in range(depth + 1))
    # Place and size alike: members of one direction share nodes, and so nodes stay slim.
    traits = np.concatenate([lo + hi, hi - lo]).T
    for level in range(depth):
        heads, sizes = starts[level][:-1], np.diff(starts[level])
        here = traits[order]
        least = np.minimum.reduceat(here, heads)
        spread = np.maximum.reduceat(here, heads) - least
        axis = np.argmax(spread, axis=1)
        nodes = np.arange(len(heads))
        node = np.repeat(nodes, sizes)
        width = np.where(spread[nodes, axis] > 0, spread[nodes, axis], 1.0)
        # Node number plus place within the node, scaled below one: one sort orders all nodes.
        place = (here[np.arange(n), axis[node]] - least[node, axis[node]]) / width[node]
        order = order[np.argsort(node + 0.5 * place, kind="stable")]
    bounds = []
    if n:
        inside = boxes[:, :, order]
        low = np.minimum.reduceat(inside[0], starts[depth][:-1], axis=1)
        high = np.maximum.reduceat(inside[1], starts[depth][:-1], axis=1)
        bounds.append(np.stack([low, high]))
        for _ in range(depth):
            low = np.minimum(low[:, 0::2], low[:, 1::2])
            high = np.maximum(high[:, 0::2], high[:, 1::2])
            bounds.append(np.stack([low, high]))
    return _Tree(order, starts, tuple(bounds[::-1]))


def _walk(
    a: _Tree, b: _Tree, boxes_a: Floats, boxes_b: Floats, margin: float
) -> Iterator[tuple[Ints, Ints]]:
    """Yield close pairs in batches; a tree walked against itself gives each pair once."""
    if not len(a.order) or not len(b.order):
        return
    root = np.zeros(1, dtype=np.intp)
    stack = [(0, 0, root, root)]
    while stack:
        la, lb, na, nb = stack.pop()
        if len(na) > _CHUNK:
            half = len(na) // 2
            stack += [(la, lb, na[:half], nb[:half]), (la, lb, na[half:], nb[half:])]
            continue
        na, nb = _near(a.bounds[la], na, b.bounds[lb], nb, margin)
        if not len(na):
            continue
        split_a, split_b = la + 1 < len(a.bounds), lb + 1 < len(b.bounds)
        if split_a or split_b:
            stack.append(_children(la, lb, na, nb, split_a, split_b, a is b))
        else:
            yield from _members(a, b, na, nb, boxes_a, boxes_b, margin)


def _children(
    la: int, lb: int, na: Ints, nb: Ints, split_a: bool, split_b: bool, twin: bool
) -> tuple[int, int, Ints, Ints]:
    """Pairs of children of the node pairs (na, nb); a tree already at its leaves stays there."""
    if split_a:
        na, nb = np.concatenate([2 * na, 2 * na + 1]), np.concatenate([nb, nb])
        la += 1
    if split_b:
        na, nb = np.concatenate([na, na]), np.concatenate([2 * nb, 2 * nb + 1])
        lb += 1
    if twin:
        once = na <= nb
        na, nb = na[once], nb[once]
    return la, lb, na, nb


def _members(
    a: _Tree, b: _Tree, na: Ints, nb: Ints, boxes_a: Floats, boxes_b: Floats, margin: float
) -> Iterator[tuple[Ints, Ints]]:
    """Close pairs among the members of pairs of leaves, in batches of bounded size."""
    head_a, head_b = a.starts[-1][na], b.starts[-1][nb]
    size_a, size_b = a.starts[-1][na + 1] - head_a, b.starts[-1][nb + 1] - head_b
    count = size_a * size_b
    step = max(1, _CHUNK // int(count.max()))
    for at in range(0, len(na), step):
        part = slice(at, at + step)
        pair = np.repeat(np.arange(len(na))[part], count[part])
        rank = np.arange(len(pair)) - np.repeat(np.cumsum(count[part]) - count[part], count[part])
        ahead, aside = np.divmod(rank, size_b[pair])
        i = a.order[head_a[pair] + ahead]
        j = b.order[head_b[pair] + aside]
        if a is b:
            # Within one leaf every pair comes up twice; between two leaves once, either way round.
            once = (na[pair] != nb[pair]) | (i < j)
            i, j = i[once], j[once]
        yield _near(boxes_a, i, boxes_b, j, margin)


def _near(a: Floats, i: Ints, b: Floats, j: Ints, margin: float) -> tuple[Ints, Ints]:
    """The pairs of (i, j) whose gap is at most ``margin``, sieved axis by axis."""
    for axis in range(3):
        apart = np.maximum(
            a[0, axis].take(i) - b[1, axis].take(j), b[0, axis].take(j) - a[1, axis].take(i)
        )
        keep = apart <= margin
        i, j = i[keep], j[keep]
    return i, j


def _collect(walk: Iterator[tuple[Ints, Ints]], limit: int) -> tuple[Ints, Ints]:
    """All batches in one pair of arrays, as long as there are no more than ``limit`` pairs."""
    first: list[Ints] = []
    second: list[Ints] = []
    total = 0
    for i, j in walk:
        total += len(i)
        if total > limit:
            raise CrowdedError(
                f"more than {limit} pairs of members lie within reach of each other; "
                "remove the duplicates that lie at the same place"
            )
        first.append(i)
        second.append(j)
    if not first:
        return np.zeros(0, dtype=np.intp), np.zeros(0, dtype=np.intp)
    return np.concatenate(first), np.concatenate(second)


def _sorted(first: Ints, second: Ints, n: int) -> tuple[Ints, Ints]:
    order = np.argsort(first * max(n, 1) + second, kind="stable")
    return first[order], second[order]
