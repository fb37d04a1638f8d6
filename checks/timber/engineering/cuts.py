# SPDX-License-Identifier: GPL-3.0-or-later
"""How a plain box stands for a member that a carpenter cuts: ends, seats and housings.

Rules of the timber specification, section 1.5. All pairs are worked out at once.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..structure import Floats
from . import table
from .contact import Pairs, clip_to_rectangle
from .frame import Frame

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Sloped members that sit on level ones by a seat (birdsmouth).
RAFTERS = ("Rafter", "JackRafter", "HipRafter", "ValleyRafter")
#: Members that are let into studs.
LET_IN = ("Brace",)


@dataclass(frozen=True)
class Ends:
    """Ends of members that meet a face of another, ``k`` rows.

    Attributes
    ----------
    member, other, pair
        Indices of the member whose end it is, of the one it meets, and of their pair, (k,).
    sign
        Which end: +1 or -1 along the axis, (k,).
    normal, offset
        The face, unit normal (k, 3) pointing out of ``other`` and its plane offset (k,), m.
    at
        Where the cut meets the axis, m from the centre (signed), (k,).
    fits
        Cut to fit (contact over the section); otherwise the end runs into ``other``.
    spot
        Middle of the cut section, (k, 3), m.
    """

    member: Ints
    other: Ints
    pair: Ints
    sign: Floats
    normal: Floats
    offset: Floats
    at: Floats
    fits: Bools
    spot: Floats


def find_ends(frame: Frame, pairs: Pairs) -> Ends:
    """Ends that meet a face within the modelling tolerance, or run into it.

    Of several faces that an end could meet, the one met most squarely that fits is taken.
    """
    members = np.concatenate([pairs.i, pairs.j])
    others = np.concatenate([pairs.j, pairs.i])
    turn = np.concatenate([pairs.turn, pairs.turn.transpose(0, 2, 1)])
    apart = np.concatenate([pairs.apart, -pairs.apart])
    half, half_other = frame.half[members], frame.half[others]

    steep = turn[:, 0]  # axis of the member against the three face normals of the other, (q, 3)
    size = np.abs(steep)
    usable = size >= table.END_STEEPEST_GRAZE
    safe = np.where(usable, size, 1.0)
    reach = np.abs(turn[:, 1]) * half[:, 1:2] + np.abs(turn[:, 2]) * half[:, 2:]
    reach /= safe
    across = np.einsum("qkd,qd->qk", frame.axes[others], apart)  # other's centre, in its own axes
    length = half[:, :1]

    rows, faces, signs, ats, fitting = [], [], [], [], []
    for sign in (1.0, -1.0):
        at = (np.where(sign * steep < 0, -1.0, 1.0) * across - half_other) / safe
        long, short = length - (at + reach), (at - reach) - length
        good = usable & (at - reach > -length) & (long <= 2.0 * half_other / safe)
        good &= short <= table.END_SHORT + table.SLACK
        fits = good & (long <= table.END_LONG + table.SLACK)
        good &= fits | (long > 0)
        row, face = np.nonzero(good)
        met = _meets(turn[row], half[row], half_other[row], face, across[row], sign * at[row, face])
        row, face = row[met], face[met]
        rows.append(row)
        faces.append(face)
        signs.append(np.full(len(row), sign))
        ats.append(sign * at[row, face])
        fitting.append(fits[row, face])
    row, face = np.concatenate(rows), np.concatenate(faces)
    sign, at, fits = np.concatenate(signs), np.concatenate(ats), np.concatenate(fitting)

    # The best face of each end: one that fits, then the one met most squarely.
    order = np.lexsort((-size[row, face], ~fits, sign, row))
    first = np.ones(len(order), dtype=bool)
    first[1:] = (np.diff(row[order]) != 0) | (np.diff(sign[order]) != 0)
    best = order[first]
    row, face, sign, at, fits = row[best], face[best], sign[best], at[best], fits[best]

    member, other = members[row], others[row]
    outward = np.where(sign * steep[row, face] < 0, 1.0, -1.0)
    normal = outward[:, None] * frame.axes[other, face]
    offset = np.einsum("kd,kd->k", normal, frame.center[other]) + frame.half[other, face]
    pair = row % max(len(pairs), 1)
    return Ends(member, other, pair, sign, normal, offset, at, fits, frame.at(member, at))


def _meets(
    turn: Floats, half: Floats, half_other: Floats, face: Ints, across: Floats, at: Floats
) -> Bools:
    """Whether cut sections overlap the faces that they are cut to, bool (k,).

    The section is the member's cross section slid along its axis on to the plane of ``face``; it
    is compared with the face along the face's own two axes. ``turn`` (k, 3, 3), ``at`` (k,) m along
    the member, ``across`` (k, 3) the other's centre from the member's, in the other's axes.
    """
    k = np.arange(len(face))
    steep = turn[:, 0]
    overlap = half_other - np.abs(at[:, None] * steep - across)
    for cross in (1, 2):
        slide = (turn[k, cross, face] / steep[k, face])[:, None] * steep
        overlap += half[:, cross : cross + 1] * np.abs(turn[:, cross] - slide)
    overlap[k, face] = np.inf
    return overlap.min(axis=1, initial=np.inf) > table.PATCH_MIN


@dataclass(frozen=True)
class Seats:
    """Sloped members on level ones, ``k`` rows.

    Attributes
    ----------
    member, support, pair
        Indices of the sloped member, of what it sits on, and of their pair, (k,).
    notch
        How deep the support's top corner is inside the member, normal to its underside, (k,), m;
        negative is a gap.
    run
        Plan length over the support, (k,), m.
    limit
        Deepest notch allowed, (k,), m (R802.7.1).
    slope_sine
        Sine of the slope, (k,).
    span
        Where the seat lies along the member's axis, (k, 2), m from its centre.
    spot
        Middle of the seat, (k, 3), m.
    """

    member: Ints
    support: Ints
    pair: Ints
    notch: Floats
    run: Floats
    limit: Floats
    slope_sine: Floats
    span: Floats
    spot: Floats

    @property
    def needed(self) -> Floats:
        """Notch that the least bearing needs on this slope, (k,), m."""
        return table.BEARING * self.slope_sine


def find_seats(frame: Frame, pairs: Pairs, ends: Ends) -> Seats:
    """All seats; a rafter cut to fit against the side of a ridge has none there."""
    rafter = frame.mask(*RAFTERS) & frame.sloped
    carries = frame.level & frame.judged
    fitted = np.zeros((2, len(pairs)), dtype=bool)
    against_ridge = ends.fits & frame.mask("Ridge")[ends.other]
    swapped = (ends.member != pairs.i[ends.pair]) if len(ends.pair) else np.zeros(0, bool)
    fitted[swapped[against_ridge].astype(np.intp), ends.pair[against_ridge]] = True

    forward = rafter[pairs.i] & carries[pairs.j] & ~fitted[0]
    backward = rafter[pairs.j] & carries[pairs.i] & ~fitted[1]
    pair = np.concatenate([np.flatnonzero(forward), np.flatnonzero(backward)])
    member = np.concatenate([pairs.i[forward], pairs.j[backward]])
    support = np.concatenate([pairs.j[forward], pairs.i[backward]])
    return measure_seats(frame, member, support, pair)


def measure_seats(
    frame: Frame, member: Ints, support: Ints, pair: Ints, reach: float = table.FASTENED
) -> Seats:
    """Seats of sloped members on level ones that they cross with a gap of at most ``reach`` m.

    Rows without overlap in plan, or farther away, are left out.
    """
    along = frame.along[member]
    sine = along[:, 2]
    cosine = np.sqrt(np.maximum(1.0 - sine**2, 1e-12))
    tangent = sine / cosine
    plan = np.stack([along[:, :2] / cosine[:, None], np.zeros((len(member), 2))], axis=1)
    plan[:, 1, 0], plan[:, 1, 1] = -plan[:, 0, 1], plan[:, 0, 0]
    underside = frame.center[member] - frame.half[member, 1][:, None] * frame.axes[member, 1]

    top = frame.center[support] + frame.half[support, 1][:, None] * frame.axes[support, 1]
    offset = np.einsum("kad,kd->ka", plan, (top - underside)[:, :2])
    arm_along = np.einsum("kad,kd->ka", plan, frame.axes[support, 0, :2])
    arm_across = np.einsum("kad,kd->ka", plan, frame.axes[support, 2, :2])
    arm_along *= frame.half[support, 0][:, None]
    arm_across *= frame.half[support, 2][:, None]
    corners = np.stack(
        [
            offset - arm_along - arm_across,
            offset + arm_along - arm_across,
            offset + arm_along + arm_across,
            offset - arm_along + arm_across,
        ],
        axis=1,
    )
    half_plan = np.stack([frame.half[member, 0] * cosine, frame.half[member, 2]], axis=1)
    points, count = clip_to_rectangle(corners, half_plan)
    used = np.arange(points.shape[1]) < count[:, None]
    low = np.where(used, points[:, :, 0], np.inf).min(axis=1, initial=np.inf)
    high = np.where(used, points[:, :, 0], -np.inf).max(axis=1, initial=-np.inf)
    found = (count >= 3) & (high - low > table.PATCH_MIN)
    # A tie or ceiling joist nailed to the rafter's side runs along under it: that is no seat.
    crosses = np.abs(np.einsum("kd,kd->k", plan[:, 0], frame.axes[support, 0, :2]))
    found &= crosses < table.PARALLEL
    low, high = np.where(found, low, 0.0), np.where(found, high, 0.0)

    rise = top[:, 2] - underside[:, 2]
    notch = (rise - low * tangent) * cosine
    # The member must pass over the support, not under it: its centre line above its middle.
    lateral = _crossing(
        plan[:, 0],
        frame.axes[support, 0, :2],
        (frame.center[support] - frame.center[member])[:, :2],
    )
    above = frame.center[member, 2] + lateral * tangent >= frame.center[support, 2]
    found &= above & (notch >= -(reach + table.SLACK))

    depth = frame.depth[member]
    tail = low + half_plan[:, 0]
    quarter = table.SEAT_NOTCH * depth
    deeper = np.where(tail <= table.SEAT_TAIL + table.SLACK, depth - table.SEAT_REMAINING, 0.0)
    middle = 0.5 * (low + high)
    spot = underside + np.stack([plan[:, 0, 0] * middle, plan[:, 0, 1] * middle, rise], axis=1)
    keep = np.flatnonzero(found)
    return Seats(
        member[keep],
        support[keep],
        pair[keep],
        notch[keep],
        (high - low)[keep],
        np.maximum(quarter, deeper)[keep],
        sine[keep],
        (np.stack([low, high], axis=1) / cosine[:, None])[keep],
        spot[keep],
    )


def _crossing(along: Floats, across: Floats, apart: Floats) -> Floats:
    """How far along ``along`` (k, 2), from its origin, lines in plan cross; 0 if they never do.

    The other lines go through ``apart`` (k, 2) in direction ``across`` (k, 2). Hips and valleys
    pass over plates diagonally, whose own middles may be far away.
    """
    turn = along[:, 0] * across[:, 1] - along[:, 1] * across[:, 0]
    reach = apart[:, 0] * across[:, 1] - apart[:, 1] * across[:, 0]
    met = np.abs(turn) > 1e-9
    return np.asarray(np.where(met, reach / np.where(met, turn, 1.0), 0.0))


@dataclass(frozen=True)
class Housings:
    """Members let into others, ``k`` rows: indices, depth and allowed depth, m, and the place."""

    member: Ints
    into: Ints
    pair: Ints
    depth: Floats
    limit: Floats
    spot: Floats


def find_housings(frame: Frame, pairs: Pairs, ends: Ends) -> Housings:
    """Braces that overlap what they cross, other than at an end that is cut to fit."""
    brace = frame.mask(*LET_IN)
    ended = np.zeros(len(pairs), dtype=bool)
    ended[ends.pair[ends.fits]] = True
    overlaps = (pairs.gap < -(table.CLASH_DEPTH + table.SLACK)) & ~ended
    forward = overlaps & brace[pairs.i] & ~brace[pairs.j]
    backward = overlaps & brace[pairs.j] & ~brace[pairs.i]
    pair = np.concatenate([np.flatnonzero(forward), np.flatnonzero(backward)])
    member = np.concatenate([pairs.i[forward], pairs.j[backward]])
    into = np.concatenate([pairs.j[forward], pairs.i[backward]])
    larger = 2.0 * frame.half[into, 1:].max(axis=1, initial=0.0)
    return Housings(member, into, pair, -pairs.gap[pair], table.HOUSING * larger, pairs.spot[pair])
