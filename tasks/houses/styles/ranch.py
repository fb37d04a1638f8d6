# SPDX-License-Identifier: GPL-3.0-or-later
"""Ranch: one storey, long and low, a flat gable or hip roof with wide eaves."""

from __future__ import annotations

from ..openings import DOOR, SMALL, WIDE, WINDOW, evenly, place, thinned
from ..parameters import HouseParameters
from ..roofs.boards import LEAST_OVERHANG
from ..roofs.hip import LONGEST_OVERHANG, RIDGE_BAYS, post_places
from ..volume import Volume
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style

#: Share of hip roofs among the ranches that hips suit (ours).
HIPPED = 0.8

RANGES = Ranges(
    footprint_x=(8.0, 16.5),
    footprint_y=(5.8, 8.4),
    stories=(1,),
    pitch=(14.04, 24.0),
    overhang=(0.30, 0.56),
)


def design(p: HouseParameters) -> Design:
    """One volume along the street: a wide window beside the door, windows all round."""
    volume = box_volume(p, rake=0.300)
    hip = _hip(p, volume)
    if hip:
        volume = volume.with_(roof="hip", rake=0.0, posts=post_places(volume))
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
    words = ("Four planes of one pitch meet in hips at the corners.",) if hip else ()
    return Design((volume.with_(openings=tuple(openings)),), "hip" if hip else "gable", words)


def _hip(p: HouseParameters, volume: Volume) -> bool:
    """Whether it has a hip roof: most of those do that hips suit."""
    suits = (
        volume.lines == 1
        and volume.bays_y % 2 == 1
        and volume.bays_x >= volume.bays_y + RIDGE_BAYS
        and LEAST_OVERHANG <= p.overhang <= LONGEST_OVERHANG
    )
    return suits and choices(p, "roof").random() < HIPPED


STYLE = Style("Ranch", RANGES, design, stories=(1,))
