# SPDX-License-Identifier: GPL-3.0-or-later
"""Members as a carpenter sees them: axis, depth, width, and how they stand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..roles import Roles, resolve
from ..structure import Floats, TimberStructure
from . import table

Bools = NDArray[np.bool_]

#: Roles that stand; the axis of a block with one of them is its most vertical one.
UPRIGHT_ROLES = (
    "Post", "BeamPost", "Stud", "KingStud", "TrimmerStud", "Cripple", "CornerPost", "RidgePost",
    "KingPost", "Pier",
)  # fmt: skip
#: Roles that lie; the depth of a block with one of them is its most vertical extent.
LEVEL_ROLES = (
    "Blocking", "Bridging", "Header", "Joist", "RimJoist", "Beam", "Ledger", "Plate",
    "BottomPlate", "TopPlate", "WindowSill", "Sill",
)  # fmt: skip


@dataclass(frozen=True)
class Frame:
    """``n`` members with axes by use rather than by size.

    Attributes
    ----------
    structure, roles
        What it was made from.
    axes
        Unit rows, (n, 3, 3): along the member (uphill, or towards +x/+y if level), then its depth
        (the more vertical cross axis, pointing up; for uprights the larger one), then its width.
    half
        Half extents along those, (n, 3), m.
    upright, level, sloped
        Posture, bool (n,): exactly one is true for each member.
    """

    structure: TimberStructure
    roles: Roles
    axes: Floats
    half: Floats
    upright: Bools
    level: Bools
    sloped: Bools

    @classmethod
    def of(cls, structure: TimberStructure, ground: float = 0.0) -> Frame:
        """Frame of a structure with roles by the ``engineering`` convention."""
        roles = resolve(structure, "engineering", ground)
        axes, half = _axes_by_use(structure, roles)
        rise = np.abs(axes[:, 0, 2])
        upright = rise >= table.UPRIGHT
        level = rise <= table.LEVEL
        return cls(structure, roles, axes, half, upright, level, ~upright & ~level)

    def __len__(self) -> int:
        return len(self.structure)

    @property
    def center(self) -> Floats:
        """Box centres, (n, 3), m."""
        return self.structure.center

    @property
    def names(self) -> tuple[str, ...]:
        """Member names."""
        return self.structure.names

    @property
    def along(self) -> Floats:
        """Unit vectors along the members, (n, 3)."""
        return self.axes[:, 0]

    @property
    def length(self) -> Floats:
        """Lengths, (n,), m."""
        return 2.0 * self.half[:, 0]

    @property
    def depth(self) -> Floats:
        """Extents along the depth axis, (n,), m."""
        return 2.0 * self.half[:, 1]

    @property
    def width(self) -> Floats:
        """Extents along the width axis, (n,), m."""
        return 2.0 * self.half[:, 2]

    @cached_property
    def judged(self) -> Bools:
        """Members that the checks judge: all but accessories."""
        return ~self.roles.in_category("accessory")

    def end(self, index: NDArray[np.int_], sign: Floats) -> Floats:
        """Centres of the ends at ``sign`` (+1 or -1) of members ``index``, (k, 3), m."""
        return self.center[index] + (sign * self.half[index, 0])[:, None] * self.axes[index, 0]

    def at(self, index: NDArray[np.int_], t: Floats) -> Floats:
        """Points on the centre lines, ``t`` m from the centre, (k, 3), m."""
        return self.center[index] + t[:, None] * self.axes[index, 0]

    def mask(self, *roles: str) -> Bools:
        """Which members have one of ``roles``, bool (n,)."""
        return self.roles.mask(*roles)


def _axes_by_use(structure: TimberStructure, roles: Roles) -> tuple[Floats, Floats]:
    """Axes (n, 3, 3) and half extents (n, 3) as :class:`Frame` wants them."""
    n = len(structure)
    axes, half = structure.axes, structure.half
    rows = np.arange(n)
    vertical = np.abs(axes[:, :, 2])
    lengthwise = np.zeros(n, dtype=np.intp)

    block = 2.0 * half[:, 0] <= table.BLOCK_LENGTH
    stands = block & roles.mask(*UPRIGHT_ROLES)
    lengthwise[stands] = vertical[stands].argmax(axis=1)
    # A short level block is as deep as its vertical extent; its axis is the longer of the others.
    lies = block & roles.mask(*LEVEL_ROLES)
    horizontal_reach = np.where(vertical > 0.7, -1.0, half)
    lengthwise[lies] = horizontal_reach[lies].argmax(axis=1)

    others = np.stack([(lengthwise + 1) % 3, (lengthwise + 2) % 3], axis=1)
    upright = vertical[rows, lengthwise] >= table.UPRIGHT
    score = np.where(upright[:, None], half[rows[:, None], others], vertical[rows[:, None], others])
    # Equal scores (square posts, boards at 45 degrees) keep the order of extents.
    first = np.where(score[:, 1] > score[:, 0] + 1e-9, 1, 0)
    order = np.stack([lengthwise, others[rows, first], others[rows, 1 - first]], axis=1)
    new_axes = np.take_along_axis(axes, order[:, :, None], axis=1).copy()
    new_half = np.take_along_axis(half, order, axis=1)

    along = new_axes[:, 0]
    steep = np.abs(along[:, 2]) > table.LEVEL
    plan = np.where(np.abs(along[:, 0]) >= np.abs(along[:, 1]) - 1e-9, along[:, 0], along[:, 1])
    flip = np.where(steep, along[:, 2], plan) < 0
    new_axes[flip, 0] *= -1.0
    down = new_axes[:, 1, 2] < 0
    new_axes[down, 1] *= -1.0
    new_axes[:, 2] = np.cross(new_axes[:, 0], new_axes[:, 1])
    return new_axes, new_half
