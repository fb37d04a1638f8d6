# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways out of doors for a body of so many cells (MineCEraft, section 3.2.3; public graders)."""

from __future__ import annotations

import numpy as np

from ..result import Finding
from .cells import Bools, Ints
from .graph import SIDES
from .levels import starts_of, text
from .outcome import Outcome, failed, fault, nothing, passed, plural
from .rules import Rules
from .structure import GRID_CELLS, GridTooLarge, VoxelStructure

_CLAUSE = "MineCEraft, section 3.2.3"


def has_exit(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    width: int | None = None,
    depth: int | None = None,
    height: int | None = None,
    start_material: str | None = None,
) -> Outcome:
    """A box of ``width`` x ``depth`` x ``height`` cells gets out, turned either way.

    It begins with its low corner at a start or one cell beside it, and steps sideways, up or down
    by one cell at most, through cells without a block; doors and beds are no hindrance, and nothing
    pulls it down. It is out when none of its corners is over the blocks' box. Sizes are at least 1.
    """
    if not len(blocks):
        return passed()
    starts = starts_of(blocks, start_material, "box")
    if not len(starts):
        return nothing(True, f"no block of '{start_material}' to start from")
    w = rules.exit_box[0] if width is None else width
    d = rules.exit_box[1] if depth is None else depth
    h = rules.exit_box[2] if height is None else height
    beside = np.concatenate([np.zeros((1, 3), dtype=np.int64), SIDES])
    begin = np.unique((starts[:, None] + beside).reshape(-1, 3), axis=0)
    doors = blocks.positions[blocks.of_material("door", True, True)]
    narrow = np.ones(len(doors), dtype=bool)
    places = []
    for size in sorted({(w, h, d), (d, h, w)}):
        clear, origin = _clear(blocks, size)
        out, reached = _spread(clear, _over(blocks, clear, origin, size), begin - origin)
        if out:
            return passed(body=f"{w} x {d} x {h}")
        places.append(reached + origin)
        narrow &= ~_fits(clear, doors - origin, size)
    reached = np.unique(np.concatenate(places), axis=0)
    body = f"a body of {w} x {d} x {h} cells"
    if len(reached):
        finding = _locked(blocks, starts[0], reached, doors[narrow], body)
    else:
        finding = _no_room(blocks, starts[0], begin, body)
    return failed(finding, body=f"{w} x {d} x {h}", reached=len(reached))


def has_wide_exit(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    width: int | None = None,
    start_material: str | None = None,
) -> Outcome:
    """:func:`has_exit` of a box as deep as it is wide, two cells high."""
    w = rules.exit_box[0] if width is None else width
    return has_exit(blocks, rules, width=w, depth=w, height=2, start_material=start_material)


def _locked(blocks: VoxelStructure, start: Ints, reached: Ints, narrow: Ints, body: str) -> Finding:
    """The body walks about inside; doors that it does not fit into are named with their sides."""
    message = (
        f"{body} does not get out from {text(start)}: it reaches {len(reached)} places, all inside"
    )
    at: Ints = narrow
    if len(narrow):
        message += f"; {plural(len(narrow), 'door is', 'doors are')} too narrow or too low for it"
        sides = np.concatenate([SIDES, SIDES + [0, 1, 0], [[0, 1, 0]]])
        rows = blocks.rows_at((narrow[:, None] + sides).reshape(-1, 3))
        at = np.concatenate([narrow, blocks.positions[np.unique(rows[rows >= 0])]])
    place = f"start at {text(start)}"
    return fault(message, at, place=place, at=start, clause=_CLAUSE, air=reached.tolist())


def _no_room(blocks: VoxelStructure, start: Ints, begin: Ints, body: str) -> Finding:
    """The body can't even be where it should start."""
    rows = blocks.rows_at(np.concatenate([begin, begin + [0, 1, 0]]))
    return fault(
        f"{body} has no room at {text(start)} or beside it",
        blocks.positions[np.unique(rows[rows >= 0])],
        place=f"start at {text(start)}",
        at=start,
        clause=_CLAUSE,
    )


def _over(blocks: VoxelStructure, clear: Bools, origin: Ints, size: tuple[int, int, int]) -> Bools:
    """Columns (x, z) of the low corner at which some corner is over the blocks' box."""
    over = []
    for axis in (0, 2):
        corner = np.arange(clear.shape[axis]) + origin[axis]
        within = [
            (blocks.low[axis] <= corner + c) & (corner + c <= blocks.high[axis])
            for c in (0, size[axis] - 1)
        ]
        over.append(within[0] | within[1])
    return over[0][:, None] & over[1][None, :]


def _fits(clear: Bools, cells: Ints, size: tuple[int, int, int]) -> Bools:
    """Whether a box fits somewhere over each cell (k, 3), standing at its height, (k,)."""
    fits = np.zeros(len(cells), dtype=bool)
    for dx in range(size[0]):
        for dz in range(size[2]):
            fits |= clear[tuple((cells - [dx, 0, dz]).T)]
    return fits


def _clear(blocks: VoxelStructure, size: tuple[int, int, int]) -> tuple[Bools, Ints]:
    """Where the low corner of a box may be, a dense array, and the cell of its first entry.

    Heights are those of the blocks; sideways it goes on until the box is out. The outermost cells
    of the array are never clear, so that no step leads out of it.
    """
    free = blocks.of_material("door", True, True) | blocks.of_material("bed", True, True)
    margin = np.array([size[0] + 1, 1, size[2] + 1])
    origin = blocks.low - margin
    shape = blocks.high - blocks.low + 1 + 2 * margin
    if np.prod(shape.astype(np.float64)) > GRID_CELLS:
        raise GridTooLarge(
            f"the box round the blocks is {' x '.join(map(str, shape.tolist()))} cells, more than "
            f"a way is looked for in ({GRID_CELLS}); remove blocks that stand far away"
        )
    taken = np.zeros(shape, dtype=bool)
    taken[tuple((blocks.positions[~free] - origin).T)] = True
    for axis in range(3):
        along, one = np.moveaxis(taken, axis, 0), np.moveaxis(taken.copy(), axis, 0)
        for step in range(1, min(size[axis], len(one))):
            along[:-step] |= one[step:]
    clear = np.zeros_like(taken)
    clear[1:-1, 1:-1, 1:-1] = ~taken[1:-1, 1:-1, 1:-1]
    return clear, origin


def _spread(clear: Bools, inside: Bools, begin: Ints) -> tuple[bool, Ints]:
    """Steps from ``begin`` over ``clear`` until a column is not ``inside``; places reached."""
    shape = np.array(clear.shape)
    stride = np.array([shape[1] * shape[2], shape[2], 1])
    steps = (SIDES[:, None] + np.array([[0, -1, 0], [0, 0, 0], [0, 1, 0]])).reshape(-1, 3) @ stride
    still = np.broadcast_to(inside[:, None, :], clear.shape)
    left, ways = (clear & ~still).ravel(), clear.ravel()  # ways: where nothing has been yet
    front = begin[((begin >= 0) & (begin < shape)).all(axis=1)] @ stride
    front = front[ways[front]]
    ticket = np.zeros(len(ways), dtype=np.int64)
    places = [front]
    while len(front) and not left[front].any():
        ways[front] = False
        ahead = (front[:, None] + steps).ravel()
        ahead = ahead[ways[ahead]]
        turn = np.arange(len(ahead))  # of a place that comes several times the last is kept
        ticket[ahead] = turn
        front = ahead[ticket[ahead] == turn]
        places.append(front)
    every = np.concatenate(places)
    return len(front) > 0, np.stack(np.unravel_index(every, clear.shape), axis=1)
