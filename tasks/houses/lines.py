# SPDX-License-Identifier: GPL-3.0-or-later
"""Long members in pieces: where sills, plates, rims and ridges butt."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from .frame import Frame, pieces

#: The longest piece of lumber, m (16 ft).
STOCK = 4.877
#: Joints of the upper top plate are this far from those of the lower one, m (R602.3.2, 24 in).
OFFSET = 0.610
#: No piece is shorter than this, m: it would be no lumber to the checks, but a block.
SHORTEST = 0.600


def joints(
    start: float,
    end: float,
    spots: Sequence[float],
    *,
    shift: float = 0.0,
    away: Sequence[float] = (),
) -> list[float]:
    """Where a line from ``start`` to ``end`` butts, m: at those ``spots`` that part it best.

    ``shift`` moves the wished places; spots closer than 0.61 m to those of ``away`` and closer
    than 0.6 m to the ends are not taken.
    """
    length = end - start
    count = math.ceil(length / STOCK - 1e-9) - 1
    free = [
        s
        for s in spots
        if start + SHORTEST <= s <= end - SHORTEST and all(abs(s - a) >= OFFSET for a in away)
    ]
    found: list[float] = []
    for k in range(1, count + 1):
        wish = start + k * length / (count + 1) + shift
        nearest = min(free, key=lambda s: abs(s - wish), default=None)
        if nearest is not None and all(abs(nearest - f) >= SHORTEST for f in found):
            found.append(nearest)
    return sorted(found)


def run(
    frame: Frame,
    role: str,
    tag: str,
    axis: str,
    along: tuple[float, float],
    across: tuple[float, float],
    z: tuple[float, float],
    at: Sequence[float] = (),
) -> None:
    """A line of lumber along an axis, ``along`` it and ``across`` it from face to face, m."""
    put(frame, role, tag, axis, list(pieces(*along, at)), across, z)


def put(
    frame: Frame,
    role: str,
    tag: str,
    axis: str,
    spans: Sequence[tuple[float, float]],
    across: Any,
    z: Any,
) -> None:
    """Members of one role in a wall or line: ``spans`` are (low, high) along the axis, m."""
    if not spans:
        return
    low, high = [s[0] for s in spans], [s[1] for s in spans]
    if axis == "x":
        frame.box(role, tag, (low, high), across, z)
    else:
        frame.box(role, tag, across, (low, high), z)
