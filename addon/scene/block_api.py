# SPDX-License-Identifier: GPL-3.0-or-later
"""What programs build voxel constructions with: functions that record every single placement.

Coordinates are whole numbers in the task's axes: x and z horizontal, y up, a block is 1 m, its
centre at the point. Materials are ids without namespace such as ``oak_planks``. Nothing of Blender
is touched while a program runs; the record is written to the scene when it ends. No ``bpy``.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from itertools import product
from typing import Any

from ...checks.voxel.cells import REACH
from .block_log import MOST_ACTIONS, BlockLog, Cell

__all__ = ["NAMES", "block_names"]

#: What every program finds.
NAMES = (
    "place_block",
    "remove_block",
    "fill",
    "hollow_box",
    "line",
    "block_at",
    "next_turn",
)

_ID = re.compile(r"[a-z0-9_./-]{1,64}")
_NAMESPACE = "minecraft:"


def block_names(log: BlockLog) -> dict[str, Callable[..., Any]]:
    """The functions of :data:`NAMES` by name, recording into ``log``."""
    api = _Api(log)
    return {name: getattr(api, name) for name in NAMES}


class _Api:
    def __init__(self, log: BlockLog) -> None:
        self._log = log

    def place_block(self, x: int, y: int, z: int, material: str) -> None:
        """Place a block; what stands on the cell is overwritten.

        Raises ``ValueError`` for a coordinate or a material that can't be.
        """
        self._log.place(_cell(x, y, z), _material(material))

    def remove_block(self, x: int, y: int, z: int) -> bool:
        """Remove the block on a cell; ``False`` where there is none."""
        return self._log.remove(_cell(x, y, z))

    def fill(self, x1: int, y1: int, z1: int, x2: int, y2: int, z2: int, material: str) -> int:
        """Place a block on every cell of a box, both corners included; how many that were.

        In the order in which one would write three loops, from the first corner towards the second:
        ``for x: for z: for y``, so that each column is stacked from ``y1`` to ``y2``.
        """
        corners = _cell(x1, y1, z1), _cell(x2, y2, z2)
        return self._place_all(_box(*corners), _volume(*corners), material)

    def hollow_box(
        self, x1: int, y1: int, z1: int, x2: int, y2: int, z2: int, material: str
    ) -> int:
        """Place the shell of a box, one block thick: its walls, floor and top; how many blocks.

        Same order as :meth:`fill` without the cells inside, which are left as they are.
        """
        first, second = _cell(x1, y1, z1), _cell(x2, y2, z2)
        faces = [{a, b} for a, b in zip(first, second, strict=True)]
        inside = 1
        for a, b in zip(first, second, strict=True):
            inside *= max(abs(b - a) - 1, 0)
        shell = (
            cell
            for cell in _box(first, second)
            if any(value in face for value, face in zip(cell, faces, strict=True))
        )
        # The cells inside are walked over too, so that a box is as large as one that is filled.
        whole = _volume(first, second)
        self._room(whole)
        return self._place_all(shell, whole - inside, material)

    def line(self, x1: int, y1: int, z1: int, x2: int, y2: int, z2: int, material: str) -> int:
        """Place a straight row from one cell to another, both included; how many blocks.

        As many steps as the longest of the three distances; on a slope each step goes to the
        nearest cell, halves towards the second cell.
        """
        first, second = _cell(x1, y1, z1), _cell(x2, y2, z2)
        steps = max(abs(b - a) for a, b in zip(first, second, strict=True))
        return self._place_all(_row(first, second, steps), steps + 1, material)

    def block_at(self, x: int, y: int, z: int) -> str | None:
        """Material id of the block on a cell, ``None`` for air."""
        return self._log.block_at(_cell(x, y, z))

    def next_turn(self) -> None:
        """Say that a turn of a task of several turns is over; what stands stays."""
        self._log.next_turn()

    def _place_all(self, cells: Iterable[Cell], count: int, material: str) -> int:
        material = _material(material)
        self._room(count)
        place = self._log.place
        for cell in cells:
            place(cell, material)
        return count

    def _room(self, count: int) -> None:
        if count > self._log.room:
            raise ValueError(
                f"{count:,} blocks are too many: a construction takes {MOST_ACTIONS:,} placements "
                f"and removals, of which {self._log.room:,} are left"
            )


def _cell(x: Any, y: Any, z: Any) -> Cell:
    """A cell of whole numbers within reach. Raises ``ValueError`` that names the coordinate."""
    if type(x) is type(y) is type(z) is int and -REACH <= min(x, y, z) <= max(x, y, z) <= REACH:
        return x, y, z
    return _whole("x", x), _whole("y", y), _whole("z", z)


def _whole(name: str, value: Any) -> int:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    try:
        whole = operator.index(value)
    except TypeError:
        raise ValueError(
            f"{name} = {str(value)[:40]!s} is no whole number: blocks stand on whole coordinates; "
            "round it"
        ) from None
    if abs(whole) > REACH:
        raise ValueError(
            f"{name} = {str(whole)[:40]} is farther than {REACH:,} blocks from the origin: build "
            "near (0, 0, 0)"
        )
    return whole


def _material(material: Any) -> str:
    name = material.removeprefix(_NAMESPACE) if isinstance(material, str) else ""
    if _ID.fullmatch(name) is None:
        raise ValueError(
            f"material {str(material)[:40]!r} is no block id: use lower-case letters, digits and "
            "underscores, such as 'oak_planks'"
        )
    return name


def _box(first: Cell, second: Cell) -> Iterable[Cell]:
    xs, ys, zs = (_between(a, b) for a, b in zip(first, second, strict=True))
    return ((x, y, z) for x, z, y in product(xs, zs, ys))


def _between(a: int, b: int) -> range:
    return range(a, b + 1) if a <= b else range(a, b - 1, -1)


def _volume(first: Cell, second: Cell) -> int:
    count = 1
    for a, b in zip(first, second, strict=True):
        count *= abs(b - a) + 1
    return count


def _row(first: Cell, second: Cell, steps: int) -> Iterable[Cell]:
    for i in range(steps + 1):
        x, y, z = (_step(a, b, i, steps) for a, b in zip(first, second, strict=True))
        yield x, y, z


def _step(a: int, b: int, i: int, steps: int) -> int:
    """``a + (b - a) * i / steps`` rounded, halves towards ``b``; in whole numbers."""
    if not steps:
        return a
    moved = (2 * abs(b - a) * i + steps) // (2 * steps)
    return a + moved if b >= a else a - moved
