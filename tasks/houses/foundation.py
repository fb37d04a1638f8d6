# SPDX-License-Identifier: GPL-3.0-or-later
"""Strip footings, foundation walls, sills with their anchors; pads and posts under the girder."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from .frame import Frame
from .levels import FOOTING, T
from .lines import joints, put, run
from .sizing import POST
from .volume import Lumber, Volume

#: Thickness of the foundation walls, m (8 in masonry, R404.1).
WALL = 0.194
#: Width of the sills, m (2x6).
SILL = 0.140
#: The strip footings stand out beside the walls by this much, m (R403.1.1: at least 2 in).
OUT = 0.103
#: Side of the pads under posts, m.
PAD = 0.400
#: Anchor bolts: thickness, length in the wall, length above the sill, distance at most, and from
#: the ends of a sill, m (R403.1.6: 1/2 in, 7 in, 6 ft, 12 in).
BOLT, BOLT_DEPTH, BOLT_OUT, BOLT_SPACING, BOLT_END = 0.013, 0.178, 0.030, 1.829, 0.250


def foundation(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """Everything of a volume below its lowest joists."""
    length, depth, top = volume.length, volume.depth, volume.levels.sill_top
    lines = [("S", "x", 0.0), ("N", "x", depth), ("W", "y", 0.0), ("E", "y", length)]
    for tag, axis, outer in lines:
        if axis == "y" and not volume.closed(tag):  # type: ignore[arg-type]
            continue
        inward = 1 if outer == 0.0 else -1
        for role, width, out, z in (
            ("Footing", WALL + 2 * OUT, OUT, (0.0, FOOTING)),
            ("Foundation", WALL, 0.0, (FOOTING, top - T)),
            ("Sill", SILL, 0.0, (top - T, top)),
        ):
            across = sorted((outer - inward * out, outer + inward * (width - out)))
            along = _extent(volume, axis, width - out, out)
            bays = volume.bays_x if axis == "x" else volume.bays_y
            spots = [(i + 0.5) * volume.grid + T / 2 for i in range(1, bays - 1)]
            at = joints(*along, spots) if role == "Sill" else []
            run(frame, role, tag, axis, along, (across[0], across[1]), z, at)
            if role == "Sill":
                _anchors(frame, tag, axis, [along[0], *at, along[1]], sum(across) / 2, top, volume)
    if volume.lines:
        _girder(frame, volume, lumber)


def _extent(volume: Volume, axis: str, width: float, out: float) -> tuple[float, float]:
    """Ends of a line along the sides (full length) or of one at an end (between the sides), m."""
    if axis == "y":
        return width, volume.depth - width
    west = -out if volume.closed("W") else out  # as far as the other part's own footing
    east = volume.length + (out if volume.closed("E") else -out)
    return west, east


def _anchors(
    frame: Frame, tag: str, axis: str, edges: list[float], middle: float, top: float, volume: Volume
) -> None:
    """Bolts near both ends of every piece of sill and at most 1.83 m apart, clear of the joists."""
    places: list[float] = []
    for low, high in pairwise(edges):
        start, end = low + BOLT_END, high - BOLT_END
        count = max(2, math.ceil((end - start) / BOLT_SPACING) + 1)
        places += [start + k * (end - start) / (count - 1) for k in range(count)]
    grid = volume.grid
    if axis == "x":  # in the middle between two joists
        places = sorted({(math.floor(p / grid) + 0.5) * grid + T / 2 for p in places})
    bolts = [(p - BOLT / 2, p + BOLT / 2) for p in places]
    across = (middle - BOLT / 2, middle + BOLT / 2)
    put(frame, "Anchor", tag, axis, bolts, across, (top - T - BOLT_DEPTH, top + BOLT_OUT))


def _girder(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """A girder under the middle of the joists, on posts with pads of their own."""
    y, top = volume.middle, volume.levels.sill_top
    width, deep = lumber.girder
    x = np.array(lumber.girder_posts)
    for role, side, z in (
        ("Footing", PAD, (0.0, FOOTING)),
        ("Post", POST, (FOOTING, top - deep)),
    ):
        half = side / 2
        frame.box(role, "M", (x - half, x + half), (y - half, y + half), z)
    clear = WALL + 0.010
    west = clear if volume.closed("W") else 0.0
    east = volume.length - (clear if volume.closed("E") else 0.0)
    at = joints(west, east, lumber.girder_posts)
    run(
        frame, "Girder", "M", "x", (west, east), (y - width / 2, y + width / 2),
        (top - deep, top), at,
    )  # fmt: skip
