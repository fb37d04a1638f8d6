# SPDX-License-Identifier: GPL-3.0-or-later
"""Split-Level: two storeys, and beside them one whose floor lies half a storey up."""

from __future__ import annotations

import math
from random import Random

from ..levels import T
from ..openings import (
    DOOR,
    PASSAGE,
    SMALL,
    WIDE,
    WINDOW,
    bays_of,
    evenly,
    opening,
    place,
    thinned,
)
from ..parameters import HouseParameters, ParameterError
from ..sizing import joist_run, levels_for, lines_for
from ..volume import Opening, Volume, Wall
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style
from .wings import parts

#: Bays of the low part along the ridge at least, and its least depth, m: a room (ours).
SHORTEST, NARROWEST = 6, 3.0

RANGES = Ranges(
    footprint_x=(4.6, 7.0),
    footprint_y=(4.4, 6.4),
    stories=(2,),
    pitch=(18.0, 32.0),
    overhang=(0.25, 0.50),
    wings=(1,),
    wing_length=(3.4, 5.4),
    spacing=(0.406, 0.610, 0.610),
)


def design(p: HouseParameters) -> Design:
    """The high part, and the low one that ends at its wall, lower in roof and plates."""
    random = choices(p)
    high = box_volume(p, rake=0.250, prefix="High")
    west = random.random() < 0.5
    low = _low(p, high, west, 2 + 2 * int(random.random() * 2))
    side: Wall = "W" if west else "E"
    volumes = (
        high.with_(openings=tuple(_high_openings(p, high, low, random, side))),
        low.with_(openings=tuple(_low_openings(p, low, random))),
    )
    words = (
        f"The floor of the lower part lies at {low.levels.floor_top(1):.2f} m, halfway between the "
        f"two of the higher one, and its plates end at {low.levels.eaves:.2f} m.",
        parts(high, low),
    )
    return Design(volumes, "gable", words)


def _low(p: HouseParameters, high: Volume, west: bool, narrower: int) -> Volume:
    """The low part: ``west`` of the high one or east, ``narrower`` by so many bays."""
    grid, length = p.spacing, round(p.wing_length / p.spacing)
    if length < SHORTEST:
        raise ParameterError(
            f"wing_length is {p.wing_length:g} m, the lower part of a Split-Level is at least "
            f"{SHORTEST * grid:.2f} m long"
        )
    least = math.ceil((NARROWEST - T) / grid)
    if high.bays_y < least + 2:
        raise ParameterError(
            f"footprint_y is {p.footprint_y:g} m, a Split-Level is at least "
            f"{(least + 2) * grid + T:.2f} m deep: its lower part is narrower by two spacings"
        )
    across = max(high.bays_y - narrower, least)
    depth = across * grid + T
    lines = lines_for(p, depth)
    floors = levels_for(p, [joist_run(depth, lines)], storeys=1)
    half = (high.levels.floor_top(2) - high.levels.floor_top(1)) / 2
    sill = high.levels.floor_top(1) + half - floors.joists[0]
    return high.with_(
        bays_x=length,
        bays_y=across,
        levels=levels_for(p, [joist_run(depth, lines)], storeys=1, sill_top=round(sill, 6)),
        prefix="Low",
        offset=(
            -length * grid if west else high.length,
            round((high.depth - depth) / 2, 6),
            0.0,
        ),
        open_ends=("E",) if west else ("W",),
        lines=lines,
    )


def _high_openings(
    p: HouseParameters, high: Volume, low: Volume, random: Random, joint: Wall
) -> list[Opening]:
    """Windows above each other; towards the low part only the stairs' passage."""
    many = max(2, round(high.length / 2.4))
    found = inner_doors(high)
    for storey in (1, 2):
        for side in ("S", "N"):
            wanted = thinned(evenly(many, WINDOW), p.openings, random)
            found += place(side, storey, high.bays_x, high.grid, wanted)
        end: Wall = "E" if joint == "W" else "W"
        wanted = thinned([(0.27, SMALL), (0.73, WINDOW)], p.openings, random)
        found += place(end, storey, high.bays_y, high.grid, wanted)
    return [*found, _stairs(high, low, joint)]


def _stairs(high: Volume, low: Volume, joint: Wall) -> Opening:
    """The stairs' passage, in front of the bearing wall: nothing of it is beside the low part.

    Where there is room its jamb also stays clear of the low part's wall.
    """
    grid, wide = high.grid, bays_of(PASSAGE, high.grid)
    begin = low.offset[1]
    places = range(math.ceil(begin / grid - 1e-6), high.bays_y // 2 - wide + 1)
    clear = [at for at in places if at * grid + T >= begin + low.stud]
    first = min(clear or places, key=lambda at: abs(at + wide / 2 - 0.3 * high.bays_y))
    return opening(PASSAGE, joint, 1, first, wide, grid)


def _low_openings(p: HouseParameters, low: Volume, random: Random) -> list[Opening]:
    """The entrance and a wide window in front, windows behind and at the end."""
    many = max(2, round(low.length / 2.6))
    front = [(0.7, DOOR), (0.3, WIDE), *thinned(evenly(many, WINDOW), p.openings, random)]
    found = place("S", 1, low.bays_x, low.grid, front)
    wanted = thinned(evenly(many, WINDOW), p.openings, random)
    found += place("N", 1, low.bays_x, low.grid, wanted)
    end: Wall = "W" if low.closed("W") else "E"
    wanted = thinned([(0.3, WINDOW), (0.7, WINDOW)], p.openings, random)
    found += place(end, 1, low.bays_y, low.grid, wanted)
    return found + inner_doors(low)


STYLE = Style("Split-Level", RANGES, design, stories=(2,), wings=(1,))
