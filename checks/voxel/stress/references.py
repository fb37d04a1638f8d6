# SPDX-License-Identifier: GPL-3.0-or-later
"""What stress is measured against: the layouts behind the published references, and their figures.

The task lists of MineCEraft (arXiv 2608.28884) give the greatest stress that a task's model answer
has, and no answer. These seven layouts give exactly these figures in :mod:`.sph`, rounded up; the
finite elements have the same layouts for references, in concrete.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Literal

from ..structure import VoxelStructure

Profile = Literal["code", "paper", "flat_bridge"]

Cell = tuple[int, int, int]

#: Stress of a flat bridge, Pa: what the paper's figure 3 sets an arch against ("about 7.8 kPa").
FLAT_BRIDGE = 7800.0
#: What the layouts are made of for the finite elements: C30/37.
REFERENCE_MATERIAL = "white_concrete"


@dataclass(frozen=True)
class Reference:
    """One layout: what it is, its published reference, Pa, and its cells in order of building."""

    name: str
    title: str
    published: float
    cells: tuple[Cell, ...]

    @property
    def is_arch(self) -> bool:
        """Whether it bridges a river; the paper's flat bridge may stand against it."""
        return "arch" in self.name

    def structure(self, material: str = REFERENCE_MATERIAL) -> VoxelStructure:
        """Its blocks, all of one material."""
        return VoxelStructure.from_blocks((*cell, material) for cell in self.cells)


def _box(x: int, y: int, z: int, low: Cell) -> Iterator[Cell]:
    for j, i, k in product(range(y), range(x), range(z)):
        yield (low[0] + i, low[1] + j, low[2] + k)


def _roof(layers: int, columns: int) -> tuple[Cell, ...]:
    """10 x 10 on columns of 2 x 2 x 2 that stand in by one block, the fifth in the middle."""
    corners = [(1, 1), (7, 1), (1, 7), (7, 7), (4, 4)][:columns]
    stand = [cell for x, z in corners for cell in _box(2, 2, 2, (x, 0, z))]
    return (*stand, *_box(10, layers, 10, (0, 2, 0)))


def _arch(half: list[tuple[int, int]], width: int) -> tuple[Cell, ...]:
    """Lowest and highest block of each step up to the crown, and the same down again."""
    steps = half + half[-2::-1]
    return tuple(
        cell
        for x, (low, high) in enumerate(steps)
        for cell in _box(1, high - low + 1, width, (x, low, 0))
    )


_LOW = [(0, 0), (0, 1), (1, 2), (2, 3), (3, 3)]
_HIGH = [(0, 0), (0, 1), (0, 2), (1, 3), (2, 4), (3, 4)]

REFERENCES: dict[str, Reference] = {
    r.name: r
    for r in (
        Reference("roof_1_5", "one-layer roof on five columns", 62e6, _roof(1, 5)),
        Reference("roof_1_4", "one-layer roof on four columns", 70e6, _roof(1, 4)),
        Reference("roof_2_5", "two-layer roof on five columns", 8943.0, _roof(2, 5)),
        Reference("roof_2_4", "two-layer roof on four columns", 9474.0, _roof(2, 4)),
        Reference("arch_2_2", "arch on supports of 2 x 2", 3887.0, _arch(_LOW, 2)),
        Reference("arch_2_3", "arch on supports of 2 x 3", 4855.0, _arch(_HIGH, 2)),
        Reference("arch_3_3", "arch on supports of 3 x 3", 5877.0, _arch(_HIGH, 3)),
    )
}

#: The two bridges of the paper's figure 3, two blocks wide and with their top at y = 4, as far as
#: figures tell them: the flat one gives 7,778 Pa ("about 7.8 kPa"; other flat ones do as well), the
#: arch 5,336 Pa ("5.3 kPa"; 5337 in an earlier task list).
FIGURE_3: dict[str, Reference] = {
    r.name: r
    for r in (
        Reference(
            "flat_bridge", "flat bridge", FLAT_BRIDGE, _arch([(0, 4), (0, 4), *[(3, 4)] * 3], 2)
        ),
        Reference(
            "bridge_arch", "arch", 5337.0, _arch([(0, 2), (0, 3), (1, 4), (2, 4), (3, 4)], 2)
        ),
    )
}


def published(name: str, profile: Profile = "code") -> float:
    """Reference stress of a layout for the particle solver, Pa.

    ``"code"`` and ``"paper"`` are the values of the task lists; ``"flat_bridge"`` sets arches
    against the flat bridge of the paper's figure 3. Raises ``KeyError`` for an unknown name.
    """
    layout = REFERENCES[name]
    return FLAT_BRIDGE if profile == "flat_bridge" and layout.is_arch else layout.published


def of_value(pascals: float) -> Reference | None:
    """The layout that a reference of the published task lists is of; ``None`` for any other."""
    return next((one for one in (REFERENCES | FIGURE_3).values() if one.published == pascals), None)


@cache
def own(name: str) -> float:
    """Reference stress of a layout for the finite elements, Pa: its greatest, in concrete.

    Raises ``KeyError`` for an unknown name.
    """
    from .fem import solve

    layout = (REFERENCES | FIGURE_3)[name]
    return float(solve(layout.structure()).von_mises.max())
