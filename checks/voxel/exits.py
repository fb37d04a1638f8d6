# SPDX-License-Identifier: GPL-3.0-or-later
"""Ways out: a single level from every start (algorithm 7), and a body that gets out of doors."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..result import Finding
from .cells import Bools, Ints, find, pack, shift
from .graph import SIDES, components, edges
from .outcome import Outcome, failed, fault, nothing, passed, told
from .rules import Rules
from .structure import GRID_CELLS, GridTooLarge, VoxelStructure

_LEVEL = "MineCEraft, algorithm 7"
_EXIT = "MineCEraft, section 3.2.3"


def is_single_level(
    blocks: VoxelStructure, rules: Rules, *, start_material: str | None = None
) -> Outcome:
    """From every start a flat way leads out over the floor, with room for the head.

    The floor is the lowest level; starts stand right on it and are floor themselves. A block that
    stands on the floor may be stepped on. Without starts it passes.
    """
    if not len(blocks):
        return passed()
    floor = int(blocks.low[1])
    figures = {"floor": floor}
    if floor > rules.outdoors:
        lowest = blocks.positions[blocks.positions[:, 1] == floor]
        message = (
            f"the floor lies at y = {floor}; level with the outside would be "
            f"y = {rules.outdoors} or lower"
        )
        finding = fault(
            message, lowest, clause=_LEVEL, measured=floor, limit=rules.outdoors, unit="blocks"
        )
        return failed(finding, **figures)
    starts = _starts(blocks, start_material, rules.start)
    if not len(starts):
        return nothing(True, f"no block of '{start_material}' to start from", **figures)
    off = starts[starts[:, 1] != floor + 1]
    findings = told(
        list(off), lambda start: _off_level(start, floor), lambda start: start, "starts off level"
    )
    plan = _Floor.of(blocks, floor, start_material)
    stuck = starts[(starts[:, 1] == floor + 1) & ~plan.leads_out(starts)]
    findings += told(
        list(stuck),
        lambda start: _stuck(plan, start),
        lambda start: start,
        "starts without a level way out",
    )
    figures["starts"] = len(starts)
    return failed(*findings, **figures) if findings else passed(**figures)


def _starts(blocks: VoxelStructure, material: str | None, middle: str) -> Ints:
    """Where ways begin, (k, 3): the blocks of a material, or else one place in the middle."""
    if material:
        return blocks.positions[blocks.of_material(material, True, any_case=True)]
    if middle == "box":
        return ((blocks.low + blocks.high) // 2)[None]
    mean = np.floor(blocks.positions.mean(axis=0) + 0.5)
    return mean.astype(np.int64)[None]


class _Floor(NamedTuple):
    """What can be walked on at the floor's level.

    ``cells`` (m, 3) are its cells, at the floor's height; ``walkable`` (m,) those with room for the
    head; ``piece`` (m,) the connected piece of each; ``out`` (m,) whether that piece leads out.
    """

    cells: Ints
    walkable: Bools
    piece: Ints
    out: Bools

    @classmethod
    def of(cls, blocks: VoxelStructure, floor: int, start_material: str | None) -> _Floor:
        p = blocks.positions
        on = p[:, 1] == floor
        if start_material:
            starts = blocks.of_material(start_material, True, any_case=True)
            on |= starts & (p[:, 1] == floor + 1)
        cells = np.unique(np.where([False, True, False], floor, p[on]), axis=0)
        solid = p[~blocks.of_material("door", True, any_case=True)]
        keys = pack(solid)
        knee = find(keys, pack(cells + [0, 1, 0])) >= 0
        head = np.where(knee, 2, 1)[:, None] * np.array([0, 1, 0])
        walkable = find(keys, pack(cells + head)) < 0
        beside = find(pack(cells), pack(cells)[:, None] + shift(SIDES))
        piece = components(len(cells), edges(beside, walkable))
        # Outdoors begins beyond the box round the floor; there nothing may stand on the level.
        low, high = cells.min(axis=0), cells.max(axis=0)
        ahead = cells[:, None] + SIDES
        beyond = ((ahead < low) | (ahead > high)).any(axis=2)
        raised = ahead + [0, 1, 0]
        free = (find(keys, pack(ahead)) < 0) & (find(keys, pack(raised)) < 0)
        leaves = (beyond & free.reshape(beyond.shape)).any(axis=1) & walkable
        out = np.zeros(len(cells), dtype=bool)
        out[piece[leaves]] = True
        return cls(cells, walkable, piece, out[piece] & walkable)

    def at(self, starts: Ints) -> Ints:
        """Row of the floor's cell under each start, -1 for none, (k,)."""
        under = np.where([False, True, False], self.cells[0, 1], starts)
        return find(pack(self.cells), pack(under))

    def leads_out(self, starts: Ints) -> Bools:
        """Whether a way leads out from each start, (k,)."""
        at = self.at(starts)
        found: Bools = (at >= 0) & self.out[at]
        return found


def _off_level(start: Ints, floor: int) -> Finding:
    message = (
        f"the start {_text(start)} stands at y = {start[1]}, not right on the floor at "
        f"y = {floor + 1}"
    )
    return fault(
        message, start, clause=_LEVEL, measured=int(start[1]), limit=floor + 1, unit="blocks"
    )


def _stuck(plan: _Floor, start: Ints) -> Finding:
    row = int(plan.at(start[None])[0])
    if row < 0:
        return fault(f"under the start {_text(start)} there is no floor", start, clause=_LEVEL)
    if not plan.walkable[row]:
        message = f"over the start {_text(start)} there is no room for the head"
        return fault(message, start, clause=_LEVEL)
    reached = plan.cells[(plan.piece == plan.piece[row]) & plan.walkable]
    message = (
        f"no level way leads out from {_text(start)}: {len(reached)} floor cells can be reached, "
        "none at the edge with free ground before it"
    )
    return fault(message, start, clause=_LEVEL, air=(reached + [0, 1, 0]).tolist())


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
    starts = _starts(blocks, start_material, rules.start)
    if not len(starts):
        return nothing(True, f"no block of '{start_material}' to start from")
    w = rules.exit_box[0] if width is None else width
    d = rules.exit_box[1] if depth is None else depth
    h = rules.exit_box[2] if height is None else height
    body = f"{w} x {d} x {h}"
    beside = np.concatenate([np.zeros((1, 3), dtype=np.int64), SIDES])
    begin = np.unique((starts[:, None] + beside).reshape(-1, 3), axis=0)
    seen: list[Ints] = []
    for size in {(w, h, d), (d, h, w)}:
        out, reached = _walk(blocks, begin, size)
        if out:
            return passed(body=body)
        seen.append(reached)
    reached = np.unique(np.concatenate(seen), axis=0)
    return failed(_locked(blocks, begin, starts, reached, body), body=body, reached=len(reached))


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


def _locked(blocks: VoxelStructure, begin: Ints, starts: Ints, reached: Ints, body: str) -> Finding:
    if len(reached):
        message = (
            f"a body of {body} cells does not get out from {_text(starts[0])}: it reaches "
            f"{len(reached)} places, all inside"
        )
        return fault(
            message, place=f"start at {_text(starts[0])}", at=starts[0], clause=_EXIT,
            air=reached.tolist(),
        )  # fmt: skip
    near = np.concatenate([begin, begin + [0, 1, 0]])
    rows = blocks.rows_at(near)
    message = f"a body of {body} cells has no room at {_text(starts[0])} or beside it"
    return fault(
        message,
        blocks.positions[np.unique(rows[rows >= 0])],
        place=f"start at {_text(starts[0])}",
        at=starts[0],
        clause=_EXIT,
    )


def _walk(blocks: VoxelStructure, begin: Ints, size: tuple[int, int, int]) -> tuple[bool, Ints]:
    """Whether a box of ``size`` cells gets out from any of ``begin``, and where it got to, (m, 3).

    Places are those of its low corner.
    """
    clear, origin = _clear(blocks, size)
    # Over the blocks' box is the body while one of its corners is, in x and in z.
    over = []
    for axis in (0, 2):
        corner = np.arange(clear.shape[axis]) + origin[axis]
        within = [
            (blocks.low[axis] <= corner + c) & (corner + c <= blocks.high[axis])
            for c in (0, size[axis] - 1)
        ]
        over.append(within[0] | within[1])
    inside = over[0][:, None] & over[1][None, :]
    out, reached = _spread(clear, inside, begin - origin)
    return out, reached + origin


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


def _text(cell: Ints) -> str:
    return f"({', '.join(str(int(v)) for v in cell)})"
