# SPDX-License-Identifier: GPL-3.0-or-later
"""Barns of bents: posts across the house, beams between them for a loft, eave and ridge beams."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ....checks.timber.structure import Floats
from ..frame import Frame
from ..levels import T
from ..lines import joints, run
from ..volume import Slope
from .gable import short_of_ridge

#: Side of the posts and width of the beams, m (6x6, 6x something).
POST = 0.140
#: Side and height of the footings, m.
PAD, PAD_TOP = 0.400, 0.150
#: Braces are 4x4, m; their longest legs across the bents, and along under eaves and ridge, m, and
#: the share of the room between two posts that one may take.
BRACE, LEG_ACROSS, LEG_ALONG, LEG_SHARE = 0.089, 0.800, 0.600, 0.4
#: Underside of the loft's beams: room for wagons, m; wall between the loft and the eave beams, m.
CLEAR, KNEE = 2.500, 1.200
#: Depth of the ridge beam, m (6x12).
RIDGE = 0.286
#: Bays from one collar tie to the next; ties stand clear of the posts and their braces, m.
TIES, CLEAR_OF_POSTS = 3, 0.750


@dataclass(frozen=True)
class Bents:
    """Sizes of a barn: ``bays_x`` rafter bays of ``grid`` m, ``x`` middles of the bents, m.

    ``loft_beam``, ``joist``, ``eave_beam`` and ``rafter`` are depths, ``notch`` that of the
    birdsmouths, ``overhang`` that of the eaves in plan, m.
    """

    bays_x: int
    bays_y: int
    grid: float
    x: tuple[float, ...]
    tan: float
    overhang: float
    loft_beam: float
    joist: float
    eave_beam: float
    rafter: float
    notch: float

    @property
    def length(self) -> float:
        return self.bays_x * self.grid + T

    @property
    def depth(self) -> float:
        return self.bays_y * self.grid + T

    @property
    def middle(self) -> float:
        return self.depth / 2

    @property
    def loft(self) -> float:
        """Top of the loft's beams; its joists lie there."""
        return CLEAR + self.loft_beam

    @property
    def eaves(self) -> tuple[float, float]:
        """Underside and top of the eave beams."""
        low = self.loft + self.joist + KNEE
        return low, low + self.eave_beam

    @property
    def slope(self) -> Slope:
        return Slope(self.tan, self.rafter, self.notch, self.eaves[1])

    @property
    def ridge_top(self) -> float:
        return self.slope.top(self.middle - POST / 2)

    @property
    def rows(self) -> tuple[tuple[str, float], ...]:
        """Rows of posts along the barn and their middles across it."""
        return ("S", POST / 2), ("M", self.middle), ("N", self.depth - POST / 2)


def barn(frame: Frame, bents: Bents) -> None:
    """The whole barn, from footings to collar ties."""
    _bents(frame, bents)
    _loft(frame, bents)
    _roof(frame, bents)
    _braces(frame, bents)


def _bents(frame: Frame, b: Bents) -> None:
    """Posts on footings, beams across them for the loft, and posts again to eaves and ridge."""
    x = np.array(b.x)
    across = (x - POST / 2, x + POST / 2)
    for row, y in b.rows:
        top = b.ridge_top - RIDGE if row == "M" else b.eaves[0]
        pad, side = (y - PAD / 2, y + PAD / 2), (y - POST / 2, y + POST / 2)
        frame.box("Footing", row, (x - PAD / 2, x + PAD / 2), pad, (0.0, PAD_TOP))
        frame.box("Post", row, across, side, (PAD_TOP, CLEAR))
        frame.box("Post", f"{row}_Upper", across, side, (b.loft, top))
    z = (CLEAR, b.loft)
    frame.box("Beam", "S", across, (0.0, b.middle), z)  # the two butt over the middle post
    frame.box("Beam", "N", across, (b.middle, b.depth), z)


def _loft(frame: Frame, b: Bents) -> None:
    """Joists from bent to bent, where they butt, blocking over the beams, rims at both ends."""
    z = (b.loft, b.loft + b.joist)
    inner = np.arange(1, b.bays_y) * b.grid
    low = np.concatenate([[POST], inner, [b.depth - POST - T]])
    stops = [T, *b.x[1:-1], b.length - T]
    for bay, (start, end) in enumerate(pairwise(stops), 1):
        frame.box("Joist", str(bay), (start, end), (low, low + T), z)
    middles = [m for m in inner[:-1] + b.grid / 2 if abs(m + T / 2 - b.middle) > b.grid / 2]
    y = np.array(middles) - b.grid / 2
    for bent, x in enumerate(b.x[1:-1], 2):
        frame.box("Blocking", str(bent), (x - T / 2, x + T / 2), (y + T, y + b.grid), z)
    for tag, ends in (("W", (0.0, T)), ("E", (b.length - T, b.length))):
        frame.box("RimJoist", f"{tag}_S", ends, (POST, b.middle - POST / 2), z)
        frame.box("RimJoist", f"{tag}_N", ends, (b.middle + POST / 2, b.depth - POST), z)


def _roof(frame: Frame, b: Bents) -> None:
    """Eave and ridge beams on the posts, rafter couples between them, some collar ties."""
    slope, face, top = b.slope, b.middle - POST / 2, b.ridge_top
    along = (0.0, b.length)
    at = joints(*along, b.x[1:-1])
    run(frame, "Beam", "Eave_S", "x", along, (0.0, POST), b.eaves, at)
    run(frame, "Beam", "Eave_N", "x", along, (b.depth - POST, b.depth), b.eaves, at)
    run(frame, "Ridge", "", "x", along, (face, face + POST), (top - RIDGE, top), at)
    x = np.arange(b.bays_x + 1) * b.grid + T / 2
    insets = (-b.overhang, face - short_of_ridge(slope, POST))
    ends = [(inset, slope.centre_line(inset)) for inset in insets]
    for side in ("S", "N"):
        start, end = (_points(x, u if side == "S" else b.depth - u, z) for u, z in ends)
        frame.sloped("Rafter", side, start, end, T, b.rafter)
    high = top - RIDGE - 0.300
    reach = (top - high) / b.tan + POST / 2
    left = np.arange(2, b.bays_x - 1, TIES) * b.grid + T
    left = left[np.abs(left[:, None] + T / 2 - np.array(b.x)).min(axis=1) > CLEAR_OF_POSTS]
    if len(left) and high - POST > b.eaves[1]:
        y = (b.middle - reach, b.middle + reach)
        frame.box("CollarTie", "", (left, left + T), y, (high - POST, high))


def _points(x: Floats, y: float, z: float) -> Floats:
    return np.column_stack([x, np.full_like(x, y), np.full_like(x, z)])


def _braces(frame: Frame, b: Bents) -> None:
    """Knee braces across in every bent, and along under the eave beams and the ridge."""
    x = np.array(b.x)
    across = min(LEG_ACROSS, LEG_SHARE * (b.middle - 1.5 * POST))
    along = min(LEG_ALONG, LEG_SHARE * (b.x[1] - b.x[0] - POST))
    for row, y in b.rows:
        for tag, step in (("S", -1.0), ("N", 1.0)):
            if 0 < y + step < b.depth:
                _knee(frame, f"{row}_{tag}", _points(x, y, CLEAR), (0.0, step), across)
        under = b.ridge_top - RIDGE if row == "M" else b.eaves[0]
        for tag, step, at in (("W", -1.0, x[1:]), ("E", 1.0, x[:-1])):
            _knee(frame, f"{row}_{tag}", _points(at, y, under), (step, 0.0), along)


def _knee(frame: Frame, tag: str, top: Floats, way: tuple[float, float], leg: float) -> None:
    """Braces at 45 degrees from the faces of posts to the underside of beams.

    ``top`` (k, 3): where the posts' middles meet the beams; ``way``: a unit step in plan.
    """
    step = np.array([*way, 0.0])
    foot = top + POST / 2 * step - [0.0, 0.0, leg]
    frame.sloped("Brace", tag, foot, foot + leg * (step + [0.0, 0.0, 1.0]), BRACE, BRACE)
