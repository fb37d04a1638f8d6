# SPDX-License-Identifier: GPL-3.0-or-later
"""Walls as rows of uprights between plates, and the wide gaps in them.

A wall is made of plates, headers and window sills that continue each other or hold the same
uprights; its studs are all the uprights that touch them. Where neighbours are far apart there is an
opening, or a stud is missing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..broadphase import components
from ..structure import Floats
from . import table
from .joints import Joints
from .lines import Bays, find_bays, once

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Members that wall sheathing is nailed to.
UPRIGHTS = (
    "Stud", "KingStud", "TrimmerStud", "Cripple", "CornerPost", "Post", "BeamPost", "RidgePost",
    "KingPost",
)  # fmt: skip
#: Members whose rows are frames of posts rather than walls.
_POSTS = ("CornerPost", "Post", "BeamPost", "RidgePost", "KingPost")
_PLATES = ("Plate", "BottomPlate", "TopPlate", "Sill")
_HEADERS = ("Header", "Beam")


@dataclass(frozen=True)
class Walls:
    """Uprights in walls, ``k`` entries (a corner stud may be in two).

    ``member`` and ``wall`` (k,); ``direction`` (walls, 2), horizontal unit vectors; ``origin``
    (walls, 2), a point on each; ``across`` and ``half`` (k,), places along the wall and half
    widths there; ``span`` (k, 2), heights of the ends, m; ``bays`` the neighbours.
    """

    member: Ints
    wall: Ints
    direction: Floats
    origin: Floats
    across: Floats
    half: Floats
    span: Floats
    bays: Bays


@dataclass(frozen=True)
class Gap:
    """A wide gap between uprights of one wall, from the top of one thing to the bottom of another.

    ``first`` and ``second`` are the uprights beside its tallest part; ``width`` on centre and
    ``clear`` there, m; ``low`` and ``high`` its heights, m; ``start`` and ``end`` the clear part
    along the wall, m; ``wall`` its number. ``headers`` close it above; ``on_header`` says
    that one closes it below (a gap between cripples). ``opening`` says whether it
    is one (see :func:`plumbline.checks.timber.engineering.spacing.spacing`). ``line`` goes
    up its middle, ``left`` and ``right`` are the points on the uprights beside that.
    """

    first: int
    second: int
    width: float
    clear: float
    low: float
    high: float
    start: float
    end: float
    wall: int
    headers: tuple[int, ...]
    on_header: bool
    opening: bool
    line: tuple[Floats, Floats]
    left: Floats
    right: Floats


@once
def find_walls(joints: Joints) -> Walls:
    """All walls of a structure."""
    frame, pairs = joints.frame, joints.pairs
    upright = frame.mask(*UPRIGHTS) & frame.upright
    plate = frame.mask("Header", "WindowSill", *_PLATES) & frame.level
    stands = pairs.patch & (np.abs(pairs.normal[:, 2]) >= table.TOP_FACE)
    forward, backward = (
        stands & upright[pairs.i] & plate[pairs.j],
        (stands & upright[pairs.j] & plate[pairs.i]),
    )
    post = np.concatenate([pairs.i[forward], pairs.j[backward]])
    base = np.concatenate([pairs.j[forward], pairs.i[backward]])
    wall_of = _join_plates(joints, post, base, plate)
    entry = np.unique(np.stack([wall_of[base], post], axis=1), axis=0)
    pilots, wall = np.unique(entry[:, 0], return_inverse=True)
    member = entry[:, 1]
    direction = frame.along[pilots, :2]
    size = np.linalg.norm(direction, axis=1, keepdims=True)
    direction = direction / np.maximum(size, 1e-12)
    d = direction[wall.reshape(-1)]
    across = np.einsum("kd,kd->k", frame.center[member, :2], d)
    shadow = np.abs(np.einsum("kad,kd->ka", frame.axes[member, :, :2], d))
    half = np.einsum("ka,ka->k", shadow, frame.half[member])
    low, high = frame.structure.aabb
    span = np.stack([low[member, 2], high[member, 2]], axis=1)
    bays = find_bays(member, wall.reshape(-1), across, half, span)
    origin = frame.center[pilots, :2]
    return Walls(member, wall.reshape(-1), direction, origin, across, half, span, bays)


def _join_plates(joints: Joints, post: Ints, base: Ints, plate: Bools) -> Ints:
    """The lowest plate of each plate's wall, (n,)."""
    frame, pairs = joints.frame, joints.pairs
    touching = plate[pairs.i] & plate[pairs.j] & pairs.connected
    order = np.argsort(post, kind="stable")
    post, base = post[order], base[order]
    # Plates of one upright in turn: bottom to top, and from the lower plate to one beside it.
    same = post[1:] == post[:-1]
    i = np.concatenate([pairs.i[touching], base[:-1][same]])
    j = np.concatenate([pairs.j[touching], base[1:][same]])
    # A header that ends at a king stud is of its wall, also where no trimmer stands under it.
    base_of = np.full(len(frame), -1, dtype=np.intp)
    base_of[post[::-1]] = base[::-1]
    header = frame.mask("Header") & frame.level
    for stud, other in ((pairs.i, pairs.j), (pairs.j, pairs.i)):
        ends = pairs.connected & header[other] & (base_of[stud] >= 0)
        i, j = np.concatenate([i, base_of[stud[ends]]]), np.concatenate([j, other[ends]])
    # With three plates at one stud the first and third may be in line while the second is not.
    same = post[2:] == post[:-2]
    i, j = np.concatenate([i, base[:-2][same]]), np.concatenate([j, base[2:][same]])
    left, right = _over_doors(joints, post, base)
    i, j = np.concatenate([i, left]), np.concatenate([j, right])
    along, apart = frame.along[i, :2], (frame.center[j] - frame.center[i])[:, :2]
    parallel = np.abs(np.einsum("kd,kd->k", along, frame.along[j, :2])) >= table.PARALLEL
    sideways = np.abs(apart[:, 0] * along[:, 1] - apart[:, 1] * along[:, 0])
    # The plies of a header lie at the faces of the wall, its plates in the middle.
    hung = frame.mask("WindowSill", *_HEADERS)
    reach = np.where(hung[i] | hung[j], table.WALL_HALF, table.SAME_LINE)
    joined = parallel & (sideways <= reach)
    return components(len(frame), i[joined], j[joined])


def _over_doors(joints: Joints, post: Ints, base: Ints) -> tuple[Ints, Ints]:
    """Bottom plates on both sides of a door: each has a trimmer on it, and they face each other.

    Under a gable or in an A-frame no plate above joins them once the header is gone.
    """
    frame = joints.frame
    bottom, trimmer = frame.mask("BottomPlate") & frame.level, frame.mask("TrimmerStud")
    plates = np.unique(base[trimmer[post] & bottom[base]])
    i, j = (plates[k] for k in np.triu_indices(len(plates), 1))
    apart = frame.center[j] - frame.center[i]
    gap = np.abs(np.einsum("kd,kd->k", apart, frame.along[i])) - frame.half[i, 0] - frame.half[j, 0]
    facing = (gap > 0.0) & (gap <= table.COURT) & (np.abs(apart[:, 2]) <= table.FASTENED)
    return i[facing], j[facing]


def wall_studs(joints: Joints) -> int:
    """How many studs there are in walls."""
    walls = find_walls(joints)
    studs = joints.frame.mask("Stud", "KingStud", "TrimmerStud", "Cripple")
    return int(studs[np.unique(walls.member)].sum())


@once
def wall_gaps(joints: Joints) -> tuple[Gap, ...]:
    """All gaps wider than the spacing, or with more than 640 mm clear, that belong to a check."""
    walls, frame = find_walls(joints), joints.frame
    asked = joints.brief.spacing
    limit = (table.SPACING if asked is None else asked) + table.SPACING_TOLERANCE + table.SLACK
    bays = walls.bays
    wide = (bays.width > limit) | (bays.clear > table.OPENING + table.SLACK)
    posts = frame.mask(*_POSTS)
    wide &= ~(posts[bays.first] & posts[bays.second])
    wide &= bays.high - bays.low >= table.BAY_STRETCH
    bays = bays.take(wide)
    crossing = _Crossing(joints, walls)
    gaps: list[Gap] = []
    parts = [part for b in range(len(bays)) for part in crossing.cut(bays, b)]
    for region in _regions(parts):
        gap = crossing.gap(region)
        if gap is not None:
            gaps.append(gap)
    return tuple(gaps)


@dataclass(frozen=True)
class _Part:
    """Part of a wide bay between things that cross it: indices of those above and below."""

    first: int
    second: int
    width: float
    clear: float
    start: float
    end: float
    low: float
    high: float
    wall: int
    above: tuple[int, ...]
    below: tuple[int, ...]

    @property
    def tall(self) -> float:
        return self.high - self.low

    def meets(self, other: _Part) -> bool:
        """Whether two parts are one hole: they overlap along the wall and touch in height."""
        beside = min(self.end, other.end) - max(self.start, other.start)
        touch = min(self.high, other.high) - max(self.low, other.low)
        return beside > table.CONTACT and touch >= -table.FASTENED


class _Bar(NamedTuple):
    """A level member in a wall: heights and ends along the wall, m."""

    low: float
    high: float
    member: int
    start: float
    end: float


class _Crossing:
    """Headers, beams and window sills that cross gaps of walls."""

    def __init__(self, joints: Joints, walls: Walls) -> None:
        frame = joints.frame
        self.joints, self.walls = joints, walls
        self.bars: dict[int, list[_Bar]] = {}
        self.member = np.flatnonzero(frame.mask("WindowSill", *_HEADERS) & frame.level)
        self.sill = frame.mask("WindowSill")
        self.trimmer = frame.mask("TrimmerStud")
        #: Where the far face of each upright in each wall is, m.
        self.face = {
            (int(walls.wall[k]), int(walls.member[k])): float(walls.across[k] + walls.half[k])
            for k in range(len(walls.member))
        }

    def cut(self, bays: Bays, b: int) -> list[_Part]:
        """What crosses bay ``b`` leaves these parts of it open; none where a header ends in it."""
        wall, first, second = int(bays.row[b]), int(bays.first[b]), int(bays.second[b])
        start = self.face[wall, first]
        end = start + float(bays.clear[b])
        bottom, top = float(bays.low[b]), float(bays.high[b])
        bars, header_ends = self._between(wall, start, end, bottom, top)
        if header_ends:
            return []
        parts = []
        below: tuple[int, ...] = ()
        floor = bottom
        for bar in [*bars, _Bar(top, top, -1, start, end)]:
            above = tuple(
                other.member for other in bars if abs(other.low - bar.low) <= table.HEADER_OFF
            )
            if min(bar.low, top) - floor >= table.BAY_STRETCH:
                parts.append(
                    _Part(first, second, float(bays.width[b]), float(bays.clear[b]), start, end,
                          floor, min(bar.low, top), wall, above, below)
                )  # fmt: skip
            if bar.member >= 0 and bar.high >= floor - table.HEADER_OFF:
                floor, below = max(floor, bar.high), (bar.member,)
        return parts

    def _between(
        self, wall: int, start: float, end: float, low: float, high: float
    ) -> tuple[list[_Bar], bool]:
        """What crosses the rectangle in this wall, or closes it just above or below.

        Also whether a header ends in the middle of it, held by no king stud: that is a fault of
        the opening beside this bay, which is named there.
        """
        found, header_ends = [], False
        for bar in self._bars(wall):
            shared = min(bar.end, end) - max(bar.start, start)
            near = bar.low <= high + table.HEADER_OFF and bar.high >= low - table.HEADER_OFF
            if not near or shared <= table.FASTENED:
                continue
            across = shared >= table.HEADER_COVERS * (end - start)
            if bar.high <= low + table.HEADER_OFF:
                # Below the gap lies a header that cripples stand on: it reaches both kings.
                across = shared >= end - start - table.HEADER_OFF
            if across:
                found.append(bar)
            elif not self.sill[bar.member]:
                header_ends = True
        return found, header_ends

    def _bars(self, wall: int) -> list[_Bar]:
        """Headers, beams and window sills in the plane of a wall."""
        if wall not in self.bars:
            frame, member = self.joints.frame, self.member
            d, origin = self.walls.direction[wall], self.walls.origin[wall]
            offset = frame.center[member, :2] - origin
            lateral = np.abs(offset[:, 0] * d[1] - offset[:, 1] * d[0])
            parallel = np.abs(frame.along[member, :2] @ d) >= table.PARALLEL
            member = member[parallel & (lateral <= table.WALL_HALF)]
            middle, reach = frame.center[member, :2] @ d, frame.half[member, 0]
            low, high = (bound[member, 2] for bound in frame.structure.aabb)
            columns = (low, high, member, middle - reach, middle + reach)
            rows = zip(*(column.tolist() for column in columns), strict=True)
            self.bars[wall] = sorted(_Bar(*row) for row in rows)
        return self.bars[wall]

    def gap(self, region: list[_Part]) -> Gap | None:
        """The gap that the parts of one hole make, ``None`` where it is no check's business."""
        main = max(region, key=lambda part: part.tall)
        above = [m for part in region for m in part.above]
        below = [m for part in region for m in part.below]
        headers = tuple(dict.fromkeys(m for m in above if not self.sill[m]))
        if not headers and any(self.sill[m] for m in above):
            return None
        sides = [side for part in region for side in (part.first, part.second)]
        framed = any(self.trimmer[side] for side in sides)
        on_header = any(not self.sill[m] for m in below)
        opening = bool(headers) or (not on_header and (framed or any(self.sill[m] for m in below)))
        height, middle = 0.5 * (main.low + main.high), 0.5 * (main.start + main.end)
        return Gap(
            main.first, main.second, main.width, main.clear,
            min(part.low for part in region), max(part.high for part in region),
            main.start, main.end, main.wall, headers, on_header, opening,
            (self._point(main.wall, middle, main.low), self._point(main.wall, middle, main.high)),
            self._point(main.wall, main.start, height),
            self._point(main.wall, main.end, height),
        )  # fmt: skip

    def _point(self, wall: int, along: float, height: float) -> Floats:
        d, origin = self.walls.direction[wall], self.walls.origin[wall]
        plan = origin + (along - float(origin @ d)) * d
        return np.array([plan[0], plan[1], height])


def _regions(parts: Iterable[_Part]) -> list[list[_Part]]:
    """Parts in holes: those of one wall that meet each other."""
    out: list[list[_Part]] = []
    current: list[list[_Part]] = []
    wall, reached = -1, -np.inf
    for part in sorted(parts, key=lambda p: (p.wall, p.start)):
        if part.wall != wall or part.start > reached:
            out += current
            current, wall, reached = [], part.wall, -np.inf
        joined = [part]
        rest = []
        for region in current:
            if any(part.meets(other) for other in region):
                joined += region
            else:
                rest.append(region)
        current = [*rest, joined]
        reached = max(reached, part.end)
    return out + current


__all__ = ["UPRIGHTS", "Gap", "Walls", "find_walls", "wall_gaps", "wall_studs"]
