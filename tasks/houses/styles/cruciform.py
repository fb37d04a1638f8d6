# SPDX-License-Identifier: GPL-3.0-or-later
"""Cruciform: two wings opposite each other, four valleys that meet over one post."""

from __future__ import annotations

from ..parameters import HouseParameters
from .common import choices
from .farmhouse import main_openings, wing_openings
from .style import Design, Ranges, Style
from .wings import (
    INSET,
    check_cover,
    check_valleys,
    joined,
    main_volume,
    parts,
    wing_bays,
    wing_volume,
)

RANGES = Ranges(
    footprint_x=(7.2, 9.6),
    footprint_y=(3.2, 4.4),
    stories=(1, 1, 1, 1, 2),
    pitch=(34.0, 45.0),
    overhang=(0.20, 0.35),
    wings=(2,),
    wing_length=(2.1, 2.9),
    spacing=(0.406, 0.610, 0.610),
)


def design(p: HouseParameters) -> Design:
    """Main part, and wings of one length to both sides of one crossing."""
    check_valleys(p)
    random = choices(p)
    main = main_volume(p, p.footprint_x, p.footprint_y, rake=0.250)
    room = main.bays_x - 2 * INSET - main.bays_y
    # The crossing lies in the middle third.
    first = INSET + round(room * (1 + random.random()) / 3)
    main = joined(main, {"S": (first,), "N": (first,)})
    south, north = (
        wing_volume(main, side, first, wing_bays(p), prefix)  # type: ignore[arg-type]
        for side, prefix in (("S", "South"), ("N", "North"))
    )
    check_cover((main, south, north))
    volumes = (
        main.with_(openings=tuple(main_openings(p, main, random, door=False))),
        south.with_(openings=tuple(wing_openings(p, south, random))),
        north.with_(openings=tuple(wing_openings(p, north, random, door=False))),
    )
    words = (
        "Two wings as wide as the house is deep make a cross; four valleys join the roofs.",
        parts(main, south, north),
    )
    return Design(volumes, "cross-gable", words)


STYLE = Style("Cruciform", RANGES, design, stories=(1, 2), wings=(2,))
