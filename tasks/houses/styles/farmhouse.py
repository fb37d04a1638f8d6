# SPDX-License-Identifier: GPL-3.0-or-later
"""Farmhouse: a long main part under a steep roof, and a wing to the front."""

from __future__ import annotations

from random import Random

from ..openings import DOOR, SMALL, WINDOW, evenly, place, thinned
from ..parameters import HouseParameters, ParameterError
from ..volume import Opening, Volume
from .common import choices, inner_doors
from .style import Design, Ranges, Style
from .wings import (
    INSET,
    check_cover,
    check_valleys,
    in_gaps,
    joined,
    main_volume,
    parts,
    passage,
    wing_bays,
    wing_volume,
)

RANGES = Ranges(
    footprint_x=(7.8, 11.5),
    footprint_y=(3.8, 5.4),
    stories=(1, 1, 2),
    pitch=(34.0, 45.0),
    overhang=(0.20, 0.35),
    wings=(1,),
    wing_length=(2.2, 3.8),
    spacing=(0.406, 0.610),
)


def design(p: HouseParameters) -> Design:
    """Main part and front wing, whose ridges meet over a post."""
    check_valleys(p)
    random = choices(p)
    main = main_volume(p, p.footprint_x, p.footprint_y, rake=0.300)
    room = main.bays_x - 2 * INSET - main.bays_y
    if room < 0:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m, a Farmhouse is at least "
            f"{(2 * INSET) * p.spacing + main.depth:.2f} m long at this depth"
        )
    first = INSET + round(room * random.random())
    main = joined(main, {"S": (first,)})
    front = wing_volume(main, "S", first, wing_bays(p), "Wing")
    main = main.with_(openings=tuple(main_openings(p, main, random)))
    front = front.with_(openings=tuple(wing_openings(p, front, random)))
    check_cover((main, front))
    words = (
        "A wing as wide as the house is deep stands out in front; two valleys join the roofs.",
        parts(main, front),
    )
    return Design((main, front), "cross-gable", words)


def main_openings(
    p: HouseParameters, main: Volume, random: Random, door: bool = True
) -> list[Opening]:
    """Windows and a back door of a main part, passages into its wings, doors in its middle."""
    found: list[Opening] = []
    many = max(2, round(main.length / 2.4))
    for storey in range(1, main.storeys + 1):
        for side in ("S", "N"):
            wanted = thinned(evenly(many, WINDOW), p.openings, random)
            if door and storey == 1 and side == "N":
                wanted = [(0.4, DOOR), *wanted]
            taken = in_gaps(main, side)
            found += place(side, storey, main.bays_x, main.grid, wanted, taken)
            found += [passage(main, side, storey, gap) for gap in main.gaps.get(side, ())]
        for end in ("W", "E"):
            wanted = thinned([(0.28, WINDOW), (0.72, SMALL)], p.openings, random)
            found += place(end, storey, main.bays_y, main.grid, wanted)
    return found + inner_doors(main)


def wing_openings(
    p: HouseParameters, wing: Volume, random: Random, door: bool = True
) -> list[Opening]:
    """Windows of a wing, a door in one of its sides, and one through its middle."""
    found: list[Opening] = []
    for storey in range(1, wing.storeys + 1):
        if wing.closed("W"):
            wanted = thinned([(0.28, WINDOW), (0.72, WINDOW)], p.openings, random)
            found += place("W", storey, wing.bays_y, wing.grid, wanted)
        for side in ("S", "N"):
            entrance = door and storey == 1 and side == "S"
            kind = DOOR if entrance else WINDOW
            wanted = [(0.5, kind)] if entrance or random.random() < p.openings else []
            found += place(side, storey, wing.bays_x, wing.grid, wanted)
    return found + inner_doors(wing)


STYLE = Style("Farmhouse", RANGES, design, stories=(1, 2), wings=(1,))
