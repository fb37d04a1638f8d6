# SPDX-License-Identifier: GPL-3.0-or-later
"""How large it all is, how high, and whether it is its own mirror image."""

from __future__ import annotations

import numpy as np

from ....checks.voxel.structure import VoxelStructure
from ..drawing import Lines, Picture, Shown, Tone, Words
from ..marks import FINE, Dimension, dimension, polyline
from .parts import anchor, blocks_of, center, company, figures, plane, sheet, still, versus, words

#: Where a dimension line stands: this far beside the box, m.
_OFFSET = 1.0
_AXES = {"extent along x": 0, "extent along y": 1, "extent along z": 2}


def size(shown: Shown) -> Picture | None:
    """The side of the wrong length as a dimension line, what is beyond it, the other sides."""
    structure, axis = blocks_of(shown), _AXES.get(shown.finding.subject)
    if structure is None or axis is None or not still(shown):
        return None
    low, high = structure.low, structure.high
    lines: list[Lines] = []
    text: tuple[Words, ...] = ()
    for k in range(3):
        tone: Tone = "fault" if k == axis else "plain"
        line = _side(low - 0.5, high + 0.5, k, tone)
        lines += line.lines
        length = f"{high[k] - low[k] + 1}"
        text += words(versus(shown) if k == axis else length, line.middle)
    return Picture(company(shown), tuple(lines), words=text, anchor=anchor(shown))


def _side(low: np.ndarray, high: np.ndarray, axis: int, tone: Tone) -> Dimension:
    """A side of the box (task axes, in cells), its dimension line before the front of it."""
    front = np.array([low[0], low[1], high[2]], dtype=float)
    if axis == 1:
        front[0] = high[0]
    elif axis == 2:
        front[[0, 2]] = high[0], low[2]
    end = front.copy()
    end[axis] = high[axis] if end[axis] == low[axis] else low[axis]
    aside = {0: (0, 0, 1), 1: (1, 0, 0), 2: (1, 0, 0)}[axis]
    way = center(front + aside) - center(front)
    return dimension(center(front), center(end), way, offset=_OFFSET, tone=tone)


def level(shown: Shown) -> Picture | None:
    """The level that was reached, and the one that is asked for."""
    structure, known = blocks_of(shown), figures(shown)
    if structure is None or known is None or not still(shown):
        return None
    side = -0.5 if "min_y" in shown.finding.check else 0.5
    lines, text = levels(structure, *known, side)
    return Picture(company(shown), lines, words=text, anchor=anchor(shown))


def levels(
    structure: VoxelStructure, reached: float, wanted: float, side: float = 0.5
) -> tuple[tuple[Lines, ...], tuple[Words, ...]]:
    """Two heights as outlines round all blocks, with a dimension between, and what they are.

    ``side`` is 0.5 for the tops of the blocks at these heights, -0.5 for their bottoms.
    """
    low, high = structure.low, structure.high
    now, then = (polyline(plane(low, high, 1, y + side), closed=True) for y in (reached, wanted))
    rings = (Lines(now, "fault", FINE * 2), Lines(then, "allowed", FINE * 2, dashed=True))
    corner = np.array([high[0] + 0.5, 0.0, high[2] + 0.5])
    start, end = (center(corner + [0, y + side, 0]) for y in (reached, wanted))
    line = dimension(start, end, center([1, 0, 0]), offset=_OFFSET, tone="fault")
    text = (
        *words(f"y = {reached:g} is reached", start),
        *words(f"y = {wanted:g} asked for", end, "allowed"),
    )
    return (*rings, *line.lines), text


def symmetry(shown: Shown) -> Picture | None:
    """The plane about which the blocks are their own mirror image."""
    structure, detail = blocks_of(shown), shown.finding.detail
    name = detail.get("axis") if hasattr(detail, "get") else None
    if structure is None or name not in ("x", "y", "z") or not still(shown):
        return None
    axis = "xyz".index(name)
    low, high = structure.low, structure.high
    middle = (low[axis] + high[axis]) / 2
    corners = plane(low, high, axis, middle)
    text = words(f"mirror: {name} = {middle:g}", corners.mean(axis=0))
    return Picture((sheet(corners, "fault"),), words=text, anchor=anchor(shown))
