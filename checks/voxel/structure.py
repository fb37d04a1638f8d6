# SPDX-License-Identifier: GPL-3.0-or-later
"""The plain-data picture of a voxel construction: blocks on integer cells, in placement order.

Axes are those of the task: x and z horizontal and interchangeable, y up, ground blocks y <= 0
(MineCEraft, arXiv 2608.28884, section 4.1). In Blender a block (x, y, z) stands at (x, -z, y).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any, Literal, NamedTuple

import numpy as np

from .cells import FACES, REACH, Bools, Ints, block_name, find, pack, shift

__all__ = [
    "FACES",
    "GRID_CELLS",
    "REACH",
    "UNKNOWN",
    "Action",
    "Bools",
    "Grid",
    "GridTooLarge",
    "Ints",
    "Removals",
    "VoxelError",
    "VoxelStructure",
    "block_name",
    "find",
    "from_actions",
    "merge",
    "pack",
    "shift",
    "with_turns",
]

Removals = Literal["earlier_turns", "in_order"]

#: A block whose material nobody named is called this (the published reading of action logs).
UNKNOWN = "unknown"

# Largest dense grid, in cells (bytes): 406 x 406 x 406.
GRID_CELLS = 1 << 26


class VoxelError(ValueError):
    """Blocks that can't be read or laid out; the message names the block and the remedy."""


class GridTooLarge(VoxelError):
    """Blocks so far apart that the box round them has too many cells to look at each."""


class Action(NamedTuple):
    """One recorded call: a block placed at (x, y, z), or the block there removed."""

    kind: Literal["place", "remove"]
    x: int
    y: int
    z: int
    material: str = UNKNOWN

    @classmethod
    def read(cls, kind: Any, x: Any, y: Any, z: Any, material: Any = None) -> Action | None:
        """An action from raw values, or ``None`` where they can't be read.

        Coordinates go through ``int()``, which cuts 1.7 to 1; no material means ``"unknown"``
        (the published reading).
        """
        if kind not in ("place", "remove"):
            return None
        try:
            return cls(kind, int(x), int(y), int(z), str(material) if material else UNKNOWN)
        except (TypeError, ValueError, OverflowError):
            return None


class Grid(NamedTuple):
    """A dense picture: ``solid[i, j, k]`` is the cell at ``origin + (i, j, k)``."""

    solid: Bools
    origin: Ints


@dataclass(frozen=True)
class VoxelStructure:
    """``n`` blocks that stand, one on each cell.

    Where the same cell is given twice, the last material counts and the place in the order is
    that of the first; a note says so.

    Attributes
    ----------
    positions
        Cells (x, y, z), (n, 3) int64, in placement order, y up.
    materials
        Ids without namespace, ``n``, e.g. ``"oak_planks"``.
    ordered
        Whether the order of the rows is that of placement; ``False`` for imports without one.
    notes
        Sentences about the reading.
    source
        Free data on where it came from; shown, never judged.
    earlier
        What stood after each earlier turn of the same problem, the first turn first; nothing for
        a problem of one turn, or where it isn't known.
    """

    positions: Ints
    materials: tuple[str, ...]
    ordered: bool = True
    notes: tuple[str, ...] = ()
    source: Mapping[str, Any] = field(default_factory=dict)
    earlier: tuple[VoxelStructure, ...] = ()

    def __post_init__(self) -> None:
        positions = _whole(self.positions)
        materials = tuple(self.materials)
        if len(materials) != len(positions):
            raise VoxelError(
                f"{len(positions)} blocks need as many materials, not {len(materials)}"
            )
        for row, material in enumerate(materials):
            if not isinstance(material, str):
                raise VoxelError(f"{block_name(positions[row])}: the material must be a text")
        positions, materials, twice = _unique(positions, materials)
        notes = tuple(self.notes)
        if twice:
            verb = "cell was" if twice == 1 else "cells were"
            notes += (f"{twice} {verb} built on more than once; the last material counts",)
        positions.flags.writeable = False
        object.__setattr__(self, "positions", positions)
        object.__setattr__(self, "materials", materials)
        object.__setattr__(self, "notes", notes)

    def __len__(self) -> int:
        return len(self.materials)

    @classmethod
    def from_blocks(cls, blocks: Iterable[tuple[Any, ...]], **extra: Any) -> VoxelStructure:
        """A structure from rows (x, y, z, material); ``extra`` are further fields."""
        rows = list(blocks)
        positions = np.array([row[:3] for row in rows], dtype=object).reshape(-1, 3)
        return cls(_whole(positions), tuple(row[3] for row in rows), **extra)

    @classmethod
    def empty(cls, **extra: Any) -> VoxelStructure:
        """A structure without a block."""
        return cls(np.zeros((0, 3), dtype=np.int64), (), **extra)

    @cached_property
    def keys(self) -> Ints:
        """One key a block, (n,), see :func:`pack`."""
        return pack(self.positions)

    @cached_property
    def key_order(self) -> Ints:
        """``argsort`` of :attr:`keys`, (n,)."""
        return np.argsort(self.keys, kind="stable")

    @cached_property
    def index(self) -> Mapping[tuple[int, int, int], int]:
        """Row of each block by its cell (x, y, z)."""
        return {(x, y, z): row for row, (x, y, z) in enumerate(self.positions.tolist())}

    @cached_property
    def low(self) -> Ints:
        """Lowest coordinates, (3,). Raises :class:`VoxelError` where there is no block."""
        return self._some().min(axis=0)

    @cached_property
    def high(self) -> Ints:
        """Highest coordinates, (3,). Raises :class:`VoxelError` where there is no block."""
        return self._some().max(axis=0)

    @cached_property
    def palette(self) -> tuple[str, ...]:
        """The different materials in the order in which they first come, ``m``."""
        return tuple(dict.fromkeys(self.materials))

    @cached_property
    def material_codes(self) -> Ints:
        """Index of each block's material in :attr:`palette`, (n,)."""
        code = {name: i for i, name in enumerate(self.palette)}
        return np.array([code[name] for name in self.materials], dtype=np.int64)

    def of_material(self, wanted: str, substring: bool, any_case: bool = False) -> Bools:
        """Which blocks are of a material, (n,): its very name, or one that contains ``wanted``.

        Case counts unless ``any_case``; a nameless block matches nothing. There is no taxonomy:
        "stone" is contained in "cobblestone", "bed" in "bedrock" (as in the public graders).
        """
        wanted = wanted.lower() if any_case else wanted
        names = [name.lower() for name in self.palette] if any_case else self.palette
        match = [bool(n) and (wanted in n if substring else wanted == n) for n in names]
        return np.array(match, dtype=bool)[self.material_codes]

    @cached_property
    def face_neighbours(self) -> Ints:
        """Rows of the blocks on the six faces of each, (n, 6), -1 for none; see ``FACES``."""
        return self.neighbours(FACES)

    def rows_at(self, positions: Any) -> Ints:
        """Row of the block on each cell of ``positions`` (m, 3), -1 where none is: (m,)."""
        p = np.asarray(positions, dtype=np.int64).reshape(-1, 3)
        near = (np.abs(p) <= REACH + 8).all(axis=1)
        rows = find(self.keys, pack(np.where(near[:, None], p, 0)), self.key_order)
        return np.where(near, rows, -1)

    def neighbours(self, offsets: Any) -> Ints:
        """Rows of the blocks at ``offsets`` (k, 3) from each block, (n, k), -1 for none.

        Steps are at most 8 cells along each axis.
        """
        wanted = self.keys[:, None] + shift(offsets)[None, :]
        return find(self.keys, wanted, self.key_order)

    def grid(self, rows: Any = slice(None), pad: int = 0) -> Grid:
        """The box round all blocks, grown by ``pad`` cells, with the blocks of ``rows`` solid.

        Raises :class:`GridTooLarge` beyond :data:`GRID_CELLS` cells.
        """
        origin = self.low - pad
        size = [int(v) for v in self.high + pad - origin + 1]
        if size[0] * size[1] * size[2] > GRID_CELLS:
            raise GridTooLarge(
                f"the box round the blocks is {size[0]} x {size[1]} x {size[2]} cells, more than "
                f"can be looked at ({GRID_CELLS}); remove blocks that stand far away"
            )
        solid = np.zeros(size, dtype=bool)
        at = self.positions[rows] - origin
        solid[at[:, 0], at[:, 1], at[:, 2]] = True
        return Grid(solid, origin)

    @cached_property
    def dense(self) -> Grid:
        """:meth:`grid` of all blocks with one empty cell round them; not to be written to."""
        grid = self.grid(pad=1)
        grid.solid.flags.writeable = False
        return grid

    def _some(self) -> Ints:
        if not len(self):
            raise VoxelError("there is no block")
        return self.positions


def from_actions(
    actions: Iterable[Action], removals: Removals = "earlier_turns", **extra: Any
) -> VoxelStructure:
    """The blocks that stand after the actions of a first turn; see :func:`merge`."""
    return merge(None, actions, removals, **extra)


def merge(
    previous: VoxelStructure | None,
    actions: Iterable[Action],
    removals: Removals = "earlier_turns",
    **extra: Any,
) -> VoxelStructure:
    """The blocks that stand after a turn: those of ``previous``, less removed, and those placed.

    Parameters
    ----------
    previous
        What stood before the turn; ``None`` before the first.
    actions
        What the turn did, in order.
    removals
        ``"earlier_turns"``, as published: a removal takes blocks of earlier turns only, so what a
        turn places and breaks itself stands, and the turn's placements follow the blocks kept.
        ``"in_order"``: a removal takes whatever stands there at that moment.
    extra
        Fields of :class:`VoxelStructure` for the result (``source``, ``notes``).

    The last material written to a cell counts, the place in the order is that of the first.
    """
    actions = list(actions)
    blocks: dict[tuple[int, int, int], str] = {}
    if previous is not None:
        extra.setdefault("ordered", previous.ordered)
        blocks = dict(zip(previous.index, previous.materials, strict=True))
    if removals == "earlier_turns":
        for action in actions:
            if action.kind == "remove":
                blocks.pop(action[1:4], None)
    for action in actions:
        if action.kind == "place":
            blocks[action[1:4]] = action.material
        elif removals == "in_order":
            blocks.pop(action[1:4], None)
    positions = np.array(list(blocks), dtype=object).reshape(-1, 3)
    return VoxelStructure(_whole(positions), tuple(blocks.values()), **extra)


def with_turns(structure: VoxelStructure, turns: int) -> VoxelStructure:
    """The structure with what stood after each of so many turns.

    After a turn in which nothing came the blocks of the turn before stand (the published rule for
    a turn without an action file), so that what is missing at the end is what stands.
    """
    missing = turns - 1 - len(structure.earlier)
    if missing <= 0:
        return structure
    stands = replace(structure, earlier=())
    return replace(structure, earlier=(*structure.earlier, *[stands] * missing))


def _whole(positions: Any) -> Ints:
    """Whole coordinates (n, 3) within reach, or a sentence that names the first bad block."""
    raw = np.asarray(positions)
    if raw.size == 0:
        return np.zeros((0, 3), dtype=np.int64)
    if raw.ndim != 2 or raw.shape[1] != 3:
        raise VoxelError(f"positions have shape {raw.shape}, not (n, 3)")
    try:
        numbers = raw.astype(np.float64)
    except (TypeError, ValueError, OverflowError) as error:
        raise VoxelError(f"positions must be whole numbers ({error})") from None
    with np.errstate(invalid="ignore"):
        bad = ~(np.isfinite(numbers) & (np.abs(numbers) <= REACH) & (numbers % 1 == 0)).all(axis=1)
    if bad.any():
        row = int(np.flatnonzero(bad)[0])
        raise VoxelError(
            f"block {row} at {tuple(raw[row].tolist())}: coordinates must be whole numbers within "
            f"{REACH} of the origin"
        )
    return numbers.astype(np.int64)


def _unique(positions: Ints, materials: tuple[str, ...]) -> tuple[Ints, tuple[str, ...], int]:
    """One row a cell: first-seen order, last material; and how many cells came more than once."""
    keys = pack(positions)
    first = np.unique(keys, return_index=True)[1]
    if len(first) == len(keys):
        return positions, materials, 0
    last: dict[int, str] = dict(zip(keys.tolist(), materials, strict=True))
    first = np.sort(first)
    counts = np.unique(keys, return_counts=True)[1]
    kept = keys[first].tolist()
    return positions[first], tuple(last[key] for key in kept), int((counts > 1).sum())
