# SPDX-License-Identifier: GPL-3.0-or-later
"""How far do members stick out beyond their last support?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...result import Finding, Measures
from ..structure import Floats
from . import table
from .cuts import RAFTERS
from .joints import Joints
from .lines import HIPS
from .outcome import Outcome, measured, metres, point, points
from .places import Places, find_places, held_by

Ints = NDArray[np.intp]
Bools = NDArray[np.bool_]

_CHECK = "cantilever"
_JOISTS = ("Joist", "CeilingJoist")
_LAID = ("Plate", "BottomPlate", "TopPlate", "Sill")
_PLATES = (*_LAID, "Ridge", "Beam")


def cantilever(joints: Joints) -> Outcome:
    """Overhangs of joists, plates, ridges and rafter tails (R502.3.3).

    Joists may stick out by a quarter of the clear span behind the support and by 610 mm at most,
    plates, sills, beams, ridges and rafter tails by 610 mm; tails are measured in plan, and those
    of hips and valleys, which run diagonally, square to the eaves. A joist whose end passes its
    support by no more than its own depth does not cantilever (that is bearing, blocked or notched
    away). Only members held on both sides of their centroid are judged: the rest is
    ``load_path``'s. Ends of plates and sills that butt against the next piece are no overhangs.
    """
    frame = joints.frame
    places = find_places(joints)
    joist = frame.mask(*_JOISTS) & frame.level
    plate = frame.mask(*_PLATES) & frame.level
    rafter = frame.mask(*RAFTERS) & frame.sloped
    judged = (joist | plate | rafter) & held_by(joints, places)

    # Plates are nailed to the piece that continues them; a ridge or beam is held up by posts only.
    butted = _butted(joints, frame.mask(*_LAID))
    findings: list[Finding] = []
    subjects, longest = 0, 0.0
    measures: list[Measures] = []
    for sign in (-1.0, 1.0):
        row = _overhangs(joints, places, sign)
        row = row.take(judged[row.member])
        member = row.member
        least = np.where(joist[member], frame.depth[member], table.FASTENED)
        out = row.length > np.maximum(least, table.FASTENED) + table.SLACK
        out &= ~butted[member, int(sign > 0)]
        limit = np.where(
            joist[member], np.minimum(row.back / table.BACKSPAN, table.OVERHANG), table.OVERHANG
        )
        subjects += int(out.sum())
        longest = max(longest, float(row.length[out].max(initial=0.0)))
        measures += measured(frame.names, member[out], row.length[out], limit[out])
        findings += [
            _finding(joints, row, int(k), float(limit[k]), sign)
            for k in np.flatnonzero(out & (row.length > limit + table.SLACK))
        ]
    figures = {"overhangs": subjects, "longest_overhang": longest}
    return Outcome(
        subjects, _worst(findings), figures, "no members that stick out", measures=tuple(measures)
    )


@dataclass(frozen=True)
class _Overhangs:
    """What sticks out at one end of ``k`` members, in plan, m.

    ``edge`` is the outer edge of the last place on the axis, ``length`` that of the overhang and
    ``back`` the clear span behind it; ``inner`` where that begins and ends on the axis, (k, 2).
    """

    member: Ints
    edge: Floats
    inner: Floats
    length: Floats
    back: Floats

    def take(self, keep: Bools) -> _Overhangs:
        return _Overhangs(*(getattr(self, name)[keep] for name in _Overhangs.__dataclass_fields__))


def _overhangs(joints: Joints, places: Places, sign: float) -> _Overhangs:
    """Overhangs of all members that have places at the end at ``sign``."""
    frame = joints.frame
    spans = _spans(places)
    row = np.flatnonzero(places.first if sign < 0 else places.last)
    back = spans[row] if sign < 0 else np.roll(spans, 1)[row]
    edge = (places.low if sign < 0 else places.high)[row]
    member = places.member[row]
    plan = np.linalg.norm(frame.along[member, :2], axis=1)
    plan = np.where(frame.mask(*HIPS)[member], plan / np.sqrt(2.0), plan)
    begins = (places.high if sign < 0 else places.low)[row]
    inner = np.stack([begins, begins - sign * back], axis=1)
    return _Overhangs(
        member, edge, inner, (frame.half[member, 0] - sign * edge) * plan, back * plan
    )


def _spans(places: Places) -> Floats:
    """Clear length from each place to the next one of its member, 0 after the last, (k,), m."""
    out = np.zeros(len(places.member))
    if len(out) > 1:
        out[:-1] = np.where(places.next[:-1], places.low[1:] - places.high[:-1], 0.0)
    return out


def _butted(joints: Joints, plate: Bools) -> Bools:
    """Whether each end (low, high) of plates meets a piece that continues it, (n, 2)."""
    frame, ends = joints.frame, joints.ends
    out = np.zeros((len(frame), 2), dtype=bool)
    member, other = ends.member, ends.other
    along = np.abs(np.einsum("kd,kd->k", frame.along[member], frame.along[other]))
    on = plate[member] & plate[other] & ends.fits & (along >= table.PARALLEL)
    out[member[on], (ends.sign[on] > 0).astype(np.intp)] = True
    return out


def _worst(findings: list[Finding]) -> tuple[Finding, ...]:
    """One finding a member, the one farthest beyond its limit."""
    best: dict[str, Finding] = {}
    for finding in findings:
        kept = best.get(finding.subject)
        if kept is None or (finding.margin or 0.0) < (kept.margin or 0.0):
            best[finding.subject] = finding
    return tuple(best.values())


def _finding(joints: Joints, row: _Overhangs, k: int, limit: float, sign: float) -> Finding:
    frame = joints.frame
    member, overhang = int(row.member[k]), float(row.length[k])
    name = frame.names[member]
    ends = frame.at(np.array([member] * 2), np.array([row.edge[k], sign * frame.half[member, 0]]))
    detail: dict[str, Any] = {"from": list(point(ends[0])), "to": list(point(ends[1]))}
    if row.back[k] > 0:
        detail["back"] = points(frame.at(np.array([member] * 2), row.inner[k]))
    why = metres(limit)
    if limit < table.OVERHANG:
        why = f"a quarter of the {metres(float(row.back[k]))} behind the support, {metres(limit)}"
    return Finding(
        _CHECK,
        name,
        f"{name} sticks out {metres(overhang)} beyond its last support; the limit is {why}: "
        f"support its end or shorten it by {metres(overhang - limit)}.",
        measured=overhang,
        limit=limit,
        unit="m",
        margin=limit - overhang,
        location=point(ends[1]),
        clause="IRC R502.3.3",
        detail=detail,
    )
