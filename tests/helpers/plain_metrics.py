# SPDX-License-Identifier: GPL-3.0-or-later
"""The topological metrics in plain loops and dense matrices, to compare ours with."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

# Blender's own Python has none: the tests that compare with it are left out there.
linear_sum_assignment = pytest.importorskip("scipy.optimize").linear_sum_assignment

CAP, VOXEL, DEPTH = 0.3, 0.1, 1e-4


def dense_match(target, candidate, cap=CAP):
    """Pairs counted and the least sum of capped distances, of counted members; role by role."""
    pairs, total = 0, 0.0
    for role in {*target.roles, *candidate.roles}:
        a = target.center[[r == role for r in target.roles]]
        b = candidate.center[[r == role for r in candidate.roles]]
        away = np.linalg.norm(a[:, None] - b[None], axis=2)
        cost = np.minimum(away, cap)
        i, j = linear_sum_assignment(cost)
        pairs += int((away[i, j] <= cap).sum())
        total += float(cost[i, j].sum()) + cap * abs(len(a) - len(b))
    return pairs, total


def every_choice(a, b, cap=CAP):
    """(least sum of capped distances, most pairs that reach it) over all assignments; few points.

    Distances are compared to a micrometre.
    """
    if len(a) > len(b):
        a, b = b, a
    away = np.linalg.norm(a[:, None] - b[None], axis=2)
    options = []
    for chosen in itertools.permutations(range(len(b)), len(a)):
        found = away[np.arange(len(a)), list(chosen)]
        near = int((found <= cap + 1e-6).sum())
        options.append((round(float(np.minimum(found, cap).sum()), 5), -near))
    cost, near = min(options)
    return cost + cap * (len(b) - len(a)), -near


def plain_occupied(members, origin):
    """Cells that the members reach into, a cell and a member at a time, by projected corners."""
    found = set()
    structure = members.structure
    for corners, axes in zip(structure.corners - origin, structure.axes, strict=True):
        first = np.floor(corners.min(axis=0) / VOXEL).astype(int) - 1
        last = np.floor(corners.max(axis=0) / VOXEL).astype(int) + 1
        lines = [*np.eye(3), *axes, *(np.cross(e, a) for e in np.eye(3) for a in axes)]
        lines = [line / np.linalg.norm(line) for line in lines if np.linalg.norm(line) > 1e-9]
        ranges = (range(low, high + 1) for low, high in zip(first, last, strict=True))
        for cell in itertools.product(*ranges):
            if cell not in found and _meets(np.array(cell) * VOXEL, corners, lines):
                found.add(cell)
    return found


def _meets(low, corners, lines):
    cube = low + VOXEL * np.array(list(itertools.product((0, 1), repeat=3)))
    for line in lines:
        one, other = cube @ line, corners @ line
        if min(one.max() - other.min(), other.max() - one.min()) <= DEPTH:
            return False
    return True


def dense_occupancy(target, candidate):
    origin = target.structure.aabb[0].min(axis=0)
    a, b = plain_occupied(target, origin), plain_occupied(candidate, origin)
    return len(a & b) / len(a | b)
