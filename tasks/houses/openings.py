# SPDX-License-Identifier: GPL-3.0-or-later
"""Where doors and windows go: on the grid of the studs, so that no bay gets too wide.

An opening that begins at stud ``i`` and ends at stud ``j`` of the grid has these two as its
trimmers; kings stand outside of them.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from .levels import T
from .volume import Opening, Wall

#: Head of doors and windows above the floor, m (6 ft 8 in): leaves room for any header under
#: plates 2.388 m high and for cripples that are no blocks.
HEAD = 2.030


@dataclass(frozen=True)
class Kind:
    """A kind of opening: the width that is aimed at, sill and head above the floor, m."""

    name: str
    width: float
    sill: float | None
    head: float = HEAD


WINDOW = Kind("window", 1.100, 0.900)
SMALL = Kind("window", 0.700, 1.150)
WIDE = Kind("window", 1.900, 0.750)
DOOR = Kind("door", 0.950, None)
DOUBLE = Kind("double door", 1.700, None)
PASSAGE = Kind("passage", 0.950, None)
CARRIAGE = Kind("carriage door", 2.700, None, 2.400)


def bays_of(kind: Kind, grid: float) -> int:
    """How many bays of the grid an opening takes, trimmers included."""
    return max(2, math.ceil((kind.width + T) / grid - 0.5))


def opening(kind: Kind, wall: Wall, storey: int, first: int, bays: int, grid: float) -> Opening:
    """The opening between the studs ``first`` and ``first + bays`` of the grid."""
    low, high = first * grid + T, (first + bays) * grid
    return Opening(wall, storey, round(low, 6), round(high, 6), kind.sill, kind.head, kind.name)


def place(
    wall: Wall,
    storey: int,
    bays: int,
    grid: float,
    wanted: Sequence[tuple[float, Kind]],
    taken: Sequence[tuple[int, int]] = (),
) -> list[Opening]:
    """Openings of one wall of ``bays`` bays, those first named first served.

    ``wanted`` are (middle as a share of the wall's length, kind). One that finds no room beside
    the others, the ends and what is ``taken`` (studs first to last) is left out. One in the very
    middle is a bay wider where it would not stand in the middle of the grid.
    """
    held = list(taken)
    found = []
    for share, kind in wanted:
        wide = bays_of(kind, grid)
        if share == 0.5:
            wide += (bays - wide) % 2
        first = _first(share, bays, wide, grid)
        side = 0 if share == 0.5 else 1 if share > 0.5 else -1
        for at in (first, first + side, first - side):
            last = at + wide
            inside = at >= 1 and last <= bays - 1
            if inside and all(last < low or at > high for low, high in held):
                held.append((at, last))
                found.append(opening(kind, wall, storey, at, wide, grid))
                break
    return found


def _first(share: float, bays: int, wide: int, grid: float) -> int:
    """First stud of an opening about a place; mirrored places get mirrored studs."""
    exact = share * bays - wide / 2
    return math.floor(exact + 0.5) if share <= 0.5 else math.ceil(exact - 0.5)


def evenly(count: int, kind: Kind) -> list[tuple[float, Kind]]:
    """``count`` openings of a kind at even distances, as :func:`place` takes them.

    From the middle outwards, so that both halves of a wall are served alike.
    """
    places = sorted(range(count), key=lambda k: (abs(2 * k + 1 - count), k))
    return [((k + 0.5) / count, kind) for k in places]


def thinned(
    wanted: Sequence[tuple[float, Kind]], share: float, random: Random
) -> list[tuple[float, Kind]]:
    """A ``share`` of what is wanted, 0 to 1, drawn; the order is kept."""
    ranks = sorted(range(len(wanted)), key=lambda _: random.random())
    keep = set(ranks[: round(share * len(wanted))])
    return [one for k, one in enumerate(wanted) if k in keep]
