# SPDX-License-Identifier: GPL-3.0-or-later
"""Collects the members of a house: boxes and sloped lumber, by role and tag, wherever they stand.

Parts of a house are framed in coordinates of their own (ridge along x, outer faces at 0) and put
where they belong by :meth:`Frame.placed`, so that no part knows where the house has it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from itertools import chain, pairwise, repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.structure import Floats, TimberStructure

#: Places are rounded to this many decimals of a metre, so that the same seed gives the same bytes
#: whatever the last digit of a sine is on a machine.
DECIMALS = 6
#: ... and directions to this many, far below what moves an end by a rounding of places.
AXIS_DECIMALS = 12
_IDENTITY = np.eye(3)
_UP = np.array([0.0, 0.0, 1.0])


@dataclass
class _Columns:
    """What all views of one frame write to, plain numbers until somebody asks for arrays.

    ``numbers`` has eight for each member: the low and high sides of a box along x, y and z, or the
    ends of a sloped member (x, x, y, y, z, z); then width and depth, 0 for boxes. ``place`` is the
    row of ``places`` (turn, offset) that moves a member into the house.
    """

    names: list[str] = field(default_factory=list)
    roles: list[str] = field(default_factory=list)
    numbers: list[float] = field(default_factory=list)
    place: list[int] = field(default_factory=list)
    places: list[tuple[int, tuple[float, float, float]]] = field(default_factory=list)
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
        self._put(role, tag, (*x, *y, *z, 0.0, 0.0))

    def sloped(self, role: str, tag: str, start: Any, end: Any, width: float, depth: Any) -> None:
        """Members with centre lines from ``start`` (k, 3) to ``end`` (k, 3), m; width level."""
        ends = np.stack(
            np.broadcast_arrays(
                np.atleast_2d(np.asarray(start, float)), np.atleast_2d(np.asarray(end, float))
            )
        )
        if ends.shape[1]:
            self._put(role, tag, (*ends.transpose(2, 0, 1).reshape(6, -1), width, depth))

    def _put(self, role: str, tag: str, sides: tuple[Any, ...]) -> None:
        """Members of one stem; each of the eight columns is a number or one for each member.

        Numbers stay in lists: most batches hold one or two members, for which arrays are slow.
        """
        cells = [s if isinstance(s, _NUMBERS) else _listed(s) for s in sides]
        sizes = {len(cell) for cell in cells if isinstance(cell, list)}
        if len(sizes) > 1:
            raise ValueError(f"members {role}_{tag} have sides of {sorted(sizes)} numbers")
        k = sizes.pop() if sizes else 1
        columns = self._columns
        stem = "_".join(part for part in (role, self.prefix, tag) if part)
        first = columns.count.get(stem, 0) + 1
        columns.count[stem] = first + k - 1
        columns.names += [f"{stem}_{i:02d}" for i in range(first, first + k)]
        columns.roles += [role] * k
        rows = (cell if isinstance(cell, list) else repeat(cell, k) for cell in cells)
        columns.numbers += chain.from_iterable(zip(*rows, strict=True))
        at = (self.turn, self.offset)
        if not columns.places or columns.places[-1] != at:
            columns.places.append(at)
        columns.place += [len(columns.places) - 1] * k

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
        n = len(self)
        if not n:
            return np.zeros((0, 3)), np.zeros((0, 3, 3)), np.zeros((0, 3))
        columns = self._columns
        numbers = np.array(columns.numbers, float).reshape(n, 8).T
        low, high = numbers[0:6:2].T, numbers[1:6:2].T
        sloped = numbers[6] > 0.0
        flat = ~(high > low).all(axis=1) & ~sloped
        if flat.any():
            k = int(np.argmax(flat))
            raise ValueError(f"member {columns.names[k]} has no size: {low[k]} to {high[k]}")
        center, size = (low + high) / 2.0, high - low
        axes = np.tile(_IDENTITY, (n, 1, 1))
        axes[sloped], length = _along(size[sloped])
        size[sloped] = np.column_stack([length, numbers[6, sloped], numbers[7, sloped]])
        place = np.array(columns.place)
        turn = np.array([turn % 4 for turn, _ in columns.places])[place]
        offset = np.array([offset for _, offset in columns.places])[place]
        rotation = np.stack(_QUARTERS)[turn]
        center = np.einsum("nij,nj->ni", rotation, center) + offset
        axes = np.einsum("nij,nkj->nki", rotation, axes)
        axes = np.round(axes, AXIS_DECIMALS) + 0.0
        return np.round(center, DECIMALS) + 0.0, axes, np.round(size, DECIMALS)

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


_NUMBERS = (float, int)


def _listed(side: Any) -> list[float] | float:
    """A side of members as plain numbers: a list, or one number that all of them have."""
    values = side.tolist() if isinstance(side, np.ndarray | np.generic) else list(side)
    if isinstance(values, list):
        return values if len(values) != 1 else float(values[0])
    return float(values)


def _along(run: Floats) -> tuple[Floats, Floats]:
    """Axes as rows (k, 3, 3) and lengths (k,) of members along ``run`` (k, 3), width level."""
    length = np.linalg.norm(run, axis=1)
    along = run / length[:, None]
    side = np.cross(_UP, along)
    side /= np.linalg.norm(side, axis=1, keepdims=True)
    return np.stack([along, side, np.cross(along, side)], axis=1), length


def pieces(start: float, end: float, joints: Any = ()) -> Iterator[tuple[float, float]]:
    """The pieces from ``start`` to ``end`` that butt at ``joints``, each as (low, high), m."""
    yield from pairwise([start, *joints, end])
