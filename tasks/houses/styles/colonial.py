# SPDX-License-Identifier: GPL-3.0-or-later
"""Colonial: two storeys, the door in the middle of the front, windows mirrored and in line."""

from __future__ import annotations

from ..openings import DOUBLE, SMALL, WINDOW, Kind, evenly, place
from ..parameters import HouseParameters
from ..volume import Opening, Wall
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style

RANGES = Ranges(
    footprint_x=(6.5, 9.2),
    footprint_y=(5.0, 7.0),
    stories=(2, 2, 2, 2, 3),
    pitch=(30.0, 42.0),
    overhang=(0.15, 0.40),
)
#: Width of one column of windows with the wall beside it, m.
COLUMN = 2.1


def design(p: HouseParameters) -> Design:
    """An odd number of columns; what is left out is left out in pairs and on all storeys."""
    volume = box_volume(p)
    columns = max(3, int(volume.length / COLUMN))
    columns -= 1 - columns % 2
    random = choices(p)
    front = _columns(columns, p.openings, random.random())
    sides = [(0.28, SMALL), (0.72, SMALL)] if p.openings >= 0.5 else [(0.5, SMALL)]
    openings: list[Opening] = []
    for storey in range(1, volume.storeys + 1):
        middle = DOUBLE if storey == 1 else WINDOW
        walls: list[tuple[Wall, int, list[tuple[float, Kind]]]] = [
            ("S", volume.bays_x, [(0.5, middle), *front]),
            ("N", volume.bays_x, [(0.5, middle), *front]),
            ("W", volume.bays_y, sides),
            ("E", volume.bays_y, sides),
        ]
        for wall, count, wanted in walls:
            openings += place(wall, storey, count, volume.grid, wanted)
    openings += inner_doors(volume)
    words = "The front is symmetrical: a double door in the middle, windows above each other."
    return Design((volume.with_(openings=tuple(openings)),), "gable", (words,))


def _columns(count: int, share: float, draw: float) -> list[tuple[float, Kind]]:
    """Windows beside the middle; one pair of columns is dropped where few openings are wanted."""
    places = sorted(place_ for place_, _ in evenly(count, WINDOW) if abs(place_ - 0.5) > 1e-9)
    if share < 0.7 and count > 3:
        dropped = int(draw * (count // 2))
        gone = {dropped, len(places) - 1 - dropped}
        places = [place_ for k, place_ in enumerate(places) if k not in gone]
    outwards = sorted(places, key=lambda place_: (round(abs(place_ - 0.5), 6), place_))
    return [(place_, WINDOW) for place_ in outwards]


STYLE = Style("Colonial", RANGES, design, stories=(2, 3))
