# SPDX-License-Identifier: GPL-3.0-or-later
"""The voxel checks once more, in plain loops over sets of cells.

Written from the specification without a look at the arrays of the product. Blocks are a list of
(x, y, z, material) in placement order, one a cell; every function says what the published rule
gives, or counts what the rule counts.
"""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import pairwise

SIDES = ((1, 0), (-1, 0), (0, 1), (0, -1))
AROUND = (*SIDES, (1, 1), (1, -1), (-1, 1), (-1, -1))


def cells_of(blocks):
    return {(x, y, z) for x, y, z, _ in blocks}


def flood(starts, steps):
    """All that can be reached from ``starts``; ``steps(place)`` gives the next places."""
    seen, todo = set(starts), list(starts)
    while todo:
        for there in steps(todo.pop()):
            if there not in seen:
                seen.add(there)
                todo.append(there)
    return seen


def floating(blocks):
    """Blocks from which no way over faces leads to y <= 0."""
    cells = cells_of(blocks)

    def steps(c):
        for axis in range(3):
            for d in (-1, 1):
                there = tuple(v + d * (k == axis) for k, v in enumerate(c))
                if there in cells:
                    yield there

    return cells - flood([c for c in cells if c[1] <= 0], steps)


def pieces(cells, around):
    """Connected pieces of plane cells."""
    left, found = set(cells), []
    while left:
        piece = flood(
            [min(left)],
            lambda c: [(c[0] + a, c[1] + b) for a, b in around if (c[0] + a, c[1] + b) in cells],
        )
        found.append(piece)
        left -= piece
    return found


def clusters(blocks, y, eight=False):
    return pieces({(x, z) for x, h, z, _ in blocks if h == y}, AROUND if eight else SIDES)


def least_span(groups):
    """Least distance between cells of different groups."""
    return min(math.dist(a, b) for g in groups for h in groups if g is not h for a in g for b in h)


def rooms(blocks, y):
    """Closed regions of the plane at ``y``, by a flood of eight directions from the border."""
    taken = {(x, z) for x, h, z, m in blocks if h == y or (h == y - 1 and "door" in m.lower())}
    if not taken:
        return []
    lo = [min(c[k] for c in taken) - 1 for k in (0, 1)]
    hi = [max(c[k] for c in taken) + 1 for k in (0, 1)]
    box = {(x, z) for x in range(lo[0], hi[0] + 1) for z in range(lo[1], hi[1] + 1)}
    border = {c for c in box if c[0] in (lo[0], hi[0]) or c[1] in (lo[1], hi[1])}
    empty = box - taken

    def steps(c):
        return [(c[0] + a, c[1] + b) for a, b in AROUND if (c[0] + a, c[1] + b) in empty]

    return pieces(empty - flood(border & empty, steps), AROUND)


def concave(heights, strict, sign=1):
    """Whether every inner height lies on or above every chord, by index."""
    if len(heights) == 1:
        return strict is False
    if strict == "non-flat" and len(set(heights)) == 1:
        return False
    for i in range(len(heights)):
        for j in range(i + 1, len(heights)):
            if strict is True and j == i + 1 and heights[i] == heights[j]:
                return False
            for k in range(i + 1, j):
                chord = heights[i] + Fraction(k - i, j - i) * (heights[j] - heights[i])
                above = sign * (heights[k] - chord)
                if above < 0 or (strict is True and above == 0):
                    return False
    return True


def surface_slices(blocks, top):
    """Heights of every row and every column of the plan, in order."""
    height = {}
    for x, y, z, _ in blocks:
        height[x, z] = (max if top else min)(y, height.get((x, z), y))
    for axis in (1, 0):
        for fixed in sorted({c[axis] for c in height}):
            yield [height[c] for c in sorted(height) if c[axis] == fixed]


def surface_is_concave(blocks, top, strict):
    """The published rule: one slice is enough; the bottom bulges down."""
    sign = 1 if top else -1
    return not blocks or any(concave(s, strict, sign) for s in surface_slices(blocks, top))


def soffit_is_concave(blocks, strict):
    """One slice whose every stretch between two supports bulges up, and that has a stretch."""
    ground = max(0, min(b[1] for b in blocks))
    for heights in surface_slices(blocks, top=False):
        supports = [i for i, h in enumerate(heights) if h <= ground]
        spans = [heights[a + 1 : b] for a, b in pairwise(supports)]
        spans = [span for span in spans if span]
        if spans and all(concave(span, strict) for span in spans):
            return True
    return False


def highest_by_stairs(blocks):
    """Greatest height that steps of one block reach from y = 0; ``None`` where nobody starts."""
    cells = cells_of(blocks)

    def stand(c):
        x, y, z = c
        return c in cells and (x, y + 1, z) not in cells and (x, y + 2, z) not in cells

    def steps(c):
        for dx, dz in SIDES:
            for dy in (0, 1):
                there = (c[0] + dx, c[1] + dy, c[2] + dz)
                if stand(there):
                    yield there

    reached = flood([c for c in cells if c[1] == 0 and stand(c)], steps)
    return max((c[1] for c in reached), default=None)


def gets_out(blocks, start, width, depth, height):
    """Whether a box gets from ``start``, or a cell beside it, out of the blocks' box."""
    solid = {b[:3] for b in blocks if "door" not in b[3].lower() and "bed" not in b[3].lower()}
    lo = [min(b[k] for b in blocks) for k in range(3)]
    hi = [max(b[k] for b in blocks) for k in range(3)]

    def body(c, size):
        return (
            (c[0] + i, c[1] + j, c[2] + k)
            for i in range(size[0])
            for j in range(height)
            for k in range(size[1])
        )

    def outside(x, z):
        return not (lo[0] <= x <= hi[0] and lo[2] <= z <= hi[2])

    def out(c, size):
        return all(
            outside(c[0] + i * (size[0] - 1), c[2] + k * (size[1] - 1))
            for i in (0, 1)
            for k in (0, 1)
        )

    for size in ((width, depth), (depth, width)):

        def steps(c, size=size):
            if out(c, size):
                return
            for dx, dz in SIDES:
                for dy in (-1, 0, 1):
                    there = (c[0] + dx, c[1] + dy, c[2] + dz)
                    if lo[1] <= there[1] <= hi[1] and not solid & set(body(there, size)):
                        yield there

        begin = [(start[0] + a, start[1], start[2] + b) for a, b in ((0, 0), *SIDES)]
        begin = [c for c in begin if not solid & set(body(c, size))]
        if any(out(c, size) for c in flood(begin, steps)):
            return True
    return False


def single_level(blocks, material):
    """The flat way out of every start of a material."""
    cells = cells_of(blocks)
    solid = {b[:3] for b in blocks if "door" not in b[3].lower()}
    floor = min(c[1] for c in cells)
    if floor > -1:
        return False
    starts = [b[:3] for b in blocks if material in b[3].lower()]
    plan = {(x, z) for x, y, z in cells if y == floor}
    plan |= {(x, z) for x, y, z in starts if y == floor + 1}
    lo = [min(c[k] for c in plan) for k in (0, 1)]
    hi = [max(c[k] for c in plan) for k in (0, 1)]

    def outside(c):
        return not (lo[0] <= c[0] <= hi[0] and lo[1] <= c[1] <= hi[1])

    def walkable(c):
        x, z = c
        if outside(c):
            return (x, floor, z) not in solid and (x, floor + 1, z) not in solid
        head = floor + (2 if (x, floor + 1, z) in solid else 1)
        return c in plan and (x, head, z) not in solid

    def steps(c):
        if not outside(c):
            yield from ((c[0] + a, c[1] + b) for a, b in SIDES if walkable((c[0] + a, c[1] + b)))

    for x, y, z in starts:
        if y != floor + 1 or not walkable((x, z)):
            return False
        if not any(outside(c) for c in flood([(x, z)], steps)):
            return False
    return True


def shut_doors(blocks, every):
    """Doors with three or more sides taken, at their height or the next."""
    doors = [b[:3] for b in blocks if "door" in b[3].lower()]
    others = cells_of(blocks) - set(doors)
    if every:
        looked = [d for d in doors if (d[0], d[1] - 1, d[2]) not in doors]
    else:
        looked = list({(x, z): (x, y, z) for x, y, z in reversed(doors)}.values())
    return {
        (x, y, z)
        for x, y, z in looked
        if any(sum((x + a, h, z + b) in others for a, b in SIDES) > 2 for h in (y, y + 1))
    }


def in_order(blocks, sequence):
    """The pointer of the published scan: how many of the materials it gets past."""
    at = 0
    for *_, material in blocks:
        if at < len(sequence) and sequence[at] in material:
            at += 1
    return at


def mirror_axes(blocks):
    """Axes along which the cells are their own mirror image, those with one layer left out."""
    cells = cells_of(blocks)
    found = ""
    for k, name in enumerate("xyz"):
        lo, hi = min(c[k] for c in cells), max(c[k] for c in cells)
        mirrored = {(*c[:k], lo + hi - c[k], *c[k + 1 :]) for c in cells}
        if lo < hi and mirrored == cells:
            found += name
    return found
