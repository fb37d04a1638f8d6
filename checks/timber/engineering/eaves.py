# SPDX-License-Identifier: GPL-3.0-or-later
"""The edges of roof planes: where their last rafters stand, and what is beyond.

Between two rafters of a plane there is a bay (:mod:`.lines`). Beyond the last one on a plate or
ridge there is a hip or valley, or the end of both, at the gable.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .joints import Joints
from .lines import HIPS, Rows, carrier_lines, once, rafter_rows

Ints = NDArray[np.intp]


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
    """A sloped member on a line of level carriers: station along it and half width there, m."""

    member: int
    carrier: int
    station: float
    half: float
    spot: Floats


@once
def edges(joints: Joints) -> tuple[tuple[EdgeBay, ...], tuple[EndStrip, ...]]:
    """Edge bays and end strips of all roof planes."""
    rows = rafter_rows(joints)
    seats, directions = _seats(joints, rows)
    bays: list[EdgeBay] = []
    beyond: dict[tuple[int, int], list[EndStrip]] = {}
    row_of = dict(zip(rows.member.tolist(), rows.row.tolist()))  # noqa: B905
    for line, on_line in seats.items():
        planes: dict[int, list[_Seat]] = {}
        for seat in on_line:
            if seat.member in row_of:
                planes.setdefault(row_of[seat.member], []).append(seat)
        for plane in planes.values():
            for sign in (-1, 1):
                last = max(plane, key=lambda s: sign * s.station)
                following = _following(joints, on_line, last, sign)
                if following is None:
                    end = _end(joints, last.carrier, line, directions[line], sign)
                    gap = sign * (end - last.station) - last.half
                    spot = last.spot + sign * (last.half + 0.5 * gap) * directions[line]
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


def _seats(joints: Joints, rows: Rows) -> tuple[dict[int, list[_Seat]], dict[int, Floats]]:
    """Rafters, hips and valleys on each line of level carriers, and the lines' directions."""
    frame, supports = joints.frame, joints.supports
    lines = carrier_lines(joints)
    sloped = frame.sloped & frame.mask("Rafter", "JackRafter", *HIPS)
    hit = np.flatnonzero(sloped[supports.carried] & frame.level[supports.carrier])
    seats: dict[int, list[_Seat]] = {}
    directions: dict[int, Floats] = {}
    width = frame.axes[:, 2]
    for row in hit:
        member, carrier = int(supports.carried[row]), int(supports.carrier[row])
        line = int(lines[carrier])
        d = directions.setdefault(line, frame.along[line])
        spot = supports.spot[row]
        half = float(frame.half[member, 2] * abs(width[member] @ d))
        seats.setdefault(line, []).append(_Seat(member, carrier, float(spot @ d), half, spot))
    return seats, directions


def _following(joints: Joints, on_line: list[_Seat], last: _Seat, sign: int) -> _Seat | None:
    """The next hip, valley or rafter of the same direction beyond the last rafter of a plane."""
    frame = joints.frame
    hips = frame.mask(*HIPS)
    uphill = frame.along[last.member, :2]
    found = [
        seat
        for seat in on_line
        if sign * (seat.station - last.station) > table.CONTACT
        and (hips[seat.member] or frame.along[seat.member, :2] @ uphill > 0)
    ]
    return min(found, key=lambda s: sign * s.station) if found else None


def _end(joints: Joints, carrier: int, line: int, direction: Floats, sign: int) -> float:
    """Where a line of carriers ends, of the pieces as high as this one, m along it."""
    frame = joints.frame
    same = carrier_lines(joints) == line
    same &= np.abs(frame.center[:, 2] - frame.center[carrier, 2]) <= table.SAME_LINE
    ends = sign * (frame.center[same] @ direction) + frame.half[same, 0]
    return float(sign * ends.max())
