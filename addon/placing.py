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
_REACHES = (1.2, 2.2, 3.5, 5.0, 7.0, 9.5, 12.5, 16.0)


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
    tried = [
        _within(_beside(size, anchor, d, reach), free) for reach in _REACHES for d in _DIRECTIONS
    ]
    covered, lesser = _finite(points), _finite(beside)
    others = list(taken)
    best, best_cost = tried[0], np.inf
    for place in tried:
        # A point hidden weighs more than any overlap with other writing, and that more than points
        # of what stands beside.
        cost = 1e6 * _hidden(place.grown(margin), covered) + _hidden(place.grown(margin), lesser)
        cost += sum(100.0 + place.overlap(other) for other in others if place.overlap(other) > 0)
        if cost < best_cost:
            best, best_cost = place, cost
        if not cost:
            break
    return best


def _hidden(place: Rect, points: Floats) -> float:
    x, y = points[:, 0], points[:, 1]
    inside = (x > place.left) & (x < place.right) & (y > place.low) & (y < place.high)
    return float(inside.sum())


def _finite(points: ArrayLike) -> Floats:
    places = np.asarray(points, float).reshape(-1, 2)
    return places[np.isfinite(places).all(axis=1)]


def _beside(
    size: tuple[float, float], anchor: tuple[float, float], direction: Floats, reach: float
) -> Rect:
    wide, high = size
    away = reach * high
    x = anchor[0] + direction[0] * (away + wide / 2 - high)
    y = anchor[1] + direction[1] * (away + high / 2)
    return Rect(x - wide / 2, y - high / 2, x + wide / 2, y + high / 2)


def _within(place: Rect, free: Rect) -> Rect:
    left = max(min(place.left, free.right - place.width), free.left)
    low = max(min(place.low, free.high - place.height), free.low)
    return Rect(left, low, left + place.width, low + place.height)


def nearest_edge(place: Rect, to: Sequence[float]) -> tuple[float, float]:
    """The point of a rectangle that is nearest to a place: where its leader starts."""
    x = max(place.left, min(float(to[0]), place.right))
    y = max(place.low, min(float(to[1]), place.high))
    return (x, y)
