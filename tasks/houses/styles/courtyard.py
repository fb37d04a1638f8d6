# SPDX-License-Identifier: GPL-3.0-or-later
"""Courtyard: bars round a court, open to the front or closed on all four sides."""

from __future__ import annotations

from ..parameters import HouseParameters, ParameterError
from ..volume import Volume
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

#: Least width of the court between the walls, m (ours: eaves and a room's window to both sides).
COURT = 2.4

RANGES = Ranges(
    footprint_x=(11.0, 13.4),
    footprint_y=(3.2, 4.2),
    stories=(1,),
    pitch=(34.0, 42.0),
    overhang=(0.20, 0.35),
    wings=(2, 2, 2, 3),
    wing_length=(2.4, 3.7),
    spacing=(0.406, 0.610, 0.610, 0.610),
)


def design(p: HouseParameters) -> Design:
    """Two wings make a U with the main part; a third, a second bar, closes the court."""
    check_valleys(p)
    rear = main_volume(p, p.footprint_x, p.footprint_y, rake=0.250)
    firsts = INSET, rear.bays_x - INSET - rear.bays_y
    court = (firsts[1] - firsts[0]) * rear.grid - rear.depth
    if court < COURT:
        raise ParameterError(
            f"footprint_x is {p.footprint_x:g} m, which leaves {max(court, 0.0):.2f} m of court "
            f"between its wings; it is at least {COURT} m wide"
        )
    rear = joined(rear, {"S": firsts})
    if p.wings == 3:
        return _closed(p, rear, firsts)
    random = choices(p)
    wings = [
        wing_volume(rear, "S", first, wing_bays(p), prefix)
        for first, prefix in zip(firsts, ("West", "East"), strict=True)
    ]
    check_cover((rear, *wings))
    volumes = (
        rear.with_(openings=tuple(main_openings(p, rear, random))),
        *(w.with_(openings=tuple(wing_openings(p, w, random, door=w is wings[0]))) for w in wings),
    )
    words = (
        "Two wings and the main part enclose a court that is open to the front.",
        parts(rear, *wings),
    )
    return Design(volumes, "cross-gable", words)


def _closed(p: HouseParameters, rear: Volume, firsts: tuple[int, int]) -> Design:
    """Two bars and two sides between them."""
    random, length = choices(p), wing_bays(p)
    sides = [
        wing_volume(rear, "S", first, length, prefix).with_(open_ends=("W", "E"))
        for first, prefix in zip(firsts, ("West", "East"), strict=True)
    ]
    out = length * rear.grid + rear.depth
    front = joined(rear.with_(gaps={}, prefix="Front", offset=(0.0, -out, 0.0)), {"N": firsts})
    check_cover((rear, front, *sides))
    volumes = (
        rear.with_(openings=tuple(main_openings(p, rear, random, door=False))),
        front.with_(openings=tuple(main_openings(p, front, random))),
        *(s.with_(openings=tuple(wing_openings(p, s, random, door=False))) for s in sides),
    )
    words = (
        "Four bars enclose a court on all sides; eight valleys join their roofs.",
        parts(rear, front, *sides),
    )
    return Design(volumes, "cross-gable", words)


STYLE = Style("Courtyard", RANGES, design, stories=(1,), wings=(2, 3))
