# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines that explain: dimensions, arrows, rings, ticks and crosses, as pairs of points (2 k, 3), m.

What any kind of structure needs; each kind's book says where they go and what they mean.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .drawing import Floats, Lines, Place, Tone

#: How far a dimension line stands beside what it measures, and half of a tick across it, m.
OFFSET, TICK = 0.22, 0.06
#: Width of the lines that carry the message, and of those that only help, in line widths.
STRONG, FINE = 2.5, 0.8

_RING_PARTS = 24

DOWN: Floats = np.array([0.0, 0.0, -1.0])


def place(point: ArrayLike) -> Place:
    """A place as three plain floats."""
    x, y, z = np.asarray(point, float).reshape(3)
    return (float(x), float(y), float(z))


def unit(vector: ArrayLike) -> Floats:
    """A vector (3,) of length one; zero stays zero."""
    vector = np.asarray(vector, float)
    size = float(np.linalg.norm(vector))
    return vector / size if size > 1e-12 else np.zeros(3)


def square_to(along: ArrayLike, wanted: ArrayLike) -> Floats:
    """The direction square to ``along`` that is closest to ``wanted``, both (3,)."""
    along, wanted = unit(along), np.asarray(wanted, float)
    rest = wanted - (wanted @ along) * along
    if np.linalg.norm(rest) < 1e-6:
        rest = np.eye(3)[int(np.abs(along).argmin())]
        rest = rest - (rest @ along) * along
    return unit(rest)


def polyline(points: ArrayLike, closed: bool = False) -> Floats:
    """The lines from each point (k, 3) to the next."""
    points = np.asarray(points, float).reshape(-1, 3)
    following = np.roll(points, -1, axis=0)
    pairs = np.stack([points, following], axis=1)
    return pairs[: len(points) if closed else max(len(points) - 1, 0)].reshape(-1, 3)


def ring(center: ArrayLike, normal: ArrayLike, radius: float) -> Floats:
    """A circle."""
    first = square_to(normal, (1.0, 0.0, 0.0))
    second = np.cross(unit(normal), first)
    angle = np.linspace(0.0, 2.0 * np.pi, _RING_PARTS, endpoint=False)[:, None]
    circle = np.cos(angle) * first + np.sin(angle) * second
    return polyline(np.asarray(center, float) + radius * circle, closed=True)


def ball(center: ArrayLike, radius: float) -> Floats:
    """Three circles: a ring that is seen as one from everywhere."""
    return np.concatenate([ring(center, axis, radius) for axis in np.eye(3)])


def arrow(start: ArrayLike, end: ArrayLike, head: float = 0.08) -> Floats:
    """A line with a head of two lines at its end; it does not move (a :class:`Flow` does)."""
    start, end = np.asarray(start, float), np.asarray(end, float)
    along = unit(end - start)
    aside = square_to(along, DOWN)
    back = end - head * along
    wings = [end, back + 0.5 * head * aside, end, back - 0.5 * head * aside]
    return np.concatenate([[start, end], np.array(wings)])


def ticks(points: ArrayLike, across: ArrayLike, half: float = TICK) -> Floats:
    """Short lines through points (k, 3), ``half`` m to both sides along ``across`` (3,)."""
    points = np.asarray(points, float).reshape(-1, 3)
    reach = half * unit(across)
    return np.stack([points - reach, points + reach], axis=1).reshape(-1, 3)


def stretched(start: ArrayLike, end: ArrayLike, length: float) -> Floats:
    """The point ``length`` m from ``start`` on the way to ``end``."""
    start = np.asarray(start, float)
    return start + length * unit(np.asarray(end, float) - start)


@dataclass(frozen=True)
class Dimension:
    """A length between two points as draughtsmen draw it.

    ``lines`` are what is to be drawn, ``middle`` is where its figure stands, ``ends`` are those of
    the dimension line itself, (2, 3).
    """

    lines: tuple[Lines, ...]
    middle: Place
    ends: Floats


def dimension(
    start: ArrayLike,
    end: ArrayLike,
    aside: ArrayLike = DOWN,
    *,
    offset: float = OFFSET,
    parts: Sequence[tuple[float, Tone]] = (),
    tone: Tone = "plain",
) -> Dimension:
    """A dimension line ``offset`` m beside the measured points, towards ``aside``.

    ``parts`` colour it from ``start`` on: (where a part ends, m from ``start``; its tone); what is
    left has ``tone``. Ticks stand at the ends and between the parts, witness lines at the ends.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    along, length = unit(end - start), float(np.linalg.norm(end - start))
    beside = square_to(along, aside)
    shift = offset * beside
    base = start + shift
    lines, reached = [], 0.0
    stops = [(min(max(stop, 0.0), length), part) for stop, part in parts]
    for stop, part in [*stops, (length, tone)]:
        if stop > reached + 1e-9:
            piece = np.array([base + reached * along, base + stop * along])
            lines.append(Lines(piece, part, STRONG))
            reached = stop
    cuts = [0.0, *(stop for stop, _ in stops if 1e-6 < stop < length - 1e-6), length]
    marks = np.array([base + cut * along for cut in cuts])
    slant = unit(along + beside)
    lines.append(Lines(ticks(marks, slant), "plain", STRONG * 0.6))
    if offset > 1e-9:
        over = TICK * beside
        witness = np.array([start, start + shift + over, end, end + shift + over])
        lines.append(Lines(witness, "plain", FINE))
    ends = np.array([base, base + length * along])
    return Dimension(tuple(lines), place(ends.mean(axis=0)), ends)


def allowed_and_excess(measured: float, limit: float) -> tuple[tuple[float, Tone], ...]:
    """Parts of a dimension line: green as far as is allowed, the rest is at fault."""
    return ((limit, "allowed"), (measured, "fault"))


def joined(lines: Iterable[Floats]) -> Floats:
    """Several sets of line ends as one, (2 k, 3)."""
    found = [np.asarray(line, float).reshape(-1, 3) for line in lines]
    return np.concatenate(found) if found else np.zeros((0, 3))
