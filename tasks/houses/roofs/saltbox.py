# SPDX-License-Identifier: GPL-3.0-or-later
"""The saltbox: an upper storey over the front half, whose rear slope goes on over the back.

The upper storey's back wall stands over the bearing wall in the middle. The rear rafters are two in
line, which butt over its plate: the upper ones lean on the ridge, the lower ones end on the plate
of the lower back wall, in the same plane.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....checks.timber.structure import Floats
from ..ceiling import ceiling, rafter_lefts
from ..frame import Frame
from ..levels import T
from ..volume import Lumber, Slope, Volume
from .gable import SHORTEST_STUD, collar_ties, gable_studs, ridge, ridge_face


@dataclass(frozen=True)
class Upper(Volume):
    """The upper storey: as deep as ``over``, m, off the grid of the studs, and as long as below."""

    over: float = 0.0

    @property
    def depth(self) -> float:
        return self.over


def saltbox(frame: Frame, upper: Upper, lumber: Lumber, back: float) -> None:
    """The roof over an upper storey and over what stands out behind it by ``back`` m."""
    slope, lefts = lumber.slope(upper), rafter_lefts(upper)
    ceiling(frame, upper, lumber)
    ridge(frame, upper, lumber)
    _rafters(frame, upper, slope, lefts, back)
    collar_ties(frame, upper, lumber, slope, lefts)
    for end in ("W", "E"):
        gable_studs(frame, upper, slope, end)
        _back_studs(frame, upper, slope, end, back)


def _rafters(frame: Frame, upper: Upper, slope: Slope, lefts: Floats, back: float) -> None:
    """Front rafters, and the two pieces of the rear ones, whose undersides butt over mid-plate."""
    face = ridge_face(upper)
    butt = upper.stud / 2 - slope.depth / 2 * slope.sin
    for tag, foot, top in (
        ("S", -upper.overhang, face),
        ("N_Upper", butt, face),
        ("N_Lower", -back - upper.overhang, butt),
    ):
        ends = []
        for inset in (foot, top):
            y = inset if tag == "S" else upper.depth - inset
            place = np.array([0.0, y, slope.centre_line(inset)])
            ends.append(place + np.outer(lefts + T / 2, [1.0, 0.0, 0.0]))
        frame.sloped("Rafter", tag, ends[0], ends[1], T, slope.depth)


def _back_studs(frame: Frame, upper: Upper, slope: Slope, end: str, back: float) -> None:
    """Studs between the lower end wall's plates and the lower end rafters."""
    inset = -back + np.arange(1, int(back / upper.grid) + 1) * upper.grid
    # The last one stands right beside the upper end wall.
    inset = np.append(inset[inset < -2 * T], -T / 2)
    bottom = upper.levels.plate_top(1)
    top = slope.underside(0.0) + inset * slope.tan
    tall = top - bottom >= SHORTEST_STUD
    y, top = upper.depth - inset[tall], top[tall]
    x = (0.0, upper.stud) if end == "W" else (upper.length - upper.stud, upper.length)
    frame.box("Stud", f"Back_{end}", x, (y - T / 2, y + T / 2), (bottom, top))
