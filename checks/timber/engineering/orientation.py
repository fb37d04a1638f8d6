# SPDX-License-Identifier: GPL-3.0-or-later
"""Do members that span lie on edge?"""

from __future__ import annotations

import numpy as np

from ...result import Finding
from . import table
from .joints import Joints
from .outcome import Outcome, measured, metres, point

_CHECK = "orientation"
#: Members whose strength depends on their depth (1.4).
ON_EDGE = (
    "Joist", "RimJoist", "CeilingJoist", "Rafter", "JackRafter", "HipRafter", "ValleyRafter",
    "Header", "Beam",
)  # fmt: skip


def orientation(joints: Joints) -> Outcome:
    """Joists, rafters, headers and beams are deeper than wide; square timbers are fine.

    Depth is the extent along the more vertical cross axis. Upright members of these roles are left
    to ``load_path``.
    """
    frame = joints.frame
    spans = frame.mask(*ON_EDGE) & ~frame.upright
    flat = np.flatnonzero(spans & (frame.depth < frame.width - table.SLACK))
    findings = tuple(_finding(joints, int(member)) for member in flat)
    rows = np.flatnonzero(spans)
    measures = measured(frame.names, rows, frame.depth[rows], frame.width[rows], at_least=True)
    return Outcome(
        len(rows), findings, {}, "no joists, rafters, headers or beams", measures=measures
    )


def _finding(joints: Joints, member: int) -> Finding:
    frame = joints.frame
    name = frame.names[member]
    depth, width = float(frame.depth[member]), float(frame.width[member])
    return Finding(
        _CHECK,
        name,
        f"{name} lies flat, {metres(depth)} deep and {metres(width)} wide; "
        "turn it by 90 degrees about its axis, so that it stands on edge.",
        measured=depth,
        limit=width,
        unit="m",
        margin=depth - width,
        location=point(frame.center[member]),
        clause="IRC R502.3, R802.4, R602.7",
    )
