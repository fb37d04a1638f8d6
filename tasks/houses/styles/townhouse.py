# SPDX-License-Identifier: GPL-3.0-or-later
"""Townhouse: narrow, two or three storeys, gables without openings where the neighbours stand."""

from __future__ import annotations

from ..openings import DOOR, WIDE, WINDOW, Kind, evenly, place, thinned
from ..parameters import HouseParameters, ParameterError
from ..volume import Opening
from .common import box_volume, choices, inner_doors
from .style import Design, Ranges, Style

RANGES = Ranges(
    footprint_x=(4.2, 6.0),
    footprint_y=(6.4, 8.8),
    stories=(2, 3, 3),
    pitch=(26.0, 45.0),
    overhang=(0.15, 0.40),
)
#: Fronts of town houses are no wider than this, m (ours).
WIDEST = 7.5


def design(p: HouseParameters) -> Design:
    """Eaves to the street and to the yard; the same windows in every upper storey."""
    if p.footprint_x > WIDEST:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m: a Townhouse is at most {WIDEST:g} m wide"
        )
    volume = box_volume(p)
    random = choices(p)
    many = 3 if volume.length > 5.6 else 2
    upper = thinned(evenly(many, WINDOW), max(p.openings, 0.4), random)
    openings: list[Opening] = []
    for storey in range(1, volume.storeys + 1):
        front: list[tuple[float, Kind]] = [(0.2, DOOR), (0.68, WIDE)] if storey == 1 else upper
        back: list[tuple[float, Kind]] = [(0.75, DOOR), (0.3, WINDOW)] if storey == 1 else upper
        openings += place("S", storey, volume.bays_x, volume.grid, front)
        openings += place("N", storey, volume.bays_x, volume.grid, back)
    openings += inner_doors(volume)
    words = "Neighbours stand at both gables, so these have no openings."
    return Design((volume.with_(openings=tuple(openings)),), "gable", (words,))


STYLE = Style("Townhouse", RANGES, design, stories=(2, 3))
