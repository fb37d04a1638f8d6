# SPDX-License-Identifier: GPL-3.0-or-later
"""Where members are held, along their own axes: bearings merged, spans and overhangs between."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .couples import find_couples
from .joints import SEAT, Joints
from .lines import once

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Shifts members apart on one number line, m; longer than any member, exact in float64.
_APART = 1.0e5


@dataclass(frozen=True)
class Places:
    """Supported places of members, ``k`` rows sorted by member, then along it.

    ``member`` (k,); ``low`` and ``high`` (k,), m from the member's centre; ``next`` (k,), whether
    the following row is the next place of the same member; ``first`` and ``last`` (k,), whether
    the row is the outermost at either end.
    """

    member: Ints
    low: Floats
    high: Floats

    @property
    def next(self) -> Bools:
        out = np.zeros(len(self.member), dtype=bool)
        out[:-1] = self.member[1:] == self.member[:-1]
        return out

    @property
    def first(self) -> Bools:
        return ~np.roll(self.next, 1) if len(self.member) else np.zeros(0, bool)

    @property
    def last(self) -> Bools:
        return ~self.next


@once
def find_places(joints: Joints) -> Places:
    """All supported places: bearings, seats, ends and laps; ridges also where couples hold them.

    Places less than 50 mm apart, such as the two halves of a lap, are one. What a sloped member
    sits on touches its underside: the place is where its axis passes plumb over that.
    """
    supports, couples, frame = joints.supports, find_couples(joints), joints.frame
    # Rafters that nothing ties load a ridge and hold nothing (R802.3).
    board, station = couples.ridge[couples.tied], couples.station[couples.tied]
    reach = frame.half[couples.left[couples.tied], 2]
    member = np.concatenate([supports.carried, board])
    sits = frame.sloped[supports.carried] & (supports.kind == SEAT)
    sine = np.abs(frame.along[supports.carried, 2])
    tangent = sine / np.sqrt(np.maximum(1.0 - sine**2, 1e-12))
    plumb = np.where(sits, frame.half[supports.carried, 1] * tangent, 0.0)
    low = np.concatenate([supports.span.min(axis=1, initial=np.inf) + plumb, station - reach])
    high = np.concatenate([supports.span.max(axis=1, initial=-np.inf) + plumb, station + reach])
    return merge(member, low, high)


def merge(member: Ints, low: Floats, high: Floats) -> Places:
    """Places from intervals (k,) of members in any order."""
    order = np.lexsort((low, member))
    member, low, high = member[order], low[order], high[order]
    shift = member * _APART
    reached = np.maximum.accumulate(high + shift) if len(member) else high
    start = np.ones(len(member), dtype=bool)
    start[1:] = low[1:] + shift[1:] > reached[:-1] + table.SAME_BEARING
    heads = np.flatnonzero(start)
    tails = np.append(heads[1:], len(member))[: len(heads)] - 1
    return Places(member[heads], low[heads], (reached - shift)[tails])


def held_by(joints: Joints, places: Places) -> Bools:
    """Members whose centroid lies between their outermost places, bool (n,)."""
    n = len(joints.frame)
    low, high = np.full(n, np.inf), np.full(n, -np.inf)
    np.minimum.at(low, places.member, places.low)
    np.maximum.at(high, places.member, places.high)
    return (low <= table.SLACK) & (high >= -table.SLACK)
