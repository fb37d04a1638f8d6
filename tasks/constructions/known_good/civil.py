# SPDX-License-Identifier: GPL-3.0-or-later
"""Bridges, arches and domes."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from math import ceil, hypot
from typing import Any

from ....checks.voxel.stress.references import REFERENCES
from .solids import Blocks, made_of, stacked, upward, whole

_WIDTH = 2  # of a bridge, blocks
_ARCHES = {"2 x 2": "arch_2_2", "2 x 3": "arch_2_3", "3 x 3": "arch_3_3"}


def bridge(p: Mapping[str, Any]) -> Blocks:
    """A deck on two piers, one block above the boats."""
    river, boat = whole(p, "river", "boat")
    piers = [c for x in (0, river + 1) for c in stacked(1, boat + 1, _WIDTH, (x, 0, 0))]
    return made_of([*piers, *stacked(river + 2, 1, _WIDTH, (0, boat + 1, 0))], "stone_bricks")


def arch_bridge(p: Mapping[str, Any]) -> Blocks:
    """A deck of two layers that is one block lower at both ends."""
    river, boat = whole(p, "river", "boat")
    blocks: Blocks = {}
    for x in range(river + 2):
        from_bank = min(x, river + 1 - x)
        low = 0 if from_bank == 0 else boat + (from_bank > 1)
        high = boat + min(from_bank, 2)
        blocks |= made_of(stacked(1, high - low + 1, _WIDTH, (x, low, 0)), "stone_bricks")
    return blocks


def stressed_arch(p: Mapping[str, Any]) -> Blocks:
    """The layout that the published reference was made with."""
    return made_of(REFERENCES[_ARCHES[p["support"]]].cells, "stone_bricks")


def dome(p: Mapping[str, Any], material: str) -> Blocks:
    """A hollow dome: from its edge it rises by steps that never grow."""
    radius = ceil(p["diameter"] / 2)
    steps = [radius // 2, (radius + 1) // 2 - 1] + [1] * 3
    rises = [sum(steps[:k]) for k in range(radius + 1)]
    around = range(-radius, radius + 1)
    full = {
        (x, y, z)
        for x, z in product(around, around)
        if hypot(x, z) <= radius
        for y in range(min(radius, rises[radius - ceil(hypot(x, z))]) + 1)
    }

    def hidden(x: int, y: int, z: int) -> bool:
        near = product((-1, 0, 1), repeat=3)
        return all((x + i, max(0, y + j), z + k) in full for i, j, k in near)

    return upward(made_of((c for c in sorted(full) if not hidden(*c)), material))
