# SPDX-License-Identifier: GPL-3.0-or-later
"""Do rafters carry the whole roof?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...result import Finding
from ..broadphase import components
from ..structure import Floats
from . import table
from .areas import cells
from .eaves import EndStrip, edges
from .joints import BELOW, SEAT, Joints
from .lines import Bays, Rows, bounded, on_members, rafter_rows
from .outcome import Outcome, metres, place, point

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_CHECK = "roof_coverage"
_CLAUSE = "IRC R802.4"


@dataclass(frozen=True)
class _Planes:
    """Roof planes: number of each member (n,), and covered and open area of each plane, m2."""

    of: Ints
    covered: Floats
    open: Floats

    @property
    def share(self) -> Floats:
        total = self.covered + self.open
        return self.covered / np.where(total > 0, total, 1.0)


def roof_coverage(joints: Joints) -> Outcome:
    """Strips between rafters at most 610 mm apart cover 98 % of each roof plane in plan.

    A plane is made of commons and jacks that neighbour each other at one height and slope; hips
    and valleys bound it. Its plan is that of all bays between them and, at gables, of the strip by
    which both the plate and the ridge go on beyond the last rafter. Every open strip of a plane
    that is covered too little is one finding. A ridge that no post carries and that rafters meet
    on one side only has a plane missing on the other.
    """
    rows = rafter_rows(joints)
    limit = table.COVER_SPACING + table.SPACING_TOLERANCE
    wide = rows.bays.width > limit + table.SLACK
    valid = ~wide
    valid[wide] = bounded(joints, rows, rows.bays.take(wide), 1)
    bays = rows.bays.take(valid)
    wide = bays.width > limit + table.SLACK
    strips = edges(joints)[1]
    planes = _planes(joints, rows, bays, wide, strips)
    short = planes.share < table.COVER_SHARE
    findings = list(_open_bays(joints, rows, bays, wide, planes, short))
    findings += [
        _end_strip(joints, strip, float(planes.share[planes.of[strip.rafter]]))
        for strip in strips
        if short[planes.of[strip.rafter]]
    ]
    findings += _one_sided(joints)
    count = len(np.unique(planes.of[rows.member]))
    used = planes.covered + planes.open > 0
    figures = {
        "planes": count,
        "least_share": float(planes.share[used].min()) if used.any() else None,
        "plan_area": float((planes.covered + planes.open).sum()),
    }
    return Outcome(count, tuple(findings), figures, "no rafters")


def _planes(
    joints: Joints, rows: Rows, bays: Bays, wide: Bools, strips: tuple[EndStrip, ...]
) -> _Planes:
    """Planes with the areas of their bays and end strips."""
    n = len(joints.frame)
    of = components(n, bays.first, bays.second)
    area = np.maximum(bays.width, 0.0) * (bays.high - bays.low)
    plane = of[bays.first]
    covered, empty = np.zeros(n), np.zeros(n)
    np.add.at(covered, plane[~wide], area[~wide])
    np.add.at(empty, plane[wide], area[wide])
    length = np.zeros(n)
    length[rows.member] = rows.span[:, 1] - rows.span[:, 0]
    for strip in strips:
        empty[of[strip.rafter]] += strip.width * length[strip.rafter]
    return _Planes(of, covered, empty)


def _open_bays(
    joints: Joints, rows: Rows, bays: Bays, wide: Bools, planes: _Planes, short: Bools
) -> Iterator[Finding]:
    names = joints.frame.names
    named = bays.take(wide & short[planes.of[bays.first]])
    start = np.stack(on_members(joints, rows, named, 0.0), axis=1)
    end = np.stack(on_members(joints, rows, named, 1.0), axis=1)
    seen: set[tuple[int, int]] = set()
    for b in np.argsort(named.low - named.high, kind="stable"):
        pair = int(named.first[b]), int(named.second[b])
        if pair in seen:
            continue
        seen.add(pair)
        line = start[b].mean(axis=0), end[b].mean(axis=0)
        share = float(planes.share[planes.of[pair[0]]])
        first, second = names[pair[0]], names[pair[1]]
        middle = 0.5 * (line[0] + line[1])
        yield Finding(
            _CHECK,
            f"place between {first} and {second}",
            f"The strip between {first} and {second} is {metres(float(named.width[b]))} wide, so "
            f"only {share:.1%} of this roof plane lies between rafters at most 610 mm apart; put a "
            f"rafter between them, at {place(middle)} m.",
            subject_kind="place",
            related=(first, second),
            measured=share,
            limit=table.COVER_SHARE,
            unit="1",
            margin=share - table.COVER_SHARE,
            location=point(middle),
            clause=_CLAUSE,
            detail={
                "line": [list(point(p)) for p in line],
                "outline": [list(point(p)) for p in (*start[b], *end[b][::-1])],
                "cells": _between(joints, pair, np.stack([start[b], end[b]], axis=1)),
            },
        )


def _end_strip(joints: Joints, strip: EndStrip, share: float) -> Finding:
    frame = joints.frame
    name, carrier = frame.names[strip.rafter], frame.names[strip.carrier]
    ends = frame.end(np.array([strip.rafter] * 2), np.array([-1.0, 1.0]))
    shift = strip.spot - frame.center[strip.rafter]
    along = frame.along[strip.carrier]
    ends = ends + (shift @ along) * along
    return Finding(
        _CHECK,
        f"place beyond {name} at {place(strip.spot)}",
        f"{carrier} goes on {metres(strip.width)} beyond {name}, the last rafter, so only "
        f"{share:.1%} of this roof plane is covered; put a rafter at its end, near "
        f"{place(strip.spot)} m.",
        subject_kind="place",
        related=(name, carrier),
        measured=share,
        limit=table.COVER_SHARE,
        unit="1",
        margin=share - table.COVER_SHARE,
        location=point(strip.spot),
        clause=_CLAUSE,
        detail={
            "line": [list(point(end)) for end in ends],
            "cells": _beyond(joints, strip),
        },
    )


def _on_top(joints: Joints, rafter: int, lines: Floats) -> Floats:
    """Points of a roof plane, moved from the axes of its rafters to where its boards would lie."""
    return lines + joints.frame.half[rafter, 1] * joints.frame.axes[rafter, 1]


def _between(joints: Joints, pair: tuple[int, int], lines: Floats) -> list[Any]:
    """Cells from face to face of two rafters, whose stretches of axis are ``lines`` (2, 2, 3)."""
    frame = joints.frame
    apart = lines[1, 0] - lines[0, 0]
    sides = []
    for rafter, line, sign in zip(pair, lines, (1.0, -1.0), strict=True):
        across = frame.axes[rafter, 2] * np.sign(frame.axes[rafter, 2] @ apart)
        sides.append(_on_top(joints, rafter, line + sign * frame.half[rafter, 2] * across))
    return cells(*sides)


def _beyond(joints: Joints, strip: EndStrip) -> list[Any]:
    """Cells from the face of the last rafter to the end of its carrier."""
    frame, rafter = joints.frame, strip.rafter
    line = frame.end(np.array([rafter] * 2), np.array([-1.0, 1.0]))
    along = frame.along[strip.carrier]
    along = along * np.sign((strip.spot - frame.center[rafter]) @ along)
    face = _on_top(joints, rafter, line + frame.half[rafter, 2] * along)
    return cells(face, face + strip.width * along)


def _opposite(joints: Joints, ridge: int, rafters: Ints) -> list[Any]:
    """Cells of the plane that is missing opposite to rafters: theirs, mirrored at the ridge."""
    frame = joints.frame
    order = np.argsort(frame.center[rafters] @ frame.along[ridge], kind="stable")
    outer = rafters[order[[0, -1]]]
    if outer[0] == outer[1]:
        return []
    across = frame.axes[ridge, 2]
    sides = []
    for rafter in outer.tolist():
        line = frame.end(np.array([rafter] * 2), np.array([-1.0, 1.0]))
        line = _on_top(joints, rafter, line)
        away = (line - frame.center[ridge]) @ across
        sides.append(line - 2.0 * away[:, None] * across)
    return cells(*sides)


def _one_sided(joints: Joints) -> Iterator[Finding]:
    """Ridges with rafters on one side only, and nothing but rafters to hold them."""
    frame, ends, supports = joints.frame, joints.ends, joints.supports
    ridge = frame.mask("Ridge") & frame.level
    held = (supports.kind == BELOW) | (supports.kind == SEAT)
    ridge[supports.carried[held]] = False
    roofs = frame.mask("Rafter", "JackRafter", "HipRafter") & frame.sloped
    tops = np.flatnonzero(ridge[ends.other] & roofs[ends.member] & (ends.sign > 0))
    board, rafter = ends.other[tops], ends.member[tops]
    offset = frame.center[rafter] - frame.center[board]
    side = np.sign(np.einsum("kd,kd->k", offset, frame.axes[board, 2]))
    for one in np.unique(board):
        here = board == one
        # Hips and the commons at the ends of the ridge run along it, not towards it.
        across = np.abs(np.einsum("kd,kd->k", frame.along[rafter], frame.axes[board, 2])) > 0.2
        sides = side[here & across]
        if len(sides) == 0 or len(np.unique(sides)) > 1:
            continue
        names = [frame.names[m] for m in rafter[here & across]]
        ends_of = frame.end(np.array([one] * 2), np.array([-1.0, 1.0]))
        spot = frame.center[one] - sides[0] * table.SAME_PLACE * frame.axes[one, 2]
        yield Finding(
            _CHECK,
            f"place opposite {names[0]}",
            f"Rafters meet {frame.names[one]} on one side only, and no post carries it; put "
            f"rafters on the other side, at {place(spot)} m.",
            subject_kind="place",
            related=(frame.names[one], *names),
            measured=0.0,
            limit=table.COVER_SHARE,
            unit="1",
            margin=-table.COVER_SHARE,
            location=point(spot),
            clause="IRC R802.3",
            detail={
                "line": [list(point(end)) for end in ends_of],
                "cells": _opposite(joints, int(one), rafter[here & across]),
            },
        )
