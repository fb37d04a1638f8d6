# SPDX-License-Identifier: GPL-3.0-or-later
"""``clash``: no two members fill the same space, after cutting to fit (section 1.5)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...result import Finding
from ..polygons import box_planes, intersect_half_spaces
from ..structure import Floats
from . import table
from .joints import Joints
from .outcome import Outcome, metres, point

CHECK = "clash"
CLAUSE = "LoD 350 (ii)"

# Pairs clipped at once: bounds the memory of scenes where everything overlaps everything.
_BATCH = 512
# With so many clashes told the check has failed; the pairs left are counted, not clipped.
_ENOUGH = 2000


def clash(joints: Joints) -> Outcome:
    """Pairs that overlap by more than 3 mm and 1 cm3 once ends, seats and housings are cut.

    Finding: the pair, depth (smallest extent of the overlap along a face normal), volume, and the
    overlap itself as a convex solid in ``detail["solid"]``.
    """
    frame, pairs = joints.frame, joints.pairs
    rows = _unsettled(joints)
    cuts = _cut_planes(joints)
    findings: list[Finding] = []
    clipped = 0
    # The deepest first: they are the ones to tell where there are too many.
    rows = rows[np.argsort(pairs.gap[rows], kind="stable")]
    while clipped < len(rows) and len(findings) < _ENOUGH:
        findings += _measure(joints, rows[clipped : clipped + _BATCH], cuts)
        clipped = min(clipped + _BATCH, len(rows))
    findings.sort(key=lambda f: (-(f.measured or 0.0), f.subject, f.related))
    judged = int(frame.judged.sum())
    figures = {"pairs_near": len(pairs), "pairs_clipped": clipped}
    if clipped < len(rows):
        figures["pairs_not_clipped"] = len(rows) - clipped
    return Outcome(judged if judged > 1 else 0, tuple(findings), figures, "fewer than two members")


def _unsettled(joints: Joints) -> NDArray[np.intp]:
    """Overlapping pairs that no cut explains."""
    frame, pairs = joints.frame, joints.pairs
    settled = np.zeros(len(pairs), dtype=bool)
    settled[joints.ends.pair[joints.ends.fits]] = True
    settled[joints.seats.pair] = True
    settled[joints.housings.pair] = True
    deep = pairs.gap < -(table.CLASH_DEPTH + table.SLACK)
    both = frame.judged[pairs.i] & frame.judged[pairs.j]
    # Two things that nobody knows (trees) may stand in each other: completeness tells them both.
    known = np.array([role is not None for role in frame.roles.role], dtype=bool)
    both &= known[pairs.i] | known[pairs.j]
    rows = np.flatnonzero(deep & both & ~settled)
    return rows[~_in_seat_cuts(joints, rows)]


def _in_seat_cuts(joints: Joints, rows: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Overlaps that a seat cut takes away: straight under the support that the rafter sits on.

    A seat too deep runs through the plates into the studs; that is one fault, told by notching.
    """
    frame, pairs, seats = joints.frame, joints.pairs, joints.seats
    gone = np.zeros(len(rows), dtype=bool)
    lo, hi = frame.structure.aabb
    supports: dict[int, list[int]] = {}
    for member, support in zip(seats.member.tolist(), seats.support.tolist(), strict=True):
        supports.setdefault(member, []).append(support)
    edge = table.CLASH_DEPTH + table.SLACK
    for k, row in enumerate(rows.tolist()):
        for rafter, other in ((pairs.i[row], pairs.j[row]), (pairs.j[row], pairs.i[row])):
            low = np.maximum(lo[rafter], lo[other])[:2]
            high = np.minimum(hi[rafter], hi[other])[:2]
            gone[k] |= any(
                hi[other, 2] <= hi[plate, 2] + table.SLACK
                and (low >= lo[plate, :2] - edge).all()
                and (high <= hi[plate, :2] + edge).all()
                for plate in supports.get(int(rafter), ())
            )
    return gone


def _cut_planes(joints: Joints) -> dict[int, list[tuple[Floats, float]]]:
    """For each member the planes that its ends are cut to: it keeps what lies outside of them."""
    ends = joints.ends
    planes: dict[int, list[tuple[Floats, float]]] = {}
    for row in np.flatnonzero(ends.fits):
        own = planes.setdefault(int(ends.member[row]), [])
        # Keep normal . x >= offset, as a half space -normal . x <= -offset.
        own.append((-ends.normal[row], -float(ends.offset[row])))
    return planes


def _measure(
    joints: Joints, rows: NDArray[np.intp], cuts: dict[int, list[tuple[Floats, float]]]
) -> list[Finding]:
    """Findings among some pairs: clip both boxes and their cuts against each other."""
    frame, pairs = joints.frame, joints.pairs
    i, j = pairs.i[rows], pairs.j[rows]
    normals_i, offsets_i = box_planes(frame.center[i], frame.axes[i], frame.half[i])
    normals_j, offsets_j = box_planes(frame.center[j], frame.axes[j], frame.half[j])
    extra = [cuts.get(int(a), []) + cuts.get(int(b), []) for a, b in zip(i, j, strict=True)]
    most = max((len(e) for e in extra), default=0)
    extra_n = np.zeros((len(rows), most, 3))
    extra_d = np.ones((len(rows), most))
    for row, planes in enumerate(extra):
        for column, (normal, offset) in enumerate(planes):
            extra_n[row, column], extra_d[row, column] = normal, offset
    normals = np.concatenate([normals_i, normals_j, extra_n], axis=1)
    offsets = np.concatenate([offsets_i, offsets_j, extra_d], axis=1)
    smaller = np.where((frame.half[i].prod(axis=1) <= frame.half[j].prod(axis=1)), i, j)
    reach = np.linalg.norm(frame.half[smaller], axis=1) * 1.01 + 1e-6
    volume, faces, width = intersect_half_spaces(normals, offsets, frame.center[smaller], reach)
    depth = width[:, :12].min(axis=1, initial=np.inf)
    bad = (volume > table.CLASH_VOLUME) & (depth > table.CLASH_DEPTH + table.SLACK)
    m = normals.shape[1]
    return [
        _finding(joints, int(i[r]), int(j[r]), depth[r], volume[r], faces[r * m : (r + 1) * m])
        for r in np.flatnonzero(bad)
    ]


def _finding(joints: Joints, i: int, j: int, depth: float, volume: float, faces: Floats) -> Finding:
    corners = faces.reshape(-1, 3)
    corners = corners[~np.isnan(corners[:, 0])]
    corners = np.unique(np.round(corners, 5), axis=0)
    # The lesser member is named first: it is the one that a person would move.
    size_i, size_j = joints.frame.half[[i, j]].prod(axis=1).round(9)
    name_i, name_j = joints.frame.names[i], joints.frame.names[j]
    lesser = (size_i, name_i) <= (size_j, name_j)
    name, other = (name_i, name_j) if lesser else (name_j, name_i)
    return Finding(
        CHECK,
        name,
        f"{name} and {other} overlap by {metres(depth)} ({volume * 1e6:.0f} cm³): move or shorten "
        "one of them.",
        related=(other,),
        measured=round(float(depth), 5),
        limit=table.CLASH_DEPTH,
        unit="m",
        margin=round(table.CLASH_DEPTH - float(depth), 5),
        location=point(corners.mean(axis=0)),
        clause=CLAUSE,
        detail={"solid": corners.tolist(), "volume": float(volume)},
    )
