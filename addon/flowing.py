# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows along which something moves, and rings round places, as flat triangles in a view's pixels.

Pure NumPy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

# Corners of a ring.
_ROUND = 20

# Between two moving heads and how fast they go, in lengths of a head: about one a second.
SPACING = 4.5
SPEED = 3.5
#: Arrows shorter than this, in lengths of a head, have only the one that stands at their end.
SHORT = 1.6


def shafts(lines: Floats, width: float) -> Floats:
    """Lines (k, 2, 2) as triangles (2 k, 3, 2) of a width."""
    along, _ = _directions(lines)
    side = np.stack([-along[:, 1], along[:, 0]], axis=1) * (width / 2)
    a, b = lines[:, 0], lines[:, 1]
    left_a, right_a, left_b, right_b = a + side, a - side, b + side, b - side
    first = np.stack([left_a, right_a, right_b], axis=1)
    second = np.stack([left_a, right_b, left_b], axis=1)
    return np.concatenate([first, second])


def heads(lines: Floats, size: float, seconds: float) -> Floats:
    """The heads of arrows (k, 2, 2) at a time, as triangles (m, 3, 2): one at each end, others
    on their way there, ``size`` long.
    """
    along, lengths = _directions(lines)
    ends = lines[:, 1]
    tips, ways = [ends], [along]
    step = SPACING * size
    start = (seconds * SPEED * size) % step
    most = int(lengths.max(initial=0.0) // step) + 2
    offsets = start + step * np.arange(most)
    # A head under way is gone before it runs into the one at the end.
    room = (offsets[None, :] >= size) & (offsets[None, :] <= lengths[:, None] - SHORT * size)
    which, number = np.nonzero(room)
    tips.append(lines[which, 0] + along[which] * offsets[number, None])
    ways.append(along[which])
    return _triangles(np.concatenate(tips), np.concatenate(ways), size, lengths, len(ends))


def _triangles(tips: Floats, ways: Floats, size: float, lengths: Floats, standing: int) -> Floats:
    sizes = np.full(len(tips), size)
    # The head at the end of a very short arrow is no longer than the arrow.
    sizes[:standing] = np.minimum(size, np.maximum(lengths, 0.45 * size))
    side = np.stack([-ways[:, 1], ways[:, 0]], axis=1) * (0.46 * sizes[:, None])
    back = tips - ways * sizes[:, None]
    return np.stack([tips, back + side, back - side], axis=1)


def _directions(lines: Floats) -> tuple[Floats, Floats]:
    run = lines[:, 1] - lines[:, 0]
    lengths = np.linalg.norm(run, axis=1)
    along = np.divide(run, lengths[:, None], out=np.zeros_like(run), where=lengths[:, None] > 0)
    return along, lengths


def rings(places: Floats, radius: float, width: float) -> Floats:
    """A ring and a dot at each place (k, 2), as triangles (k * 60, 3, 2)."""
    angles = np.arange(_ROUND + 1) * (2 * np.pi / _ROUND)
    way = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    outer, inner, dot = way * (radius + width / 2), way * (radius - width / 2), way * width
    a, b, c, d = outer[:-1], outer[1:], inner[:-1], inner[1:]
    middle = np.zeros_like(a)
    shape = np.concatenate(
        [
            np.stack([a, b, d], axis=1),
            np.stack([a, d, c], axis=1),
            np.stack([middle, dot[:-1], dot[1:]], axis=1),
        ]
    )
    places = np.asarray(places, float).reshape(-1, 1, 1, 2)
    return (places + shape).reshape(-1, 3, 2)
