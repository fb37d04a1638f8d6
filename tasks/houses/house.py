# SPDX-License-Identifier: GPL-3.0-or-later
"""A generated house: its parameters, its members, and what is known of each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ...checks.timber.brief import TimberBrief
from ...checks.timber.engineering.profile import supported_paths
from ...checks.timber.lumber import match_size, size_name
from ...checks.timber.roles import Roles, resolve
from ...checks.timber.structure import TimberStructure
from .parameters import HouseParameters


@dataclass(frozen=True)
class House:
    """One house with its ground truth.

    ``structure`` holds ``n`` members in the order in which they are built. ``title`` and
    ``description`` are for people and models, ``constraints`` those of the published task format.
    """

    parameters: HouseParameters
    structure: TimberStructure
    title: str
    description: str
    constraints: Mapping[str, Any]

    def __len__(self) -> int:
        return len(self.structure)

    @property
    def brief(self) -> TimberBrief:
        """What it is judged with."""
        return self.parameters.brief()

    @cached_property
    def roles(self) -> Roles:
        """Role and category of each member (``roles.role``, ``roles.category``, n)."""
        return resolve(self.structure)

    @property
    def categories(self) -> tuple[str | None, ...]:
        """``foundation``, ``floor``, ``walls``, ``roof`` or ``accessory`` of each member, n."""
        return self.roles.category

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """The member that each one stands on first, by index; -1 on the ground, n.

        Worked out from how the members meet (the load path of the ``engineering`` profile).
        """
        return tuple(map(int, supported_paths(self.structure, self.brief).parent))

    @cached_property
    def children(self) -> tuple[tuple[int, ...], ...]:
        """The members that stand on each one first, by index, n."""
        below: list[list[int]] = [[] for _ in range(len(self))]
        for member, parent in enumerate(self.parents):
            if parent >= 0:
                below[parent].append(member)
        return tuple(map(tuple, below))

    @cached_property
    def sections(self) -> tuple[str | None, ...]:
        """Nominal size of each member's section (``2x6``), ``None`` where it is no lumber, n."""
        index, plies = match_size(2.0 * self.structure.half[:, 2], 2.0 * self.structure.half[:, 1])
        return tuple(_section(int(i), int(k)) for i, k in zip(index, plies, strict=True))


def _section(index: int, plies: int) -> str | None:
    if index < 0:
        return None
    return size_name(index) if plies == 1 else f"{plies} x {size_name(index)}"
