# SPDX-License-Identifier: GPL-3.0-or-later
"""Saltbox: two storeys in front, one behind, under one long rear slope."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import fields, replace
from functools import partial
from random import Random

from ..foundation import foundation
from ..frame import Frame
from ..levels import Levels, T
from ..openings import DOOR, SMALL, WINDOW, evenly, place, thinned
from ..parameters import HouseParameters, ParameterError
from ..platform import platform
from ..roofs.saltbox import Upper, saltbox
from ..sizing import choose, joist_run, levels_for
from ..volume import Lumber, Opening, Volume
from ..walls import walls
from .common import bays, choices, inner_doors, stud_depth
from .style import Design, Ranges, Sized, Style

#: Length of the upper storey's studs, m: rooms of at least 7 ft (R305.1), precut studs at most.
STUDS = (2.100, 2.750)

RANGES = Ranges(
    footprint_x=(7.6, 11.0),
    footprint_y=(7.4, 9.4),
    stories=(2,),
    pitch=(30.0, 40.0),
    overhang=(0.10, 0.40),
)


def design(p: HouseParameters) -> Design:
    """The whole depth below, the upper storey over its front half; the pitch fits both."""
    whole = _whole(p)
    whole = whole.with_(openings=tuple(_openings(p, whole, choices(p))))
    sized, lumber = choose(whole, p)
    lower, upper = _parts(sized, lumber)
    levels = sized.levels
    words = (
        "The rear slope goes on from two storeys in front down to one behind.",
        f"The upper storey stands over y = 0 to {upper[0].depth:.2f} m, its floor at "
        f"{levels.floor_top(2):.2f} m; the lower back wall's plates end at "
        f"{levels.plate_top(1):.2f} m.",
    )
    frame = partial(_frame, lower, upper, whole.depth - upper[0].depth)
    return Design((), "saltbox", words, (frame,), told=(sized,))


def _whole(p: HouseParameters) -> Volume:
    """The house as if both storeys had the whole depth: what lumber is chosen for."""
    grid, across = p.spacing, bays(p.footprint_y, p.spacing)
    depth, stud = across * grid + T, stud_depth(p)
    tan = math.tan(math.radians(p.pitch))
    floors = levels_for(p, [joist_run(depth, 1), depth / 2 + stud / 2 - 2 * T], storeys=2)
    # The plates of the lower back wall lie in the plane that the upper ones give.
    drop = (depth / 2 - stud / 2) * tan
    studs = drop - floors.joists[1] - 3 * T
    low, high = STUDS
    if not low <= studs <= high:
        least, most = (
            math.degrees(math.atan((length + floors.joists[1] + 3 * T) / (depth / 2 - stud / 2)))
            for length in STUDS
        )
        raise ParameterError(
            f"pitch is {p.pitch:g} degrees, for a Saltbox {depth:.2f} m deep it is "
            f"{least:.1f} to {most:.1f}, so that its upper rooms are {low} to {high} m high"
        )
    length = bays(p.footprint_x, grid)
    return Volume(
        bays_x=length,
        bays_y=across,
        grid=grid,
        levels=Levels(floors.sill_top, floors.joists, (floors.studs[0], studs)),
        pitch=tan,
        overhang=p.overhang,
        stud=stud,
        lines=1,
        # The line in the middle carries roof too: the girder is chosen as if posts stood on it.
        posts=((length // 2) * grid + T / 2,),
    )


def _parts(whole: Volume, lumber: Lumber) -> tuple[Sized, tuple[Upper, Lumber]]:
    """The lower storey with the whole depth, and the upper one over the front half."""
    pairs = list(zip(whole.openings, lumber.headers, strict=True))
    first, second = ([pair for pair in pairs if pair[0].storey == n] for n in (1, 2))
    low = Levels(whole.levels.sill_top, whole.levels.joists[:1], whole.levels.studs[:1])
    lower = whole.with_(levels=low, roof="none", openings=tuple(o for o, _ in first))
    values = {f.name: getattr(whole, f.name) for f in fields(Volume)}
    over = whole.depth / 2 + whole.stud / 2
    values |= {
        "bays_y": math.floor((over - T) / whole.grid),
        "openings": tuple(o for o, _ in second),
        "lines": 0,
        "posts": (),
    }
    upper = Upper(**values, over=over)
    return (
        (lower, replace(lumber, headers=tuple(h for _, h in first))),
        (upper, replace(lumber, headers=tuple(h for _, h in second))),
    )


def _openings(p: HouseParameters, whole: Volume, random: Random) -> list[Opening]:
    """A door in the middle of the front, windows above each other; none high in the back."""
    x, grid = whole.bays_x, whole.grid
    many = max(3, round(whole.length / 2.4)) | 1
    front = thinned(evenly(many, WINDOW), p.openings, random)
    found = place("S", 1, x, grid, [(0.5, DOOR), *front])
    found += place("S", 2, x, grid, front)
    rear = thinned(evenly(many - 1, SMALL), p.openings, random)
    found += place("N", 1, x, grid, [(0.3, DOOR), *rear])
    half = (whole.depth / 2 - whole.stud) / grid
    for end in ("W", "E"):
        sides = thinned([(0.2, WINDOW), (0.7, SMALL)], p.openings, random)
        found += place(end, 1, whole.bays_y, grid, sides)
        sides = thinned([(0.5, WINDOW)], p.openings, random)
        found += place(end, 2, math.floor(half), grid, sides)
    return found + [door for door in inner_doors(whole) if door.storey == 1]


def _frame(
    lower: Sized, upper: tuple[Upper, Lumber], back: float, frame: Frame, _: Sequence[Sized]
) -> None:
    foundation(frame, *lower)
    platform(frame, *lower, 1)
    walls(frame, *lower, 1)
    platform(frame, *upper, 2)
    walls(frame, *upper, 2)
    saltbox(frame, *upper, back)


STYLE = Style("Saltbox", RANGES, design, stories=(2,))
