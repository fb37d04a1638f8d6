# SPDX-License-Identifier: GPL-3.0-or-later
"""Z-Plan: two wings at opposite ends and on opposite sides of a long main part."""

from __future__ import annotations

from ..parameters import HouseParameters, ParameterError
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
    footprint_x=(8.4, 11.0),
    footprint_y=(3.2, 4.2),
    stories=(1, 1, 1, 1, 2),
    pitch=(34.0, 45.0),
    overhang=(0.20, 0.35),
    wings=(2,),
    wing_length=(2.1, 2.9),
    spacing=(0.406, 0.610, 0.610),
)


def design(p: HouseParameters) -> Design:
    """Main part, a front wing near one end and a back wing near the other, point-symmetric."""
    check_valleys(p)
    random = choices(p)
    main = main_volume(p, p.footprint_x, p.footprint_y, rake=0.250)
    near, far = INSET, main.bays_x - INSET - main.bays_y
    if far < near + main.bays_y:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m, at this depth a Z-Plan is at least "
            f"{2 * main.depth + 2 * INSET * p.spacing:.2f} m long: its wings overlap"
        )
    if random.random() < 0.5:
        near, far = far, near
    main = joined(main, {"S": (near,), "N": (far,)})
    front = wing_volume(main, "S", near, wing_bays(p), "Front")
    back = wing_volume(main, "N", far, wing_bays(p), "Back")
    check_cover((main, front, back))
    volumes = (
        main.with_(openings=tuple(main_openings(p, main, random))),
        front.with_(openings=tuple(wing_openings(p, front, random))),
        back.with_(openings=tuple(wing_openings(p, back, random, door=False))),
    )
    words = (
        "Two wings stand out near opposite ends, one to the front and one to the back, each "
        "with two valleys.",
        parts(main, front, back),
    )
    return Design(volumes, "cross-gable", words)


STYLE = Style("Z-Plan", RANGES, design, stories=(1, 2), wings=(2,))
