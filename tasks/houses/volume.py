# SPDX-License-Identifier: GPL-3.0-or-later
"""A rectangular part of a house: what it is, before its lumber is chosen and after.

Every volume is framed in coordinates of its own: its ridge runs along x, its front (``S``) is the
plane y = 0, its back (``N``) y = ``depth``, its ends ``W`` x = 0 and ``E`` x = ``length``; these
are the outer faces of the framing, and the ground is z = 0. ``turn`` and ``offset`` say where the
house has it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Literal, TypeVar

from ...checks.timber.structure import Floats
from .levels import Levels, T

#: Walls of a volume: front, back, the two ends, and the bearing wall in the middle.
Wall = Literal["S", "N", "W", "E", "M"]
#: One length or an array of them, m.
Length = TypeVar("Length", float, Floats)


@dataclass(frozen=True)
class Opening:
    """A hole in a wall.

    ``low`` and ``high`` are its jambs along the wall (x in S, N, M; y in W, E), m; ``sill`` and
    ``head`` its edges above the storey's floor, m, ``sill`` ``None`` down to the floor. ``kind`` is
    the word for it in descriptions (``door``, ``window``, ``passage``, ``wide door``).
    """

    wall: Wall
    storey: int
    low: float
    high: float
    sill: float | None
    head: float
    kind: str = "window"


@dataclass(frozen=True)
class Volume:
    """A rectangular part of a house.

    Attributes
    ----------
    bays_x, bays_y
        Size in stud spacings (``grid``, m) along the ridge and across it.
    levels
        Its heights.
    pitch
        Rise over run of its roof planes.
    overhang
        Of the rafters at the eaves, in plan, m.
    rake
        Of plates, ridge and the outermost rafters at closed gable ends, in plan, m; 0 is flush.
    stud
        Depth of the outer walls' studs, m.
    prefix, turn, offset
        Stands between role and tag of its members' names; quarter turns about z and the shift
        afterwards that put it into the house, as :meth:`.frame.Frame.placed` takes them.
    open_ends
        Ends (``W``, ``E``) where another volume stands: no foundation, no rim, no wall and no end
        couple there. The long sides then run square to x = 0 or x = ``length``.
    roof
        Key of :data:`.roofs.ROOFS`: who frames what is above the plates; ``none`` frames nothing.
    gaps
        Side (``S``, ``N``) -> intervals (low, high) along x, m: rafters with centre lines inside
        are left out there (the planes of a wing go through).
    openings
        Holes in its walls, in any order.
    lines
        Bearing lines inside: 0 or 1, a wall in the middle of the depth with a girder below.
    posts
        Places along x, m, at which a post of the ridge comes down through the line in the middle:
        there the girder gets a post of its own, and the floors get blocking.
    options
        What only one roof framer reads.
    """

    bays_x: int
    bays_y: int
    grid: float
    levels: Levels
    pitch: float
    overhang: float
    rake: float = 0.0
    stud: float = 0.089
    prefix: str = ""
    turn: int = 0
    offset: tuple[float, float, float] = (0.0, 0.0, 0.0)
    open_ends: tuple[Wall, ...] = ()
    roof: str = "gable"
    gaps: Mapping[Wall, tuple[tuple[float, float], ...]] = field(default_factory=dict)
    openings: tuple[Opening, ...] = ()
    lines: int = 0
    posts: tuple[float, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    @property
    def length(self) -> float:
        """Along the ridge, m: the last stud stands on the grid unless another volume is there."""
        return self.bays_x * self.grid + (0.0 if self.open_ends else T)

    @property
    def depth(self) -> float:
        """Across the ridge, m."""
        return self.bays_y * self.grid + T

    @property
    def middle(self) -> float:
        """y of the ridge and of the bearing line, m."""
        return self.depth / 2

    @property
    def storeys(self) -> int:
        return self.levels.storeys

    def closed(self, end: Wall) -> bool:
        """Whether an end has a wall."""
        return end not in self.open_ends

    def in_gap(self, side: Wall, x: float) -> bool:
        """Whether the rafter of a side whose centre line is at ``x`` is left out."""
        return any(low < x < high for low, high in self.gaps.get(side, ()))

    def with_(self, **changes: Any) -> Volume:
        """This one with some fields changed."""
        return replace(self, **changes)


@dataclass(frozen=True)
class Slope:
    """A roof plane over a plate: where its rafters' centre lines run.

    ``tan`` is the pitch, ``depth`` that of the rafters, ``notch`` that of the birdsmouth square to
    the underside, ``plate`` the height of the plate's top; all but the pitch in m. An *inset* is
    measured in plan from the plate's outer face, inwards.
    """

    tan: float
    depth: float
    notch: float
    plate: float

    @property
    def cos(self) -> float:
        return 1.0 / math.hypot(1.0, self.tan)

    @property
    def sin(self) -> float:
        return self.tan * self.cos

    def centre_line(self, inset: Length) -> Length:
        """Height of the rafters' centre line, m."""
        return self.plate + (self.depth / 2 - self.notch) / self.cos + inset * self.tan

    def underside(self, inset: Length) -> Length:
        """Height of the rafters' underside, m."""
        return self.plate - self.notch / self.cos + inset * self.tan

    def top(self, inset: Length) -> Length:
        """Height of the roof's surface, m."""
        return self.centre_line(inset) + self.depth / 2 / self.cos


@dataclass(frozen=True)
class Lumber:
    """The sections that were chosen for one volume (:func:`.sizing.choose`), m.

    ``joists`` are the depths of the floors' joists (also in ``levels``), ``rafter``, ``ceiling``
    and ``ridge`` depths of 2x; ``notch`` that of the birdsmouths; ``girder`` is (width, depth) and
    ``girder_posts`` the middles of its posts along x. ``headers`` holds (width of one ply, plies,
    depth) for every opening of the volume, in its order.
    """

    joists: tuple[float, ...]
    rafter: float
    notch: float
    ceiling: float
    ridge: float
    girder: tuple[float, float] = (0.0, 0.0)
    girder_posts: tuple[float, ...] = ()
    headers: tuple[tuple[float, int, float], ...] = ()

    def slope(self, volume: Volume) -> Slope:
        """The roof planes over the uppermost plates of a volume."""
        return Slope(volume.pitch, self.rafter, self.notch, volume.levels.eaves)
