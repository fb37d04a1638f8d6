# SPDX-License-Identifier: GPL-3.0-or-later
"""Clusters: connected groups of blocks at one height, their number, gaps and size (algorithm 6)."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from ..result import Finding
from .cells import Ints, find, pack, shift
from .graph import SIDES, components, edges, squares
from .outcome import Outcome, failed, fault, nothing, passed, plural, told
from .rules import Rules
from .structure import VoxelStructure

_CLAUSE = "MineCEraft, algorithm 6"

_CORNERS: Ints = np.array([[1, 0, 1], [1, 0, -1], [-1, 0, 1], [-1, 0, -1]], dtype=np.int64)

# Measures cells (m, 2): the figure, and the rows between which it was taken.
Measure = Callable[[NDArray[np.float64]], tuple[float, Ints]]

# Pairs of cells that are measured at once: 8 MB a matrix.
_CHUNK = 1 << 20

# Among more cells than this, those nearer than so many cells are looked for step by step.
_MANY, _FAR = 2048, 32.0


def clusters_at(blocks: VoxelStructure, y: int, corners: bool = False) -> tuple[Ints, Ints]:
    """Rows of the blocks at height ``y`` (m,), and the cluster of each, counted from 0 (m,).

    Blocks are of one cluster over their sides; with ``corners`` also diagonally.
    """
    rows = np.flatnonzero(blocks.positions[:, 1] == y)
    steps = np.concatenate([SIDES, _CORNERS]) if corners else SIDES
    layer = np.full(len(blocks), -1, dtype=np.int64)
    layer[rows] = np.arange(len(rows))
    beside = blocks.neighbours(steps)[rows]
    beside = np.where(beside >= 0, layer[beside], -1)
    return rows, components(len(rows), edges(beside))


def cluster_count_at_y_is(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    y: int,
    expected_count: int,
    use_8_neighbors: bool = False,
) -> Outcome:
    """Exactly so many clusters at height ``y``; too many names the smallest beyond the number."""
    rows, label = clusters_at(blocks, y, use_8_neighbors)
    count = int(label.max()) + 1 if len(label) else 0
    if count == expected_count:
        return passed(clusters=count)
    sizes = np.bincount(label, minlength=count)
    if count > max(expected_count, 0):
        surplus = np.argsort(sizes, kind="stable")[: count - max(expected_count, 0)]
        at = blocks.positions[rows[np.isin(label, surplus)]]
    else:
        at = blocks.positions[rows]  # too few: what is there runs together, or is missing
    message = (
        f"{plural(count, 'cluster')} of blocks at y = {y}, {expected_count} should stand there"
    )
    finding = fault(
        message,
        at,
        place=f"level y = {y}",
        at=at.mean(axis=0) if len(at) else None,
        clause=_CLAUSE,
        measured=count,
        limit=expected_count,
        unit="clusters",
        clusters=[blocks.positions[rows[label == i]].tolist() for i in range(count)],
    )
    return failed(finding, clusters=count)


def clusters_at_y_have_min_span(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    y: int,
    min_span: float,
    use_8_neighbors: bool = False,
) -> Outcome:
    """Every two clusters at height ``y`` are at least so far apart, from cell centre to centre.

    Fewer than two clusters fail in the paper and pass in the public graders.
    """
    rows, label = clusters_at(blocks, y, use_8_neighbors)
    count = int(label.max()) + 1 if len(label) else 0
    if count < 2:
        reason = f"{plural(count, 'cluster')} of blocks at y = {y}: no two to measure between"
        if rules.lone_cluster_spans:
            return nothing(True, reason, clusters=count)
        at = blocks.positions[rows]
        finding = fault(
            f"{reason}; two should stand at least {min_span:g} apart",
            at,
            place=f"level y = {y}",
            at=at.mean(axis=0) if len(at) else None,
            clause=_CLAUSE,
        )
        return failed(finding, clusters=count)
    edge = (blocks.neighbours(SIDES)[rows] < 0).any(axis=1)  # only there two can be nearest
    cells, label = blocks.positions[rows[edge]], label[edge]
    near, gaps, least = _gaps(cells[:, [0, 2]], label, min_span)
    figures = {"clusters": count, "span": least if np.isfinite(least) else None}
    if not len(near):
        return passed(**figures)
    findings = told(
        range(len(near)),
        lambda k: _narrow(cells[near[k]], float(gaps[k]), min_span),
        lambda rest: cells[np.unique(near[list(rest)])],
        "pairs of clusters too near each other",
    )
    return failed(*findings, **figures, pairs=len(near))


def _narrow(pair: Ints, gap: float, min_span: float) -> Finding:
    a, b = (f"({', '.join(map(str, cell))})" for cell in pair.tolist())
    message = (
        f"two clusters at y = {pair[0, 1]} are {gap:.2f} apart between {a} and {b}, "
        f"at least {min_span:g} is asked for"
    )
    return fault(
        message,
        pair,
        related=pair[1:],
        clause=_CLAUSE,
        measured=gap,
        limit=min_span,
        unit="blocks",
    )


def _gaps(cells: Ints, label: Ints, least: float) -> tuple[Ints, NDArray[np.float64], float]:
    """The nearest cells of every two clusters less than ``least`` apart, nearest first.

    ``cells`` (m, 2), ``label`` (m,). Returns their rows (k, 2), how far they are apart (k,), and
    the least gap of all: infinite where very many cells have none that is less than ``least``.
    """
    steps = _steps(least) if len(cells) > _MANY and least <= _FAR else None
    parts = _pairs_by_step(cells, steps) if steps is not None else _pairs(cells, label, least)
    smallest, found = np.inf, [np.zeros((0, 3))]
    for rows, squared in parts:
        apart = label[rows[:, 0]] != label[rows[:, 1]]
        rows, squared = rows[apart], squared[apart]
        smallest = min(smallest, float(squared.min(initial=np.inf)))
        close = np.sqrt(squared) < least
        found.append(np.column_stack([rows[close], squared[close]]))
    every = np.concatenate(found)
    rows, squared = np.sort(every[:, :2].astype(np.int64), axis=1), every[:, 2]
    both = np.sort(label[rows], axis=1)
    order = np.lexsort((rows[:, 1], rows[:, 0], squared, both[:, 1], both[:, 0]))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (both[order][1:] != both[order][:-1]).any(axis=1)
    best = order[first]
    best = best[np.argsort(squared[best], kind="stable")]
    return rows[best], np.sqrt(squared[best]), float(np.sqrt(smallest))


def _pairs(cells: Ints, label: Ints, least: float) -> Iterator[tuple[Ints, NDArray[np.float64]]]:
    """Pairs of rows and their squared distances, in parts: the nearest, and all below ``least``."""
    step = max(1, _CHUNK // len(cells))
    for begin in range(0, len(cells), step):
        apart = squares(cells[begin : begin + step], cells)
        apart[label[begin : begin + step, None] >= label[None, :]] = np.inf  # each pair once
        keep = np.sqrt(apart) < least
        keep.flat[int(apart.argmin())] = True
        rows = np.argwhere(keep)
        yield rows + [begin, 0], apart[keep]


def _pairs_by_step(cells: Ints, steps: Ints) -> Iterator[tuple[Ints, NDArray[np.float64]]]:
    """Pairs of rows that are one of ``steps`` (k, 2) apart, and their squared distances."""
    keys = pack(np.insert(cells, 1, 0, axis=1))
    order = np.argsort(keys, kind="stable")
    for step in steps:
        other = find(keys, keys + shift([[step[0], 0, step[1]]]), order)
        mine = np.flatnonzero(other >= 0)
        rows = np.stack([mine, other[mine]], axis=1)
        yield rows, np.full(len(mine), float(step @ step))


def _steps(least: float) -> Ints:
    """Steps (dx, dz) shorter than ``least``, one of each two that are opposite, (k, 2)."""
    reach = int(np.ceil(max(least, 0.0)))
    x, z = (axis.ravel() for axis in np.mgrid[0 : reach + 1, -reach : reach + 1])
    keep = (np.hypot(x, z) < least) & ((x > 0) | (z > 0))
    return np.stack([x[keep], z[keep]], axis=1)


def cluster_at_y_has_min_radius(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    y: int,
    min_radius: float,
    use_8_neighbors: bool = False,
) -> Outcome:
    """Just one cluster at height ``y``, whose farthest cell is so far from their mean."""

    def radius(cells: NDArray[np.float64]) -> tuple[float, Ints]:
        apart = np.hypot(*(cells - cells.mean(axis=0)).T)
        return float(apart.max()), np.array([apart.argmax()])

    return _extent(blocks, y, min_radius, use_8_neighbors, "radius", radius)


def cluster_at_y_has_min_diameter(
    blocks: VoxelStructure,
    rules: Rules,
    *,
    y: int,
    min_diameter: float,
    use_8_neighbors: bool = False,
) -> Outcome:
    """Just one cluster at height ``y``, whose two farthest cells are so far apart.

    From centre to centre: a disc five wide is 4 along an axis.
    """
    return _extent(blocks, y, min_diameter, use_8_neighbors, "diameter", diameter)


def diameter(cells: NDArray[np.float64]) -> tuple[float, Ints]:
    """Greatest distance of two cells of (m, 2), and their rows (2,).

    The farthest two are first or last of their rows along x.
    """
    order = np.lexsort((cells[:, 0], cells[:, 1]))
    z = cells[order, 1]
    ends = np.r_[True, z[1:] != z[:-1]] | np.r_[z[1:] != z[:-1], True]
    rows = order[ends]
    best, pair = -1.0, np.zeros(2, dtype=np.int64)
    step = max(1, _CHUNK // len(rows))
    for begin in range(0, len(rows), step):
        apart = squares(cells[rows[begin : begin + step]], cells[rows])
        at = int(apart.argmax())
        if apart.flat[at] > best:
            best = float(apart.flat[at])
            pair = rows[[begin + at // len(rows), at % len(rows)]]
    return float(np.sqrt(best)), pair


def _extent(
    blocks: VoxelStructure, y: int, least: float, corners: bool, name: str, measure: Measure
) -> Outcome:
    rows, label = clusters_at(blocks, y, corners)
    count = int(label.max()) + 1 if len(label) else 0
    cells = blocks.positions[rows]
    if count != 1:
        message = f"{plural(count, 'cluster')} of blocks at y = {y}, just one should stand there"
        finding = fault(
            message,
            cells,
            place=f"level y = {y}",
            at=cells.mean(axis=0) if len(cells) else None,
            clause=_CLAUSE,
            measured=count,
            limit=1,
            unit="clusters",
        )
        return failed(finding, clusters=count)
    value, farthest = measure(cells[:, [0, 2]].astype(np.float64))
    if value >= least:
        return passed(clusters=1, **{name: value})
    message = (
        f"the cluster at y = {y} has a {name} of {value:.2f} between cell centres, "
        f"at least {least:g} is asked for"
    )
    finding = fault(
        message,
        cells,
        place=f"level y = {y}",
        at=cells.mean(axis=0),
        clause=_CLAUSE,
        measured=value,
        limit=least,
        unit="blocks",
        farthest=cells[farthest].tolist(),
    )
    return failed(finding, clusters=1, **{name: value})
