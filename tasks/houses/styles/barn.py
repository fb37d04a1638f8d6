# SPDX-License-Identifier: GPL-3.0-or-later
"""Barn: bents of heavy posts and beams with knee braces, a loft, and rafters on beams."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial

from ..frame import Frame
from ..levels import T
from ..parameters import HouseParameters, ParameterError
from ..roofs.barn import POST, RIDGE, Bents, barn
from ..sizing import notch_for, rafter_depth, tail, wood_of
from ..wood import DEPTHS, Wood, beam_span, depth_for, joist_spans
from .common import bays
from .style import Design, Ranges, Sized, Style

RANGES = Ranges(
    footprint_x=(9.0, 20.0),
    footprint_y=(5.4, 9.0),
    stories=(1,),
    pitch=(30.0, 42.0),
    overhang=(0.30, 0.55),
    openings=(1.0, 1.0),
)
#: Bents stand at most and at least this far apart, m.
WIDEST, CLOSEST = 3.6, 1.5
#: The smallest barn, m along and across the ridge: a wagon goes in (ours).
SMALLEST = (6.0, 4.0)
#: Depths of beams 140 mm wide that are tried, m (6x8 to 6x12).
BEAMS = DEPTHS[2:]


def design(p: HouseParameters) -> Design:
    """As few bents as joists and beams can span between; the middle row is between two joists."""
    for name, least in zip(("footprint_x", "footprint_y"), SMALLEST, strict=True):
        if getattr(p, name) < least:
            raise ParameterError(
                f"{name} is {getattr(p, name):g} m: a Barn is at least {least:g} m"
            )
    sizes = _sizes(p)
    words = (
        f"It is a barn of {len(sizes.x)} bents, each with three posts on footings, beams for a "
        f"loft at {sizes.loft:.2f} m and posts again to eave beams and to a ridge beam, with knee "
        "braces; its walls are open.",
    )
    return Design((), "gable", words, (partial(_frame, sizes),))


def _frame(sizes: Bents, frame: Frame, _: Sequence[Sized]) -> None:
    barn(frame, sizes)


def _sizes(p: HouseParameters) -> Bents:
    grid, wood = p.spacing, wood_of(p)
    across = bays(p.footprint_y, grid)
    across += 1 - across % 2
    along = bays(p.footprint_x, grid)
    tan = math.tan(math.radians(p.pitch))
    half = (across * grid + T) / 2
    rafter = rafter_depth(
        p, (half - POST / 2 + tail(p.overhang, tan, DEPTHS[-1])) * math.hypot(1.0, tan)
    )
    length = along * grid + T
    for spans in range(max(1, math.ceil((length - POST) / WIDEST)), 1000):
        step = (length - POST) / spans
        if step < CLOSEST:
            break
        joist, loft, eave = _beams(wood, grid, step, half, half + p.overhang)
        if joist and loft and eave:
            x = tuple(POST / 2 + i * step for i in range(spans + 1))
            notch = notch_for(rafter, tan, POST)
            return Bents(
                along,
                across,
                grid,
                x,
                tan,
                tail(p.overhang, tan, rafter),
                loft,
                joist,
                eave,
                rafter,
                notch,
            )
    raise ParameterError(
        f"footprint_y is {p.footprint_y:g} m: no 6x12 spans half of it between bents at least "
        f"{CLOSEST:g} m apart with these loads"
    )


def _beams(
    wood: Wood, grid: float, step: float, half: float, slope: float
) -> tuple[float | None, float | None, float | None]:
    """Depths of loft joists, loft beams and eave beams for bents ``step`` m apart, if any, m."""
    joist = depth_for(step + POST / 2 - T, joist_spans(wood))
    on_loft = (math.floor(half / grid + 1e-9) + 2) * grid / half
    # At its ends, under posts, a beam is taken to have the roof of one bay above it as well.
    loft = _depth(wood, half - POST, (on_loft * step, 0.0, 3 * grid * slope / half))
    on_eave = (math.floor(step / grid + 1e-9) + 2) * grid / step
    eave = _depth(wood, step - POST, (0.0, 0.0, on_eave * slope))
    ridge = _depth(wood, step - POST, (0.0, 0.0, on_eave * slope))
    return joist, loft, eave if ridge and ridge <= RIDGE else None


def _depth(wood: Wood, span: float, widths: tuple[float, float, float]) -> float | None:
    for depth in BEAMS:
        if span <= beam_span(wood, (POST, 1, depth), widths):
            return depth
    return None


STYLE = Style("Barn", RANGES, design, stories=(1,))
