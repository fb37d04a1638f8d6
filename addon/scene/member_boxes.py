# SPDX-License-Identifier: GPL-3.0-or-later
"""Where a member goes that a person puts in by hand: plain geometry, in metres. No ``bpy``.

A member lies along a line, has a dressed section, and stands on edge or lies flat. It is given by
the line, or by the room that two other members leave between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from ...checks.timber.lumber import SIZES
from .fitting import Floats

#: A line nearer to plumb than this (cosine to the vertical) makes an upright member.
_PLUMB = 0.999
#: No member is shorter, m.
SHORTEST = 0.01
_SLACK = 1e-6

#: Roles whose members usually lie flat: their wide face is up.
FLAT_ROLES = frozenset(
    {"Sill", "Plate", "BottomPlate", "TopPlate", "WindowSill", "Footing", "Decking"}
    | {"Sheathing", "Subfloor"}
)


class MemberError(ValueError):
    """A member that can't be placed as asked; one sentence with the remedy."""


@dataclass(frozen=True)
class Box:
    """A member: ``center`` (3,), ``axes`` (3, 3) unit rows along length, depth and width, ``size``
    (3,) along them, m."""

    center: Floats
    axes: Floats
    size: Floats

    @property
    def corners(self) -> Floats:
        """Its eight corners, (8, 3), m."""
        signs = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
        return self.center + (0.5 * signs * self.size) @ self.axes

    @property
    def aabb(self) -> tuple[Floats, Floats]:
        """Lowest and highest coordinates, m."""
        corners = self.corners
        return corners.min(axis=0), corners.max(axis=0)


def section(size: str, plies: int = 1) -> tuple[float, float]:
    """Width and depth, m, of ``plies`` members of a nominal size (``2x4``) side by side.

    Raises :class:`MemberError` for a size that there is none of.
    """
    if size not in SIZES:
        raise MemberError(f"there is no lumber of size {size!r}; take one such as 2x4 or 2x10")
    width, depth = SIZES[size]
    return plies * width, depth


def along(
    start: Floats,
    end: Floats,
    width: float,
    depth: float,
    flat: bool = False,
    under: bool = True,
    across: Floats | None = None,
) -> Box:
    """A member whose line runs from ``start`` to ``end``, m.

    On edge its ``depth`` is as near to plumb as it can be, ``flat`` its width. An upright one has
    its depth along ``across`` (default: Y), ``flat`` turns it by a quarter. With ``under`` the line
    is the middle of its underside, otherwise its axis; of an upright one it always is the axis.
    Raises :class:`MemberError` for a line without length.
    """
    start, end = np.asarray(start, float), np.asarray(end, float)
    span = end - start
    length = float(np.linalg.norm(span))
    if not np.isfinite(length) or length < SHORTEST:
        raise MemberError(
            f"a member needs a length of {SHORTEST * 1000:.0f} mm or more: move one of its ends"
        )
    x = span / length
    upright = abs(x[2]) > _PLUMB
    wanted = np.array([0.0, 1.0, 0.0]) if across is None else np.asarray(across, float)
    up = _square_to(x, wanted if upright else np.array([0.0, 0.0, 1.0]))
    side = np.cross(x, up)
    high = width if flat else depth
    center = 0.5 * (start + end) + (0.5 * high * up if under and not upright else 0.0)
    rows = np.array([x, -side, up] if flat else [x, up, side])
    return Box(center, rows, np.array([length, depth, width]))


def _square_to(axis: Floats, wanted: Floats) -> Floats:
    """The unit vector square to ``axis`` that is nearest to ``wanted``."""
    found = wanted - (wanted @ axis) * axis
    if np.linalg.norm(found) < 1e-6:
        other = np.eye(3)[int(np.argmin(np.abs(axis)))]
        found = other - (other @ axis) * axis
    return found / np.linalg.norm(found)


def between(
    first: Box, second: Box, at: Floats, width: float, depth: float, flat: bool = False
) -> Box:
    """A member that fills the room between two others, through the point ``at``, m.

    It runs along the axis (X, Y or Z) on which they are farthest apart, from face to face; where a
    face slopes, one edge of it touches. ``at`` is moved to where both members are. An upright one
    has its depth across the member below it. Raises :class:`MemberError` where there is no room.
    """
    axis, low, high = _apart(first, second)
    others = [i for i in range(3) if i != axis]
    line = np.zeros(3)
    line[axis] = 1.0
    across = _across(low, axis)
    trial = along(np.zeros(3), line, width, depth, flat, under=False, across=across)
    reach = np.abs(0.5 * trial.size[1:] @ trial.axes[1:])
    point = np.array(at, float)
    point[others] = _moved(low, high, point[others], reach[others], others)
    start, end = _room(low, high, point, reach, axis)
    from_, to = point.copy(), point.copy()
    from_[axis], to[axis] = start, end
    return along(from_, to, width, depth, flat, under=False, across=across)


def _apart(first: Box, second: Box) -> tuple[int, Box, Box]:
    """The axis with the widest gap, the member before the gap, and the one behind it."""
    one, other = first.aabb, second.aabb
    gaps = np.maximum(other[0] - one[1], one[0] - other[1])
    axis = int(np.argmax(gaps))
    if gaps[axis] < SHORTEST:
        raise MemberError(
            "there is no room between the two selected members: they touch or overlap; move one "
            "away or select two others"
        )
    if one[1][axis] < other[0][axis]:
        return axis, first, second
    return axis, second, first


def _across(box: Box, axis: int) -> Floats:
    """Across a member: the direction square to ``axis`` in which it is shorter."""
    low, high = box.aabb
    extent = high - low
    extent[axis] = np.inf
    return np.eye(3)[int(np.argmin(extent))]


def _moved(a: Box, b: Box, at: Floats, reach: Floats, others: list[int]) -> Floats:
    """``at`` in the plane across the gap, moved to where both members are."""
    low = np.maximum(a.aabb[0], b.aabb[0])[others]
    high = np.minimum(a.aabb[1], b.aabb[1])[others]
    if (high - low < _SLACK).any():
        raise MemberError(
            "the two selected members don't face each other: select two that lie over, under or "
            "opposite one another"
        )
    narrow = high - low < 2.0 * reach
    middle = 0.5 * (low + high)
    return np.where(
        narrow,
        middle,
        np.clip(at, np.minimum(low + reach, middle), np.maximum(high - reach, middle)),
    )


def _room(a: Box, b: Box, point: Floats, reach: Floats, axis: int) -> tuple[float, float]:
    """From where to where a section stays clear of both members, along ``axis``."""
    starts = [hit[1] for line in _lines(a, point, reach, axis) if (hit := _hit(a, line, axis))]
    ends = [hit[0] for line in _lines(b, point, reach, axis) if (hit := _hit(b, line, axis))]
    if not starts or not ends or min(ends) - max(starts) < SHORTEST:
        raise MemberError(
            "there is no room for this section between the two selected members: choose a smaller "
            "one, or move the 3D cursor to where they face each other"
        )
    return max(starts), min(ends)


def _lines(box: Box, point: Floats, reach: Floats, axis: int) -> Iterator[Floats]:
    """Points of a section through which lines along ``axis`` may hit ``box`` first or last: its
    corners and middle lines, moved onto the box where it is narrower than the section."""
    low, high = box.aabb
    inside = 1e-3 * np.minimum(high - low, reach)  # on an edge itself a line hits or misses
    choices = []
    for i in range(3):
        wanted = point[i] + np.array([0.0] if i == axis else [-reach[i], 0.0, reach[i]])
        choices.append(
            wanted if i == axis else np.clip(wanted, low[i] + inside[i], high[i] - inside[i])
        )
    yield from (np.array(line) for line in product(*choices))


def _hit(box: Box, point: Floats, axis: int) -> tuple[float, float] | None:
    """Where a line along ``axis`` through ``point`` enters and leaves a box, by that coordinate."""
    origin = point.copy()
    origin[axis] = 0.0
    local = box.axes @ (origin - box.center)
    step = box.axes[:, axis]
    near, far = -np.inf, np.inf
    for position, slope, half in zip(local, step, 0.5 * box.size, strict=True):
        if abs(slope) < 1e-9:
            if abs(position) > half + _SLACK:
                return None
            continue
        one, other = sorted(((-half - position) / slope, (half - position) / slope))
        near, far = max(near, one), min(far, other)
    return (near, far) if near <= far else None


def row(spacing: float, count: int | None = None, length: float | None = None) -> list[float]:
    """How far each copy of a row is from the first, m: ``count`` of them, or up to ``length``.

    Given a length the last copy stands exactly there, as the last stud of a wall does, however
    narrow the bay before it. Raises :class:`MemberError` for a row that makes no copy, or too many.
    """
    if not spacing > SHORTEST:
        raise MemberError(f"the spacing must be more than {SHORTEST * 1000:.0f} mm")
    if length is None:
        places = [spacing * (i + 1) for i in range(max(0, count or 0))]
    else:
        whole = int((length - _SLACK) / spacing) if length > _SLACK else 0
        _not_too_many(whole)
        places = [spacing * (i + 1) for i in range(whole)]
        places += [length] if length > SHORTEST else []
    if not places:
        raise MemberError("the row has no copies: give it a longer length or a larger count")
    _not_too_many(len(places))
    return places


#: Copies that one row may have.
MOST_COPIES = 500


def _not_too_many(number: int) -> None:
    if number > MOST_COPIES:
        raise MemberError(f"a row may have {MOST_COPIES} copies, not {number:,}: widen the spacing")


def next_name(role: str, taken: Iterable[str]) -> str:
    """``Stud_07``: the role with the first number above all those of this role."""
    return f"{role}_{highest(role, taken) + 1:02d}"


def highest(role: str, taken: Iterable[str]) -> int:
    """The highest number that a name of this role has, 0 if there is none."""
    pattern = re.compile(rf"{re.escape(role)}_(\d{{1,6}})(?:\.\d+)?")
    found = (pattern.fullmatch(name) for name in taken)
    return max((int(match[1]) for match in found if match), default=0)
