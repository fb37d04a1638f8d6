# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes of members that ought to be in a wall, for pictures of what is missing."""

from __future__ import annotations

import numpy as np

from ..structure import CORNER_SIGNS, Floats
from . import table
from .joints import Joints
from .outcome import points
from .walls import Gap, find_walls

#: How deep a missing header is drawn, m (2x8, the middle of table R602.7(1)): what it needs to be
#: follows from its loads.
_HEADER_DEPTH = 0.184


def missing_header(joints: Joints, gap: Gap) -> list[list[float]]:
    """Corners of a header over an opening: on what stands at its sides, or under the plate."""
    room = gap.high - float(gap.line[1][2])
    if room > table.HEADER_OFF:  # trimmers wait for it
        bottom = float(gap.line[1][2])
        top = bottom + min(_HEADER_DEPTH, room)
        start, end = gap.start - table.BEARING, gap.end + table.BEARING
    else:
        top = gap.high
        bottom = top - min(_HEADER_DEPTH, gap.high - gap.low)
        start, end = gap.start, gap.end
    return _in_wall(joints, gap, (start, end), (bottom, top))


def missing_king(joints: Joints, gap: Gap, spot: Floats, side: int) -> list[list[float]]:
    """Corners of a stud at the end of a header, as high as the wall is there."""
    d = find_walls(joints).direction[gap.wall]
    face = float(np.asarray(spot)[:2] @ d)
    return _in_wall(
        joints, gap, (face, face + side * table.PLY), (gap.low, float(_top(joints, gap)))
    )


def _top(joints: Joints, gap: Gap) -> float:
    """Height of the wall's studs, m."""
    walls = find_walls(joints)
    return float(walls.span[walls.wall == gap.wall, 1].max())


def _in_wall(
    joints: Joints, gap: Gap, ends: tuple[float, float], heights: tuple[float, float]
) -> list[list[float]]:
    """Corners of a box in a wall, as thick as the studs beside the gap, (8, 3), m."""
    walls, frame = find_walls(joints), joints.frame
    d, origin = walls.direction[gap.wall], walls.origin[gap.wall]
    normal = np.array([-d[1], d[0], 0.0])
    thick = float(np.abs(frame.axes[gap.first] @ normal) @ frame.half[gap.first])
    low, high = sorted(ends)
    middle = origin + (0.5 * (low + high) - float(origin @ d)) * d
    center = np.array([middle[0], middle[1], 0.5 * sum(heights)])
    half = np.array([0.5 * (high - low), 0.5 * (heights[1] - heights[0]), thick])
    axes = np.array([[d[0], d[1], 0.0], [0.0, 0.0, 1.0], normal])
    return points(center + (CORNER_SIGNS * half) @ axes)
