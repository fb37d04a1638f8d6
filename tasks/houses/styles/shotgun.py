# SPDX-License-Identifier: GPL-3.0-or-later
"""Shotgun: one storey, one room wide, one room behind the other; the door is in the gable."""

from __future__ import annotations

from ..openings import DOOR, SMALL, WINDOW, evenly, place, thinned
from ..parameters import HouseParameters, ParameterError
from .common import box_volume, choices
from .style import Design, Ranges, Style

RANGES = Ranges(
    footprint_x=(9.0, 16.5),
    footprint_y=(3.4, 4.3),
    stories=(1,),
    pitch=(22.0, 40.0),
    overhang=(0.25, 0.50),
)
#: A shotgun house is no wider than one room with walls, m (ours: what joists span without girder).
WIDEST = 4.4
#: ... and at least this many times as long as wide (ours).
LONGER = 1.5


def design(p: HouseParameters) -> Design:
    """Floors span from wall to wall; the street is at the west gable, the yard at the east one."""
    if p.footprint_y > WIDEST:
        raise ParameterError(
            f"footprint_y is {p.footprint_y:g} m: a Shotgun is at most {WIDEST:g} m wide"
        )
    if p.footprint_x < LONGER * p.footprint_y:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m: a Shotgun {p.footprint_y:g} m wide is at least "
            f"{LONGER * p.footprint_y:.2f} m long"
        )
    volume = box_volume(p, rake=0.250)
    random, grid = choices(p), volume.grid
    rooms = max(3, round(volume.length / 3.4))
    openings = []
    for wall, kind in (("S", WINDOW), ("N", SMALL)):
        wanted = thinned(evenly(rooms, kind), p.openings, random)
        openings += place(wall, 1, volume.bays_x, grid, wanted)  # type: ignore[arg-type]
    openings += place("W", 1, volume.bays_y, grid, [(0.26, DOOR), (0.74, SMALL)])
    openings += place("E", 1, volume.bays_y, grid, [(0.5, DOOR)])
    words = "Its street end is the west gable, with the door; a second door is in the east gable."
    return Design((volume.with_(openings=tuple(openings)),), "gable", (words,))


STYLE = Style("Shotgun", RANGES, design, stories=(1,))
