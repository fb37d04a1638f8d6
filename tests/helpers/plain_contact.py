# SPDX-License-Identifier: GPL-3.0-or-later
"""Gaps between all pairs of oriented boxes in plain Python: the yardstick for ``engineering``.

It does less than the profile (no cuts, no load path, no findings) and serves twice: tests compare
its gaps with the product's, benchmarks run it in the same session.
"""

from __future__ import annotations

import math


def dot(a, b):
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a, b):
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


def separation(one, other):
    """Largest separation over the fifteen axes of two boxes (centre, axes, half), m."""
    (ca, aa, ha), (cb, ab, hb) = one, other
    apart = tuple(y - x for x, y in zip(ca, cb, strict=True))
    candidates = [*aa, *ab]
    for u in aa:
        for v in ab:
            axis = cross(u, v)
            size = math.sqrt(dot(axis, axis))
            if size > 1e-3:
                candidates.append(tuple(x / size for x in axis))
    best = -math.inf
    for axis in candidates:
        reach = sum(h * abs(dot(u, axis)) for u, h in zip(aa, ha, strict=True))
        reach += sum(h * abs(dot(u, axis)) for u, h in zip(ab, hb, strict=True))
        best = max(best, abs(dot(apart, axis)) - reach)
    return best


def connected_pairs(structure, reach=0.021):
    """{(i, j): gap} of all pairs within ``reach`` m, by comparing everybody with everybody."""
    boxes = list(
        zip(
            structure.center.tolist(), structure.axes.tolist(), structure.half.tolist(), strict=True
        )
    )
    bounds = []
    for center, axes, half in boxes:
        extent = [sum(abs(axes[k][a]) * half[k] for k in range(3)) for a in range(3)]
        low = [center[a] - extent[a] for a in range(3)]
        bounds.append((low, [center[a] + extent[a] for a in range(3)]))
    found = {}
    for i in range(len(boxes)):
        low_i, high_i = bounds[i]
        for j in range(i + 1, len(boxes)):
            low_j, high_j = bounds[j]
            if all(
                low_i[a] - reach <= high_j[a] and low_j[a] - reach <= high_i[a] for a in range(3)
            ):
                gap = separation(boxes[i], boxes[j])
                if gap <= reach:
                    found[i, j] = gap
    return found
