# SPDX-License-Identifier: GPL-3.0-or-later
"""Walls of a storey: plates, studs, and everything around openings.

End walls run over the full depth and the long ones between them; the upper top plates lap over the
corners the other way round. Studs stand on the grid of the joists below and above.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from .frame import Frame
from .levels import T
from .lines import joints, put, run
from .volume import Lumber, Opening, Volume

#: An opening and its header: (width of a ply, plies, depth), m.
Framed = tuple[Opening, tuple[float, int, float]]
#: Joints of plates stay this far from openings, m: no piece of plate is shorter than a block.
CLEAR = 0.500
#: ... and joints of upper plates this far from valleys, m, that sit on them.
VALLEY_CLEAR = 0.250


@dataclass(frozen=True)
class Line:
    """Where a wall stands: along an axis from ``start`` to ``end``, across it from face to face."""

    tag: str
    axis: str
    start: float
    end: float
    across: tuple[float, float]


def walls(frame: Frame, volume: Volume, lumber: Lumber, storey: int) -> None:
    """All walls of a storey with their double top plates."""
    stud, length, depth = volume.stud, volume.length, volume.depth
    west = stud if volume.closed("W") else 0.0
    east = length - (stud if volume.closed("E") else 0.0)
    middle = (volume.middle - stud / 2, volume.middle + stud / 2)
    rake = volume.rake if storey == volume.storeys else 0.0
    outer = (
        -rake if volume.closed("W") else 0.0,
        length + (rake if volume.closed("E") else 0.0),
    )
    across_ends = (stud, depth - stud)
    lines = [
        (Line(f"S{storey}", "x", west, east, (0.0, stud)), outer),
        (Line(f"N{storey}", "x", west, east, (depth - stud, depth)), outer),
    ]
    if volume.closed("W"):
        lines.append((Line(f"W{storey}", "y", 0.0, depth, (0.0, stud)), across_ends))
    if volume.closed("E"):
        lines.append((Line(f"E{storey}", "y", 0.0, depth, (length - stud, length)), across_ends))
    if volume.lines:
        lines.append((Line(f"M{storey}", "x", west, east, middle), (west, east)))
    floor, height = volume.levels.floor_top(storey), volume.levels.studs[storey - 1]
    framed = list(zip(volume.openings, lumber.headers, strict=True))
    for number, (line, upper) in enumerate(lines):
        here = [f for f in framed if f[0].storey == storey and line.tag[0] == f[0].wall]
        corners = [edge for gap in volume.gaps.get(line.tag[0], ()) for edge in gap]  # type: ignore[call-overload]
        wall(frame, line, floor, height, volume.grid, here, upper, number, corners)


def wall(
    frame: Frame,
    line: Line,
    floor: float,
    height: float,
    grid: float,
    openings: Sequence[Framed] = (),
    upper: tuple[float, float] | None = None,
    number: int = 0,
    corners: Sequence[float] = (),
) -> None:
    """One framed wall.

    ``floor`` is the height of its bottom plate's underside, ``height`` the length of its studs, m.
    Studs stand at multiples of ``grid`` (their left edges) and at both ends. ``upper`` are the ends
    of the upper top plate (``None``: none). ``number`` spreads the joints of walls;
    at ``corners``, m, valleys sit on the upper plate and no joint is near.
    """
    bottom, top = floor + T, floor + T + height
    start, end = line.start, line.end
    first = int(np.ceil((start + T) / grid - 1e-6))
    last = int(np.floor((end - 2 * T) / grid + 1e-6))
    lefts = [i * grid for i in range(first, last + 1)]
    if lefts and end - T - lefts[-1] > grid + 1e-6:  # a wall that ends off the grid
        lefts.append(end - 2 * T)
    kept = [left for left in [start, *lefts, end - T] if not _taken(left, openings)]
    put(frame, "Stud", line.tag, line.axis, _wide(kept), line.across, (bottom, top))
    spots = [s + T / 2 for s in kept[1:-1] if not _near(s + T / 2, openings)]
    below = joints(start, end, spots, shift=(number % 3 - 1) * grid)
    _bottom_plate(frame, line, (floor, bottom), below, openings)
    run(frame, "TopPlate", line.tag, line.axis, (start, end), line.across, (top, top + T), below)
    if upper is not None:
        studs = [s + T / 2 for s in kept[1:-1] if all(abs(s - c) >= VALLEY_CLEAR for c in corners)]
        above = joints(*upper, studs, shift=(1 - number % 3) * grid, away=below)
        z = (top + T, top + 2 * T)
        run(frame, "TopPlate", f"{line.tag}_Upper", line.axis, upper, line.across, z, above)
    for opening in openings:
        _around(frame, line, floor, (bottom, top), lefts, opening)


def _wide(lefts: Sequence[float]) -> list[tuple[float, float]]:
    """Extents of uprights from their left edges, m."""
    return [(left, left + T) for left in lefts]


def _taken(left: float, openings: Sequence[Framed]) -> bool:
    """Whether a stud would stand in an opening or in the uprights beside it."""
    slack = 1e-6
    return any(o.low - 3 * T + slack < left < o.high + 2 * T - slack for o, _ in openings)


def _near(spot: float, openings: Sequence[Framed]) -> bool:
    return any(o.low - CLEAR < spot < o.high + CLEAR for o, _ in openings)


def _bottom_plate(
    frame: Frame,
    line: Line,
    z: tuple[float, float],
    at: Sequence[float],
    openings: Sequence[Framed],
) -> None:
    """The bottom plate, left out in doors."""
    doors = [edge for o, _ in openings if o.sill is None for edge in (o.low, o.high)]
    breaks = sorted([line.start, *doors, line.end, *at, *at])
    spans = list(zip(breaks[::2], breaks[1::2], strict=True))
    put(frame, "BottomPlate", line.tag, line.axis, spans, line.across, z)


def _around(
    frame: Frame,
    line: Line,
    floor: float,
    z: tuple[float, float],
    lefts: Sequence[float],
    framed: Framed,
) -> None:
    """Kings, trimmers, header, cripples and window sill of one opening."""
    opening, (ply, plies, deep) = framed
    low, high = opening.low, opening.high
    bottom, top = z
    head, over = floor + opening.head, floor + opening.head + deep
    tag, axis, across = line.tag, line.axis, line.across
    put(frame, "KingStud", tag, axis, _wide([low - 2 * T, high + T]), across, z)
    put(frame, "TrimmerStud", tag, axis, _wide([low - T, high]), across, (bottom, head))
    faces = [(across[0], across[0] + ply), (across[1] - ply, across[1])][:plies]
    for face in faces:
        put(frame, "Header", tag, axis, [(low - T, high + T)], face, (head, over))
    inside = [left for left in lefts if low + T <= left <= high - 2 * T]
    if top - over > 1e-6:
        above = _wide([low - T, *inside, high])
        put(frame, "Cripple", tag, axis, above, across, (over, top))
    if opening.sill is not None:
        rough = floor + opening.sill
        put(frame, "WindowSill", tag, axis, [(low, high)], across, (rough - T, rough))
        under = _wide([low, *inside, high - T])
        put(frame, "Cripple", tag, axis, under, across, (bottom, rough - T))
