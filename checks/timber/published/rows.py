# SPDX-License-Identifier: GPL-3.0-or-later
"""Rows of parallel members: who stands beside whom, and how far apart."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..broadphase import Floats, Ints, components
from .scene import Bools
from .table import Constants

# Members of another row that may lie between two neighbours in the order of the search.
_FARTHEST = 512


@dataclass(frozen=True)
class Rows:
    """Neighbours among ``k`` members.

    Attributes
    ----------
    after
        Index (among the k) of the next member beside each one, -1 where there is none, (k,).
    spacing
        Distance to it on centre, m, 0 where there is none, (k,).
    group
        Lowest member of the row that each belongs to, (k,).
    """

    after: Ints
    spacing: Floats
    group: Ints

    @property
    def bays(self) -> Ints:
        """Members that have a next one."""
        return np.flatnonzero(self.after >= 0)

    def sizes(self) -> Ints:
        """How many members the row of each one has, (k,)."""
        return np.bincount(self.group, minlength=len(self.group))[self.group]

    def median(self) -> Floats:
        """Median spacing of the row of each member, m, 0 for members that are alone, (k,)."""
        bays = self.bays
        middle = np.zeros(len(self.group))
        if len(bays):
            row, gap = self.group[bays], self.spacing[bays]
            order = np.lexsort((gap, row))
            row, gap = row[order], gap[order]
            head = np.flatnonzero(np.diff(row, prepend=-1))
            count = np.diff(np.append(head, len(row)))
            middle[row[head]] = (gap[head + (count - 1) // 2] + gap[head + count // 2]) / 2.0
        return middle[self.group]


def lying(axes: Floats, center: Floats, half: Floats, constants: Constants) -> Rows:
    """Rows of level or sloped members: side by side in one plane (joists, rafters).

    ``axes`` (k, 3, 3) rows along, deep, wide; ``center`` (k, 3) and ``half`` (k, 3) in m.
    """
    along = axes[:, 0]
    across = np.stack([-along[:, 1], along[:, 0], np.zeros(len(along))], axis=1)
    size = np.linalg.norm(across, axis=1, keepdims=True)
    # A member that stands on end has no horizontal across; its width will do.
    across = np.where(size > 1e-6, across / np.maximum(size, 1e-300), axes[:, 2])
    return _rows(along, across, center, half[:, 0], constants)


def standing(axes: Floats, center: Floats, half: Floats, constants: Constants) -> Rows:
    """Rows of uprights: side by side in one wall, whose plane is that of their narrow faces.

    Arguments as :func:`lying`.
    """
    return _rows(axes[:, 0], axes[:, 2], center, half[:, 0], constants)


def _rows(
    along: Floats, across: Floats, center: Floats, half: Floats, constants: Constants
) -> Rows:
    k = len(center)
    kind = _directions(along, across, constants.parallel)
    # Whatever their own signs, members count towards the side where the larger component grows: a
    # joist drawn from right to left lies beside one drawn from left to right.
    largest = np.take_along_axis(across, np.abs(across).argmax(axis=1)[:, None], axis=1)
    across = np.where(largest < 0.0, -across, across)
    first = np.full(k + 1, k, dtype=np.intp)
    np.minimum.at(first, kind, np.arange(k))
    lead = across[first[kind]]
    turned = np.einsum("ij,ij->i", across, lead) < 0.0
    across = np.where(turned[:, None], -across, across)
    level = np.einsum("ij,ij->i", np.cross(along[first[kind]], lead), center)
    kind = _split(kind, level, constants.level)
    place = np.einsum("ij,ij->i", lead, center)
    after, spacing = _next(kind, place, along, across, center, half, constants)
    bays = np.flatnonzero(after >= 0)
    return Rows(after, spacing, components(k, bays, after[bays]))


def _directions(along: Floats, across: Floats, tolerance: float) -> Ints:
    """Number of the direction of each member; opposite signs are one direction."""
    row = np.zeros(len(along), dtype=np.intp)
    for vector in (along, across):
        # Products of components don't change with the sign of the vector.
        for a, b in ((0, 0), (1, 1), (0, 1), (0, 2), (1, 2)):
            row = _split(row, vector[:, a] * vector[:, b], tolerance)
    return row


def _split(row: Ints, key: Floats, tolerance: float) -> Ints:
    """Split rows where ``key``, in order, jumps by more than ``tolerance``."""
    order = np.lexsort((key, row))
    jump = (np.diff(row[order]) != 0) | (np.diff(key[order]) > tolerance)
    number = np.zeros(len(row), dtype=np.intp)
    number[order[1:]] = np.cumsum(jump)
    return number


def _next(
    kind: Ints,
    place: Floats,
    along: Floats,
    across: Floats,
    center: Floats,
    half: Floats,
    constants: Constants,
) -> tuple[Ints, Floats]:
    """The next member in order that is parallel, level, farther than a ply, and runs beside."""
    k = len(kind)
    order = np.lexsort((np.arange(k), place, kind))
    after, spacing = np.full(k, -1, dtype=np.intp), np.zeros(k)
    active = np.arange(k)
    for shift in range(1, min(k, _FARTHEST)):
        active = active[active + shift < k]
        here, there = order[active], order[active + shift]
        same = kind[here] == kind[there]
        active, here, there = active[same], here[same], there[same]
        if not len(active):
            break
        gap, found = _beside(here, there, along, across, center, half, constants)
        after[here[found]], spacing[here[found]] = there[found], gap[found]
        active = active[~found]
    return after, spacing


def _beside(
    here: Ints,
    there: Ints,
    along: Floats,
    across: Floats,
    center: Floats,
    half: Floats,
    constants: Constants,
) -> tuple[Floats, Bools]:
    """Distance from members to others across themselves, and whether they are neighbours."""
    u, h = along[here], across[here]
    apart = center[there] - center[here]
    gap = np.einsum("ij,ij->i", h, apart)
    level = np.abs(np.einsum("ij,ij->i", np.cross(u, h), apart))
    shift = np.abs(np.einsum("ij,ij->i", u, apart))
    one, other = half[here], half[there]
    common = np.minimum(one, shift + other) - np.maximum(-one, shift - other)
    parallel = np.abs(np.einsum("ij,ij->i", u, along[there])) >= 1.0 - constants.parallel**2 / 2.0
    beside = common >= 2.0 * constants.overlap * np.minimum(one, other)
    return gap, parallel & beside & (gap > constants.ply) & (level <= constants.level)


def bridged(rows: Rows, index: Ints, first: Ints, second: Ints, n: int) -> Bools:
    """Whether each bay's two members touch a common third one, (number of bays,).

    ``index`` (k,) are the members of the rows among all ``n``; ``first``, ``second`` all adjacent
    members both ways round, sorted (:attr:`.scene.Scene.both_ways`).
    """
    bays = rows.bays
    one, two = index[bays], index[rows.after[bays]]
    head = np.searchsorted(first, one)
    count = np.searchsorted(first, one, side="right") - head
    bay = np.repeat(np.arange(len(bays)), count)
    rank = np.arange(len(bay)) - np.repeat(np.cumsum(count) - count, count)
    middle = second[head[bay] + rank]
    keys = first * n + second
    wanted = two[bay] * n + middle
    at = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
    hit = keys[at] == wanted if len(keys) else np.zeros(len(wanted), bool)
    shared = np.zeros(len(bays), bool)
    shared[bay[hit]] = True
    return shared
