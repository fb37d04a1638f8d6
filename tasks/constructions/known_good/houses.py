# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses with rooms in a row, a theatre, a floor on posts, and the cube of planks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from .solids import Blocks, made_of, stacked, whole

_FLOOR = -1  # level of the floor's blocks: one stands at y = 0, as outside
_WIDE = 4  # inner width and depth of a room, blocks
_CEILING = 4  # level of the roof: four free cells below


@dataclass(frozen=True)
class Materials:
    """What a house is made of."""

    floor: str = "stone"
    corner: str = "stone"
    wall: str = "oak_planks"
    roof: str = "oak_planks"


def house(
    rooms: int, beds: int = 0, materials: Materials | None = None, roofs: Sequence[int] = ()
) -> Blocks:
    """Rooms in a row, each with a door of two blocks to the outside, in order of building.

    ``roofs`` are levels of the roof from one end to the other, each no lower than the one before;
    without them it is flat.
    """
    m = materials or Materials()
    length, depth = rooms * (_WIDE + 1) + 1, _WIDE + 2
    level = [roofs[x * len(roofs) // length] if roofs else _CEILING for x in range(length)]
    walls: Blocks = {}
    corners: Blocks = {}
    roof: Blocks = {}
    for x in range(length):
        between = x % (_WIDE + 1) == 0
        for z in range(depth):
            edge = z in (0, depth - 1)
            if between or edge:
                post = edge and x in (0, length - 1)
                part, name = (corners, m.corner) if post else (walls, m.wall)
                part |= made_of(((x, y, z) for y in range(level[x])), name)
            step = level[min(x + 1, length - 1)]  # it closes the gap to the next, higher part
            roof |= made_of(((x, y, z) for y in range(level[x], step + 1)), m.roof)
    floor = made_of(stacked(length, 1, depth, (0, _FLOOR, 0)), m.floor)
    furniture: Blocks = {}
    for room in range(rooms):
        x = room * (_WIDE + 1)
        for door in (x + 2, x + 3):
            del walls[door, 1, 0]
            del walls[door, 0, 0]
            furniture[door, 0, 0] = "oak_door"
    for bed in range(beds):
        furniture[(bed % rooms) * (_WIDE + 1) + 1, 0, depth - 2 - bed // rooms] = "red_bed"
    return floor | corners | _side_by_side(walls, depth) | furniture | roof


def _side_by_side(walls: Blocks, depth: int) -> Blocks:
    """The same blocks, the two long walls first, then those across."""

    def place(cell: tuple[int, int, int]) -> tuple[int, ...]:
        x, y, z = cell
        return ((0, depth - 1).index(z) if z in (0, depth - 1) else 2, x, z, y)

    return {cell: walls[cell] for cell in sorted(walls, key=place)}


def basic(p: Mapping[str, Any]) -> Blocks:
    """Corner posts of stone, walls of dirt, a roof in colour."""
    return house(1, 0, Materials("stone", "stone", "dirt", f"{p['colour']}_wool"))


def asymmetric(p: Mapping[str, Any], rooms: int, beds: int) -> Blocks:
    """A chimney on one corner, so that nothing matches itself."""
    return house(rooms, beds) | {(0, _CEILING + 1, 0): "bricks"}


def high_rooms(p: Mapping[str, Any], rooms: int, beds: int) -> Blocks:
    """Ceilings at three heights."""
    return house(rooms, beds, roofs=(_CEILING, _CEILING + 1, _CEILING + 2))


def one_storey(p: Mapping[str, Any]) -> Blocks:
    """Foundation, posts, walls and roof, each of its own material and in this order."""
    return house(1, 0, Materials("gray_concrete", "stone", "dirt", "oak_planks"))


def floor_on_posts(p: Mapping[str, Any]) -> Blocks:
    """A slab on four posts."""
    stand = [c for x in (0, 4) for z in (0, 4) for c in stacked(1, 4, 1, (x, 0, z))]
    return made_of([*stand, *stacked(5, 1, 5, (0, 4, 0))], "stone")


def theatre(p: Mapping[str, Any]) -> Blocks:
    """One hall without a step: seats in rows, two double doors, and a lamp beside one of them."""
    seats, side = whole(p, "seats", "side")
    depth = 12
    blocks = made_of(stacked(side, 1, depth, (0, _FLOOR, 0)), "stone")
    doors = [2, 3, side - 4, side - 3]
    walls: Blocks = {}
    for x in range(side):
        for z in range(depth):
            if x in (0, side - 1) or z in (0, depth - 1):
                clear = 2 if z == 0 and x in doors else 0
                walls |= made_of(((x, y, z) for y in range(clear, _CEILING)), "oak_planks")
    blocks |= _side_by_side(walls, depth)
    blocks |= {(x, 0, 0): "oak_door" for x in doors} | {(1, 0, 0): "sea_lantern"}
    places = [(x, 0, z) for z in (3, 5, 7, 9) for x in range(2, side - 2)]
    blocks |= made_of(places[:seats], "oak_stairs")
    return blocks | made_of(stacked(side, 1, depth, (0, _CEILING, 0)), "spruce_planks")


def cube(p: Mapping[str, Any]) -> Blocks:
    """A hollow cube, its faces one block thick."""
    (side,) = whole(p, "side")
    inner = set(stacked(side - 2, side - 2, side - 2, (1, 1, 1)))
    return made_of((c for c in stacked(side, side, side) if c not in inner), "oak_planks")
