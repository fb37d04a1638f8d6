# SPDX-License-Identifier: GPL-3.0-or-later
"""Which members the metrics count, and under which role: one rule for target and candidate."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..roles import resolve
from ..structure import Floats, TimberStructure

Ints = NDArray[np.intp]

#: The role of members whose name says none: a group of its own, never silently dropped.
UNNAMED = ""


@dataclass(frozen=True)
class Counted:
    """The ``n`` counted members of a structure, with the role of each (:data:`UNNAMED` for none).

    Accessories (sheathing, decking, anchors, hangers) are out: they are listed and drawn, not
    judged (specification, section 2), so that closing the walls changes no metric.
    """

    structure: TimberStructure
    roles: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.roles)

    @property
    def center(self) -> Floats:
        """Centres, (n, 3), m."""
        return self.structure.center

    @property
    def half(self) -> Floats:
        """Half extents in descending order, (n, 3), m."""
        return self.structure.half


def counted(structure: TimberStructure) -> Counted:
    """The members that the metrics count.

    Roles are always those of the ``engineering`` convention, so that the figures of all profiles
    compare.
    """
    found = resolve(structure, "engineering")
    keep = ~found.in_category("accessory")
    roles = tuple(found.role[i] or UNNAMED for i in np.flatnonzero(keep))
    return Counted(structure if keep.all() else structure.subset(keep), roles)


def role_codes(a: Counted, b: Counted) -> tuple[Ints, Ints, tuple[str, ...]]:
    """The role of each member of both as a number (n,), (m,), and the roles by that number."""
    known = tuple(sorted({*a.roles, *b.roles}))
    code = {role: number for number, role in enumerate(known)}
    one, other = (
        np.fromiter((code[role] for role in each.roles), np.intp, len(each)) for each in (a, b)
    )
    return one, other, known
