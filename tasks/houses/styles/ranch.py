# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranch: one storey, long and low, a flat gable roof with wide eaves."""

from __future__ import annotations

from ..openings import DOOR, SMALL, WIDE, WINDOW, evenly, place, thinned
from ..parameters import HouseParameters
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style

RANGES = Ranges(
    footprint_x=(9.0, 18.0),
    footprint_y=(6.0, 8.8),
    stories=(1,),
    pitch=(14.04, 24.0),
    overhang=(0.40, 0.56),
)


def design(p: HouseParameters) -> Design:
    """One volume along the street: a wide window beside the door, windows all round."""
    volume = box_volume(p, rake=0.300)
    random, grid = choices(p), volume.grid
    x, y = volume.bays_x, volume.bays_y
    wide = max(3, round(volume.length / 2.6))
    front = [(0.45, DOOR), (0.27, WIDE), *thinned(evenly(wide, WINDOW), p.openings, random)]
    back = [(0.6, DOOR), *thinned(evenly(wide, WINDOW), p.openings, random)]
    openings = [*place("S", 1, x, grid, front), *place("N", 1, x, grid, back)]
    for end in ("W", "E"):
        wanted = thinned([(0.25, SMALL), (0.72, WINDOW)], p.openings, random)
        openings += place(end, 1, y, grid, wanted)
    openings += inner_doors(volume)
    return Design((volume.with_(openings=tuple(openings)),), "gable")


STYLE = Style("Ranch", RANGES, design, stories=(1,))
