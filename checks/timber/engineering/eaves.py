# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of roof planes: where their last rafters stand, and what is beyond.

Between two rafters of a plane there is a bay (:mod:`.lines`). Beyond the last one on a plate or
ridge there is a hip or valley, or the end of both, at the gable.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot

import numpy as np

from ..structure import Floats
from . import table
from .joints import Joints
from .lines import HIPS, carrier_lines, once, rafter_rows


@dataclass(frozen=True)
class EdgeBay:
    """A rafter and the hip or valley beside it on one carrier: on centre there, m, and where."""

    rafter: int
    hip: int
    width: float
    beside: tuple[Floats, Floats]


@dataclass(frozen=True)
class EndStrip:
    """What plates and ridge go on by beyond the last rafter of a plane: m, on which, and where."""

    rafter: int
    carrier: int
    width: float
    spot: Floats


@dataclass(frozen=True)
class _Seat:
    """A sloped member on a line of level carriers: station along it and half width there, m.

    ``plan_x`` and ``plan_y`` point uphill in plan; ``hip`` says that it is a hip or valley.
    """

    member: int
    carrier: int
    station: float
    half: float
    plan_x: float
    plan_y: float
    hip: bool
    spot: Floats


@once
def edges(joints: Joints) -> tuple[tuple[EdgeBay, ...], tuple[EndStrip, ...]]:
    """Edge bays and end strips of all roof planes."""
    rows = rafter_rows(joints)
    seats = _seats(joints)
    ends = _LineEnds(joints)
    bays: list[EdgeBay] = []
    beyond: dict[tuple[int, int], list[EndStrip]] = {}
    row_of = dict(zip(rows.member.tolist(), rows.row.tolist(), strict=True))
    for line, on_line in seats.items():
        planes: dict[int, list[_Seat]] = {}
        x, y = ends.direction(line)[:2].tolist()
        for seat in on_line:
            # The common at the end of a ridge runs along it and is no neighbour of its hips there.
            across = abs(seat.plan_x * x + seat.plan_y * y) < 0.5 * hypot(seat.plan_x, seat.plan_y)
            if seat.member in row_of and across:
                planes.setdefault(row_of[seat.member], []).append(seat)
        for plane in planes.values():
            for sign in (-1, 1):
                last = max(plane, key=lambda s: sign * s.station)
                following = _following(on_line, last, sign)
                if following is None:
                    gap = ends.beyond(line, last, sign)
                    spot = last.spot + sign * (last.half + 0.5 * gap) * ends.direction(line)
                    strip = EndStrip(last.member, last.carrier, gap, spot)
                    beyond.setdefault((last.member, sign), []).append(strip)
                elif following.member not in row_of:
                    width = abs(following.station - last.station)
                    bays.append(
                        EdgeBay(last.member, following.member, width, (last.spot, following.spot))
                    )
    # Both the plate and the ridge must go on: a plate alone may be that of a wall inside.
    strips = [
        min(found, key=lambda s: s.width) for found in beyond.values() if len(found) >= 2
    ]  # fmt: skip
    wide = [s for s in strips if s.width > table.GABLE_INSET + table.SLACK]
    return tuple(bays), tuple(wide)


def _seats(joints: Joints) -> dict[int, list[_Seat]]:
    """Rafters, hips and valleys on each line of level carriers."""
    frame, supports = joints.frame, joints.supports
    hips = frame.mask(*HIPS)
    sloped = frame.sloped & (frame.mask("Rafter", "JackRafter") | hips)
    hit = np.flatnonzero(sloped[supports.carried] & frame.level[supports.carrier])
    member, carrier = supports.carried[hit], supports.carrier[hit]
    line = carrier_lines(joints)[carrier]
    along = frame.along[line]
    station = np.einsum("kd,kd->k", supports.spot[hit], along)
    half = frame.half[member, 2] * np.abs(np.einsum("kd,kd->k", frame.axes[member, 2], along))
    plan = frame.along[member, :2]
    columns = (line, member, carrier, station, half, plan[:, 0], plan[:, 1], hips[member])
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    seats: dict[int, list[_Seat]] = {}
    for row, spot in zip(rows, supports.spot[hit], strict=True):
        of, who, on, at, wide, plan_x, plan_y, hip = row
        seat = _Seat(who, on, at, wide, plan_x, plan_y, hip, spot)
        seats.setdefault(of, []).append(seat)
    return seats


def _following(on_line: list[_Seat], last: _Seat, sign: int) -> _Seat | None:
    """The next hip, valley or rafter of the same direction beyond the last rafter of a plane."""
    found = [
        seat
        for seat in on_line
        if sign * (seat.station - last.station) > table.CONTACT
        and (seat.hip or seat.plan_x * last.plan_x + seat.plan_y * last.plan_y > 0)
    ]
    return min(found, key=lambda s: sign * s.station) if found else None


class _LineEnds:
    """How far lines of carriers go on beyond a seat."""

    def __init__(self, joints: Joints) -> None:
        self.frame = joints.frame
        lines = carrier_lines(joints)
        self.order = np.argsort(lines, kind="stable")
        self.lines = lines[self.order]

    def direction(self, line: int) -> Floats:
        """Unit vector along a line."""
        return np.asarray(self.frame.along[line])

    def beyond(self, line: int, seat: _Seat, sign: int) -> float:
        """From the face of a seated member to the end of the pieces as high as its carrier, m."""
        frame = self.frame
        first, last = np.searchsorted(self.lines, [line, line + 1])
        pieces = self.order[first:last]
        height = np.abs(frame.center[pieces, 2] - frame.center[seat.carrier, 2])
        pieces = pieces[height <= table.SAME_LINE]
        ends = sign * (frame.center[pieces] @ self.direction(line)) + frame.half[pieces, 0]
        return float(ends.max()) - sign * seat.station - seat.half
