# SPDX-License-Identifier: GPL-3.0-or-later
"""Rafters that hold each other across a ridge, and the ties that keep their feet together."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..broadphase import aabb_pairs_between
from ..structure import Floats
from . import table
from .cuts import RAFTERS
from .joints import Joints
from .lines import once

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


@once
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
    ties = np.flatnonzero(frame.mask(*TIES) & frame.level)
    tied = np.zeros(len(left), dtype=bool)
    ones = np.ones(len(left))
    feet = (
        _feet(joints, left, frame.end(left, -ones)),
        _feet(joints, right, frame.end(right, -ones)),
    )
    tops = frame.end(left, ones)
    hip = frame.mask("HipRafter", "ValleyRafter")[left]
    couple, tie = _near_ties(joints, ties, np.stack([*feet, tops]))
    edges = np.searchsorted(couple, np.arange(len(left) + 1))
    for c in range(len(left)):
        near = ties[tie[edges[c] : edges[c + 1]]]
        if len(near):
            tied[c] = _ties(joints, near, feet[0][c], feet[1][c], tops[c], bool(hip[c]))
    return tied


def _near_ties(joints: Joints, ties: Ints, triangles: Floats) -> tuple[Ints, Ints]:
    """Pairs (couple, row of ``ties``), sorted by couple, whose bounds are within reach.

    ``triangles`` (3, c, 3): both feet and the top of each couple, m.
    """
    lo, hi = (bound[ties] for bound in joints.frame.structure.aabb)
    reach = np.array([table.TIE_REACH, table.TIE_REACH, table.TIE_BELOW]) + table.SLACK
    return aabb_pairs_between(triangles.min(axis=0) - reach, triangles.max(axis=0) + reach, lo, hi)


def _ties(joints: Joints, ties: Ints, left: Floats, right: Floats, top: Floats, hip: bool) -> bool:
    """Whether some of ``ties`` hold the feet ``left`` and ``right`` of one couple, (3,), m."""
    frame = joints.frame
    width = max(float(np.linalg.norm((right - left)[:2])), 1e-9)
    across = (right - left)[:2] / width
    low = min(left[2], right[2])
    offset = frame.center[ties, :2] - (top if hip else left)[:2]
    height = frame.center[ties, 2] - low
    near = (height <= max(top[2] - low, 0.0) * table.TIE_HEIGHT) & (height >= -table.TIE_BELOW)
    near &= np.abs(offset @ np.array([-across[1], across[0]])) <= table.TIE_REACH + table.SLACK
    near &= np.abs(frame.along[ties, :2] @ across) > table.TIE_PARALLEL
    if hip or not near.any():
        return bool(near.any())
    start = (frame.center[ties, :2] - left[:2]) @ across
    reach = frame.half[ties, 0]
    first, last = (start - reach)[near], (start + reach)[near]
    spans = first.min() <= table.TIE_END and last.max() >= width - table.TIE_END
    return bool(spans) and _unbroken(first, last)


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
