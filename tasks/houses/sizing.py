# SPDX-License-Identifier: GPL-3.0-or-later
"""Chooses the lumber of a volume: joists, rafters, ties, girder and headers by their loads."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from .levels import STUD_LENGTH, Levels, T
from .parameters import HouseParameters, ParameterError
from .volume import Lumber, Opening, Volume
from .wood import (
    DEPTHS,
    Wood,
    beam_span,
    ceiling_spans,
    depth_for,
    joist_spans,
    rafter_lengths,
)

#: Top of the sills above the ground, m: a crawl space (IRC R408.4: at least 18 in).
SILL_TOP = 0.788
#: Joists bear about this far beyond the middles that their spans are measured from, m.
BEARING_EXTRA = 0.100
#: Side of the posts under girders, m (6x6).
POST = 0.140
#: A girder's first and last post stand this far from the ends, m: clear of the end footings.
POST_INSET = 0.520
#: Sides of girders in the order in which they are tried, m (4x10 to 6x12).
GIRDERS = ((0.089, 0.235), (0.089, 0.286), (0.140, 0.235), (0.140, 0.286))
#: Posts of a girder stand at most this far apart, m (ours: deeper cellars have none farther) ...
POSTS_WIDEST = 2.6
#: ... and at least this far, m: their pads are 400 mm wide.
POSTS_CLOSEST = 0.8
#: The narrowest opening, m.
NARROWEST = 0.600
#: Share of the rafter's depth that a birdsmouth takes; R802.7.1 allows a quarter.
NOTCH = 0.20
#: A seat in plan, m: R802.6 asks for 38 mm, a millimetre and a half is for rounding.
SEAT = 0.0395
#: Tails end at least this far outside of the wall, m: there they are no cut ends.
CLEAR_OF_WALL = 0.030
#: What a seat may cut into the plate below the upper one, m: a tolerance of framing.
CUT_FURTHER = 0.003


def wood_of(parameters: HouseParameters) -> Wood:
    """The wood and loads of a house."""
    return Wood.of(parameters.brief())


def joist_run(volume_depth: float, lines: int) -> float:
    """Length of a volume's joists, m: from rim to rim, or from a rim to the middle."""
    return volume_depth / 2 - T if lines else volume_depth - 2 * T


def lines_for(parameters: HouseParameters, depth: float, longest: float = 4.2) -> int:
    """How many bearing lines a volume of this depth needs, 0 or 1.

    Without one where joists and ceiling joists of at most ``longest`` m reach from wall to wall.
    """
    wood = wood_of(parameters)
    run = joist_run(depth, 0)
    reach = min(longest, joist_spans(wood)[-1], ceiling_spans(wood)[-1])
    return 0 if run <= reach else 1


def levels_for(
    parameters: HouseParameters,
    runs: Sequence[float],
    storeys: int | None = None,
    sill_top: float = SILL_TOP,
    studs: float | tuple[float, ...] = STUD_LENGTH,
) -> Levels:
    """Heights of volumes whose floors are flush: one depth of joists for all ``runs``, m.

    ``studs`` is their length, the same in all storeys or that of each.

    Raises :class:`ParameterError` if no joists reach so far.
    """
    limits = joist_spans(wood_of(parameters))
    longest = max(runs)
    depth = depth_for(longest, limits)
    if depth is None:
        raise ParameterError(
            f"footprint_y is {parameters.footprint_y:g} m: joists {longest:.2f} m long are needed, "
            f"and with this wood, spacing and load the deepest (2x12) reach {limits[-1]:.2f} m"
        )
    count = parameters.stories if storeys is None else storeys
    each = studs if isinstance(studs, tuple) else (studs,) * count
    return Levels(sill_top, (depth,) * count, each)


def rafter_depth(parameters: HouseParameters, length: float) -> float:
    """Depth of rafters of this length along the slope, tails included, m.

    Raises :class:`ParameterError` if none reach so far.
    """
    limits = rafter_lengths(wood_of(parameters))
    depth = depth_for(length, limits)
    if depth is None:
        raise ParameterError(
            f"footprint_y is {parameters.footprint_y:g} m: rafters {length:.2f} m long are needed, "
            f"and with this wood, spacing and load the deepest (2x12) reach {limits[-1]:.2f} m"
        )
    return depth


def notch_for(depth: float, tan: float, plate: float) -> float:
    """Depth of a birdsmouth square to the rafter, m, on a plate ``plate`` m wide.

    Raises :class:`ParameterError` where a seat of 38 mm takes more than a quarter of the depth.
    """
    sine = tan / math.hypot(1.0, tan)
    through = (T + CUT_FURTHER) * math.cos(math.atan(tan))
    notch = max(min(NOTCH * depth, 0.8 * plate * sine, through), SEAT * sine)
    if notch > 0.25 * depth:
        raise ParameterError(
            f"pitch is {math.degrees(math.atan(tan)):.1f}, at which a seat of 38 mm takes more "
            f"than a quarter of a rafter {depth * 1000:.0f} mm deep"
        )
    return notch


def ceiling_depth(parameters: HouseParameters, span: float) -> float:
    """Depth of ceiling joists with this span, m. Raises :class:`ParameterError` if none reach."""
    limits = ceiling_spans(wood_of(parameters))
    depth = depth_for(span, limits)
    if depth is None:
        raise ParameterError(
            f"footprint_y is {parameters.footprint_y:g} m: ceiling joists {span:.2f} m long are "
            f"needed, and with this wood and spacing the deepest (2x12) reach {limits[-1]:.2f} m"
        )
    return depth


def ridge_depth(rafter: float, tan: float) -> float:
    """Depth of the ridge board: not less than the cut end of the rafters (R802.3), m.

    Raises :class:`ParameterError` where the lower corners of rafters would pass below the deepest.
    """
    cut = rafter * math.hypot(1.0, tan)
    if (cut + rafter**2 / cut) / 2 > DEPTHS[-1]:
        raise ParameterError(
            f"pitch is {math.degrees(math.atan(tan)):.1f} degrees, at which rafters "
            f"{rafter * 1000:.0f} mm deep pass below the deepest ridge board (2x12)"
        )
    return next((depth for depth in DEPTHS if depth >= cut), DEPTHS[-1])


def choose(volume: Volume, parameters: HouseParameters) -> tuple[Volume, Lumber]:
    """The lumber of a volume, and the volume with openings that headers can span.

    Openings that no header spans are narrowed bay by bay; those left narrower than 0.6 m are left
    out. Raises :class:`ParameterError` where no lumber is deep enough.
    """
    wood = wood_of(parameters)
    _pitch_over_plates(volume)
    rafter_run = volume.depth / 2 - T / 2 + tail(volume.overhang, volume.pitch, DEPTHS[-1])
    rafter = rafter_depth(parameters, rafter_run * math.hypot(1.0, volume.pitch))
    run = joist_run(volume.depth, volume.lines) - (0 if volume.lines else 2 * (volume.stud - T))
    kept = []
    headers = []
    for opening in volume.openings:
        fitted = _fit(volume, opening, wood)
        if fitted is not None:
            kept.append(fitted[0])
            headers.append(fitted[1])
    girder, posts = _girder(volume, wood) if volume.lines else ((0.0, 0.0), ())
    return volume.with_(openings=tuple(kept)), Lumber(
        joists=volume.levels.joists,
        rafter=rafter,
        notch=notch_for(rafter, volume.pitch, volume.stud),
        ceiling=ceiling_depth(parameters, run),
        ridge=ridge_depth(rafter, volume.pitch),
        girder=girder,
        girder_posts=posts,
        headers=tuple(headers),
    )


def tail(overhang: float, tan: float, depth: float) -> float:
    """How far the centre lines of rafters of this depth run out over the eaves, m.

    Further than an overhang of nothing: the lower corner of the square end clears the wall's face.
    """
    return max(overhang, depth / 2 * tan / math.hypot(1.0, tan) + CLEAR_OF_WALL)


def _pitch_over_plates(volume: Volume) -> None:
    """Refuse roofs so steep that a seat of 38 mm cuts through the upper top plate.

    What lies below it at a corner is the end wall's plate, which runs along under the rafter.
    """
    steepest = (T + CUT_FURTHER) / SEAT
    if volume.pitch > steepest:
        raise ParameterError(
            f"pitch is {math.degrees(math.atan(volume.pitch)):.2f} degrees: over walls it must be "
            f"at most {math.degrees(math.atan(steepest)):.2f} degrees, since steeper seats cut "
            "through the upper top plate"
        )


def header_sections(stud: float) -> tuple[tuple[float, int, float], ...]:
    """(width of a ply, plies, depth) of headers in a wall, smallest first, m.

    A 4x in a 2x4 wall; in a 2x6 wall two plies of 2x at its faces, then a 6x.
    """
    deep = DEPTHS[1:]
    if stud < 0.100:
        return tuple((stud, 1, depth) for depth in deep)
    return tuple((T, 2, depth) for depth in deep) + tuple((stud, 1, depth) for depth in deep)


def _fit(
    volume: Volume, opening: Opening, wood: Wood
) -> tuple[Opening, tuple[float, int, float]] | None:
    """An opening with its header, narrowed if it must be, or ``None``."""
    low, high = opening.low, opening.high
    length = volume.depth if opening.wall in ("W", "E") else volume.length
    while high - low >= NARROWEST:
        span = high - low + 2 * T
        widths = _on_header(volume, opening, span)
        for width, plies, depth in header_sections(volume.stud):
            if span <= beam_span(wood, (width * plies, plies, depth), widths):
                head = _head(volume, opening, depth)
                changed = replace(opening, low=round(low, 6), high=round(high, 6), head=head)
                return changed, (width, plies, depth)
        # Towards the middle of the wall, so that mirrored openings stay mirrored.
        aside = (low + high) / 2 - length / 2
        low += volume.grid if aside < volume.grid / 4 else 0.0
        high -= volume.grid if aside > -volume.grid / 4 else 0.0
    return None


def _head(volume: Volume, opening: Opening, depth: float) -> float:
    """Head of an opening, m: with no room for cripples its header lies right under the plates.

    Cripples shorter than the studs are deep would be blocks.
    """
    under_plates = volume.levels.studs[opening.storey - 1] + T - depth
    return opening.head if under_plates - opening.head > volume.stud + 0.010 else under_plates


def _on_header(volume: Volume, opening: Opening, span: float) -> tuple[float, float, float]:
    """Widths of floor, ceiling and roof that a header ``span`` m long carries, m.

    What stands over it counts member by member: at most one more than its length over the spacing.
    Half of the rafters is taken to come down under the ridge as well, as the check does.
    """
    above = volume.storeys - opening.storey
    share = (math.floor(span / volume.grid + 1e-9) + 1) * volume.grid / span
    roof = volume.depth / 2 + volume.overhang
    run = joist_run(volume.depth, volume.lines) / 2 + BEARING_EXTRA
    if opening.wall in ("S", "N"):
        return share * run * above, share * run, share * roof
    if opening.wall == "M":
        return share * 2 * run * above, share * 2 * run, share * roof
    # End walls: joists run beside them; posts of the ridge and the ceiling's line come down.
    ends = 2 * volume.grid / span
    return 0.0, ends * 2 * run, ends * 2 * roof


def _girder(volume: Volume, wood: Wood) -> tuple[tuple[float, float], tuple[float, ...]]:
    """Section of the girder, (width, depth) m, and the middles of its posts along x, m."""
    run = joist_run(volume.depth, volume.lines) / 2 + BEARING_EXTRA
    room = volume.length - 2 * POST_INSET
    fewest = max(2, math.ceil(room / POSTS_WIDEST) + 1)
    for spans in range(fewest - 1, max(fewest, int(room / POSTS_CLOSEST) + 1)):
        posts = _with_posts([POST_INSET + i * room / spans for i in range(spans + 1)], volume.posts)
        span = max(high - low for low, high in pairwise(posts))
        # What stands over the outer edges of both posts counts on the clear span between them.
        share = (math.floor((span + POST) / volume.grid + 1e-9) + 1) * volume.grid / span
        roof = share * (volume.depth / 2 + volume.overhang)
        widths = (share * 2 * run * volume.storeys, share * 2 * run, roof)
        for width, depth in GIRDERS:
            if span - POST <= beam_span(wood, (width, 1, depth), widths):
                return (width, depth), posts
    raise ParameterError(
        f"stories is {volume.storeys}, whose floors over a depth of {volume.depth:.2f} m need a "
        f"girder with posts closer than {POSTS_CLOSEST} m"
    )


def _with_posts(even: list[float], wanted: tuple[float, ...]) -> tuple[float, ...]:
    """Posts at even distances and at the places wanted, which take the place of near ones."""
    kept = [x for x in even if all(abs(x - w) > POSTS_CLOSEST / 2 for w in wanted)]
    return tuple(sorted([*kept, *wanted]))
