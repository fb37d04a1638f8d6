# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave top and bottom surfaces (algorithm 4), slice by slice.

A slice is every row of columns at one z or one x, in order; gaps between columns are ignored. The
published condition, that every column lies on or above every chord, holds just when no inner column
lies below the middle of its two neighbours: on whole heights it is decided exactly.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import numpy as np

from .cells import Bools, Ints
from .outcome import Outcome, failed, fault, passed
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 4"

Strict = bool | Literal["non-flat"]


class Slices(NamedTuple):
    """Columns of a surface in rows: once along x and once along z.

    Attributes
    ----------
    cells
        The block of each column that makes the surface, (n, 3), sorted by slice and place.
    first
        Index of the first column of each slice, (s,).
    along_x
        Whether the slice runs along x (at one z), (s,).
    group
        Stretches of one number are judged together: all must be concave, (s,).
    """

    cells: Ints
    first: Ints
    along_x: Bools
    group: Ints

    @property
    def length(self) -> Ints:
        """Columns of each slice, (s,)."""
        return np.diff(np.append(self.first, len(self.cells)))

    @property
    def owner(self) -> Ints:
        """Slice of each column, (n,)."""
        return np.repeat(np.arange(len(self.first)), self.length)

    def name(self, number: int) -> str:
        """``"slice z = 3"``, or ``"slice x = 3"``."""
        cell = self.cells[self.first[number]]
        return f"slice z = {cell[2]}" if self.along_x[number] else f"slice x = {cell[0]}"


def surface(blocks: VoxelStructure, top: bool) -> Ints:
    """The highest (or lowest) block of every column, (n, 3)."""
    p = blocks.positions
    p = p[np.lexsort((-p[:, 1] if top else p[:, 1], p[:, 2], p[:, 0]))]
    return p[_begins(p[:, [0, 2]])]


def slices(cells: Ints) -> Slices:
    """The rows of ``cells`` (n, 3) at every z, then those at every x."""
    rows = cells[np.lexsort((cells[:, 0], cells[:, 2]))]
    columns = cells[np.lexsort((cells[:, 2], cells[:, 0]))]
    begins = np.concatenate([_begins(rows[:, 2:]), _begins(columns[:, :1])])
    first = np.flatnonzero(begins)
    return Slices(np.concatenate([rows, columns]), first, first < len(rows), np.arange(len(first)))


def is_top_surface_concave(
    blocks: VoxelStructure, rules: Rules, *, strict: Strict = False
) -> Outcome:
    """Some slice of the highest blocks bulges up; without blocks it passes.

    ``strict`` ``"non-flat"`` also asks that not all of it is level, ``True`` that nothing is.
    """
    if not len(blocks):
        return passed()
    return _judged(slices(surface(blocks, top=True)), 1, strict, "top")


def is_bottom_surface_concave(
    blocks: VoxelStructure, rules: Rules, *, strict: Strict = False
) -> Outcome:
    """Some slice of the lowest blocks is concave, by ``rules.bottom``; without blocks it passes.

    The figure ``bottom`` says which rule was used; see :class:`.rules.Rules`.
    """
    if not len(blocks):
        return passed(bottom=rules.bottom)
    rows = slices(surface(blocks, top=False))
    if rules.bottom == "belly":
        result = _judged(rows, -1, strict, "bottom")
    else:
        ground = max(rules.ground, int(blocks.low[1]))
        spans = between_supports(rows, ground)
        result = (
            _judged(spans, 1, strict, "bottom") if len(spans.first) else _no_span(blocks, ground)
        )
    figures = {**result.figures, "bottom": rules.bottom}
    return Outcome(result.value, result.findings, figures=figures)


def between_supports(rows: Slices, ground: int) -> Slices:
    """The stretches of slices between two columns that begin at ``ground`` or lower.

    What lies beyond the outermost supports of a slice spans nothing and is left out. All stretches
    of a slice form a group.
    """
    owner, stands = rows.owner, rows.cells[:, 1] <= ground
    supports = np.bincount(owner[stands], minlength=len(rows.first))
    before = np.cumsum(supports) - supports
    passed_by = np.cumsum(stands) - before[owner]  # supports of the slice up to this column
    between = ~stands & (passed_by > 0) & (passed_by < supports[owner])
    cells, mine = rows.cells[between], owner[between]
    first = np.flatnonzero(_begins(np.stack([mine, passed_by[between]], axis=1)))
    return Slices(cells, first, rows.along_x[mine[first]], mine[first])


def _no_span(blocks: VoxelStructure, ground: int) -> Outcome:
    message = (
        f"nothing spans between two supports (columns that begin at y = {ground} or lower), so "
        "there is no bottom surface to be concave"
    )
    middle = (blocks.low + blocks.high) / 2
    finding = fault(message, place="bottom surface", at=middle, clause=_CLAUSE)
    return failed(finding, slices=0, concave=0)


def _begins(names: Ints) -> Bools:
    """Which rows of ``names`` (n, k) differ from the row before, (n,)."""
    new = np.ones(len(names), dtype=bool)
    new[1:] = (names[1:] != names[:-1]).any(axis=1)
    return new


def _bad_columns(rows: Slices, sign: int, strict: Strict) -> tuple[Bools, Bools]:
    """Columns at which a slice is not concave (n,), and slices that fail as a whole (s,)."""
    height, owner = sign * rows.cells[:, 1], rows.owner
    bad = np.zeros(len(height), dtype=bool)
    bend = height[2:] - 2 * height[1:-1] + height[:-2]
    bad[1:-1] = (owner[2:] == owner[:-2]) & (bend >= 0 if strict is True else bend > 0)
    same = owner[1:] == owner[:-1]
    level = height[1:] == height[:-1]
    if strict is True:
        bad[1:] |= same & level
    steps = np.bincount(owner[1:][same & ~level], minlength=len(rows.first))
    flat = steps == 0 if strict == "non-flat" else (rows.length == 1) & (strict is True)
    return bad, flat


def _judged(rows: Slices, sign: int, strict: Strict, name: str) -> Outcome:
    """One slice that is concave, in all its stretches, is enough; else the nearest is named."""
    bad, flat = _bad_columns(rows, sign, strict)
    owner = rows.owner
    faults = np.bincount(owner[bad], minlength=len(rows.first))
    spoilt = (faults > 0) | flat
    good = np.setdiff1d(rows.group, rows.group[spoilt])
    figures = {"slices": len(np.unique(rows.group)), "concave": len(good)}
    if len(good):
        best = int(np.flatnonzero(rows.group == good[0])[0])
        return passed(**figures, slice=rows.name(best))
    # The one nearest to concave: not flat, few bad columns, long.
    order = np.lexsort((-rows.length, faults, flat))
    worst = int(order[spoilt[order]][0])
    mine = owner == worst
    at = rows.cells[mine & bad] if faults[worst] else rows.cells[mine]
    why = f"it bends the other way at {len(at)} of {mine.sum()} columns"
    message = (
        f"no slice of the {name} surface is concave; {rows.name(worst)} comes nearest, but "
        f"{why if faults[worst] else 'it is flat'}: it should bulge {'up' if sign > 0 else 'down'}"
    )
    finding = fault(message, at, clause=_CLAUSE, slice=rows.cells[mine].tolist())
    return failed(finding, **figures)
