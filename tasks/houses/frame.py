# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the members of a house: boxes and sloped lumber, by role and tag, wherever they stand.

Parts of a house are framed in coordinates of their own (ridge along x, outer faces at 0) and put
where they belong by :meth:`Frame.placed`, so that no part knows where the house has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import Floats, TimberStructure

#: Places are rounded to this many decimals of a metre, so that the same seed gives the same bytes
#: whatever the last digit of a sine is on a machine.
DECIMALS = 6
_IDENTITY = np.eye(3)
_UP = np.array([0.0, 0.0, 1.0])


@dataclass
class _Columns:
    """What all views of one frame write to: a batch of members an entry."""

    names: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    center: list[Floats] = field(default_factory=list)
    axes: list[Floats] = field(default_factory=list)
    size: list[Floats] = field(default_factory=list)
    count: dict[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Frame:
    """Members of one house.

    ``prefix`` goes between role and tag of every name (``Stud_Wing_S_01``). ``turn`` counts
    quarter turns about z, after which everything is moved by ``offset``, m.
    """

    prefix: str = ""
    turn: int = 0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    _columns: _Columns = field(default_factory=_Columns, repr=False)

    def placed(
        self, prefix: str, turn: int = 0, offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    ) -> Frame:
        """A view whose members are turned by quarters, then moved, within this one's own place."""
        moved = _rotation(self.turn) @ np.asarray(offset, float) + np.asarray(self.offset)
        x, y, z = map(float, moved)
        joined = "_".join(part for part in (self.prefix, prefix) if part)
        return replace(self, prefix=joined, turn=(self.turn + turn) % 4, offset=(x, y, z))

    def box(self, role: str, tag: str, x: Any, y: Any, z: Any) -> None:
        """Members along the axes.

        ``x``, ``y``, ``z`` are pairs (low, high), m; either side may be an array (k,), and all
        broadcast: ``box("Joist", "S", (left, left + T), (0, depth), (z, z + 0.235))`` is a row.
        """
        sides = [np.atleast_1d(np.asarray(side, float)) for pair in (x, y, z) for side in pair]
        x0, x1, y0, y1, z0, z1 = np.broadcast_arrays(*sides)
        low, high = np.column_stack([x0, y0, z0]), np.column_stack([x1, y1, z1])
        if not len(low):
            return
        if not (high > low).all():
            raise ValueError(f"a member {role}_{tag} has no size: {low} to {high}")
        self._put(
            role, tag, (low + high) / 2, np.broadcast_to(_IDENTITY, (len(low), 3, 3)), high - low
        )

    def sloped(self, role: str, tag: str, start: Any, end: Any, width: float, depth: Any) -> None:
        """Members with centre lines from ``start`` (k, 3) to ``end`` (k, 3), m; width level."""
        start, end = np.broadcast_arrays(
            np.atleast_2d(np.asarray(start, float)), np.atleast_2d(np.asarray(end, float))
        )
        if not len(start):
            return
        run = end - start
        length = np.linalg.norm(run, axis=1)
        along = run / length[:, None]
        side = np.cross(_UP, along)
        side /= np.linalg.norm(side, axis=1, keepdims=True)
        axes = np.stack([along, side, np.cross(along, side)], axis=1)
        depth = np.broadcast_to(np.asarray(depth, float), length.shape)
        size = np.column_stack([length, np.full_like(length, width), depth])
        self._put(role, tag, (start + end) / 2, axes, size)

    def _put(self, role: str, tag: str, center: Floats, axes: Floats, size: Floats) -> None:
        columns, k = self._columns, len(center)
        stem = "_".join(part for part in (role, self.prefix, tag) if part)
        first = columns.count.get(stem, 0)
        columns.count[stem] = first + k
        columns.names += [f"{stem}_{first + i + 1:02d}" for i in range(k)]
        columns.roles += [role] * k
        rotation = _rotation(self.turn)
        columns.center.append(center @ rotation.T + np.asarray(self.offset))
        columns.axes.append(axes @ rotation.T)
        columns.size.append(size)

    def __len__(self) -> int:
        return len(self._columns.names)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._columns.names)

    @property
    def roles(self) -> tuple[str, ...]:
        """The name of each member's role as it was put, n."""
        return tuple(self._columns.roles)

    def arrays(self) -> tuple[Floats, Floats, Floats]:
        """Centres (n, 3) m, axes as rows (n, 3, 3), full sizes along them (n, 3) m; rounded."""
        columns = self._columns
        if not columns.center:
            return np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3))
        center: Floats = np.asarray(np.round(np.concatenate(columns.center), DECIMALS) + 0.0)
        size: Floats = np.asarray(np.round(np.concatenate(columns.size), DECIMALS), float)
        axes: Floats = np.concatenate(columns.axes) + 0.0
        return center, axes, size

    def structure(self) -> TimberStructure:
        """The members as the checks read them."""
        return TimberStructure.from_boxes(self.names, *self.arrays())


_QUARTERS: tuple[NDArray[np.float64], ...] = tuple(
    np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    for c, s in ((1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0))
)


def _rotation(turn: int) -> Floats:
    """Rotation by quarter turns about z, exact, (3, 3)."""
    return _QUARTERS[turn % 4]


def pieces(start: float, end: float, joints: Any = ()) -> Iterator[tuple[float, float]]:
    """The pieces from ``start`` to ``end`` that butt at ``joints``, each as (low, high), m."""
    yield from pairwise([start, *joints, end])
