# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact areas as they are and as they are asked for, for pictures of too little bearing."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..structure import Floats
from . import table
from .joints import Joints
from .outcome import points


def contact_areas(
    joints: Joints,
    member: int,
    span: tuple[float, float],
    sign: int,
    carrier: int | None = None,
) -> dict[str, Any]:
    """Where a level member bears on ``span`` of its axis, m, and where it ought to, for pictures.

    ``sign`` is the end of the member that is near: the area that is asked for begins at the inner
    edge of the support. No wider than the ``carrier``, where one is named. What bears nowhere has
    no ``patch``.
    """
    frame = joints.frame
    half = float(frame.half[member, 2])
    sides = -half, half
    if carrier is not None:
        across = frame.axes[member, 2]
        middle = float((frame.center[carrier] - frame.center[member]) @ across)
        reach = float(np.abs(frame.axes[carrier] @ across) @ frame.half[carrier])
        sides = max(-half, middle - reach), min(half, middle + reach)
    low, high = span
    needed = (low, low + table.BEARING) if sign > 0 else (high - table.BEARING, high)
    detail = {"needed": points(_underside(joints, member, needed, sides))}
    if high > low:
        detail["patch"] = points(_underside(joints, member, span, sides))
    return detail


def _underside(
    joints: Joints, member: int, span: tuple[float, float], sides: tuple[float, float]
) -> Floats:
    """Corners of a stretch of a member's underside, (4, 3), m."""
    frame = joints.frame
    along, up, across = frame.axes[member]
    base = frame.center[member] - frame.half[member, 1] * up
    corners = [(a, b) for a, b in zip((*span, *span[::-1]), np.repeat(sides, 2), strict=True)]
    return np.array([base + a * along + b * across for a, b in corners])


def seat_areas(joints: Joints, row: int) -> dict[str, Any]:
    """The seat as it is, and one of 38 mm that goes on where the rafter ends."""
    frame, seats = joints.frame, joints.seats
    member = int(seats.member[row])
    plan = frame.along[member] * np.array([1.0, 1.0, 0.0])
    plan /= np.linalg.norm(plan)
    across = frame.axes[member, 2]
    run, spot = float(seats.run[row]), seats.spot[row]
    # A rafter that begins on its plate moves uphill off it; any other lacks at its upper end.
    at_foot = float(seats.span[row, 0]) <= -float(frame.half[member, 0]) + table.CONTACT
    lacks = (table.BEARING - run) * (-1.0 if at_foot else 1.0)
    ends = sorted((-0.5 * run + min(lacks, 0.0), 0.5 * run + max(lacks, 0.0)))
    half = float(frame.half[member, 2])

    def corners(low: float, high: float) -> list[list[float]]:
        sides = ((low, -half), (high, -half), (high, half), (low, half))
        return points([spot + a * plan + b * across for a, b in sides])

    return {"patch": corners(-0.5 * run, 0.5 * run), "needed": corners(*ends)}


#: Cells of what nothing covers are about this large, m, and no more than these along a side.
_CELL, _MOST_CELLS = 0.4, 16


def cells(first: Floats, second: Floats) -> list[list[list[float]]]:
    """The area between two lines (2, 3), m, that run the same way, as a grid of quads (k, 4, 3)."""
    along = max(np.linalg.norm(first[1] - first[0]), np.linalg.norm(second[1] - second[0]))
    across = max(np.linalg.norm(second[0] - first[0]), np.linalg.norm(second[1] - first[1]))
    rows, columns = (int(np.clip(round(size / _CELL), 1, _MOST_CELLS)) for size in (along, across))
    u = np.linspace(0.0, 1.0, rows + 1)[:, None, None]
    v = np.linspace(0.0, 1.0, columns + 1)[None, :, None]
    left, right = first[0] + u * (first[1] - first[0]), second[0] + u * (second[1] - second[0])
    grid = left + v * (right - left)
    quads = np.stack([grid[:-1, :-1], grid[:-1, 1:], grid[1:, 1:], grid[1:, :-1]], axis=2)
    rounded: list[list[list[float]]] = np.round(quads.reshape(-1, 4, 3), 4).tolist()
    return rounded
