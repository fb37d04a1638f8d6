# SPDX-License-Identifier: GPL-3.0-or-later
"""The match rate M: which member stands for which, one to one, within each role.

The published metric assigns all members of a role at once, which is a dense matrix: 400 studs
against 400 studs. Since a pair further apart than the cap costs the same as no pair, only pairs
within the cap matter, and members that no chain of such pairs connects don't compete. So the pairs
are found by a tree of boxes, fall into connected components, and each component is solved by
itself: the same minimum, almost always from matrices of a few rows.

SciPy is imported here alone, and only when members compete. Where it isn't there, as in Blender's
own Python, small components are solved by :mod:`.assignment`, just as exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..broadphase import CrowdedError, aabb_pairs_between, components
from ..structure import Floats
from .assignment import best_assignment
from .members import Counted, Ints, role_codes

#: Centres that are further apart than this are no pair, m (specification, section 6).
CAP = 0.3
# A pair at exactly the cap counts whatever the last digit of a float32 is, m. It also prefers, of
# assignments that cost the same to this accuracy, the one with more pairs, so that M is one number.
_SLACK = 1e-6
# From so many cells of a component's matrix on, a sparse solver is faster, if fewer of them than
# this share are possible pairs (measured: four times as fast for 1,000 in a chain); beyond the last
# the matrix is too large to be written out.
_LARGE, _FULL, _HUGE = 100_000, 0.1, 10_000_000
# Cells that can be waited for without SciPy: 200 by 200 take 0.4 s.
_PLAIN = 40_000


class MatchingUnknown(RuntimeError):
    """No matching can be made here; the message is one sentence with the remedy."""


@dataclass(frozen=True)
class Pairs:
    """``k`` pairs (target member, candidate member) by index, and how far apart their centres are.

    ``distance`` is in m.
    """

    target: Ints
    candidate: Ints
    distance: Floats

    def __len__(self) -> int:
        return len(self.target)

    def only(self, keep: Any) -> Pairs:
        """Those of ``keep`` (mask or indices)."""
        return Pairs(self.target[keep], self.candidate[keep], self.distance[keep])


def match(target: Counted, candidate: Counted, cap: float = CAP) -> Pairs:
    """The one-to-one matching within role that minimises the sum of capped centre distances.

    Only pairs within ``cap`` m are in it. Of equally good ones it has the most pairs. Raises
    :class:`MatchingUnknown` for heaps of thousands of members at one place, and without SciPy for
    hundreds in reach of each other.
    """
    return assign(near_pairs(target, candidate, cap), cap)


def match_rate(pairs: Pairs, target: Counted, candidate: Counted) -> float | None:
    """M, 0 to 1: pairs divided by the larger number of members; ``None`` for an empty target."""
    return len(pairs) / max(len(target), len(candidate)) if len(target) else None


def near_pairs(target: Counted, candidate: Counted, cap: float = CAP) -> Pairs:
    """Every pair of the same role whose centres are within ``cap`` m of each other."""
    a, b = target.center, candidate.center
    ours, theirs, _ = role_codes(target, candidate)
    try:
        i, j = aabb_pairs_between(a, a, b, b, cap + _SLACK)
    except CrowdedError as error:
        raise MatchingUnknown(str(error)) from None
    same = ours[i] == theirs[j]
    i, j = i[same], j[same]
    distance = np.linalg.norm(a[i] - b[j], axis=1)
    return Pairs(i, j, distance).only(distance <= cap + _SLACK)


def assign(pairs: Pairs, cap: float = CAP) -> Pairs:
    """The best one-to-one choice among possible pairs; raises :class:`MatchingUnknown`."""
    gain = cap + 2 * _SLACK - pairs.distance
    taken = np.zeros(len(pairs), bool)
    for rows in _contested(pairs, gain, taken):
        taken[_chosen(pairs.target[rows], pairs.candidate[rows], gain[rows], rows)] = True
    return pairs.only(taken)


def _chosen(target: Ints, candidate: Ints, gain: Floats, rows: Ints) -> Ints:
    """Of the possible pairs of one component those that gain most together."""
    a, i = np.unique(target, return_inverse=True)
    b, j = np.unique(candidate, return_inverse=True)
    cells = len(a) * len(b)
    solver = _solver(cells)
    if cells > _LARGE and (len(rows) < _FULL * cells or cells > _HUGE):
        return rows[_sparse(i, j, gain, (len(a), len(b)))]
    value = np.zeros((len(a), len(b)))
    number = np.full(value.shape, -1, np.intp)
    value[i, j], number[i, j] = gain, rows
    chosen = number[solver(value)]
    return chosen[chosen >= 0]


def _solver(cells: int) -> Callable[[Floats], tuple[Ints, Ints]]:
    """SciPy's, or ours where it isn't there and the matrix is small."""
    try:
        from scipy.optimize import linear_sum_assignment
    except ImportError:
        if cells <= _PLAIN:
            return best_assignment
        raise MatchingUnknown(
            "so many members in reach of each other can't be matched without SciPy; "
            "`plumbline doctor` says how to get it"
        ) from None
    return lambda value: linear_sum_assignment(value, maximize=True)


def _sparse(i: Ints, j: Ints, gain: Floats, shape: tuple[int, int]) -> Ints:
    """The same for a long chain: every target member may also stay alone, for no gain."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.csgraph import min_weight_full_bipartite_matching

    n, m = shape
    alone = np.arange(n)
    cost = 1.0 - np.concatenate([gain / (2.0 * gain.max()), np.zeros(n)])
    where = np.concatenate([i, alone]), np.concatenate([j, m + alone])
    of, to = min_weight_full_bipartite_matching(coo_matrix((cost, where), (n, m + n)).tocsr())
    key = i * (n + m) + j
    return np.flatnonzero(np.isin(key, of.astype(np.intp) * (n + m) + to))


def _contested(pairs: Pairs, gain: Floats, taken: Any) -> Iterator[Ints]:
    """Take what nobody else wants; give the rest, component by component, as rows of ``pairs``."""
    if not len(pairs):
        return
    n = int(pairs.target.max()) + 1
    other = pairs.candidate + n
    root = components(n + int(pairs.candidate.max()) + 1, pairs.target, other)[pairs.target]
    # A member that is the only one of its side in a component takes its best partner.
    wanted = np.bincount(pairs.target)[pairs.target]
    there = np.bincount(pairs.candidate)[pairs.candidate]
    size = np.bincount(root)[root]
    star = (wanted == size) | (there == size)
    rows = np.flatnonzero(star)
    best = rows[np.lexsort((rows, -gain[rows], root[rows]))]
    taken[best[np.unique(root[best], return_index=True)[1]]] = True
    rest = np.flatnonzero(~star)
    if not len(rest):
        return
    rest = rest[np.argsort(root[rest], kind="stable")]
    yield from np.split(rest, np.flatnonzero(np.diff(root[rest])) + 1)
