# SPDX-License-Identifier: GPL-3.0-or-later
"""Voxel constructions for tests: lists of (x, y, z, material) in placement order."""

from __future__ import annotations

from plumbline.checks.voxel import CheckCall, VoxelBrief, VoxelStructure, judge


def structure(blocks, **extra):
    return VoxelStructure.from_blocks(blocks, **extra)


def ask(blocks, fn, profile="paper", bottom=None, **args):
    """The result of one check on a list of blocks, or on a structure."""
    made = blocks if isinstance(blocks, VoxelStructure) else structure(blocks)
    brief = VoxelBrief.of(CheckCall(fn, args), bottom=bottom)
    return judge(made, brief, profile).checks[0]


def box(x, y, z, material="stone"):
    """All cells of three ranges, layer by layer, each (first, last)."""
    return [
        (i, j, k, material)
        for j in range(y[0], y[1] + 1)
        for i in range(x[0], x[1] + 1)
        for k in range(z[0], z[1] + 1)
    ]


def profile_along_x(columns, width=2, material="stone"):
    """Columns of (bottom, top) one after the other along x, ``width`` wide in z."""
    return [
        (x, y, z, material)
        for x, (bottom, top) in enumerate(columns)
        for z in range(width)
        for y in range(bottom, top + 1)
    ]


def arch(width=2):
    """The arch whose stress is published: bottoms 0,0,1,2,3,2,1,0,0, 30 blocks at width 2."""
    half = [(0, 0), (0, 1), (1, 2), (2, 3), (3, 3)]
    return profile_along_x([*half, *half[-2::-1]], width)


def flat_bridge(span=5, height=3, width=2):
    """Two piers and a level deck over ``span`` cells."""
    piers = [(0, height)] * 2
    return profile_along_x([*piers, *[(height, height)] * span, *piers], width)


def lawnmower(a, b):
    """A slab of a x b, to and fro: every step goes to the next cell."""
    return [(i, 0, k if i % 2 == 0 else b - 1 - k, "stone") for i in range(a) for k in range(b)]


def row_by_row(a, b):
    """A slab of a x b, every row begun at the same side."""
    return [(i, 0, k, "stone") for i in range(a) for k in range(b)]


def room(x=0, z=0, wide=5, deep=5, floor=-1, high=3, door=True, material="oak_planks"):
    """Walls round ``wide`` x ``deep`` cells with a two-cell opening at z, floor and roof."""
    west, east, south, north = x, x + wide + 1, z, z + deep + 1
    made = box((west, east), (floor, floor), (south, north), "stone")
    gap = (x + (wide + 1) // 2, south)
    for i, j, k, _ in box((west, east), (floor + 1, floor + high), (south, north)):
        if i not in (west, east) and k not in (south, north):
            continue
        if door and (i, k) == gap and j <= floor + 2:
            if j == floor + 1:
                made.append((i, j, k, "oak_door"))
            continue
        made.append((i, j, k, material))
    return made + box(
        (west, east), (floor + high + 1, floor + high + 1), (south, north), "red_wool"
    )


def rooms_in_a_row(count, **more):
    """``count`` rooms side by side, sharing their walls."""
    made = {}
    for i in range(count):
        for *cell, material in room(x=6 * i, **more):
            made.setdefault(tuple(cell), material)
    return [(*cell, material) for cell, material in made.items()]


def staircase(top, foot=0):
    """Steps of one block from y = ``foot``, and a landing of three cells at ``top``."""
    steps = [(i, y, 0, "stone") for i in range(top + 1) for y in range(foot, i + 1)]
    return steps + [(top + i, top, 0, "stone") for i in (1, 2, 3)]


def piles(a, b, thick, count, deep=5):
    """A deep foundation: a cap of a x b with its top at y = 0, and piles of one cell below it."""
    spots = [(1, 1), (a - 2, 1), (1, b - 2), (a - 2, b - 2), (a // 2, b // 2), (a // 2, 1)][:count]
    cap = box((0, a - 1), (1 - thick, 0), (0, b - 1))
    return [(x, y, z, "stone") for x, z in spots for y in range(1 - thick - deep, 1 - thick)] + cap


def dome(diameter):
    """Shells of cells about a centre on the ground, over a filled disc."""
    r = diameter / 2
    c = (diameter - 1) / 2
    cells = box((0, diameter - 1), (0, diameter), (0, diameter - 1))

    def away(x, y, z):
        return ((x - c) ** 2 + y**2 + (z - c) ** 2) ** 0.5

    return [b for b in cells if away(*b[:3]) <= r and (b[1] == 0 or away(*b[:3]) > r - 1.5)]
