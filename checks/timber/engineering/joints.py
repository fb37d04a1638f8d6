# SPDX-License-Identifier: GPL-3.0-or-later
"""Everything the checks need to know about how members meet, worked out once a structure."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ..brief import TimberBrief
from ..structure import Floats, TimberStructure
from . import table
from .contact import Pairs, find_pairs
from .cuts import RAFTERS, Ends, Housings, Seats, find_ends, find_housings, find_seats
from .frame import Frame

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

#: Members that hold nothing up, however they are fastened.
CARRY_NOTHING = (
    "Blocking", "Bridging", "Fascia", "CollarTie", "Lookout", "Brace", "Sheathing", "Anchor",
    "Hanger",
)  # fmt: skip
#: Members that pass a load straight down and are no beams; so do sills that lie flat (R403.1.6)
#: and courses of a foundation (R403.1: it bears along its length).
PASS_DOWN = ("RimJoist", "Plate", "BottomPlate", "TopPlate", "Foundation")
#: Members that may hang on the side of others (lapped, nailed through the face).
LAPPED = (
    "CollarTie", "RafterTie", "CeilingJoist", "Brace", "Strut", "Fascia", "Lookout", "Bridging",
    "Blocking",
)  # fmt: skip

#: A contact this far up the half length of a rafter is at its tip (paper, T10: a fifth of it).
_TIP = 0.6

KINDS = ("below", "seat", "end", "lap")
BELOW, SEAT, END, LAP = range(4)


@dataclass(frozen=True)
class Supports:
    """Who could carry whom, ``e`` rows; whether the carrier itself stands is another question.

    Attributes
    ----------
    carried, carrier
        Member indices, (e,).
    kind
        Index into :data:`KINDS`, (e,).
    span, span_carrier
        Where, along the axis of the carried and of the carrying member, (e, 2), m from centres.
    spot
        Where in the world, (e, 3), m.
    """

    carried: Ints
    carrier: Ints
    kind: NDArray[np.int8]
    span: Floats
    span_carrier: Floats
    spot: Floats

    def __len__(self) -> int:
        return len(self.carried)


@dataclass(frozen=True)
class Joints:
    """Frame, pairs, cuts and supports of one structure under one brief."""

    frame: Frame
    brief: TimberBrief
    pairs: Pairs
    ends: Ends
    seats: Seats
    housings: Housings

    @classmethod
    def of(cls, structure: TimberStructure, brief: TimberBrief) -> Joints:
        """Work out all joints of a structure."""
        frame = Frame.of(structure, brief.ground)
        pairs = find_pairs(frame)
        ends = find_ends(frame, pairs)
        seats = find_seats(frame, pairs, ends)
        ends = _without_seated(ends, seats, len(frame))
        return cls(frame, brief, pairs, ends, seats, find_housings(frame, pairs, ends))

    @cached_property
    def passes_down(self) -> Bools:
        """Which members hand a load on only to what is straight below, bool (n,)."""
        frame = self.frame
        flat = frame.depth <= frame.width + table.SLACK
        return frame.mask(*PASS_DOWN) | (frame.mask("Sill") & flat)

    @cached_property
    def supports(self) -> Supports:
        """All possible supports (see :class:`Supports`)."""
        parts = [
            _from_patches(self.frame, self.pairs),
            _from_seats(self.frame, self.seats),
            *_from_ends(self.frame, self.pairs, self.ends),
        ]
        joined = [np.concatenate(column) for column in zip(*parts, strict=True)]
        carried, carrier = joined[0], joined[1]
        able = ~self.frame.mask(*CARRY_NOTHING)
        keep = able[carrier] & (carried != carrier)
        stacked = (joined[2] == BELOW) | (joined[2] == SEAT)
        keep &= stacked | ~self.frame.mask("RimJoist")[carrier]
        # Rafters lean on a ridge, hip or valley, not on the tip of the rafter opposite (R802.3).
        rafter = self.frame.mask(*RAFTERS)
        # At 45 degrees that tip lies under the other's, but holds it as little.
        leaning = rafter[carried] & self.frame.mask("Rafter", "JackRafter")[carrier]
        length = self.frame.half[:, 0]
        tips = joined[3].mean(axis=1) > _TIP * length[carried]
        tips &= joined[4].mean(axis=1) > _TIP * length[carrier]
        keep &= (stacked & ~tips) | ~leaning
        # Nothing hangs on the end of what sits on it.
        n, seats = len(self.frame), self.seats
        sits = np.isin(carrier * n + carried, seats.member * n + seats.support)
        keep &= stacked | ~sits
        # A ridge is held by couples of rafters (see couples.py) or from below, not by one of them.
        keep &= ~(self.frame.mask("Ridge")[carried] & rafter[carrier])
        # Plates, rims and sills are nailed at their corners, not hung there; nor does a piece of
        # ridge or beam hold up the next piece in line.
        nailed = self.frame.mask(*PASS_DOWN, "Sill")[carried] & (joined[2] == END)
        along = self.frame.along
        in_line = np.abs(np.einsum("ed,ed->e", along[carried], along[carrier])) >= table.PARALLEL
        keep &= ~nailed & ~(in_line & (joined[2] == END) & ~self.frame.upright[carried])
        return Supports(*(column[keep] for column in joined))


def _without_seated(ends: Ends, seats: Seats, n: int) -> Ends:
    """Ends without those of members that sit on the same support: the seat decides there."""
    if len(ends.member) == 0 or len(seats.member) == 0:
        return ends
    seated = np.isin(ends.member * n + ends.other, seats.member * n + seats.support)
    keep = ~seated
    return replace(ends, **{name: getattr(ends, name)[keep] for name in Ends.__dataclass_fields__})


def _from_patches(frame: Frame, pairs: Pairs) -> tuple[Floats | Ints, ...]:
    """Contacts from below (the upper member is carried) and laps (the tie is carried)."""
    rise = pairs.normal[:, 2]
    on_top = pairs.patch & (np.abs(rise) >= table.TOP_FACE)
    j_above = on_top & (rise > 0)
    i_above = on_top & (rise < 0)
    beside = pairs.patch & (np.abs(rise) < table.TOP_FACE)
    beside &= np.abs(pairs.turn[:, 0, 0]) < table.PARALLEL
    lapped = frame.mask(*LAPPED)
    i_hangs, j_hangs = beside & lapped[pairs.i], beside & lapped[pairs.j]
    i_carried = np.concatenate([np.flatnonzero(i_above), np.flatnonzero(i_hangs)])
    j_carried = np.concatenate([np.flatnonzero(j_above), np.flatnonzero(j_hangs)])
    kinds = [
        np.repeat([BELOW, LAP], [i_above.sum(), i_hangs.sum()]),
        np.repeat([BELOW, LAP], [j_above.sum(), j_hangs.sum()]),
    ]
    return (
        np.concatenate([pairs.i[i_carried], pairs.j[j_carried]]),
        np.concatenate([pairs.j[i_carried], pairs.i[j_carried]]),
        np.concatenate(kinds).astype(np.int8),
        np.concatenate([pairs.span_i[i_carried], pairs.span_j[j_carried]]),
        np.concatenate([pairs.span_j[i_carried], pairs.span_i[j_carried]]),
        np.concatenate([pairs.spot[i_carried], pairs.spot[j_carried]]),
    )


def _from_seats(frame: Frame, seats: Seats) -> tuple[Floats | Ints, ...]:
    """Sloped members carried by what they sit on."""
    return (
        seats.member,
        seats.support,
        np.full(len(seats.member), SEAT, np.int8),
        seats.span,
        _span_round(frame, seats.support, seats.spot, frame.half[seats.member, 2]),
        seats.spot,
    )


def _from_ends(frame: Frame, pairs: Pairs, ends: Ends) -> list[tuple[Floats | Ints, ...]]:
    """Members carried at their ends, and members carried on the ends of others."""
    rise = ends.normal[:, 2]
    upright = frame.upright[ends.member]
    stands = (ends.sign < 0) & (rise >= table.TOP_FACE)
    # One that stands on the other, or under it, does not hang on it as well.
    stacked = pairs.patch & (np.abs(pairs.normal[:, 2]) >= table.TOP_FACE)
    hung = np.where(upright, stands, ends.fits | ~stacked[ends.pair])
    # A post or strut under a sloped or level member: its upper end meets an underside.
    props = ~frame.upright[ends.other] & (rise <= -0.3) & ~frame.level[ends.member]
    props &= np.where(upright, ends.sign > 0, True)
    # What holds nothing up (a knee brace) is held by both its ends itself.
    props &= ~frame.mask(*CARRY_NOTHING)[ends.member]
    hung &= ~props
    # A joist whose end runs in under the foot of a rafter carries it rather than hangs on it.
    under = frame.mask("Joist", "RimJoist", "Beam")[ends.member] & (rise < 0) & ~ends.fits
    hung &= ~(under & frame.mask(*RAFTERS)[ends.other])
    # A fascia is nailed to the tails that are cut to it.
    tails = frame.mask("Fascia")[ends.other]
    own = _span_round(frame, ends.member, ends.spot, np.zeros(len(ends.member)))
    thick = frame.half[ends.member, 1:].max(axis=1, initial=0.0)
    others = _span_round(frame, ends.other, ends.spot, thick)

    def rows(
        mask: Bools, carried: Ints, carrier: Ints, a: Floats, b: Floats
    ) -> tuple[Floats | Ints, ...]:
        kind = np.full(int(mask.sum()), END, np.int8)
        return carried[mask], carrier[mask], kind, a[mask], b[mask], ends.spot[mask]

    return [
        rows(hung, ends.member, ends.other, own, others),
        rows(props, ends.other, ends.member, others, own),
        rows(tails, ends.other, ends.member, others, own),
    ]


def _span_round(frame: Frame, member: Ints, spot: Floats, reach: Floats) -> Floats:
    """Interval along ``member`` round a place, (k, 2), kept within the member, m."""
    t = np.einsum("kd,kd->k", spot - frame.center[member], frame.along[member])
    half = frame.half[member, 0]
    return np.stack([np.clip(t - reach, -half, half), np.clip(t + reach, -half, half)], axis=1)


__all__ = ["BELOW", "END", "KINDS", "LAP", "PASS_DOWN", "RAFTERS", "SEAT", "Joints", "Supports"]
