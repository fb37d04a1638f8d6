# SPDX-License-Identifier: GPL-3.0-or-later
"""Carriage house: wide doors for carriages below, a dwelling above under a steep roof."""

from __future__ import annotations

from ..levels import STUD_LENGTH
from ..openings import CARRIAGE, DOOR, SMALL, WINDOW, Kind, evenly, place, thinned
from ..parameters import HouseParameters, ParameterError
from ..volume import Opening, Wall
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style

RANGES = Ranges(
    footprint_x=(6.4, 9.0),
    footprint_y=(4.8, 7.0),
    stories=(2,),
    pitch=(33.0, 45.5),
    overhang=(0.25, 0.50),
)
#: Length of the lower studs, m: rooms of 9 ft for carriages.
LOWER = 2.750
#: Room that one carriage door takes in the front, m.
PER_DOOR = 3.6


def design(p: HouseParameters) -> Design:
    """As many carriage doors as the front has room for, windows above and behind."""
    if p.footprint_x < PER_DOOR:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m: a carriage door needs at least {PER_DOOR:g} m"
        )
    volume = box_volume(p, studs=(LOWER, STUD_LENGTH), rake=0.300)
    random = choices(p)
    x, y = volume.bays_x, volume.bays_y
    doors = int(volume.length / PER_DOOR)
    many = max(2, round(volume.length / 2.4))
    upper = thinned(evenly(many, WINDOW), p.openings, random)
    ends: list[tuple[float, Kind]] = [(0.3, SMALL), (0.7, SMALL)]
    walls: list[tuple[Wall, int, int, list[tuple[float, Kind]]]] = [
        ("S", 1, x, evenly(doors, CARRIAGE)),
        ("S", 2, x, upper),
        ("N", 1, x, [(0.85, DOOR), *thinned(evenly(many, WINDOW), p.openings, random)]),
        ("N", 2, x, upper),
        ("W", 1, y, thinned(ends, p.openings, random)),
        ("E", 1, y, thinned(ends, p.openings, random)),
        ("W", 2, y, [(0.5, WINDOW)]),
        ("E", 2, y, [(0.5, WINDOW)]),
    ]
    openings: list[Opening] = []
    for wall, storey, count, wanted in walls:
        openings += place(wall, storey, count, volume.grid, wanted)
    openings += inner_doors(volume)
    words = "Carriages go in by the wide doors in front; people live above."
    return Design((volume.with_(openings=tuple(openings)),), "gable", (words,))


STYLE = Style("Carriage", RANGES, design, stories=(2,))
