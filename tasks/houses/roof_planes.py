# SPDX-License-Identifier: GPL-3.0-or-later
"""The planes of a roof, found from its rafters alone: what each covers in plan, exactly bordered.

Rafters whose top edges lie in one plane and that stand side by side cover a field. Where two planes
meet within reach of their rafters' ends, both fields end on the line where they do: at ridges,
hips and valleys, whatever the ends of the rafters were cut to.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from ...checks.timber.roles import Roles
from ...checks.timber.structure import Floats, TimberStructure

#: Rafters farther apart than this have no roof between them, m: 610 mm on centre and some slack.
WIDEST_BAY = 0.80
#: Rafters nearer than this in one plane are one line: doubled, or lapped beside each other, m.
ONE_LINE = 0.10
#: How far the end of a rafter may be from the line where its plane meets another, in plan, m.
REACH = 0.40
#: How far a plane's border may be from the rafters of the plane that it meets there, m.
NEAR = 0.90
#: How far a hip or valley may run on beyond the last jack rafter, in plan, m.
RUN_ON = 1.30
#: A field narrower than this is none, m.
NARROW = 0.01
#: Planes closer than this in slope (sine) and height (m) are one.
_SAME_SLOPE, _SAME_HEIGHT = 0.01, 0.04
_FLATTEST = 0.03


@dataclass(frozen=True)
class Plane:
    """z = ``base`` + ``slope`` * s, where s runs along ``up`` (2,), the plan direction upwards."""

    up: Floats
    slope: float
    base: float

    @property
    def level(self) -> Floats:
        """Plan direction along the eaves, (2,)."""
        return np.array([-self.up[1], self.up[0]])

    def height(self, points: Floats) -> Floats:
        """Height (n,) over plan ``points`` (n, 2), m."""
        return np.asarray(self.base + self.slope * (points @ self.up), float)

    def point(self, t: float, s: float) -> Floats:
        """Plan place (2,) at ``t`` along the eaves and ``s`` upwards."""
        return t * self.level + s * self.up

    def meets(self, other: Plane) -> tuple[float, float] | None:
        """Where this plane meets another: s = a + b t; ``None`` where it runs along with it."""
        across = self.slope - other.slope * float(other.up @ self.up)
        if abs(across) < _SAME_SLOPE:
            return None
        a = (other.base - self.base) / across
        return a, other.slope * float(other.up @ self.level) / across


@dataclass(frozen=True)
class Field:
    """A part of a plane that rafters cover: ``outline`` (n, 2), in plan, counter-clockwise."""

    plane: Plane
    outline: Floats

    @property
    def corners(self) -> Floats:
        """The outline in space, (n, 3), m."""
        return np.column_stack([self.outline, self.plane.height(self.outline)])

    def covers(self, points: Floats) -> NDArray[np.bool_]:
        """Which plan ``points`` (n, 2) lie within the outline, (n,)."""
        return inside(points, self.outline)


@dataclass(frozen=True)
class _Station:
    """A line up the slope at ``t``, from ``low`` to ``high``; ``met``: the planes at its ends."""

    t: float
    low: float
    high: float
    met_low: int = -1
    met_high: int = -1


def roof_fields(structure: TimberStructure, roles: Roles) -> tuple[Field, ...]:
    """The fields of all planes that common and jack rafters lie in, in the order of the planes."""
    rafters = np.flatnonzero(roles.mask("Rafter", "JackRafter"))
    steep = np.abs(structure.axes[rafters, 0, 2]) if len(rafters) else np.zeros(0)
    rafters = rafters[(steep > _FLATTEST) & (steep < 0.999)]
    planes, ends = _planes(structure, rafters)
    groups = [np.flatnonzero(ends[:, 4] == k) for k in range(len(planes))]
    fields = []
    for k, plane in enumerate(planes):
        for chain in _chains(ends[groups[k]]):
            stations = _Borders(planes, [ends[g] for g in groups], k).close(chain)
            for part in _pinched(stations):
                outline = _outline(plane, part)
                if len(outline) >= 3:
                    fields.append(Field(plane, outline))
    return tuple(fields)


def _planes(structure: TimberStructure, rafters: NDArray[np.intp]) -> tuple[list[Plane], Floats]:
    """Planes of the rafters' top edges, and of each rafter (t, low, high, half width, plane)."""
    planes: list[Plane] = []
    ends = np.zeros((len(rafters), 5))
    for row, i in enumerate(rafters):
        axis = structure.axes[i, 0] * np.sign(structure.axes[i, 0, 2])
        deep = 1 if abs(structure.axes[i, 1, 2]) > abs(structure.axes[i, 2, 2]) else 2
        normal = structure.axes[i, deep] * np.sign(structure.axes[i, deep, 2])
        top = structure.center[i] + normal * structure.half[i, deep]
        run = float(np.hypot(axis[0], axis[1]))
        up, slope = axis[:2] / run, float(axis[2]) / run
        found = Plane(up, slope, float(top[2] - slope * (top[:2] @ up)))
        k = next((k for k, plane in enumerate(planes) if _same(plane, found, top[:2])), None)
        if k is None:
            k = len(planes)
            planes.append(found)
        plane = planes[k]
        reach = structure.half[i, 0] * run
        s = float(top[:2] @ plane.up)
        ends[row] = (top[:2] @ plane.level, s - reach, s + reach, structure.half[i, 3 - deep], k)
    return planes, ends


def _same(one: Plane, other: Plane, where: Floats) -> bool:
    point = where[None]
    return (
        float(one.up @ other.up) > 1.0 - _SAME_SLOPE**2
        and abs(one.slope - other.slope) < _SAME_SLOPE * (1.0 + one.slope**2)
        and abs(float(one.height(point)[0] - other.height(point)[0])) < _SAME_HEIGHT
    )


def _chains(ends: Floats) -> list[list[_Station]]:
    """Lines of rafters that follow each other along the eaves, from one side to the other.

    The first and last station of each is the outer face of its rafter.
    """
    lines: list[list[list[float]]] = []  # by t: intervals (t, low, high, half width, last t)
    for t, low, high, half, _ in ends[np.argsort(ends[:, 0], kind="stable")]:
        if lines and t - lines[-1][0][0] < ONE_LINE:
            near = [i for i in lines[-1] if low <= i[2] + WIDEST_BAY and high >= i[1] - WIDEST_BAY]
            if near:
                near[0][1:] = [min(near[0][1], low), max(near[0][2], high), half, t]
                continue
            lines[-1].append([t, low, high, half, t])
        else:
            lines.append([[t, low, high, half, t]])
    open_: list[list[list[float]]] = []
    done: list[list[list[float]]] = []
    for line in lines:
        for chain in [c for c in open_ if line[0][0] - c[-1][0] > WIDEST_BAY]:
            open_.remove(chain)
            done.append(chain)
        for interval in line:
            overlaps = [
                (min(interval[2], c[-1][2]) - max(interval[1], c[-1][1]), -n)
                for n, c in enumerate(open_)
                if c[-1][0] < interval[0] - 1e-9
            ]
            best = max(overlaps, default=(0.0, 0))
            if best[0] > 0.0:
                open_[-best[1]].append(interval)
            else:
                open_.append([interval])
    chains = []
    for chain in [*done, *open_]:
        stations = [_Station(t, low, high) for t, low, high, *_ in chain]
        first, last = stations[0], stations[-1]
        stations.insert(0, replace(first, t=first.t - chain[0][3]))
        stations.append(replace(last, t=chain[-1][4] + chain[-1][3]))
        chains.append(stations)
    return chains


class _Borders:
    """Closes the fields of plane ``own`` where it meets the others."""

    def __init__(self, planes: Sequence[Plane], ends: Sequence[Floats], own: int) -> None:
        self.planes, self.ends, self.own = planes, ends, own
        self.plane = planes[own]
        lines = {k: self.plane.meets(plane) for k, plane in enumerate(planes) if k != own}
        self.lines = {k: line for k, line in lines.items() if line is not None}
        self.along = {
            k: abs(float(self.plane.up @ planes[k].up)) > 1.0 - _SAME_SLOPE for k in self.lines
        }

    def close(self, chain: list[_Station]) -> list[_Station]:
        """The stations with their ends on the lines where planes meet, and what lies between."""
        stations = [self._snapped(station) for station in chain]
        stations = self._ended(stations[::-1])[::-1]
        stations = self._ended(stations)
        found = stations[:1]
        for station in stations[1:]:
            found += self._between(found[-1], station)
            found.append(station)
        return found

    def _snapped(self, station: _Station) -> _Station:
        low, met_low = self._nearest(station.t, station.low)
        high, met_high = self._nearest(station.t, station.high)
        if met_low == met_high >= 0:  # a short jack rafter: only one of its ends is there
            if abs(low - station.low) < abs(high - station.high):
                high, met_high = station.high, -1
            else:
                low, met_low = station.low, -1
        if low > high:
            low = high = 0.5 * (low + high)
        return _Station(station.t, low, high, met_low, met_high)

    def _nearest(self, t: float, s: float) -> tuple[float, int]:
        """The nearest line that this end of a rafter may end on."""
        best, met = REACH, -1
        for k, (a, b) in self.lines.items():
            off = abs(a + b * t - s)
            if off < best and self._is_near(k, self.plane.point(t, a + b * t)):
                best, met = off, k
        if met < 0:
            return s, -1
        a, b = self.lines[met]
        return a + b * t, met

    def _is_near(self, k: int, point: Floats) -> bool:
        """Whether a plan point is near the rafters of plane ``k``."""
        plane, ends = self.planes[k], self.ends[k]
        t, s = float(point @ plane.level), float(point @ plane.up)
        beside = np.abs(ends[:, 0] - t)
        beyond = np.maximum(np.maximum(ends[:, 1] - s, s - ends[:, 2]), 0.0)
        return bool((np.hypot(beside, beyond) < NEAR).any())

    def _ended(self, stations: list[_Station]) -> list[_Station]:
        """The last station and, if a hip or valley runs on, the point where it ends."""
        last, before = stations[-1], stations[-2]
        way = np.sign(last.t - before.t) or 1.0
        for end, other, met in (
            (last.high, last.low, last.met_high),
            (last.low, last.high, last.met_low),
        ):
            if met < 0 or self.along[met] or abs(end - other) < 1e-3:
                continue
            a, b = self.lines[met]
            if abs(b) < 1e-6:
                continue
            t = (other - a) / b
            if 0.0 < (t - last.t) * way <= RUN_ON:
                return [*stations, _Station(t, other, other, last.met_low, last.met_high)]
        return stations

    def _between(self, one: _Station, other: _Station) -> list[_Station]:
        """Corners of the border between two stations, where it turns from one line to another."""
        found = []
        for top in (False, True):
            t = self._turn(one, other, top)
            if t is not None and one.t + 1e-6 < t[0] < other.t - 1e-6:
                share = (t[0] - one.t) / (other.t - one.t)
                low = one.low + share * (other.low - one.low)
                high = one.high + share * (other.high - one.high)
                new = (t[0], low, t[1]) if top else (t[0], t[1], high)
                found.append(_Station(*new))
        return sorted(found, key=lambda station: station.t)

    def _turn(self, one: _Station, other: _Station, top: bool) -> tuple[float, float] | None:
        """Where the border turns: (t, s); a border on no line stays level."""
        met = (one.met_high, other.met_high) if top else (one.met_low, other.met_low)
        if met[0] == met[1]:
            return None
        ends = (one.high, other.high) if top else (one.low, other.low)
        (a, b), (c, d) = (
            self.lines[k] if k >= 0 else (s, 0.0) for k, s in zip(met, ends, strict=True)
        )
        if abs(b - d) < 1e-9:
            return None
        t = (c - a) / (b - d)
        return t, a + b * t


def _pinched(stations: Sequence[_Station]) -> Iterator[Sequence[_Station]]:
    """The stations cut where the field has no width, as where two valleys meet at the ridge."""
    start = 0
    for i, station in enumerate(stations):
        if 0 < i < len(stations) - 1 and station.high - station.low < NARROW:
            yield stations[start : i + 1]
            start = i
    yield stations[start:]


def _outline(plane: Plane, stations: Sequence[_Station]) -> Floats:
    """The border in plan, counter-clockwise, without points on a straight line."""
    border = [(s.t, s.low) for s in stations] + [(s.t, s.high) for s in reversed(stations)]
    points = np.array([plane.point(t, s) for t, s in border])
    points = straightened(points)
    return points if signed_area(points) > 0 else points[::-1]


def straightened(points: Floats, slack: float = 0.004) -> Floats:
    """A closed line (n, 2) without doubled points and those within ``slack`` of a straight line."""
    kept = list(points)
    changed = True
    while changed and len(kept) > 2:
        changed = False
        for i in range(len(kept)):
            before, here, after = kept[i - 1], kept[i], kept[(i + 1) % len(kept)]
            way = after - before
            length = float(np.hypot(*way))
            off = here - before
            apart = abs(way[0] * off[1] - way[1] * off[0]) / length if length > 1e-9 else 0.0
            if apart < slack:
                del kept[i]
                changed = True
                break
    return np.array(kept).reshape(-1, 2)


def signed_area(points: Floats) -> float:
    """Area of a closed line (n, 2), m2: positive if it runs counter-clockwise."""
    x, y = points.T if len(points) else np.zeros((2, 1))
    return 0.5 * float(x @ np.roll(y, -1) - y @ np.roll(x, -1))


def inside(points: Floats, outline: Floats) -> NDArray[np.bool_]:
    """Which ``points`` (n, 2) a closed line (m, 2) goes round, (n,): even-odd rule."""
    x, y = points[:, 0, None], points[:, 1, None]
    x0, y0 = outline.T
    x1, y1 = np.roll(outline, -1, axis=0).T
    with np.errstate(divide="ignore", invalid="ignore"):
        crosses = ((y0 > y) != (y1 > y)) & (x < x0 + (y - y0) * (x1 - x0) / (y1 - y0))
    return np.asarray(crosses.sum(axis=1) % 2 == 1)
