# SPDX-License-Identifier: GPL-3.0-or-later
"""What many styles share: a volume of the house's footprint, and choices of their own."""

from __future__ import annotations

import math
from random import Random
from typing import Any

from ....checks.timber.brief import PSF
from ..levels import STUD_LENGTH, T
from ..openings import PASSAGE, evenly, place
from ..parameters import HouseParameters
from ..sizing import SILL_TOP, joist_run, levels_for, lines_for
from ..volume import Opening, Volume

#: Heaviest snow over walls of 2x4, Pa (IRC table R602.3(5) is for 50 psf at most).
SNOW_ON_SLENDER = 50.5 * PSF


def choices(p: HouseParameters, what: str = "openings") -> Random:
    """Random numbers of a house for one purpose; only ``.random()`` is the same everywhere."""
    return Random(f"{p.style}/{p.seed}/{what}")


def bays(length: float, grid: float) -> int:
    """Stud spacings in a length over the outer faces, m."""
    return max(1, round((length - T) / grid))


def stud_depth(p: HouseParameters) -> float:
    """Depth of the studs, m: 2x4 where table R602.3(5) lets them, else 2x6."""
    slender = p.stories == 1 or (p.stories == 2 and p.spacing <= 0.406)
    return 0.089 if slender and p.ground_snow <= SNOW_ON_SLENDER else 0.140


def box_volume(
    p: HouseParameters,
    *,
    sill_top: float = SILL_TOP,
    studs: float | tuple[float, ...] = STUD_LENGTH,
    rake: float = 0.0,
    **changes: Any,
) -> Volume:
    """One volume of the whole footprint, with a bearing line where spans demand it.

    Raises :class:`..parameters.ParameterError` where no joists reach.
    """
    bays_y = bays(p.footprint_y, p.spacing)
    depth = bays_y * p.spacing + T
    lines = lines_for(p, depth)
    return Volume(
        bays_x=bays(p.footprint_x, p.spacing),
        bays_y=bays_y,
        grid=p.spacing,
        levels=levels_for(p, [joist_run(depth, lines)], sill_top=sill_top, studs=studs),
        pitch=math.tan(math.radians(p.pitch)),
        overhang=p.overhang,
        rake=rake,
        stud=stud_depth(p),
        lines=lines,
        **changes,
    )


def no_doors(volume: Volume) -> list[tuple[int, int]]:
    """Studs of the bearing wall, first to last, between which no openings may be.

    Posts of the ridge come down there, or the piece of plate at the wall's end would lie on one
    joist only.
    """
    posts = [
        (math.floor((x - T) / volume.grid), math.ceil((x - T) / volume.grid + 1e-9) + 1)
        for x in volume.posts
    ]
    return [(0, 1), *posts, (volume.bays_x - 1, volume.bays_x)]


def inner_doors(volume: Volume) -> list[Opening]:
    """Passages through the bearing wall of every storey, about every four metres."""
    if not volume.lines:
        return []
    doors = evenly(max(1, round(volume.length / 4.0)), PASSAGE)
    return [
        opening
        for storey in range(1, volume.storeys + 1)
        for opening in place("M", storey, volume.bays_x, volume.grid, doors, no_doors(volume))
    ]
