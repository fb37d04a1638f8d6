# SPDX-License-Identifier: GPL-3.0-or-later
"""The A-frame: a cabin on piers whose roof comes down to its floor."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from math import ceil, cos, floor, radians, sin

import numpy as np

from ....checks.timber.engineering.table import BEARING
from ..frame import Frame, pieces
from ..levels import T
from ..parameters import HouseParameters, ParameterError
from ..roofs.a_frame import HEADER, HEEL, STUD, AFrame, Opening, couples, gable
from ..sizing import levels_for, rafter_depth, wood_of
from ..wood import DEPTHS, beam_span
from .style import Design, Ranges, Sized, Style

#: Pitches at which the feet of rafters are still cut to a plate, degrees (ours).
PITCH = (52.0, 64.0)
#: Width and height of a pier's footing and of the pier, m (R403.1, 6x6).
PAD, PAD_TOP, PIER, PIER_TOP = 0.286, 0.140, 0.140, 0.540
#: The entrance, in the west gable.
DOOR = Opening(0.430, 2.080)
#: Piers stand at most this far apart on centre, m, under beams of 4x10.
PIERS = 1.550
#: ... and at least this far, m: their footings must not touch.
PIERS_CLOSEST = 0.450
#: Share of a beam's span that is used: joists and rafters are doubled over its ends (ours).
ENDS = 0.95
BEAM = (0.089, 0.235)
#: Room below the collar ties, m (R305.1: 7 ft).
HEADROOM = 2.150


def design(parameters: HouseParameters) -> Design:
    """The house as one extra: an A-frame has no walls below its roof."""
    if parameters.overhang:
        raise ParameterError(
            f"overhang is {parameters.overhang:g} m, an A-Frame's is 0: its rafters end on the "
            "floor"
        )
    low, high = PITCH
    if not low <= parameters.pitch <= high:
        raise ParameterError(
            f"pitch is {parameters.pitch:g} degrees, an A-Frame's is {low:g} to {high:g}"
        )
    roof, joist = sizes(parameters)
    piers = (roof.length - PIER) / _piers(parameters, roof)
    return Design(
        volumes=(),
        roof_type="a-frame",
        words=_words(roof, parameters.openings, piers),
        extras=(partial(_frame, parameters, roof, joist),),
    )


def _words(roof: AFrame, share: float, piers: float) -> tuple[str, ...]:
    """What stands below, how high the floor and the ties are, and the openings."""
    _, window = _openings(roof, share)
    middle = roof.middle
    glass = (
        "none"
        if window is None
        else f"a window at y = {middle - window.half:.2f} to {middle + window.half:.2f} m "
        f"({window.sill:.2f} to {window.head:.2f} m above the floor)"
    )
    return (
        "It stands on three beams of 4x10 along x, under both long sides and the middle, on piers "
        f"{piers:.2f} m apart; the joists' top is at {roof.floor:.2f} m.",
        "The rafters rise from plates on the floor to the ridge and are tied by collar ties "
        f"{roof.tie:.2f} m above the floor.",
        f"Openings: in the west gable a door at y = {middle - DOOR.half:.2f} to "
        f"{middle + DOOR.half:.2f} m ({DOOR.head:.2f} m high), in the east gable {glass}.",
    )


def sizes(parameters: HouseParameters) -> tuple[AFrame, float]:
    """The roof and the depth of the joists."""
    grid = parameters.spacing
    bays, across = (
        max(1, round((side - T) / grid))
        for side in (parameters.footprint_x, parameters.footprint_y)
    )
    width, angle = across * grid + T, radians(parameters.pitch)
    joist = levels_for(parameters, [width / 2 - T], storeys=1).joists[0]
    depth = rafter_depth(parameters, (width - T) / 2 / cos(angle))
    # The plate takes the whole cut of the feet, and 38 mm of it lie inside their undersides.
    foot = depth / 2 * (1 / sin(angle) + sin(angle)) + HEEL + BEARING + 0.001
    sole = next((d for d in DEPTHS if d >= foot), 0.0)
    if not sole:
        raise ParameterError(
            f"footprint_y is {parameters.footprint_y:g} m: the feet of rafters of "
            f"{1000 * depth:.0f} mm need a plate {foot:.3f} m wide, the widest is {DEPTHS[-1]} m"
        )
    floor = PIER_TOP + BEAM[1] + joist
    roof = AFrame(bays, across, grid, floor, angle, depth, sole, HEADROOM)
    if not _fits(roof, DOOR):
        raise ParameterError(
            f"footprint_y is {parameters.footprint_y:g} m: at {parameters.pitch:g} degrees that "
            f"leaves no room for a door of {DOOR.head} m under the rafters"
        )
    return roof, joist


def _frame(
    parameters: HouseParameters, roof: AFrame, joist: float, frame: Frame, _: Sequence[Sized]
) -> None:
    _foundation(frame, roof, joist, _piers(parameters, roof))
    _floor(frame, roof, joist)
    couples(frame, roof)
    door, window = _openings(roof, parameters.openings)
    gable(frame, roof, "W", 0.0, door)
    gable(frame, roof, "E", roof.length - STUD, window)


def _piers(parameters: HouseParameters, roof: AFrame) -> int:
    """Spans of the beams between piers, as many as floor and roof ask for."""
    wood, room = wood_of(parameters), roof.length - PIER
    for number in range(ceil(room / PIERS), ceil(room / PIERS_CLOSEST) + 1):
        span = room / number
        # What stands on the beam counts joist by joist, those over both piers too.
        outer = span + PIER
        share = (floor(outer / roof.grid + 1e-9) + 1) * roof.grid / outer
        # The middle carries half of the floor and, where rafters lean on the ridge, of the roof.
        half = share * (roof.width / 2 + T)
        reach = beam_span(wood, (BEAM[0], 1, BEAM[1]), (half, 0.0, half))
        if span - PIER <= ENDS * reach:
            return number
    raise ParameterError(
        f"footprint_y is {parameters.footprint_y:g} m, whose floor and roof need piers closer than "
        f"{PIERS_CLOSEST} m"
    )


def _foundation(frame: Frame, roof: AFrame, joist: float, number: int) -> None:
    """Three beams in pieces that butt over piers, each pier on a footing of its own."""
    x = PIER / 2 + np.arange(number + 1) * (roof.length - PIER) / number
    z = (roof.floor - joist - BEAM[1], roof.floor - joist)
    joints = x[2:-1:2]
    for tag, y in (("S", STUD / 2), ("M", roof.middle), ("N", roof.width - STUD / 2)):
        for role, side, heights in (
            ("Footing", PAD / 2, (0, PAD_TOP)),
            ("Pier", PIER / 2, (PAD_TOP, PIER_TOP)),
        ):
            frame.box(role, tag, (x - side, x + side), (y - side, y + side), heights)
        for piece in pieces(0.0, roof.length, joints):
            frame.box("Beam", tag, piece, (y - BEAM[0] / 2, y + BEAM[0] / 2), z)


def _floor(frame: Frame, roof: AFrame, joist: float) -> None:
    """Joists that butt over the middle beam and tie the rafters' feet; rims; rows of blocking."""
    z = (roof.floor - joist, roof.floor)
    length, width, middle = roof.length, roof.width, roof.middle
    halves = [roof.grid * (roof.bays // 2) + T / 2]
    for tag, edge in (("S", 0.0), ("N", width - T)):
        for piece in pieces(0.0, length, halves):
            frame.box("RimJoist", tag, piece, (edge, edge + T), z)
    frame.box("RimJoist", "W", (0, T), (T, width - T), z)
    frame.box("RimJoist", "E", (length - T, length), (T, width - T), z)
    inner = np.arange(1, roof.bays) * roof.grid
    lefts = np.concatenate([[T], inner, [length - 2 * T]])
    frame.box("Joist", "S", (lefts, lefts + T), (T, middle), z)
    frame.box("Joist", "N", (lefts, lefts + T), (middle, width - T), z)
    bays = np.arange(1, roof.bays - 1)
    left, right = bays * roof.grid + T, (bays + 1) * roof.grid
    shift = np.where(bays % 2, T, -2 * T)  # staggered, so that each can be nailed through
    for tag, y in (("S", middle / 2), ("N", 1.5 * middle)):
        frame.box("Blocking", tag, (left, right), (y + shift, y + shift + T), z)


def _fits(roof: AFrame, opening: Opening) -> bool:
    """Whether the king studs beside an opening reach over its header."""
    king = roof.middle - opening.half - 2 * T
    return king > roof.sole and roof.under(king) >= roof.floor + opening.head + HEADER


def _openings(roof: AFrame, share: float) -> tuple[Opening, Opening | None]:
    """A door in the west gable, a window in the east one as wide as its rafters let it be."""
    widest = 0.3 + 0.6 * share
    windows = (Opening(half, 2.0, 0.9) for half in (0.9, 0.75, 0.6, 0.45, 0.35) if half <= widest)
    return DOOR, next((w for w in windows if _fits(roof, w)), None)


STYLE = Style(
    "A-Frame",
    Ranges(
        footprint_x=(4.8, 12.4),
        footprint_y=(4.7, 6.6),
        stories=(1,),
        pitch=(54.0, 61.0),
        overhang=(0.0, 0.0),
        spacing=(0.406,),
    ),
    design,
    stories=(1,),
)
