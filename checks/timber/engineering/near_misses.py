# SPDX-License-Identifier: GPL-3.0-or-later
"""What a member nearly touches: tells a member out of place from one that has nothing there."""

from __future__ import annotations

import numpy as np

from ..structure import Floats
from . import table
from .cuts import measure_seats
from .joints import CARRY_NOTHING, Joints

GROUND = "the ground"

#: ... and this far beside the place, m (ours: half a stud's depth).
_LOOK_ASIDE = 0.050

#: How far below a floating member something to stand on is looked for, m (ours: a sill's height).
_LOOK_BELOW = 0.150

#: How far before its top a rafter looks for what it should meet, m (ours: as for what is below).
_LOOK_AHEAD = 0.300

#: What the top of a rafter may lean against.
_TOPS = ("Ridge", "HipRafter", "ValleyRafter", "Beam")


def nearest_below_rafter(
    joints: Joints, member: int
) -> tuple[float | None, str | None, Floats | None]:
    """Gap of a rafter over the level member that its lower half passes closest, m, name, place."""
    frame = joints.frame
    lo, hi = frame.structure.aabb
    near = (lo[:, :2] <= hi[member, :2]).all(axis=1) & (hi[:, :2] >= lo[member, :2]).all(axis=1)
    near &= (hi[:, 2] >= lo[member, 2] - _LOOK_BELOW) & (lo[:, 2] <= hi[member, 2])
    near &= frame.level & frame.judged & ~frame.mask(*CARRY_NOTHING)
    others = np.flatnonzero(near)
    rows = np.full(len(others), member)
    seats = measure_seats(frame, rows, others, np.zeros(len(others), np.intp), _LOOK_BELOW)
    low = np.flatnonzero((seats.span.mean(axis=1) < 0) & (seats.notch < -table.FASTENED))
    if len(low) == 0:
        return None, None, None
    best = low[seats.notch[low].argmax()]
    return float(-seats.notch[best]), frame.names[seats.support[best]], seats.spot[best]


def nearest_below(joints: Joints, member: int, spot: Floats) -> tuple[float | None, str | None]:
    """Gap to the closest member under a place, m, and its name; ``(None, None)`` beyond reach."""
    frame = joints.frame
    lo, hi = frame.structure.aabb
    # In plan the place lies within a member (or 50 mm beside it), however that is turned.
    aside = np.abs(np.einsum("nkd,nd->nk", frame.axes, spot - frame.center)) - frame.half
    aside[np.arange(len(aside)), np.abs(frame.axes[:, :, 2]).argmax(axis=1)] = 0.0
    under = (aside <= _LOOK_ASIDE).all(axis=1)
    own_low = lo[member, 2] if frame.level[member] or frame.upright[member] else spot[2]
    gap = own_low - hi[:, 2]
    under &= (gap > -0.001) & (gap <= _LOOK_BELOW) & frame.judged & (frame.level | frame.upright)
    under[member] = False
    if not under.any():
        ground_gap = float(own_low - joints.brief.ground)
        return (ground_gap, GROUND) if 0 <= ground_gap <= _LOOK_BELOW else (None, None)
    best = int(np.flatnonzero(under)[gap[under].argmin()])
    return max(float(gap[best]), 0.0), frame.names[best]


def short_of(joints: Joints, member: int) -> tuple[float | None, str | None]:
    """How much a rafter's top is short of the face it points at, m, and the name of that member.

    The distance along its axis to where the first edge would meet the face; ``(None, None)`` if
    nothing to lean against is within reach.
    """
    frame = joints.frame
    others = np.flatnonzero(frame.mask(*_TOPS))
    others = others[others != member]
    along = frame.along[member]
    best: tuple[float | None, str | None] = (None, None)
    for other in others.tolist():
        axes, half = frame.axes[other], frame.half[other]
        steep = axes @ along
        apart = axes @ (frame.center[other] - frame.center[member])
        for face in (1, 2):
            if abs(steep[face]) < table.END_STEEPEST_GRAZE:
                continue
            cross = np.abs(frame.axes[member, 1:] @ axes[face]) @ frame.half[member, 1:]
            at = (abs(apart[face]) - half[face] - cross) / abs(steep[face])
            gap = float(at - frame.half[member, 0])
            ahead = steep[face] * apart[face] > 0 and 0 < gap <= _LOOK_AHEAD
            aside = np.abs(apart - (frame.half[member, 0] + gap) * steep) - half
            aside[face] = 0.0
            if ahead and (aside <= frame.half[member, 1]).all() and gap < (best[0] or np.inf):
                best = gap, frame.names[other]
    return best


def top_below(joints: Joints, spot: Floats) -> float:
    """Height of whatever comes next straight below a place, m: a member, or the ground."""
    frame = joints.frame
    aside = np.abs(np.einsum("nkd,nd->nk", frame.axes, spot - frame.center)) - frame.half
    aside[np.arange(len(aside)), np.abs(frame.axes[:, :, 2]).argmax(axis=1)] = 0.0
    top = frame.structure.aabb[1][:, 2]
    under = (aside <= _LOOK_ASIDE).all(axis=1) & (top <= spot[2] + table.SLACK) & frame.judged
    return float(max(top[under].max(initial=-np.inf), joints.brief.ground))
