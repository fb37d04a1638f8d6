# SPDX-License-Identifier: GPL-3.0-or-later
"""Rafters that hold each other across a ridge, and the ties that keep their feet together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .cuts import RAFTERS
from .joints import Joints

Ints = NDArray[np.intp]

#: Roles that can tie the feet of a couple together.
TIES = ("CeilingJoist", "RafterTie", "Joist")


@dataclass(frozen=True)
class Couples:
    """Opposing rafters, and the ridge they hold.

    Attributes
    ----------
    left, right
        Member indices of the two rafters, (c,).
    ridge
        Index of the ridge they meet, (c,); without a ridge there is no couple (R802.3).
    station
        Where on the ridge, m from its centre, (c,).
    tied
        Whether pitch and ties let the couple count (R802.3, R802.5.2), bool (c,).
    steep
        Whether the pitch alone would, bool (c,).
    tops
        Rows ``(rafter, ridge, station)`` of every rafter whose top meets a ridge, (t, 3).
    """

    left: Ints
    right: Ints
    ridge: Ints
    station: Floats
    tied: NDArray[np.bool_]
    steep: NDArray[np.bool_]
    tops: Floats


def find_couples(joints: Joints) -> Couples:
    """All couples of a structure, tied or not."""
    tops, side = _tops_at_ridges(joints)
    left, right, ridge, station = _across(tops, side)
    steep = _steep(joints, left) & _steep(joints, right)
    tied = steep & _tied(joints, left, right)
    return Couples(left, right, ridge, station, tied, steep, tops)


def _steep(joints: Joints, rafter: Ints) -> NDArray[np.bool_]:
    """Whether rafters are at least as steep as couples must be."""
    sine = np.abs(joints.frame.along[rafter, 2])
    run = np.sqrt(np.maximum(1.0 - sine**2, 1e-12))
    # Hips lie diagonally: their pitch is measured as that of the planes they join.
    hip = joints.frame.mask("HipRafter", "ValleyRafter")[rafter]
    return sine / np.where(hip, run / np.sqrt(2.0), run) >= table.COUPLE_PITCH - 1e-4


def _tops_at_ridges(joints: Joints) -> tuple[Floats, Floats]:
    """Rows (rafter, ridge, station) and the signed side of the ridge that each comes from, m."""
    frame, ends = joints.frame, joints.ends
    rafter = frame.mask(*RAFTERS) & frame.sloped
    ridge = frame.mask("Ridge") & frame.level
    hit = rafter[ends.member] & ridge[ends.other] & (ends.sign > 0)
    member, board, spot = ends.member[hit], ends.other[hit], ends.spot[hit]
    seats = joints.seats
    seated = ridge[seats.support] & (seats.span.mean(axis=1) > 0)
    member = np.concatenate([member, seats.member[seated]])
    board = np.concatenate([board, seats.support[seated]])
    spot = np.concatenate([spot, seats.spot[seated]])
    station = np.einsum("kd,kd->k", spot - frame.center[board], frame.along[board])
    station = np.clip(station, -frame.half[board, 0], frame.half[board, 0])
    sideways = frame.axes[board, 2].copy()
    side = np.einsum("kd,kd->k", frame.center[member] - frame.center[board], sideways)
    return np.stack([member, board, station], axis=1).astype(float), side


def _across(tops: Floats, side: Floats) -> tuple[Ints, Ints, Ints, Floats]:
    """Pairs of tops on opposite sides of one ridge, close enough along it."""
    out: tuple[list[float], ...] = ([], [], [], [])
    for ridge in np.unique(tops[:, 1]):
        here = tops[:, 1] == ridge
        lefts = tops[here & (side > 0.05)]
        rights = tops[here & (side < -0.05)]
        lefts, rights = lefts[lefts[:, 2].argsort()], rights[rights[:, 2].argsort()]
        reach = table.COUPLE_OFFSET + table.SLACK
        first = np.searchsorted(rights[:, 2], lefts[:, 2] - reach)
        last = np.searchsorted(rights[:, 2], lefts[:, 2] + reach, side="right")
        for (a, _, s), lo, hi in zip(lefts, first, last, strict=True):
            for b, _, t in rights[lo:hi]:
                for column, value in zip(out, (a, b, ridge, 0.5 * (s + t)), strict=True):
                    column.append(value)
    a, b, r, s = (np.array(column, dtype=float) for column in out)
    return a.astype(np.intp), b.astype(np.intp), r.astype(np.intp), s


def _tied(joints: Joints, left: Ints, right: Ints) -> NDArray[np.bool_]:
    """Whether ties near each couple reach from foot to foot in the lower third of the rise.

    Ties lapped over a wall count together. Hips have none of their own direction: the ties of the
    commons beside them serve (any tie within reach of their ridge end).
    """
    frame = joints.frame
    tied = np.zeros(len(left), dtype=bool)
    ties = np.flatnonzero(frame.mask(*TIES) & frame.level)
    if len(left) == 0 or len(ties) == 0:
        return tied
    feet_l, feet_r = frame.end(left, -np.ones(len(left))), frame.end(right, -np.ones(len(right)))
    tops = frame.end(left, np.ones(len(left)))
    seat_l, seat_r = _feet(joints, left, feet_l), _feet(joints, right, feet_r)
    direction = seat_r[:, :2] - seat_l[:, :2]
    width = np.maximum(np.linalg.norm(direction, axis=1), 1e-9)
    direction = direction / width[:, None]
    hip = frame.mask("HipRafter", "ValleyRafter")[left]
    low = np.minimum(seat_l[:, 2], seat_r[:, 2])
    for c in range(len(left)):
        across = direction[c]
        parallel = np.abs(frame.along[ties, :2] @ across)
        offset = frame.center[ties, :2] - (tops[c, :2] if hip[c] else seat_l[c, :2])
        beside = np.abs(offset @ np.array([-across[1], across[0]]))
        rise = max(tops[c, 2] - low[c], 0.0)
        height = frame.center[ties, 2] - low[c]
        near = (height <= rise * table.TIE_HEIGHT) & (height >= -0.6)
        near &= beside <= table.TIE_REACH + table.SLACK
        if hip[c]:
            tied[c] = bool((near & (parallel > 0.95)).any())
            continue
        near &= parallel > 0.95
        start = (frame.center[ties, :2] - seat_l[c, :2]) @ across
        reach = frame.half[ties, 0]
        first, last = (start - reach)[near], (start + reach)[near]
        if len(first):
            spans = first.min() <= table.TIE_END and last.max() >= width[c] - table.TIE_END
            tied[c] = spans and _unbroken(first, last)
    return tied


def _unbroken(first: Floats, last: Floats) -> bool:
    """Whether intervals cover from the lowest to the highest without a gap."""
    order = first.argsort()
    reached = np.maximum.accumulate(last[order])
    return bool((first[order][1:] <= reached[:-1] + table.CONTACT).all())


def _feet(joints: Joints, rafter: Ints, default: Floats) -> Floats:
    """The seat of each rafter (its lowest one), or its lower end where it has none, (k, 3), m."""
    seats = joints.seats
    place = {}
    for row in np.argsort(-seats.spot[:, 2], kind="stable"):
        place[int(seats.member[row])] = seats.spot[row]
    feet = [place.get(int(r), d) for r, d in zip(rafter, default, strict=True)]
    return np.array(feet).reshape(-1, 3)
