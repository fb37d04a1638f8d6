# SPDX-License-Identifier: GPL-3.0-or-later
"""Are members made of lumber that can be bought?"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ...result import Finding
from .. import lumber
from ..structure import Floats
from . import table
from .joints import Joints
from .outcome import Outcome, point

_CHECK = "section"
#: Cast, dug or driven: they have no lumber size.
NO_LUMBER = ("Foundation", "Footing", "Pier")
#: Boards one inch thick (3/4 in dressed) may serve as these and no others: ridges by R802.3,
#: ties by R802.4.6 (1x4), let-in braces by R602.10.4 (1x4), bridging by R502.7 (1x4), and trim.
ONE_INCH = ("Ridge", "Fascia", "CollarTie", "Bridging", "Brace")
#: Sizes that are allowed, (width, depth) in m, with their nominal names where they have one.
_ALLOWED: dict[tuple[float, float], str] = {
    **{(a, b): "" for a in table.LUMBER for b in table.LUMBER if a <= b},
    **{(round(w, 4), round(d, 4)): name for name, (w, d) in lumber.SIZES.items()},
}


def section(joints: Joints) -> Outcome:
    """Cross dimensions match a dressed lumber size within 3 mm (PS 20; LoD 350 (i)).

    Sizes are those of :data:`plumbline.checks.timber.lumber.SIZES` and all pairs of
    :data:`table.LUMBER` (a timber of 140 x 235 mm is sawn or glued to order); a side of n x 38 mm
    counts as n plies. Axes are those of the frame: of a block shorter than it is deep the role says
    which is its axis.
    """
    frame = joints.frame
    thin_ok = frame.mask(*ONE_INCH)
    known = np.fromiter((r is not None for r in frame.roles.role), bool, len(frame))
    member = np.flatnonzero(known & frame.judged & ~frame.mask(*NO_LUMBER))
    # A house has a dozen different sections, so only those are looked up.
    sides: Floats = np.sort(2.0 * frame.half[member, 1:], axis=1)
    rounded, which = np.unique(np.round(sides, 4), axis=0, return_inverse=True)
    which = which.reshape(-1)
    tolerance = table.SECTION_TOLERANCE + table.SLACK
    index, _ = lumber.match_size(rounded[:, 0], rounded[:, 1], tolerance)
    fits = (index >= 0) | _is_lumber(np.asarray(rounded, np.float64), tolerance)
    board = fits & (rounded[:, 0] < table.PLY - tolerance)
    wrong = np.flatnonzero(~fits[which] | (board[which] & ~thin_ok[member]))
    findings = tuple(_finding(joints, int(member[row]), sides[row]) for row in wrong)
    figures = {"sections": len(rounded), "members": len(member)}
    return Outcome(len(member), findings, figures, "no sawn members")


def _is_lumber(sides: Floats, tolerance: float) -> NDArray[np.bool_]:
    """Whether each side of (k, 2) is one that lumber comes in, bool (k,)."""
    off = np.abs(sides[:, :, None] - np.array(table.LUMBER)).min(axis=2)
    return np.asarray((off <= tolerance).all(axis=1))


def _finding(joints: Joints, member: int, sides: Floats) -> Finding:
    frame = joints.frame
    name, role = frame.names[member], frame.roles.role[member]
    allowed = [s for s in _ALLOWED if s[0] >= table.PLY - table.SLACK or role in ONE_INCH]
    off = np.abs(sides - np.array(allowed)).max(axis=1)
    nearest = int(off.argmin())
    width, depth = allowed[nearest]
    key = _ALLOWED[width, depth]
    called = f" ({key})" if key else ""
    return Finding(
        _CHECK,
        name,
        f"{name} measures {sides[0] * 1000:.0f} x {sides[1] * 1000:.0f} mm, which is no lumber "
        f"size for it; the nearest is {width * 1000:.0f} x {depth * 1000:.0f} mm{called}.",
        measured=float(off[nearest]),
        limit=table.SECTION_TOLERANCE,
        unit="m",
        margin=table.SECTION_TOLERANCE - float(off[nearest]),
        location=point(frame.center[member]),
        clause="LoD 350 (i), PS 20",
        detail={
            "sides": [float(sides[0]), float(sides[1])],
            "nearest": key,
            "size": [width, depth],
        },
    )
