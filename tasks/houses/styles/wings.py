# SPDX-License-Identifier: GPL-3.0-or-later
"""Houses of several volumes: a main part, wings as wide as it is deep, and what that asks for."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ....checks.timber.published.table import PAPER
from ..foundation import OUT
from ..levels import T
from ..openings import PASSAGE
from ..parameters import HouseParameters, ParameterError
from ..roofs.boards import BESIDE, LEAST_OVERHANG
from ..roofs.posts import POST
from ..roofs.valley import LONGER
from ..sizing import joist_run, levels_for, rafter_depth
from ..volume import Opening, Volume, Wall
from .common import bays, stud_depth

#: Least pitch of roofs with valleys, degrees: below it their feet run into the ceiling joists.
LEAST_PITCH = 33.6
#: Wings stand at least this many bays inside the gable ends, so that their eaves end before them.
INSET = 2
#: Bays of a wing at least: room for a corner and a window.
SHORTEST_WING = 5
#: Narrowest wing, m: two rooms' studs and a passage beside the post under its ridge (ours).
NARROWEST_WING = 3.05
#: Bays of a passage into a wing, and room between its king and the post beside it, m (ours).
PASSAGE_BAYS, KING_CLEAR = 2, 0.060
#: Room between a valley's tail and the next rafter, m (ours).
CLEAR = 0.010


def check_valleys(p: HouseParameters) -> None:
    """Refuse pitches and overhangs at which valleys don't fit."""
    if p.pitch < LEAST_PITCH:
        raise ParameterError(
            f"pitch is {p.pitch:g} degrees, with valleys it is at least {LEAST_PITCH} degrees"
        )
    longest = math.floor(100 * min(p.spacing - T / 2 - BESIDE - CLEAR, 0.42)) / 100
    if not LEAST_OVERHANG <= p.overhang <= longest:
        raise ParameterError(
            f"overhang is {p.overhang:g} m, with valleys and rafters {p.spacing:g} m on centre it "
            f"is {LEAST_OVERHANG} to {longest:g} m"
        )


def _check_jacks(p: HouseParameters, across: int) -> None:
    """Refuse rafters so deep that the shortest jacks beside a wing's ridge would be blocks."""
    depth, tan = across * p.spacing + T, math.tan(math.radians(p.pitch))
    rafter = rafter_depth(p, (depth / 2 - T / 2 + p.overhang) * math.hypot(1.0, tan))
    beside = p.spacing / 2 if across % 2 else p.spacing
    if (beside - T / 2 - BESIDE) * math.hypot(1.0, tan) < rafter + LONGER:
        raise ParameterError(
            f"footprint_y is {across} spacings of {p.spacing:g} m, which puts jacks shorter than "
            f"deep beside the ridges with rafters of {1000 * rafter:.0f} mm; take one more or less"
        )


def main_volume(
    p: HouseParameters, length: float, depth: float, *, rake: float = 0.0, **changes: Any
) -> Volume:
    """A volume with a bearing line in the middle, which posts of the ridge come down on."""
    across = bays(depth, p.spacing)
    run = joist_run(across * p.spacing + T, 1)
    if across * p.spacing + T < NARROWEST_WING:
        raise ParameterError(
            f"footprint_y is {p.footprint_y:g} m, with wings it is at least {NARROWEST_WING} m"
        )
    _check_jacks(p, across)
    return Volume(
        bays_x=bays(length, p.spacing),
        bays_y=across,
        grid=p.spacing,
        levels=levels_for(p, [run]),
        pitch=math.tan(math.radians(p.pitch)),
        overhang=p.overhang,
        rake=rake,
        stud=stud_depth(p),
        roof="junction",
        lines=1,
        **changes,
    )


def joined(main: Volume, gaps: dict[Wall, tuple[int, ...]]) -> Volume:
    """The main part with places for wings: side -> their first bays; and posts at the crossings.

    Wings on both sides stand exactly opposite or clear of each other. Raises
    :class:`ParameterError` if a wing stands beyond a gable end, or two in one place.
    """
    places: dict[Wall, tuple[tuple[float, float], ...]] = {}
    for side, firsts in gaps.items():
        last = INSET
        for first in sorted(firsts):
            if first < last or first + main.bays_y > main.bays_x - INSET:
                raise ParameterError(
                    f"footprint_x is {main.length:.2f} m, which leaves no room beside wings "
                    f"{main.depth:.2f} m wide"
                )
            last = first + main.bays_y + INSET
        places[side] = tuple(
            (round(first * main.grid, 6), round(first * main.grid + main.depth, 6))
            for first in sorted(firsts)
        )
    posts = {round((low + high) / 2, 6) for side in places.values() for low, high in side}
    # Jacks against jacks have no ties: there the ridge is a beam on posts at both ends too.
    for low, high in set(places.get("S", ())) & set(places.get("N", ())):
        beside = (main.grid - T) / 2
        posts |= {round(low - beside, 6), round(high + beside, 6)}
    return main.with_(gaps=places, posts=tuple(sorted(posts)))


def wing_volume(main: Volume, side: Wall, first: int, length: int, prefix: str) -> Volume:
    """A wing of ``length`` bays on a long side of the main part, from its bay ``first`` on.

    Its own W end is the gable, its E end is open to the main part.
    """
    if length < SHORTEST_WING:
        raise ParameterError(
            f"wing_length is {length * main.grid:.2f} m, it is at least "
            f"{SHORTEST_WING * main.grid:.2f} m"
        )
    west, out = first * main.grid, length * main.grid
    south = side == "S"
    x, y = main.offset[0], main.offset[1]
    offset = (
        (x + west + main.depth, y - out, 0.0) if south else (x + west, y + main.depth + out, 0.0)
    )
    return main.with_(
        bays_x=length, turn=1 if south else 3, offset=offset, prefix=prefix, open_ends=("E",),
        roof="wing", gaps={}, posts=(), openings=(),
    )  # fmt: skip


def wing_bays(p: HouseParameters) -> int:
    """Bays of the wings' length."""
    return round(p.wing_length / p.spacing)


def in_gaps(main: Volume, side: Wall) -> list[tuple[int, int]]:
    """Studs first to last of a long wall that lie inside of wings."""
    return [
        (round(low / main.grid) - 1, round((high - T) / main.grid) + 1)
        for low, high in main.gaps.get(side, ())
    ]


def passage(main: Volume, side: Wall, storey: int, gap: tuple[float, float]) -> Opening:
    """The way from the main part into a wing, west of the post under the wing's ridge."""
    grid, start = main.grid, gap[0]
    room = (gap[1] - start) / 2 - POST / 2 - 2 * T - KING_CLEAR
    last = math.floor(room / grid)
    low, high = (last - PASSAGE_BAYS) * grid + T, last * grid
    if last <= PASSAGE_BAYS:  # a narrow wing: from the first stud beside its wall to the post
        low = grid + T
        high = min(low + PASSAGE.width, room)
    low, high = round(start + low, 6), round(start + high, 6)
    return Opening(side, storey, low, high, None, PASSAGE.head, PASSAGE.name)


def parts(*volumes: Volume) -> str:
    """Where the parts of a house stand, as a sentence of its description."""
    said = []
    for volume in volumes:
        x0, y0, x1, y1 = (value + 0.0 for value in np.round(_bounds(volume, 0.0, 0.0), 2))
        name = volume.prefix or "main part"
        said.append(f"{name} x {x0:.2f} to {x1:.2f}, y {y0:.2f} to {y1:.2f}")
    return f"Its parts over their outer faces, in m: {'; '.join(said)}."


def check_cover(volumes: Sequence[Volume]) -> None:
    """Refuse plans whose roofs cover less of their bounding rectangle than the paper asks for.

    Its seventh test counts cells of 1 m that no rafter, widened by 0.3 m, meets: a fifth of them
    at most.
    """
    boxes = np.array([_bounds(v, OUT, OUT) for v in volumes])
    roofs = [
        _bounds(v, PAPER.rafter_reach + v.rake, PAPER.rafter_reach + v.overhang) for v in volumes
    ]
    low, high = boxes[:, :2].min(axis=0), boxes[:, 2:].max(axis=0)
    nx, ny = np.ceil((high - low) / PAPER.cell - 1e-6).astype(int)
    met = np.zeros((nx, ny), bool)
    for x0, y0, x1, y1 in roofs:
        i0, j0 = np.floor((np.array([x0, y0]) - low) / PAPER.cell).astype(int)
        i1, j1 = np.ceil((np.array([x1, y1]) - low) / PAPER.cell).astype(int)
        met[max(i0, 0) : max(i1, 0), max(j0, 0) : max(j1, 0)] = True
    free = 1.0 - float(met.mean())
    if free > PAPER.gap:
        raise ParameterError(
            f"wing_length: {free:.0%} of the plan's bounding rectangle lie under no roof, at most "
            f"{PAPER.gap:.0%} may"
        )


def _bounds(v: Volume, ends: float, sides: float) -> tuple[float, float, float, float]:
    """x and y, low and high, of a volume widened at its ends and sides, m."""
    low, high = np.array([-ends, -sides]), np.array([v.length + ends, v.depth + sides])
    turns = {0: (1, 0, 0, 1), 1: (0, -1, 1, 0), 2: (-1, 0, 0, -1), 3: (0, 1, -1, 0)}
    a, b, c, d = turns[v.turn]
    corners = np.array([[a * x + b * y, c * x + d * y] for x, y in (low, high)])
    corners += np.array(v.offset[:2])
    first, last = corners.min(axis=0), corners.max(axis=0)
    return float(first[0]), float(first[1]), float(last[0]), float(last[1])
