# SPDX-License-Identifier: GPL-3.0-or-later
"""The assignment of rows to columns that gains most, for the Pythons that have no SciPy.

Blender's own is one of them. It is exact like SciPy's, and slower by a factor of ten to a hundred,
so that it is for matrices of a few dozen rows.
"""

from __future__ import annotations

import numpy as np

from ..structure import Floats
from .members import Ints


def best_assignment(value: Floats) -> tuple[Ints, Ints]:
    """Rows and columns (k,) of the one-to-one choice with the largest sum, k = min(n, m).

    ``value`` is (n, m). The Hungarian method by shortest augmenting paths (Jonker and Volgenant
    1987, *Computing* 38, 325-340): a row at a time, a step along its path in one array operation.
    """
    if value.shape[0] > value.shape[1]:
        columns, rows = best_assignment(value.T)
        order = np.argsort(rows)
        return rows[order], columns[order]
    n, m = value.shape
    price_of_row, price = np.zeros(n), np.zeros(m)
    owner = np.full(m, -1, np.intp)
    for row in range(n):
        _augment(-value, row, owner, price_of_row, price)
    columns = np.flatnonzero(owner >= 0)
    order = np.argsort(owner[columns])
    return owner[columns][order], columns[order]


def _augment(cost: Floats, row: int, owner: Ints, price_of_row: Floats, price: Floats) -> None:
    """Give ``row`` a column, moving others along the cheapest path; prices stay dual feasible."""
    m = cost.shape[1]
    least, came_from = np.full(m, np.inf), np.full(m, -1, np.intp)
    done = np.zeros(m, bool)
    way: list[tuple[int, float]] = []
    at, last, walked = row, -1, 0.0
    while True:
        way.append((at, walked))
        reduced = walked + cost[at] - price_of_row[at] - price
        better = ~done & (reduced < least)
        least[better], came_from[better] = reduced[better], last
        last = int(np.where(done, np.inf, least).argmin())
        walked = float(least[last])
        done[last] = True
        if owner[last] < 0:
            break
        at = int(owner[last])
    for known, distance in way:
        price_of_row[known] += walked - distance
    price[done] -= walked - least[done]
    while last >= 0:
        before = int(came_from[last])
        owner[last] = owner[before] if before >= 0 else row
        last = before
