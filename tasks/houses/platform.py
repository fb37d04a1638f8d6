# SPDX-License-Identifier: GPL-3.0-or-later
"""Floors: joists from rim to rim or to the middle, rim joists, and blocking between the joists."""

from __future__ import annotations

import numpy as np

from .frame import Frame
from .levels import T
from .lines import joints, run
from .volume import Lumber, Volume

#: Joists longer than this have a row of blocking in the middle, m (ours; R502.7.1 asks for it
#: only from 2x12 on).
UNBLOCKED = 2.400


def platform(frame: Frame, volume: Volume, lumber: Lumber, storey: int) -> None:
    """The floor of a storey: joists at every stud of the long walls, which stand over them."""
    length, depth, grid = volume.length, volume.depth, volume.grid
    z = (volume.levels.floor_bottom(storey), volume.levels.floor_top(storey))
    # Joints of the rims lie in the middle between joists, on other sides in front than behind.
    spots = [(i + 0.5) * grid + T / 2 for i in range(1, volume.bays_x - 1)]
    for tag, y, shift in (("S", 0.0, -grid), ("N", depth - T, grid)):
        at = joints(0.0, length, spots, shift=shift)
        run(frame, "RimJoist", f"{tag}{storey}", "x", (0.0, length), (y, y + T), z, at)
    left = np.arange(1, volume.bays_x) * grid
    ends = []
    for tag, x in (("W", 0.0), ("E", length - T)):
        if volume.closed(tag):  # type: ignore[arg-type]
            at = joints(T, depth - T, [(i + 0.5) * grid for i in range(1, volume.bays_y)])
            run(frame, "RimJoist", f"{tag}{storey}", "y", (T, depth - T), (x, x + T), z, at)
        else:
            ends.append(x)
    left = np.sort(np.concatenate([left, ends]))
    middle = volume.middle
    runs = [("S", T, middle), ("N", middle, depth - T)] if volume.lines else [("", T, depth - T)]
    for tag, low, high in runs:
        frame.box("Joist", f"{tag}{storey}", (left, left + T), (low, high), z)
    _blocking(frame, volume, storey, left, runs, z)


def _blocking(
    frame: Frame,
    volume: Volume,
    storey: int,
    left: np.ndarray,
    runs: list[tuple[str, float, float]],
    z: tuple[float, float],
) -> None:
    """A row of blocks halfway along long joists, and one over the girder or bearing wall."""
    edges = np.concatenate([[0.0], left, [volume.length - T]])
    edges = np.unique(np.round(edges, 6))
    low, high = edges[:-1] + T, edges[1:]
    room = high - low > 0.100
    low, high = low[room], high[room]
    rows = [(f"{tag}{storey}", (a + b) / 2) for tag, a, b in runs if b - a > UNBLOCKED]
    if volume.lines:
        rows.append((f"M{storey}", volume.middle))
    for tag, y in rows:
        frame.box("Blocking", tag, (low, high), (y - T / 2, y + T / 2), z)
