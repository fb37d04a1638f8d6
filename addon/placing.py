# SPDX-License-Identifier: GPL-3.0-or-later
"""Where writing goes in a view so that it hides nothing: pixels from the lower left. Pure NumPy."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]

# Directions in which a label is tried, the likeliest first, and how far, in its heights.
_DIRECTIONS = np.array(
    [(1, 1), (-1, 1), (0, 1), (1, 0), (1, -1), (-1, 0), (-1, -1), (0, -1)], float
)
_REACHES = np.array((1.2, 2.2, 3.5, 5.0, 7.0, 9.5, 12.5, 16.0))


@dataclass(frozen=True)
class Rect:
    """A rectangle, pixels."""

    left: float
    low: float
    right: float
    high: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.high - self.low

    def grown(self, by: float) -> Rect:
        """The same, larger on every side."""
        return Rect(self.left - by, self.low - by, self.right + by, self.high + by)

    def overlap(self, other: Rect) -> float:
        """The area that both share, square pixels."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        high = min(self.high, other.high) - max(self.low, other.low)
        return max(wide, 0.0) * max(high, 0.0)


def projected(points: ArrayLike, matrix: ArrayLike, width: float, height: float) -> Floats:
    """Points (n, 3) of the scene in a view's pixels, (n, 2); NaN behind the eye.

    ``matrix`` is the view's 4 x 4 perspective matrix.
    """
    points = np.asarray(points, float).reshape(-1, 3)
    full = np.asarray(matrix, float)
    seen = points @ full[:3, :3].T + full[:3, 3]
    w = points @ full[3, :3] + full[3, 3]
    w = np.where(w > 1e-6, w, np.nan)
    return (seen[:, :2] / w[:, None] * 0.5 + 0.5) * (width, height)


def clipped(lines: ArrayLike, matrix: ArrayLike, width: float, height: float) -> Floats:
    """Lines (k, 2, 3) of the scene in a view's pixels, (m, 2, 2), cut off where the eye is.

    Those that lie wholly behind it are left out.
    """
    ends = np.asarray(lines, float).reshape(-1, 2, 3)
    full = np.asarray(matrix, float)
    at = ends @ full[:, :3].T + full[:, 3]  # (k, 2, 4)
    w = at[..., 3]
    near = 1e-3
    ahead = w > near
    at, w, ahead = at[ahead.any(axis=1)], w[ahead.any(axis=1)], ahead[ahead.any(axis=1)]
    for end, other in ((0, 1), (1, 0)):
        cut = ~ahead[:, end]
        share = (near - w[cut, other]) / (w[cut, end] - w[cut, other])
        at[cut, end] = at[cut, other] + share[:, None] * (at[cut, end] - at[cut, other])
    pixels: Floats = (at[..., :2] / at[..., 3:] * 0.5 + 0.5) * (width, height)
    return pixels


def free_place(
    size: tuple[float, float],
    anchor: tuple[float, float],
    free: Rect,
    points: ArrayLike = (),
    taken: Iterable[Rect] = (),
    beside: ArrayLike = (),
    margin: float = 6.0,
) -> Rect:
    """The rectangle of a label of ``size``, near ``anchor`` and within ``free`` if it fits there.

    It covers as few of ``points`` (n, 2) as can be, overlaps none of ``taken`` and then covers few
    of ``beside`` (n, 2), if there is such a place among those that are tried; of equally good ones
    it is the nearest.
    """
    boxes = _tried(size, anchor, free)
    # A point hidden weighs more than any overlap with other writing, and that more than points of
    # what stands beside.
    cost = 1e6 * _hidden(boxes, _finite(points), margin) + _hidden(boxes, _finite(beside), margin)
    for other in taken:
        wide = np.minimum(boxes[:, 2], other.right) - np.maximum(boxes[:, 0], other.left)
        high = np.minimum(boxes[:, 3], other.high) - np.maximum(boxes[:, 1], other.low)
        area = wide.clip(0.0) * high.clip(0.0)
        cost += np.where(area > 0, 100.0 + area, 0.0)
    return Rect(*boxes[int(cost.argmin())].tolist())


def _tried(size: tuple[float, float], anchor: tuple[float, float], free: Rect) -> Floats:
    """Left, low, right, high of the places that a label is tried at, (64, 4), nearest first."""
    wide, high = size
    away = np.repeat(_REACHES, len(_DIRECTIONS))[:, None] * high
    way = np.tile(_DIRECTIONS, (len(_REACHES), 1))
    middle = np.asarray(anchor) + way * (away + (wide / 2 - high, high / 2))
    lowest = np.array([free.left, free.low])
    highest = np.maximum(np.array([free.right - wide, free.high - high]), lowest)
    corner = np.clip(middle - (wide / 2, high / 2), lowest, highest)
    return np.concatenate([corner, corner + (wide, high)], axis=1)


def _hidden(boxes: Floats, points: Floats, margin: float) -> Floats:
    """How many points each box hides, (k,), with a margin round it."""
    x, y = points[:, 0], points[:, 1]
    left, low, right, high = (boxes[:, i, None] for i in range(4))
    across = (x > left - margin) & (x < right + margin)
    inside = across & (y > low - margin) & (y < high + margin)
    return inside.sum(axis=1).astype(np.float64)


def _finite(points: ArrayLike) -> Floats:
    places = np.asarray(points, float).reshape(-1, 2)
    return places[np.isfinite(places).all(axis=1)]


def nearest_edge(place: Rect, to: Sequence[float]) -> tuple[float, float]:
    """The point of a rectangle that is nearest to a place: where its leader starts."""
    x = max(place.left, min(float(to[0]), place.right))
    y = max(place.low, min(float(to[1]), place.high))
    return (x, y)
