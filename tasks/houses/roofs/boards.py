# SPDX-License-Identifier: GPL-3.0-or-later
"""Ridge boards in pieces, and the size next to another."""

from __future__ import annotations

from math import ceil, sqrt

from ..frame import Frame, pieces
from ..levels import T
from ..volume import Volume
from ..wood import DEPTHS

#: In plan, from the centre line of a hip or valley to its face along the plates, m.
BESIDE = T / 2 * sqrt(2.0)
#: Shortest overhang of roofs with hips or valleys, m: their square ends reach past the plates
#: that they sit on (ours).
LEAST_OVERHANG = 0.150
#: Longest piece of a ridge board, m (ours: 18 ft, what a yard has in stock).
STOCK = 5.486


def deeper(depth: float) -> float:
    """The next deeper 2x, m; a 2x12 has none and stays."""
    return next((d for d in DEPTHS if d > depth + 1e-6), DEPTHS[-1])


def joints(start: float, end: float, grid: float) -> list[float]:
    """Where a board from ``start`` to ``end`` is pieced together: in the middle of bays, m."""
    number = ceil((end - start) / STOCK)
    even = [start + (end - start) * k / number for k in range(1, number)]
    return [(round((x - T / 2) / grid - 0.5) + 0.5) * grid + T / 2 for x in even]


def ridge_board(
    frame: Frame, volume: Volume, tag: str, along: tuple[float, float], z: tuple[float, float]
) -> None:
    """A ridge board along x over the middle of a volume."""
    y = (volume.middle - T / 2, volume.middle + T / 2)
    for piece in pieces(*along, joints(*along, volume.grid)):
        frame.box("Ridge", tag, piece, y, z)
