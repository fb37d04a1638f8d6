# SPDX-License-Identifier: GPL-3.0-or-later
"""What was placed and removed, block by block, in order: the record behind a scene of blocks.

A *placement* is one row: its cell, its material, the index of the action that made it (``order``)
and of the one that removed or overwrote it (``until``). After ``k`` actions the rows with
``order < k <= until`` stand, so any moment can be shown without replaying. No ``bpy``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ...checks.voxel.cells import FACES, Ints, find, pack, shift
from ...checks.voxel.structure import UNKNOWN, VoxelError, VoxelStructure

__all__ = ["MOST_ACTIONS", "STANDS", "BlockLog", "Rows", "log_of_rows", "log_of_structure"]

Cell = tuple[int, int, int]

#: ``until`` of a block that stands.
STANDS = 1 << 30
#: Most actions in one log; more is a runaway loop (the largest bundled task takes about 1,000).
MOST_ACTIONS = 1_000_000
#: Most different materials in one log; the game has about a thousand kinds of blocks.
MOST_MATERIALS = 4096
#: Most blocks after all turns together; the five turns of a bundled task have a few hundred.
MOST_STOOD = 2_000_000


@dataclass(frozen=True)
class Rows:
    """``n`` placements as arrays: ``cells`` (n, 3), ``order``, ``until``, ``material`` (n,).

    ``material`` is an index into ``palette``; ``turns`` holds the count of actions at the end of
    each turn of the task that is over.
    """

    cells: Ints
    order: Ints
    until: Ints
    material: Ints
    palette: tuple[str, ...]
    turns: tuple[int, ...] = ()
    ordered: bool = True
    notes: tuple[str, ...] = ()

    def standing(self, after: int = STANDS) -> Ints:
        """Rows that stand after so many actions, in placement order, (m,).

        A block that was overwritten in place keeps its first place in the order, as in
        :func:`~plumbline.checks.voxel.structure.merge`.
        """
        if not len(self.cells):
            return np.zeros(0, dtype=np.int64)
        keys = pack(self.cells)
        by_cell = np.lexsort((self.order, keys))
        key, order, until = keys[by_cell], self.order[by_cell], self.until[by_cell]
        begins = np.ones(len(by_cell), dtype=bool)
        begins[1:] = (key[1:] != key[:-1]) | (until[:-1] != order[1:])
        first = np.maximum.accumulate(np.where(begins, np.arange(len(by_cell)), 0))
        there = (order < after) & (after <= until)
        rows, since = by_cell[there], order[first][there]
        return rows[np.lexsort((rows, since))]

    def covered(self, clear: Sequence[bool] = ()) -> Ints:
        """Counts of actions from which on each side of each row is covered for good, (n, 6).

        Sides as in ``checks.voxel.cells.FACES``; :data:`STANDS` where none of what stands now
        covers it. ``clear`` tells of each material whether one sees through it: such a block covers
        its like only.
        """
        count = np.full((len(self.cells), len(FACES)), STANDS, dtype=np.int64)
        standing = np.flatnonzero(self.until >= STANDS)
        if not len(standing):
            return count
        keys = pack(self.cells)
        rows = find(keys[standing], keys[:, None] + shift(FACES)[None, :])
        neighbour = standing[rows]
        see_through = np.array([*clear, *[False] * (len(self.palette) - len(clear))], dtype=bool)
        hides = (rows >= 0) & (
            ~see_through[self.material[neighbour]]
            | (self.material[neighbour] == self.material[:, None])
        )
        return np.where(hides, self.order[neighbour], STANDS)

    def at(self, after: int = STANDS, **extra: Any) -> VoxelStructure:
        """The blocks that stand after so many actions; ``extra`` are further fields."""
        rows = self.standing(after)
        codes = self.material[rows].tolist()
        materials = tuple(self.palette[code] for code in codes)
        return VoxelStructure(self.cells[rows], materials, ordered=self.ordered, **extra)

    def structure(self, **extra: Any) -> VoxelStructure:
        """The blocks that stand now, with what stood after each turn that is over.

        Raises :class:`VoxelError` for more of them than :data:`MOST_STOOD`.
        """
        stood = sum(int(((self.order < k) & (k <= self.until)).sum()) for k in self.turns)
        if stood > MOST_STOOD:
            raise VoxelError(
                f"{stood:,} blocks stood after {len(self.turns)} turns, counted together, more "
                f"than the {MOST_STOOD:,} that are read: call next_turn() once a turn"
            )
        earlier = tuple(self.at(count) for count in self.turns)
        return self.at(notes=self.notes, earlier=earlier, **extra)


@dataclass
class BlockLog:
    """A record that grows: one entry a placement in each list, see :class:`Rows`.

    ``actions`` counts what was done so far, removals too.
    """

    cells: list[Cell] = field(default_factory=list)
    order: list[int] = field(default_factory=list)
    until: list[int] = field(default_factory=list)
    material: list[int] = field(default_factory=list)
    palette: list[str] = field(default_factory=list)
    turns: list[int] = field(default_factory=list)
    actions: int = 0
    ordered: bool = True

    def __post_init__(self) -> None:
        self._codes = {name: code for code, name in enumerate(self.palette)}
        self._standing = {
            cell: row
            for row, (cell, until) in enumerate(zip(self.cells, self.until, strict=True))
            if until >= STANDS
        }

    def __len__(self) -> int:
        return len(self._standing)

    @property
    def room(self) -> int:
        """How many more actions it takes."""
        return MOST_ACTIONS - self.actions

    def place(self, cell: Cell, material: str) -> None:
        """A block on a cell; what stood there is overwritten. Raises ``ValueError`` if full.

        Also, as :class:`VoxelError`, for one material too many.
        """
        code = self._codes.get(material)
        if code is None and len(self.palette) >= MOST_MATERIALS:
            raise VoxelError(
                f"this construction has {MOST_MATERIALS:,} materials already, the most there may "
                "be: use those"
            )
        self._count()
        if code is None:
            code = self._codes[material] = len(self.palette)
            self.palette.append(material)
        before = self._standing.get(cell)
        if before is not None:
            self.until[before] = self.actions - 1
        self._standing[cell] = len(self.cells)
        self.cells.append(cell)
        self.order.append(self.actions - 1)
        self.until.append(STANDS)
        self.material.append(code)

    def remove(self, cell: Cell) -> bool:
        """Take the block off a cell; ``False`` where none stands, which is no action."""
        row = self._standing.get(cell)
        if row is None:
            return False
        self._count()
        del self._standing[cell]
        self.until[row] = self.actions - 1
        return True

    def block_at(self, cell: Cell) -> str | None:
        """Material of the block on a cell, ``None`` for air."""
        row = self._standing.get(cell)
        return None if row is None else self.palette[self.material[row]]

    def next_turn(self) -> None:
        """A turn of the task is over."""
        self.turns.append(self.actions)

    def rows(self) -> Rows:
        """The record as arrays."""
        # Where an alarm rang in the midst of a placement, its row is not whole.
        n = len(self.material)
        cells = np.array(self.cells[:n], dtype=np.int64).reshape(-1, 3)
        order, until, material = (
            np.array(values[:n], dtype=np.int64)
            for values in (self.order, self.until, self.material)
        )
        palette, turns = tuple(self.palette), tuple(self.turns)
        return Rows(cells, order, until, material, palette, turns, self.ordered)

    def _count(self) -> None:
        if self.actions >= MOST_ACTIONS:
            raise ValueError(
                f"this construction has {MOST_ACTIONS:,} placements and removals already, the most "
                "there may be: build it smaller"
            )
        self.actions += 1


def log_of_rows(rows: Rows) -> BlockLog:
    """A record to go on from: the actions of ``rows`` replayed in order.

    Rows that were moved, copied or deleted by hand are taken as they stand; actions are then
    counted anew without gaps, and the ends of turns with them.
    """
    keys = pack(rows.cells) if len(rows.cells) else np.zeros(0, dtype=np.int64)
    overwritten = set(zip(keys.tolist(), rows.order.tolist(), strict=True))
    gone = [
        row
        for row, (key, until) in enumerate(zip(keys.tolist(), rows.until.tolist(), strict=True))
        if until < STANDS and (key, until) not in overwritten
    ]
    cells = [(x, y, z) for x, y, z in rows.cells.tolist()]
    codes = rows.material.tolist()
    # Removals before placements of the same number: a row that was moved leaves its cell first.
    actions = [(int(rows.until[row]), 0, row) for row in gone]
    actions += [(order, 1, row) for row, order in enumerate(rows.order.tolist())]
    log = BlockLog(ordered=rows.ordered)
    ends = list(rows.turns)
    for number, is_placement, row in sorted(actions):
        while ends and ends[0] <= number:
            ends.pop(0)
            log.next_turn()
        if is_placement:
            log.place(cells[row], rows.palette[codes[row]])
        else:
            log.remove(cells[row])
    for _ in ends:
        log.next_turn()
    return log


def log_of_structure(structure: VoxelStructure) -> BlockLog:
    """A record that leads to ``structure`` by way of what stood after its earlier turns.

    Blocks that a turn kept are not touched; how a turn went in detail isn't known, so that what it
    changed is removed first and placed then.
    """
    log = BlockLog(ordered=structure.ordered)
    stages = (*structure.earlier, structure)
    before: Sequence[Cell] = ()
    for number, stage in enumerate(stages):
        if number:
            log.next_turn()
        wanted = dict(zip(stage.index, stage.materials, strict=True))
        kept = _kept(before, list(wanted))
        for cell in before:
            if cell not in kept:
                log.remove(cell)
        for cell, material in wanted.items():
            if cell not in kept or log.block_at(cell) != material:
                log.place(cell, material)
        before = list(wanted)
    return log


def _kept(before: Sequence[Cell], wanted: Sequence[Cell]) -> set[Cell]:
    """Cells that keep their place in the order: new ones can only come after all of them."""
    rank = {cell: number for number, cell in enumerate(before)}
    kept: set[Cell] = set()
    last = -1
    for cell in wanted:
        place = rank.get(cell)
        if place is None or place < last:
            break
        last = place
        kept.add(cell)
    return kept


def checked_rows(
    cells: Ints, order: Ints, until: Ints, material: Ints, palette: Sequence[str], **extra: Any
) -> Rows:
    """:class:`Rows` from values that anybody may have written; what is odd is said in its notes.

    Raises :class:`VoxelError` for more than :data:`MOST_ACTIONS` rows.
    """
    if len(cells) > MOST_ACTIONS:
        raise VoxelError(
            f"there are {len(cells):,} blocks, more than the {MOST_ACTIONS:,} that are read: "
            "delete what doesn't belong to the construction"
        )
    notes = list(extra.pop("notes", ()))
    never = until <= order
    if never.any():
        first = int(np.flatnonzero(never)[0])
        x, y, z = cells[first].tolist()
        notes.append(
            f"{_blocks(int(never.sum()))} removed before being placed and left out, the first is "
            f"block ({x}, {y}, {z})."
        )
        cells, order, until, material = (a[~never] for a in (cells, order, until, material))
    alike = len(order) - len(np.unique(order))
    if alike and extra.get("ordered", True):
        notes.append(
            f"{_blocks(alike)} placed at the same moment as another, as copies made by hand are; "
            "the order of these says nothing."
        )
    named = (material >= 0) & (material < len(palette))
    names = [name if name else UNKNOWN for name in palette]
    if not named.all():
        first = int(np.flatnonzero(~named)[0])
        x, y, z = cells[first].tolist()
        notes.append(
            f"{_blocks(int((~named).sum()))} of a material that the palette doesn't name and read "
            f"as {UNKNOWN}, the first is block ({x}, {y}, {z})."
        )
        names.append(UNKNOWN)
        material = np.where(named, material, len(names) - 1)
    return Rows(cells, order, until, material, tuple(names), notes=tuple(notes), **extra)


def _blocks(count: int) -> str:
    return "1 block is" if count == 1 else f"{count:,} blocks are"
