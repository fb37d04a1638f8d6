# SPDX-License-Identifier: GPL-3.0-or-later
"""Gable roofs: rafter couples on a ridge board, tied by ceiling joists and collar ties."""

from __future__ import annotations

import numpy as np

from ....checks.timber.structure import Floats
from ..ceiling import ceiling, rafter_lefts
from ..frame import Frame
from ..levels import T
from ..lines import joints, run
from ..sizing import tail
from ..volume import Lumber, Slope, Volume, Wall
from ..wood import DEPTHS

#: Collar ties stand at most this far apart, m (R802.4.6: 4 ft).
COLLAR_SPACING = 1.219
#: Gable studs shorter than this are left out, m: they would be blocks.
SHORTEST_STUD = 0.180
#: Gable studs stand farther than this from the plates of the long walls, m: what is nearer counts
#: as joined to them in the paper, and so as a neighbour of the other gable's.
OFF_PLATES = 0.060
#: Depth of lookouts and collar ties, m (2x4).
SMALL = 0.089
#: Lookouts stand this far apart at most along the slope in plan, m (24 in).
LOOKOUTS = 0.610


def gable(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """Ridge, couples, ceiling joists, collar ties, gable studs and rakes."""
    slope = lumber.slope(volume)
    ceiling(frame, volume, lumber)
    ridge(frame, volume, lumber)
    lefts = rafter_lefts(volume)
    couples(frame, volume, slope, lefts)
    collar_ties(frame, volume, lumber, slope, lefts)
    for end in ("W", "E"):
        if volume.closed(end):
            gable_studs(frame, volume, slope, end)
            if volume.rake:
                rake(frame, volume, slope, end)


def ridge_face(volume: Volume) -> float:
    """Inset of the ridge board's faces from the outer faces of the plates, m."""
    return volume.middle - T / 2


def ridge(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """The ridge board, which butts in the middle between couples."""
    top = lumber.slope(volume).top(ridge_face(volume))
    west = -volume.rake if volume.closed("W") else 0.0
    east = volume.length + (volume.rake if volume.closed("E") else 0.0)
    spots = [(i + 0.5) * volume.grid for i in range(1, volume.bays_x)]
    face = ridge_face(volume)
    at = joints(west, east, spots)
    run(frame, "Ridge", "", "x", (west, east), (face, face + T), (top - lumber.ridge, top), at)


def couples(frame: Frame, volume: Volume, slope: Slope, lefts: Floats, tag: str = "") -> None:
    """Rafters of both sides at ``lefts``, m, except in the volume's gaps."""
    foot = -tail(volume.overhang, slope.tan, slope.depth)
    top = ridge_face(volume) - short_of_ridge(slope)
    sides: tuple[Wall, Wall] = ("S", "N")
    for side in sides:
        x = np.array([left + T / 2 for left in lefts if not volume.in_gap(side, left + T / 2)])
        ends = []
        for inset in (foot, top):
            y = inset if side == "S" else volume.depth - inset
            ends.append(
                np.column_stack([x, np.full_like(x, y), np.full_like(x, slope.centre_line(inset))])
            )
        frame.sloped("Rafter", f"{tag}{side}", ends[0], ends[1], T, slope.depth)


def short_of_ridge(slope: Slope, thickness: float = T) -> float:
    """How far in plan a rafter's centre line ends before a ridge ``thickness`` m thick, m.

    Where the cut end is deeper than any ridge board, the lower corner of a square end would pass
    under the board into the rafter opposite: it ends in the middle.
    """
    if slope.depth / slope.cos <= DEPTHS[-1]:
        return 0.0
    return max(slope.depth / 2 * slope.sin - thickness / 2 + 0.001, 0.0)


def collar_ties(frame: Frame, volume: Volume, lumber: Lumber, slope: Slope, lefts: Floats) -> None:
    """Ties just under the ridge board, on the west faces of couples, at most 4 ft apart."""
    face = ridge_face(volume)
    top = slope.top(face) - lumber.ridge - 0.020
    if top - SMALL < volume.levels.eaves + lumber.ceiling + 0.050:
        return
    reach = (slope.top(face) - top) / slope.tan + T / 2
    step = max(1, int(COLLAR_SPACING / volume.grid + 1e-6))
    left = np.array(
        [
            left
            for left in lefts[1:-1][::step]
            if not (volume.in_gap("S", left + T / 2) or volume.in_gap("N", left + T / 2))
        ]
    )
    if len(left):
        y = (volume.middle - reach, volume.middle + reach)
        frame.box("CollarTie", "", (left - T, left), y, (top - SMALL, top))


def gable_studs(frame: Frame, volume: Volume, slope: Slope, end: str) -> None:
    """Studs laid flat between the plates of an end wall and its end rafters, one a bay.

    None stands in the middle: it would carry the ridge, and half of the roof would come down there.
    """
    half = volume.bays_y // 2 + 1
    y = volume.middle + (np.arange(-half, half) + 0.5) * volume.grid
    under: Floats = slope.underside(0.0) + np.minimum(y, volume.depth - y) * slope.tan
    tall = under - volume.levels.eaves >= SHORTEST_STUD
    tall &= np.minimum(y, volume.depth - y) > volume.stud + SMALL / 2 + OFF_PLATES
    y, under = y[tall], under[tall]
    left = 0.0 if end == "W" else volume.length - T
    z = (volume.levels.eaves, under)
    flat = (y - SMALL / 2, y + SMALL / 2)
    frame.box("Stud", f"Gable_{end}", (left, left + T), flat, z)


def rake(frame: Frame, volume: Volume, slope: Slope, end: str) -> None:
    """A couple outside the gable on the ends of plates and ridge, and lookouts under the roof."""
    left = -volume.rake if end == "W" else volume.length + volume.rake - T
    couples(frame, volume, slope, np.array([left]), f"Rake_{end}_")
    between = (left + T, 0.0) if end == "W" else (volume.length, left)
    face = ridge_face(volume)
    count = max(2, int(np.ceil((face + volume.overhang) / LOOKOUTS)))
    inset = -volume.overhang + (np.arange(count) + 0.5) * (face + volume.overhang) / count
    z = slope.top(0.0) + (inset - T / 2) * slope.tan
    for side, y in (("S", inset), ("N", volume.depth - inset)):
        at = (z - SMALL, z)
        frame.box("Lookout", f"{end}_{side}", between, (y - T / 2, y + T / 2), at)
