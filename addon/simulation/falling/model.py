# SPDX-License-Identifier: GPL-3.0-or-later
"""What falls, as plain data: members as boxes, where they meet, and what holds them there.

The same for every kind of structure; :mod:`.timber` and :mod:`.blocks` make it. SI units, z up.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from ....checks.timber.structure import CORNER_SIGNS
from ....checks.voxel.graph import components

Floats = NDArray[np.float64]
Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Standard gravity, m/s2 (ISO 80000-3).
GRAVITY = 9.80665
#: Faces this close bear on each other, m: rounding of drawn lengths. What is farther apart has
#: something between it that isn't drawn, what is deeper inside is cut to fit (ours).
BEARS = 0.001
#: A face whose normal is within 60 degrees of the vertical can be stood on (as the checks have it).
LEVEL_FACE = 0.5
#: Bits of :attr:`Contacts.carries`.
FIRST, SECOND = 1, 2
#: With gravity turned farther than this from straight down, who carries whom by the checks means
#: nothing any more and all nails count, cosine (ours: 60 degrees).
TURNED = 0.5
#: Loose members that break apart when they land; of more, each loose part falls in one piece
#: (measured: 400 of them take about 0.5 s a frame).
MOST_LOOSE = 500


@dataclass(frozen=True, eq=False)
class Contacts:
    """``k`` pairs of members that meet.

    Attributes
    ----------
    first, second
        Rows of the members, (k,).
    spot
        Middle of the patch, (k, 3), m.
    normal
        Unit normal from ``first`` to ``second``, (k, 3).
    area, extent
        Of the patch, (k,) m2, and its longer side, (k,) m.
    gap
        How far apart, (k,), m; negative is the depth of the overlap.
    faces
        Whether two parallel faces meet, (k,); else an edge or a cut end does.
    kind
        How they are joined, ``k`` keys of the table that the strengths are from.
    carries
        Who can carry whom by the checks, (k,): :data:`FIRST` the first member the second one,
        :data:`SECOND` the other way round, both bits, or 0: nails that only keep them in line.
    hinge
        Axis about which the joint turns freely, (k, 3), unit; zeros where it doesn't.
    """

    first: Ints
    second: Ints
    spot: Floats
    normal: Floats
    area: Floats
    extent: Floats
    gap: Floats
    faces: Bools
    kind: tuple[str, ...]
    carries: NDArray[np.int8]
    hinge: Floats

    def __len__(self) -> int:
        return len(self.first)

    @property
    def bears(self) -> Bools:
        """Where a face stands on a level one, (k,): compression needs no joint there."""
        level = np.abs(self.normal[:, 2]) >= LEVEL_FACE
        bears: Bools = self.faces & level & (np.abs(self.gap) <= BEARS)
        return bears


@dataclass(frozen=True, eq=False)
class Held:
    """What each of ``k`` contacts holds before it breaks.

    ``pull`` and ``shear``: N along and across the normal, (k,). ``push``: N that it carries in
    compression where the faces don't bear themselves, (k,). ``moment``: N m, (k,).
    """

    pull: Floats
    shear: Floats
    push: Floats
    moment: Floats

    def scaled(self, factor: Floats) -> Held:
        """All of it times ``factor`` (k,)."""
        return Held(
            self.pull * factor, self.shear * factor, self.push * factor, self.moment * factor
        )


class Strengths(Protocol):
    """Where breaking strengths come from: a table now, a frame analysis or tests later."""

    def __call__(self, contacts: Contacts) -> Held:
        """What each contact holds."""


@dataclass(frozen=True, eq=False)
class Model:
    """``n`` members that are let fall.

    Attributes
    ----------
    kind
        Of the structure.
    names
        Of the members.
    center, axes, half
        Boxes, (n, 3) m, (n, 3, 3) unit rows, (n, 3) m.
    mass
        (n,), kg.
    fixed
        Which members the ground holds, (n,).
    ground
        Height of the ground, m.
    contacts, held
        Where members meet, and what holds them there.
    firm
        Contacts that don't break, (k,): what they join falls in one piece.
    shatters
        Whether parts that don't stand on the ground break apart even where they are firm.
    gravity
        (3,), m/s2.
    force, velocity
        Pushes: N on each member for as long as it lasts, and m/s to begin with, (n, 3).
    notes
        Sentences about the making.
    """

    kind: str
    names: tuple[str, ...]
    center: Floats
    axes: Floats
    half: Floats
    mass: Floats
    fixed: Bools
    ground: float
    contacts: Contacts
    held: Held
    firm: Bools
    shatters: bool = False
    gravity: Floats = field(default_factory=lambda: np.array([0.0, 0.0, -GRAVITY]))
    force: Floats | None = None
    velocity: Floats | None = None
    notes: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.names)

    @cached_property
    def corners(self) -> Floats:
        """Corners of the boxes, (n, 8, 3), m."""
        local = CORNER_SIGNS[None] * self.half[:, None, :]
        corners: Floats = self.center[:, None] + local @ self.axes
        return corners

    @cached_property
    def loose(self) -> Bools:
        """Members of parts that don't reach the ground over their contacts, (n,)."""
        pairs = np.stack([self.contacts.first, self.contacts.second], axis=1)
        whole = self.held.shear + self.held.pull > 0
        part = components(len(self), pairs[whole | self.firm].astype(np.int64))
        stands = self.fixed | (self.corners[:, :, 2].min(axis=1) <= self.ground + BEARS)
        loose: Bools = ~np.isin(part, part[stands])
        return loose

    @property
    def breaks_apart(self) -> bool:
        """Whether loose parts break apart when they land."""
        return self.shatters and 0 < int(self.loose.sum()) <= MOST_LOOSE

    @cached_property
    def pieces(self) -> Ints:
        """The rigid body of each member, (n,), counted from 0."""
        c = self.contacts
        firm = self.firm & ~(self.breaks_apart & self.loose[c.first]) if len(c) else self.firm
        pairs = np.stack([c.first, c.second], axis=1)[firm]
        return components(len(self), pairs.astype(np.int64)).astype(np.intp)

    @property
    def joints(self) -> Ints:
        """Rows of the contacts between different bodies that aren't both fixed."""
        c, piece = self.contacts, self.pieces
        apart = piece[c.first] != piece[c.second]
        rows: Ints = np.flatnonzero(apart & ~(self.fixed[c.first] & self.fixed[c.second]))
        return rows

    @cached_property
    def turned(self) -> bool:
        """Whether gravity is off or turned so far that who carries whom means nothing."""
        strength = float(np.linalg.norm(self.gravity))
        return bool(-self.gravity[2] < TURNED * strength) or strength == 0

    def breaking_force(self) -> Floats:
        """What each contact holds, (k,), N, in the direction in which gravity loads it.

        Between pull and shear by the angle of the load to the face, as NDS 2018, 12.4.1 has it for
        nails: ``W Z / (W cos2 + Z sin2)``. A face that bears needs its nails in shear only; where
        it stands on packing, or is cut to fit, the joint stands for the bearing too.
        """
        held, c = self.held, self.contacts
        strength = float(np.linalg.norm(self.gravity))
        if strength == 0:
            return np.minimum(held.pull, held.shear)
        sine = (c.normal @ (self.gravity / strength)) ** 2
        divisor = held.pull * (1 - sine) + held.shear * sine
        mixed = np.divide(held.pull * held.shear, divisor, out=np.zeros(len(c)), where=divisor > 0)
        if self.turned:
            return mixed
        packed = (sine >= LEVEL_FACE**2) & (mixed > 0)
        return np.where(c.bears, held.shear, np.where(packed, np.maximum(mixed, held.push), mixed))
