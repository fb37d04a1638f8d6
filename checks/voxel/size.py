# SPDX-License-Identifier: GPL-3.0-or-later
"""Size: the box round all blocks, and its lowest and highest level (algorithms 9 and 10)."""

from __future__ import annotations

import numpy as np

from ..result import Finding
from .cells import Ints
from .outcome import Outcome, failed, fault, passed
from .rules import Rules
from .structure import VoxelStructure

_BOX = "MineCEraft, algorithm 9"
_LEVEL = "MineCEraft, algorithm 10"


def is_equal(
    blocks: VoxelStructure, rules: Rules, *, xz: tuple[int, int], y: int | None = None
) -> Outcome:
    """The box measures just ``xz`` blocks, either way round, and ``y`` high where that is given."""
    return _box(blocks, xz, y, exact=True)


def is_leq(
    blocks: VoxelStructure, rules: Rules, *, xz: tuple[int, int], y: int | None = None
) -> Outcome:
    """The box fits into ``xz`` blocks, either way round, and ``y`` high where that is given."""
    return _box(blocks, xz, y, exact=False)


def min_y_is_equal(blocks: VoxelStructure, rules: Rules, *, expected_y: int) -> Outcome:
    """The lowest block is at ``expected_y``."""
    return _level(blocks, expected_y, low=True, least=True, most=True)


def min_y_is_leq(blocks: VoxelStructure, rules: Rules, *, max_y: int) -> Outcome:
    """The lowest block is at ``max_y`` or lower."""
    return _level(blocks, max_y, low=True, least=False, most=True)


def max_y_is_geq(blocks: VoxelStructure, rules: Rules, *, min_y: int) -> Outcome:
    """The highest block is at ``min_y`` or higher."""
    return _level(blocks, min_y, low=False, least=True, most=False)


def all_dimensions_geq(blocks: VoxelStructure, rules: Rules, *, min_size: int) -> Outcome:
    """The box measures at least ``min_size`` blocks along x, y and z."""
    if not len(blocks):
        return failed()
    size = extents(blocks)
    if (size >= min_size).all():
        return passed(size=size.tolist())
    findings = [
        _off(blocks, axis, int(size[axis]), min_size, f"at least {min_size}", _LEVEL)
        for axis in np.flatnonzero(size < min_size).tolist()
    ]
    return failed(*findings, size=size.tolist())


def extents(blocks: VoxelStructure) -> Ints:
    """Blocks along x, y and z of the box round all, (3,)."""
    return blocks.high - blocks.low + 1


def _box(blocks: VoxelStructure, xz: tuple[int, int], y: int | None, exact: bool) -> Outcome:
    if not len(blocks):
        return failed()
    size = extents(blocks)
    bound = "just" if exact else "at most"
    # The longer side of the plan is held against the longer one that is asked for.
    plan = [0, 2] if size[0] <= size[2] else [2, 0]
    wanted = [*zip(plan, sorted(xz), strict=True)] + ([] if y is None else [(1, y)])
    findings = [
        _off(blocks, axis, int(size[axis]), limit, f"{bound} {limit}", _BOX)
        for axis, limit in wanted
        if (size[axis] != limit if exact else size[axis] > limit)
    ]
    return failed(*findings, size=size.tolist()) if findings else passed(size=size.tolist())


def _off(
    blocks: VoxelStructure, axis: int, size: int, limit: int, asked: str, clause: str
) -> Finding:
    """A side of the wrong length; where it is too long, the blocks beyond the length are named."""
    along = blocks.positions[:, axis]
    beyond = blocks.positions[along > blocks.low[axis] + limit - 1] if size > limit else ()
    name = "xyz"[axis]
    message = f"the blocks span {size} along {name}, {asked} asked for"
    return fault(
        message,
        beyond,
        place=f"extent along {name}",
        at=(blocks.low + blocks.high) / 2,
        clause=clause,
        measured=size,
        limit=limit,
        unit="blocks",
    )


def _level(blocks: VoxelStructure, wanted: int, low: bool, least: bool, most: bool) -> Outcome:
    """The lowest or highest level against what is asked for, from below, above or both."""
    if not len(blocks):
        return failed()
    level = int((blocks.low if low else blocks.high)[1])
    if (not least or level >= wanted) and (not most or level <= wanted):
        return passed(y=level)
    bound = "" if least and most else (" or higher" if least else " or lower")
    message = (
        f"the {'lowest' if low else 'highest'} block is at y = {level}, "
        f"y = {wanted}{bound} is asked for"
    )
    at = blocks.positions[blocks.positions[:, 1] == level]
    finding = fault(message, at, clause=_LEVEL, measured=level, limit=wanted, unit="blocks")
    return failed(finding, y=level)
