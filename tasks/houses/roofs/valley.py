# SPDX-License-Identifier: GPL-3.0-or-later
"""Roofs that meet: wings as wide as the main part is deep, with two valleys each.

With one width, one pitch and one height of plates the ridges meet at one height, over a post, and
the valleys run at 45 degrees in plan from the corners between the walls to the ridges. The main
part's gaps say where wings are; its jacks, the valleys and the post are framed with it
(:func:`junction`), the wing's own jacks and its ridge up to the main one with the wing
(:func:`wing`).
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from ....checks.timber.engineering.table import FASTENED, SLACK
from ....checks.timber.structure import Floats
from ..ceiling import SHORT, rafter_lefts
from ..frame import Frame
from ..levels import T
from ..sizing import SEAT
from ..volume import Lumber, Slope, Volume, Wall
from .boards import BESIDE, deeper, joints
from .gable import collar_ties, couples, gable_studs, rake, ridge_face
from .posts import POST, ridge_posts

#: Jacks are longer than deep by this at least, m (ours: the others would be blocks).
LONGER = 0.020
#: The two long sides of a volume.
SIDES: tuple[Wall, Wall] = ("S", "N")


def junction(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """The roof of the main part: as a gable roof, with valleys and jacks where wings join it."""
    slope = lumber.slope(volume)
    _main_ceiling(frame, volume, lumber)
    _main_ridge(frame, volume, lumber, slope)
    lefts = rafter_lefts(volume)
    couples(frame, volume, slope, lefts)
    collar_ties(frame, volume, lumber, slope, lefts)
    for end in ("W", "E"):
        if volume.closed(end):
            gable_studs(frame, volume, slope, end)
            if volume.rake:
                rake(frame, volume, slope, end)
    for side in SIDES:
        for gap in volume.gaps.get(side, ()):
            _main_jacks(frame, volume, slope, side, gap, lefts + T / 2)
            _valleys(frame, volume, slope, side, gap)
            ridge_posts(frame, volume, lumber, [sum(gap) / 2], side)
    ridge_posts(frame, volume, lumber, volume.posts)


def _main_ridge(frame: Frame, volume: Volume, lumber: Lumber, slope: Slope) -> None:
    """The main ridge, which butts over the posts where those of wings meet it.

    Where two wings are opposite its pieces to both sides end a bay and a half beyond the valleys.
    """
    west, east = -volume.rake, volume.length + volume.rake
    south, north = (set(volume.gaps.get(side, ())) for side in SIDES)
    edges = [west]
    for low, high in sorted(south | north):
        middle = (low + high) / 2
        if (low, high) not in south & north:
            edges += [*joints(edges[-1], middle, volume.grid), middle]
            continue
        reach = 1.5 * volume.grid - T / 2  # a bay and a half: past the posts beside the valleys
        piece = low - reach, high + reach
        edges += [*joints(edges[-1], piece[0], volume.grid), piece[0], middle, piece[1]]
    edges += [*joints(edges[-1], east, volume.grid), east]
    face = ridge_face(volume)
    top, across = slope.top(face), (face, face + T)
    frame.box("Ridge", "", (edges[:-1], edges[1:]), across, (top - lumber.ridge, top))


def wing(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """The roof of a wing: its couples, and beyond its open ends jacks and ridge to the main one."""
    slope, face = lumber.slope(volume), ridge_face(volume)
    both = len(volume.open_ends) == 2
    # Between two open ends rafters stand symmetrically, clear of the valleys' tails.
    first = volume.grid - T / 2 if both else 0.0
    lefts = first + np.arange(volume.bays_x - (1 if both else 0)) * volume.grid
    couples(frame, volume, slope, lefts)
    collar_ties(frame, volume, lumber, slope, lefts)
    beyond = np.arange(volume.bays_y) * volume.grid + (0.0 if both else T / 2)
    for end in ("W", "E"):
        if volume.closed(end):
            gable_studs(frame, volume, slope, end)
            if volume.rake:
                rake(frame, volume, slope, end)
        else:
            _wing_jacks(frame, volume, slope, end, beyond)
    west = -volume.rake if volume.closed("W") else -face
    east = volume.length + (volume.rake if volume.closed("E") else face)
    top, across = slope.top(face), (volume.middle - T / 2, volume.middle + T / 2)
    # The last pieces reach from the main part's wall, where a post carries them, to its ridge.
    posted = [
        at
        for end, at in (("W", volume.grid / 2), ("E", volume.length + T / 2 - volume.grid / 2))
        if not volume.closed(end)  # type: ignore[arg-type]
    ]
    inner = [west if volume.closed("W") else posted[0], east if volume.closed("E") else posted[-1]]
    edges = sorted({west, east, *posted, *joints(inner[0], inner[1], volume.grid)})
    frame.box("Ridge", "", (edges[:-1], edges[1:]), across, (top - lumber.ridge, top))
    _wing_ceiling(frame, volume, lumber, both)


def _wing_ceiling(frame: Frame, volume: Volume, lumber: Lumber, both: bool) -> None:
    """Ceiling joists east of every rafter and beside the wall at the western end."""
    i = np.arange(volume.bays_x)
    left = i * volume.grid + (T / 2 if both else T)
    z = (volume.levels.eaves, volume.levels.eaves + lumber.ceiling)
    low, middle, high = SHORT, volume.middle, volume.depth - SHORT
    for tag, start, end in [("S", low, middle), ("N", middle, high)]:
        frame.box("CeilingJoist", tag, (left, left + T), (start, end), z)


def _main_ceiling(frame: Frame, volume: Volume, lumber: Lumber) -> None:
    """Ceiling joists beside the rafters, between the valleys of a wing on their west sides.

    So they stand clear of the feet of both valleys; the bay where the side changes has one more.
    """
    z = (volume.levels.eaves, volume.levels.eaves + lumber.ceiling)
    for side in SIDES:
        left = _beside(volume, side)
        south = side == "S"
        y = (SHORT, volume.middle) if south else (volume.middle, volume.depth - SHORT)
        frame.box("CeilingJoist", side, (left, left + T), y, z)


def _beside(volume: Volume, side: Wall) -> Floats:
    """Left faces of the ceiling joists of one side, m."""
    lefts = rafter_lefts(volume)
    beside = lefts + T
    more: list[float] = []
    for low, high in volume.gaps.get(side, ()):
        inside = (lefts > low - T / 2) & (lefts < high - 1.5 * T)
        beside[inside] = lefts[inside] - T
        more.append(float(lefts[inside][-1]) + T)
    beside[-1] = lefts[-1] - T
    for x in volume.posts:  # on both sides of posts that stand in the way
        met = np.abs(beside + T / 2 - x) < (POST + T) / 2
        if met.any():
            beside = beside[~met]
            more += [x - POST / 2 - T, x + POST / 2]
    return np.sort(np.concatenate([beside, more]))


def _sloped(
    frame: Frame,
    slope: Slope,
    tag: str,
    low: tuple[Floats, ...],
    high: tuple[Floats, ...],
) -> None:
    """Jacks between places (x, y, inset) of their lower and upper ends, (k,) each, m."""
    ends = [
        np.column_stack(np.broadcast_arrays(x, y, slope.centre_line(inset)))
        for x, y, inset in (low, high)
    ]
    frame.sloped("ValleyJack", tag, ends[0], ends[1], T, slope.depth)


def _feet(volume: Volume, slope: Slope, foot: Floats) -> Floats:
    """Insets of jacks' feet, those over a plate lowered until they sit on it far enough, m."""
    low = foot + slope.depth / 2 * slope.sin
    run = volume.stud - low
    gap = slope.underside(0.0) + low * slope.tan - slope.plate
    sits = (run > 0.0) & (gap * slope.cos <= FASTENED + SLACK)
    return foot - np.where(sits & (run < SEAT), SEAT - run, 0.0)


def _shortest(slope: Slope) -> float:
    """Shortest jack in plan, m."""
    return (slope.depth + LONGER) * slope.cos


def _main_jacks(
    frame: Frame, volume: Volume, slope: Slope, side: Wall, gap: tuple[float, float], x: Floats
) -> None:
    """Jacks of the main plane from the valleys to the ridge."""
    face = ridge_face(volume)
    foot = _feet(volume, slope, np.minimum(x - gap[0], gap[1] - x) + BESIDE)
    kept = (x > gap[0]) & (x < gap[1]) & (face - foot >= _shortest(slope))
    x, foot = x[kept], foot[kept]
    top = np.full_like(foot, face)
    low, high = ((inset if side == "S" else volume.depth - inset) for inset in (foot, top))
    _sloped(frame, slope, side, (x, low, foot), (x, high, top))


def _wing_jacks(frame: Frame, volume: Volume, slope: Slope, end: str, beyond: Floats) -> None:
    """Jacks of a wing's planes ``beyond`` its open end, m."""
    face = ridge_face(volume)
    foot = _feet(volume, slope, beyond + BESIDE)
    kept = face - foot >= _shortest(slope)
    beyond, foot = beyond[kept], foot[kept]
    top = np.full_like(foot, face)
    x = volume.length + beyond if end == "E" else -beyond
    for side in SIDES:
        low, high = ((inset if side == "S" else volume.depth - inset) for inset in (foot, top))
        _sloped(frame, slope, f"{end}{side}", (x, low, foot), (x, high, top))


def valley_drop(slope: Slope, depth: float) -> float:
    """From the commons' centre line down to a valley's, whose middle lies in the planes, m."""
    return slope.depth / 2 / slope.cos - depth / 2 * sqrt(1.0 + slope.tan**2 / 2)


def _valleys(
    frame: Frame, volume: Volume, slope: Slope, side: Wall, gap: tuple[float, float]
) -> None:
    """The two valleys of a wing, from their tails to the corners between the ridges."""
    depth = deeper(slope.depth)
    drop, face = valley_drop(slope, depth), ridge_face(volume)
    for tag, corner, way in (("W", gap[0], 1.0), ("E", gap[1], -1.0)):
        start, end = (
            (
                corner + way * inset,
                inset if side == "S" else volume.depth - inset,
                slope.centre_line(inset) + drop,
            )
            for inset in (-volume.overhang, face)
        )
        frame.sloped("ValleyRafter", f"{side}{tag}", start, end, T, depth)
