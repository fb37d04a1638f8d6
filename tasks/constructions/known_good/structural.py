# SPDX-License-Identifier: GPL-3.0-or-later
"""Foundations, walls, roofs on columns, and frames with their stairs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ....checks.voxel.stress.references import REFERENCES
from .solids import Blocks, box, made_of, stacked, whole

_STOREY = 4  # blocks from floor to floor


def foundation(p: Mapping[str, Any]) -> Blocks:
    """A slab whose top is at y = 0."""
    a, b, depth = whole(p, "a", "b", "depth")
    return made_of(box(a, depth, b, (0, 1 - depth, 0)), "stone")


def deep_foundation(p: Mapping[str, Any]) -> Blocks:
    """Piles at the corners and in the middle, and their cap, from below."""
    a, b, cap, piles = whole(p, "a", "b", "cap", "piles")
    x, z = a - 1, b - 1
    places = [(0, 0), (x, 0), (0, z), (x, z), (x // 2, z // 2), (x // 2, 0)][:piles]
    stand = [c for i, k in places for c in stacked(1, 5, 1, (i, -cap - 4, k))]
    return made_of([*stand, *stacked(a, cap, b, (0, 1 - cap, 0))], "stone")


def wall(p: Mapping[str, Any]) -> Blocks:
    """A plain wall on the ground."""
    width, thickness, height = whole(p, "width", "thickness", "height")
    return made_of(box(width, height, thickness), "stone")


def roof(p: Mapping[str, Any]) -> Blocks:
    """Columns under the corners and the middle, then the roof."""
    a, b, height, columns = whole(p, "a", "b", "height", "columns")
    x, z = a - 1, b - 1
    places = [(0, 0), (x, z), (0, z), (x, 0), (x // 2, z // 2)][:columns]
    stand = [c for i, k in places for c in stacked(1, height, 1, (i, 0, k))]
    return made_of(stand, "stone") | made_of(stacked(a, 1, b, (0, height, 0)), "oak_planks")


def stressed_roof(p: Mapping[str, Any]) -> Blocks:
    """The layout that the published reference was made with: column by column, then the roof."""
    columns, layers = whole(p, "columns", "layers")
    stone, lower, upper = (
        ("stone", "oak_planks", "oak_planks")
        if layers == 1
        else ("white_concrete", "iron_block", "gray_concrete")
    )
    cells = REFERENCES[f"roof_{layers}_{columns}"].cells
    by_height = {0: stone, 1: stone, 2: lower, 3: upper}

    def place(cell: tuple[int, int, int]) -> tuple[int, ...]:
        x, y, z = cell
        # Columns are 2 x 2, their low corners at 1, 4 and 7.
        return (0, (x - 1) // 3, (z - 1) // 3, x, z, y) if y < 2 else (1, y, x, z)

    return {cell: by_height[cell[1]] for cell in sorted(cells, key=place)}


def frame(storeys: int, materials: tuple[str, str, str, str]) -> Blocks:
    """Four columns, slabs between them, and flights of stairs that turn at every floor.

    Materials are those of the lowest storey's columns, of the stairs and slabs, of the other
    columns, and of the roof.
    """
    low, floor, high, top = materials
    blocks: Blocks = {}
    for storey in range(storeys):
        base = _STOREY * storey
        for x in (0, 6):
            for z in (2, 6):
                blocks |= made_of(stacked(1, 4, 1, (x, base, z)), high if storey else low)
        if storey < storeys - 1:
            blocks |= made_of(_flight(storey), floor)
            blocks |= made_of(stacked(7, 1, 5, (0, base + _STOREY, 2)), floor)
    return blocks | made_of(stacked(7, 1, 5, (0, _STOREY * storeys, 2)), top)


def _flight(storey: int) -> list[tuple[int, int, int]]:
    """One flight of four steps: away and back in turns, and the landing of both rows at its end."""
    base, back = _STOREY * storey, storey % 2
    cells = [(1, 0, 0)] if storey == 0 else []
    for step in range(1, _STOREY + 1):
        x = 5 - step if back else 1 + step
        cells += [(x, base + step - 1, back), (x, base + step, back)]
    x, y, _ = cells[-1]
    return [*cells, (x, y, 1 - back)]


def concrete_frame(p: Mapping[str, Any]) -> Blocks:
    """A frame of concrete alone."""
    concrete = "gray_concrete"
    return frame(p["storeys"], (concrete, concrete, concrete, concrete))
