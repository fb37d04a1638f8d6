# SPDX-License-Identifier: GPL-3.0-or-later
"""The A-frame: rafters from the floor to the ridge, tied by floor and collar ties; its gables.

x runs along the ridge from 0 to ``length``, y across it from 0 to ``width``.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, cos, sin

import numpy as np

from ..frame import Frame
from ..levels import T

#: Depth of the studs in the gables, m (2x4, R602.3).
STUD = 0.089
#: Depth of the header over a gable's opening, m (2x6; it carries no floor and no rafter).
HEADER = 0.140
#: Depth of the ridge board, m (2x12: the deepest there is, since steep rafters are cut long).
RIDGE = 0.286
#: The rafters' heels stand back from the outer edge of their plate, m (ours).
HEEL = 0.005
#: Shortest stud worth cutting, m (ours: less than that is a wedge).
SHORTEST = 0.120


@dataclass(frozen=True)
class AFrame:
    """Sizes of the roof.

    ``stations`` are the left faces of rafters and ``grid`` their spacing, m; ``floor`` is the top
    of the joists, ``angle`` the pitch in radians, ``depth`` that of the rafters, ``sole`` the width
    of the plates under them, ``tie`` the height of the collar ties above the floor, m.
    """

    bays: int
    across: int
    grid: float
    floor: float
    angle: float
    depth: float
    sole: float
    tie: float

    @property
    def length(self) -> float:
        return self.bays * self.grid + T

    @property
    def width(self) -> float:
        return self.across * self.grid + T

    @property
    def middle(self) -> float:
        return self.width / 2

    @property
    def tan(self) -> float:
        return sin(self.angle) / cos(self.angle)

    @property
    def sole_top(self) -> float:
        return self.floor + T

    @property
    def foot(self) -> float:
        """Where the rafters' centre line meets the plate, from its outer face, m."""
        return self.depth / sin(self.angle) / 2 + HEEL

    @property
    def peak(self) -> float:
        """Height at which the centre lines meet the ridge board, m."""
        return self.sole_top + (self.middle - T / 2 - self.foot) * self.tan

    @property
    def ridge_top(self) -> float:
        """As high as the rafters' upper edges, unless their lower corners would miss the board."""
        flush = self.peak + self.depth / cos(self.angle) / 2
        return min(flush, self.peak - self.depth / 2 * cos(self.angle) - HEEL + RIDGE)

    def under(self, y: float) -> float:
        """Height of the rafters' underside, or of the ridge's in the very middle, m."""
        inset = min(y, self.width - y)
        plane = self.sole_top + (inset - self.foot) * self.tan - self.depth / cos(self.angle) / 2
        return min(plane, self.ridge_top - RIDGE)


def couples(frame: Frame, roof: AFrame) -> None:
    """Plates, ridge, rafters; the end couples are doubled so that they cap the gable studs."""
    z = (roof.floor, roof.sole_top)
    length, width, face = roof.length, roof.width, roof.middle - T / 2
    frame.box("BottomPlate", "S", (0, length), (0, roof.sole), z)
    frame.box("BottomPlate", "N", (0, length), (width - roof.sole, width), z)
    ridge = (roof.ridge_top - RIDGE, roof.ridge_top)
    frame.box("Ridge", "", (0, length), (face, face + T), ridge)
    inner = np.arange(1, roof.bays) * roof.grid
    lefts = np.concatenate([[0, T], inner, [length - 2 * T, length - T]])
    x = lefts + T / 2
    for tag, y, y_top in (("S", roof.foot, face), ("N", width - roof.foot, width - face)):
        foot = np.column_stack([x, np.full_like(x, y), np.full_like(x, roof.sole_top)])
        top = np.column_stack([x, np.full_like(x, y_top), np.full_like(x, roof.peak)])
        frame.sloped("Rafter", tag, foot, top, T, roof.depth)
    low = roof.floor + roof.tie
    # The ties' upper corners end at the rafters' upper edges.
    reach = (roof.peak + roof.depth / cos(roof.angle) / 2 - low - HEADER) / roof.tan + T / 2
    beside = (inner + T, inner + 2 * T)
    frame.box(
        "CollarTie", "", beside, (roof.middle - reach, roof.middle + reach), (low, low + HEADER)
    )


@dataclass(frozen=True)
class Opening:
    """An opening in a gable: half its width, its head, and its sill above the floor, m."""

    half: float
    head: float
    sill: float | None = None


def gable(frame: Frame, roof: AFrame, tag: str, left: float, opening: Opening | None) -> None:
    """End wall: studs up to the end rafters and the ridge, one opening in the middle."""
    across, bottom = (left, left + STUD), roof.sole_top
    low, high = roof.middle, roof.middle
    inner = (roof.sole, roof.width - roof.sole)
    if opening is not None:
        low, high = roof.middle - opening.half, roof.middle + opening.half
        _surround(frame, roof, tag, across, opening)
    door = opening is not None and opening.sill is None
    for span in [(inner[0], low), (high, inner[1])] if door else [inner]:
        frame.box("BottomPlate", tag, across, span, (roof.floor, bottom))
    for i in range(1, roof.across):
        y = i * roof.grid
        top = roof.under(y + T / 2)
        if y < inner[0] or y + T > inner[1] or top - bottom < SHORTEST:
            continue
        side = (y, y + T)
        if opening is None or not low - 3 * T < y < high + 2 * T:
            frame.box("Stud", tag, across, side, (bottom, top))


def _surround(
    frame: Frame, roof: AFrame, tag: str, across: tuple[float, float], opening: Opening
) -> None:
    """Kings, trimmers, header, and the sill with its cripples."""
    low, high = roof.middle - opening.half, roof.middle + opening.half
    head, bottom = roof.floor + opening.head, roof.sole_top
    frame.box("Header", tag, across, (low - T, high + T), (head, head + HEADER))
    for king, trimmer in ((low - 2 * T, low - T), (high + T, high)):
        frame.box("KingStud", tag, across, (king, king + T), (bottom, roof.under(king + T / 2)))
        frame.box("TrimmerStud", tag, across, (trimmer, trimmer + T), (bottom, head))
    # Cripples part the way from king to king evenly, no bay wider than the studs'.
    count = ceil((high - low + 3 * T) / roof.grid)
    inside = [low - 2 * T + k * (high - low + 3 * T) / count for k in range(1, count)]
    for y in inside:
        frame.box("Cripple", tag, across, (y, y + T), (head + HEADER, roof.under(y + T / 2)))
    if opening.sill is not None:
        sill = roof.floor + opening.sill
        frame.box("WindowSill", tag, across, (low, high), (sill - T, sill))
        for y in (low, *(y for y in inside if low + T <= y <= high - 2 * T), high - T):
            frame.box("Cripple", tag, across, (y, y + T), (bottom, sill - T))
