# SPDX-License-Identifier: GPL-3.0-or-later
"""The skin of a house: closed walls with their windows and doors, and roofs, from its members.

The harder condition for whoever has to tell a frame from its pictures: the framing is hidden. A
wall stands on every outer side of a storey and reaches up to the storey above or to the roof, gable
triangles included; it is open where trimmers, header and sill frame an opening, and a pane or a
door leaf stands there, set back. Roofs lie on the planes of the rafters. Nothing is assumed of a
style.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from ...checks.timber.roles import Roles, resolve
from ...checks.timber.structure import CORNER_SIGNS, Floats, TimberStructure
from .roof_planes import Field, roof_fields
from .skin_openings import Opening, openings
from .storeys import Bools, Side, Storey, storeys

#: Kinds of surfaces. ``frame`` is what stands free, such as the posts of a porch.
KINDS = ("wall", "roof", "trim", "pane", "door", "foundation", "frame")

#: How far the roof's skin lies above the rafters and reaches down over them, measured plumb, m.
ABOVE, DOWN = 0.03, 0.14
#: How far panes and leaves are set back from the wall's face, m.
SET_BACK = 0.06
#: A roof this far below the top of the plates still closes the wall below it, m.
BELOW_PLATES = 0.60
#: Walls lower than this are left out, m.
LOWEST_WALL = 0.02
#: A roof that begins no farther from the wall's face than this is over the wall, m.
BESIDE = 0.12
_PROBE = 0.015
_BOX_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2))


@dataclass(frozen=True)
class Surface:
    """Faces of one kind: ``vertices`` (n, 3), m, and plane ``faces`` as indices, seen from outside
    counter-clockwise."""

    kind: str
    vertices: Floats
    faces: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Wall:
    """A wall of the skin: a side of a storey from ``bottom`` up to a line of ``top`` points.

    ``top`` (n, 2): m along the side and height, from start to end; ``openings`` lie within.
    """

    side: Side
    bottom: float
    top: Floats
    openings: tuple[Opening, ...] = ()


def skin(structure: TimberStructure) -> tuple[Surface, ...]:
    """The surfaces of a house's skin, one a kind that there is, in the order of :data:`KINDS`."""
    roles = resolve(structure)
    fields = roof_fields(structure, roles)
    levels = storeys(structure, roles)
    framed = openings(structure, roles)
    polygons: dict[str, list[Floats]] = {kind: [] for kind in KINDS}
    outer = walls(structure, levels, fields, framed)
    for wall in outer:
        _add_wall(polygons, wall)
    for field in fields:
        polygons["roof"] += _slab(field)
    lowest = min((wall.bottom for wall in outer), default=np.inf)
    for kind, chosen in _in_sight(structure, roles, levels, lowest).items():
        for i in np.flatnonzero(chosen):
            corners = structure.center[i] + (CORNER_SIGNS * structure.half[i]) @ structure.axes[i]
            polygons[kind] += [corners[list(face)] for face in _BOX_FACES]
    return tuple(_surface(kind, found) for kind, found in polygons.items() if found)


def _in_sight(
    structure: TimberStructure, roles: Roles, levels: Sequence[Storey], lowest: float
) -> dict[str, Bools]:
    """Members that a skin leaves in sight, by kind: what carries the house, and what stands free.

    ``lowest`` is where the walls begin, m: below them posts and beams show.
    """
    low, high = structure.aabb
    middle = 0.5 * (low + high)
    free = np.ones(len(structure), bool)
    for level in levels:
        free &= ~level.encloses(middle[:, :2])
    below = (middle[:, 2] < lowest) & (low[:, 2] < lowest - LOWEST_WALL)
    foundation = roles.mask("Foundation", "Footing", "Pier")
    frame = roles.in_category("floor", "walls", "foundation") & (free | below) & ~foundation
    return {"foundation": foundation, "frame": frame}


def walls(
    structure: TimberStructure,
    levels: Sequence[Storey],
    fields: Sequence[Field],
    framed: Sequence[Opening],
) -> list[Wall]:
    """All outer walls, with the openings that are framed in them."""
    roles = resolve(structure)
    low, high = structure.aabb
    rims = np.column_stack([low, high])[roles.mask("Sill", "RimJoist", "Ledger")]
    found = []
    for k, level in enumerate(levels):
        for side in level.sides():
            bottom = _bottom(side, k, levels, rims)
            top = _top(side, k, levels, fields)
            if top[:, 1].max() - bottom < LOWEST_WALL:
                continue
            within = [o for o in framed if o.level_of(levels) == k]
            cut = (o.on(side, bottom, top) for o in within)
            found.append(Wall(side, bottom, top, tuple(o for o in cut if o is not None)))
    return found


def _bottom(side: Side, k: int, levels: Sequence[Storey], rims: Floats) -> float:
    """Where the wall of storey ``k`` begins: on the storey below it, else below its floor."""
    level = levels[k]
    probe = (0.5 * (side.start + side.end) - _PROBE * side.outward)[None]
    if any(lower.encloses(probe)[0] for lower in levels[:k]):
        return level.floor
    reach = 0.15
    x, y = probe[0]
    near = (rims[:, 0] - reach < x) & (x < rims[:, 3] + reach)
    near &= (rims[:, 1] - reach < y) & (y < rims[:, 4] + reach)
    near &= (rims[:, 2] < level.floor) & (rims[:, 5] > level.floor - 1.0)
    return float(rims[near, 2].min()) if near.any() else level.floor


def _top(side: Side, k: int, levels: Sequence[Storey], fields: Sequence[Field]) -> Floats:
    """The upper line of the wall of storey ``k``, (n, 2): m along the side, height."""
    level = levels[k]
    length, just_in = side.length, -_PROBE * side.outward
    turns = [0.0, length]
    for axis in (0, 1):
        if abs(side.along[axis]) > 0.5 and len(level.plates):
            ends = level.plates[:, [axis, axis + 3]].ravel()
            turns += list((ends - side.start[axis]) / side.along[axis])
    for field in fields:
        turns += _crossings(side.start + just_in, side.along, length, field.outline)
    for other in levels[k + 1 :]:
        for edges, axis in ((other.x, 0), (other.y, 1)):
            if abs(side.along[axis]) > 0.5:
                turns += list((edges - side.start[axis]) / side.along[axis])
    cuts = np.unique(np.round([u for u in turns if -1e-6 <= u <= length + 1e-6], 4))
    line: list[tuple[float, float]] = []
    for a, b in pairwise(cuts):
        middle = (side.start + just_in + 0.5 * (a + b) * side.along)[None]
        ends = side.start + np.array([[a], [b]]) * side.along
        heights = _heights(middle, side.outward, ends, k, levels, fields)
        line += [(a, heights[0]), (b, heights[1])]
    kept: list[Floats] = []
    for i, point in enumerate(np.array(line)):
        if not (kept and i + 1 < len(line) and _between(kept[-1], point, np.array(line[i + 1]))):
            kept.append(point)
    return np.array(kept)


def _heights(
    middle: Floats,
    outward: Floats,
    ends: Floats,
    k: int,
    levels: Sequence[Storey],
    fields: Sequence[Field],
) -> tuple[float, float]:
    """Heights of the wall at both ends of a stretch that nothing changes within.

    Under plates a roof that is much lower is another one, as over a porch; where there are none, as
    beside the rafters of an A-frame, any roof above the floor is the end of the wall.
    """
    plates = levels[k].plates
    x, y = middle[0] - 0.03 * outward
    over = (plates[:, 0] < x) & (x < plates[:, 3]) & (plates[:, 1] < y) & (y < plates[:, 4])
    usual = float(plates[over, 5].max()) if over.any() else levels[k].top
    least = usual - BELOW_PLATES if over.any() else levels[k].floor
    for other in levels[k + 1 :]:
        if other.floor > usual - 0.5 and other.encloses(middle)[0]:
            return other.floor, other.floor
    along = np.array([-outward[1], outward[0]])
    for aside in (0.0 * along, -outward, along, -along):  # roofs may begin a little further in
        probe = middle + BESIDE * aside
        over_it = [field.plane for field in fields if field.covers(probe)[0]]
        heights = [float(plane.height(probe)[0]) for plane in over_it]
        best = min((h, n) for n, h in enumerate([*heights, np.inf]) if h > least)
        if np.isfinite(best[0]):
            inwards = min(float(aside @ outward), 0.0) * BESIDE * outward  # up to where it begins
            one, other_end = over_it[best[1]].height(ends + inwards) - DOWN
            return float(one), float(other_end)
    return usual, usual


def _crossings(start: Floats, along: Floats, length: float, outline: Floats) -> list[float]:
    """Where a straight line crosses a closed one, m from its start."""
    relative = outline - start
    u = relative @ along
    v = relative @ np.array([-along[1], along[0]])
    found = []
    for i in range(len(outline)):
        j = (i + 1) % len(outline)
        if (v[i] > 0) != (v[j] > 0):
            at = float(u[i] + v[i] / (v[i] - v[j]) * (u[j] - u[i]))
            if 0.0 < at < length:
                found.append(at)
    return found


def _between(one: Floats, here: Floats, other: Floats) -> bool:
    """Whether a point of the upper line says nothing: doubled, or on the straight line."""
    if np.abs(here - one).max() < 1e-4:
        return True
    way, off = other - one, here - one
    return bool(abs(way[0] * off[1] - way[1] * off[0]) < 1e-3 * np.hypot(*way) and way[0] > 1e-6)


def _add_wall(polygons: dict[str, list[Floats]], wall: Wall) -> None:
    """Faces of a wall, its panes and leaves, and what is seen of their frames."""
    cuts = [float(u) for u in wall.top[:, 0]]
    for opening in wall.openings:
        cuts += [opening.left, opening.right]
    stations = sorted({round(u, 5) for u in cuts if 0.0 <= u <= wall.side.length + 1e-5})
    for a, b in pairwise(stations):
        if b - a < 1e-4:
            continue
        inside = [o for o in wall.openings if o.left < 0.5 * (a + b) < o.right]
        left, right = _height_at(wall.top, a, True), _height_at(wall.top, b, False)
        below = wall.bottom
        for opening in sorted(inside, key=lambda o: o.bottom):
            if opening.bottom - below > 1e-4:
                polygons["wall"].append(
                    _upright(wall.side, a, b, below, below, *[opening.bottom] * 2)
                )
            below = opening.top
        if max(left, right) - below > 1e-4:
            tops = (max(left, below), max(right, below))
            polygons["wall"].append(_upright(wall.side, a, b, below, below, *tops))
    for opening in wall.openings:
        o, back = opening, -SET_BACK * wall.side.outward
        face = _upright(wall.side, o.left, o.right, o.bottom, o.bottom, o.top, o.top)
        deep = face + np.append(back, 0.0)
        polygons[opening.kind].append(deep)
        for i in range(4):
            j = (i + 1) % 4
            polygons["trim"].append(np.array([face[i], face[j], deep[j], deep[i]]))


def _height_at(top: Floats, u: float, after: bool) -> float:
    """Height of the upper line at ``u``; where it jumps, just after or just before."""
    nudge = 1e-6 if after else -1e-6
    return float(np.interp(u + nudge, top[:, 0] + np.arange(len(top)) * 1e-9, top[:, 1]))


def _upright(
    side: Side, a: float, b: float, low_a: float, low_b: float, high_a: float, high_b: float
) -> Floats:
    """An upright face on a side, between ``a`` and ``b`` along it, (4, 3); seen from outside."""
    one, other = side.start + a * side.along, side.start + b * side.along
    return np.array([[*one, low_a], [*other, low_b], [*other, high_b], [*one, high_a]])


def _slab(field: Field) -> list[Floats]:
    """Upper side, underside and edges of a roof's skin."""
    up, down = np.array([0.0, 0.0, ABOVE]), np.array([0.0, 0.0, -DOWN])
    above, below = field.corners + up, field.corners + down
    following = np.roll(np.arange(len(above)), -1)
    edges = [np.array([below[i], below[j], above[j], above[i]]) for i, j in enumerate(following)]
    return [above, below[::-1], *edges]


def _surface(kind: str, polygons: Sequence[Floats]) -> Surface:
    starts = np.cumsum([0, *(len(p) for p in polygons)])
    faces = tuple(tuple(range(a, b)) for a, b in pairwise(starts.tolist()))
    return Surface(kind, np.concatenate(polygons), faces)
