# SPDX-License-Identifier: GPL-3.0-or-later
"""How members meet: contact areas too small, and cuts too deep."""

from __future__ import annotations

import numpy as np

from ..drawing import Faces, Lines, Picture, Shown
from ..marks import STRONG, polyline, stretched
from ..solids import hull, quads
from .parts import (
    HINT,
    THROUGH,
    anchor,
    ends,
    lengths,
    members,
    number,
    points,
    related_names,
    still,
    subject_names,
    versus,
    words,
)
from .plain import MOST_CORNERS


def bearing(shown: Shown) -> Picture | None:
    """The area where a member bears, in the one that is asked for."""
    needed = points(shown, "needed", 4, 4)
    if needed is None or not still(shown):
        return None
    patch = points(shown, "patch", 4, 4)
    faces = [
        *members(shown, related_names(shown), "related", HINT),
        *members(shown, subject_names(shown), "fault", HINT),
        Faces(quads(needed), "allowed", 0.35, 0.0, outline="allowed"),
    ]
    lines = [Lines(polyline(needed, closed=True), "allowed", STRONG)]
    if patch is not None:
        faces.append(Faces(quads(patch), "fault", *THROUGH, outline="fault"))
        lines.append(Lines(polyline(patch, closed=True), "fault", STRONG))
    measured, limit = number(shown.finding.measured), number(shown.finding.limit)
    text = ""
    if measured is not None and limit is not None and measured >= 0:
        text = versus(shown, measured, limit)
    return Picture(
        tuple(faces), tuple(lines), words=words(text, needed.mean(axis=0)), anchor=anchor(shown)
    )


def notch(shown: Shown) -> Picture | None:
    """The wood that is cut away, and how deep of it would be allowed."""
    found, figures = ends(shown), lengths(shown)
    if found is None or figures is None or not still(shown):
        return None
    start, end = found
    measured, limit = figures
    faces = [
        *members(shown, related_names(shown), "related", HINT),
        *members(shown, subject_names(shown), "fault", HINT),
    ]
    corners = points(shown, "cut", 4, MOST_CORNERS)
    solid = hull(corners) if corners is not None else None
    if solid is not None and len(solid.triangles):
        faces.append(Faces(solid, "fault", 0.45, 0.0, outline="plain"))
    stop = stretched(start, end, min(limit, measured))
    lines = (
        Lines(np.array([start, stop]), "allowed", STRONG * 1.6),
        Lines(np.array([stop, end]), "fault", STRONG * 1.6),
    )
    text = f"{versus(shown, measured, limit)}"
    return Picture(tuple(faces), lines, words=words(text, end), anchor=anchor(shown))
