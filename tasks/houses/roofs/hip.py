# SPDX-License-Identifier: GPL-3.0-or-later
"""The hip roof: four planes of one pitch, hips at the corners, jacks against them.

An odd number of bays across keeps the middle of each end free for the common rafter that meets the
end of the ridge. The ridge runs a little past the hips, which land on its sides, and stands on two
posts there.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ....checks.timber.structure import Floats
from ..frame import Frame
from ..levels import T
from ..parameters import ParameterError
from ..volume import Lumber, Slope, Volume
from .boards import BESIDE, LEAST_OVERHANG, deeper, ridge_board
from .posts import ridge_posts

#: How far the ridge runs past the meeting point of the hips, m.
PAST = 0.080
#: Hip tails run diagonally and are notched deeper than a quarter only up to 24 in (R802.7.1.1).
LONGEST_OVERHANG = 0.420
#: Top of the fascia below the roof's surface, m: room for the boards (ours).
FASCIA_BELOW = 0.010
#: Least bays by which the house is longer than deep: so that there is a ridge (ours).
RIDGE_BAYS = 3
#: Ceiling joists end this far inside the plates' outer faces and lap in the middle, m each.
END, LAP = 0.020, 0.150


def hip_roof(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """Hips, commons, jacks, ridge on posts, ceiling joists and fascia over four plates.

    Raises :class:`ParameterError` for an even number of bays across, a house that is hardly longer
    than deep, or an overhang that hips can't be notched for.
    """
    _refuse(volume)
    slope, middle = lumber.slope(volume), volume.middle
    _slopes(frame, volume, slope)
    _hips(frame, volume, slope)
    ends = (middle - PAST, volume.length - middle + PAST)
    top = slope.top(middle - T / 2)
    ridge_board(frame, volume, "", ends, (top - lumber.ridge, top))
    if volume.lines:
        ridge_posts(frame, volume, lumber, post_places(volume))
    _ceiling(frame, volume, lumber, slope)
    _fascia(frame, volume, slope)


def post_places(volume: Volume) -> tuple[float, float]:
    """Where along x the posts of the ridge stand, m; the volume's ``posts`` have them."""
    return volume.middle, volume.length - volume.middle


def _refuse(volume: Volume) -> None:
    if volume.bays_y % 2 == 0:
        raise ParameterError(
            f"footprint_y is {volume.bays_y} spacings of {volume.grid:g} m, with a hip roof it is "
            "an odd number of them"
        )
    if volume.bays_x < volume.bays_y + RIDGE_BAYS:
        raise ParameterError(
            f"footprint_x is {volume.length:.2f} m, with a hip roof it is at least "
            f"{volume.depth + RIDGE_BAYS * volume.grid:.2f} m: {RIDGE_BAYS} spacings more than "
            "footprint_y"
        )
    if not LEAST_OVERHANG <= volume.overhang <= LONGEST_OVERHANG:
        raise ParameterError(
            f"overhang is {volume.overhang:g} m, with hips it is {LEAST_OVERHANG} to "
            f"{LONGEST_OVERHANG} m"
        )


def _place(volume: Volume, side: str, along: Floats, inset: Floats) -> tuple[Floats, Floats]:
    """x and y of points ``inset`` from a side's plate, ``along`` it, m."""
    return {
        "S": (along, inset),
        "N": (along, volume.depth - inset),
        "W": (inset, along),
        "E": (volume.length - inset, along),
    }[side]


def _rafters(
    frame: Frame, volume: Volume, slope: Slope, role: str, side: str, along: Floats, top: Floats
) -> None:
    """Rafters of one side from their tails to ``top`` from the plate's outer face, (k,) each."""
    along, top = np.broadcast_arrays(along, top)
    low = np.full(along.shape, -volume.overhang)
    lower, upper = (
        np.column_stack([*_place(volume, side, along, inset), slope.centre_line(inset)])
        for inset in (low, top)
    )
    frame.sloped(role, side, lower, upper, T, slope.depth)


def _slopes(frame: Frame, volume: Volume, slope: Slope) -> None:
    """Commons to the ridge, jacks to the side of their hip, king commons to the ridge's ends."""
    middle, grid = volume.middle, volume.grid
    for side, bays, length in (
        ("S", volume.bays_x, volume.length),
        ("N", volume.bays_x, volume.length),
        ("W", volume.bays_y, volume.depth),
        ("E", volume.bays_y, volume.depth),
    ):
        along = np.arange(1, bays) * grid + T / 2
        corner = np.minimum(along, length - along)
        jack = corner < middle
        ridge = along[~jack] * 0.0 + middle - T / 2
        _rafters(frame, volume, slope, "Rafter", side, along[~jack], ridge)
        _rafters(frame, volume, slope, "HipJack", side, along[jack], corner[jack] - BESIDE)
    for side in ("W", "E"):
        king = np.array([middle])
        _rafters(frame, volume, slope, "Rafter", side, king, king - PAST)


def hip_drop(slope: Slope, depth: float) -> float:
    """From the commons' centre line down to a hip's, so that its edges lie in the planes, m."""
    flat = slope.tan / sqrt(2.0)
    plumb = depth / 2 * sqrt(1.0 + flat**2)
    return slope.depth / 2 / slope.cos - plumb - T / 2 / sqrt(2.0) * slope.tan


def _hips(frame: Frame, volume: Volume, slope: Slope) -> None:
    depth = deeper(slope.depth)
    drop = hip_drop(slope, depth)
    # The corners of their square ends stay clear of the fascias.
    low, high = -volume.overhang + BESIDE / 2, volume.middle - T / 2
    for tag, west, south in (("SW", 1, 1), ("SE", 0, 1), ("NW", 1, 0), ("NE", 0, 0)):
        start, end = (
            (
                u if west else volume.length - u,
                u if south else volume.depth - u,
                slope.centre_line(u) + drop,
            )
            for u in (low, high)
        )
        frame.sloped("HipRafter", tag, start, end, T, depth)


def hip_under(slope: Slope, inset: float) -> float:
    """Height of a hip's underside over a place ``inset`` from both plates, m."""
    depth = deeper(slope.depth)
    plumb = depth * sqrt(1.0 + slope.tan**2 / 2)
    return slope.centre_line(inset) + hip_drop(slope, depth) - plumb / 2


def _ceiling(frame: Frame, volume: Volume, lumber: Lumber, slope: Slope) -> None:
    """Ceiling joists beside the rafters; where they would run into a hip there are none."""
    i = np.arange(1, volume.bays_x)
    west = i < volume.bays_x / 2
    left = i * volume.grid + np.where(west, T, -T)
    beside = left + np.where(west, T, -T)
    clear = (lumber.ceiling + slope.plate - hip_under(slope, 0.0)) / slope.tan + BESIDE
    kept = np.minimum(left, volume.length - left - T) > clear
    left, beside = left[kept], beside[kept]
    z = (slope.plate, slope.plate + lumber.ceiling)
    far = volume.depth - END
    if not volume.lines:
        frame.box("CeilingJoist", "", (left, left + T), (END, far), z)
        return
    lap = volume.middle + LAP, volume.middle - LAP
    frame.box("CeilingJoist", "S", (left, left + T), (END, lap[0]), z)
    frame.box("CeilingJoist", "N", (beside, beside + T), (lap[1], far), z)


def _fascia(frame: Frame, volume: Volume, slope: Slope) -> None:
    """Boards that close the tails of the rafters all round."""
    low, high = -volume.overhang - T, -volume.overhang
    top = slope.top(-volume.overhang) - FASCIA_BELOW
    z = (top - slope.depth, top)
    x, y = (low, volume.length - low), (high, volume.depth - high)
    frame.box("Fascia", "S", x, (low, high), z)
    frame.box("Fascia", "N", x, (volume.depth - high, volume.depth - low), z)
    frame.box("Fascia", "W", (low, high), y, z)
    frame.box("Fascia", "E", (volume.length - high, volume.length - low), y, z)
