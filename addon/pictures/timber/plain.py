# SPDX-License-Identifier: GPL-3.0-or-later
"""The picture of a finding that has no picture of its own: its members, its place, its line."""

from __future__ import annotations

import numpy as np

from ..drawing import Faces, Lines, Picture, Shown
from ..marks import STRONG
from ..solids import hull
from .parts import HINT, anchor, company, ends, mark, members, points, related_names, still
from .parts import subject_names as subjects_of

#: No overlap of two boxes has more corners than this.
MOST_CORNERS = 64
#: An overlap is what one looks for: it shines through everything, edged in white.
OVERLAP = (0.9, 0.0)


def plain(shown: Shown) -> Picture:
    """Members, the overlap if there is one, the measured length, and a mark at the place."""
    if not still(shown):
        return Picture(company(shown), anchor=anchor(shown))
    overlap = overlap_of(shown)
    if overlap is not None:
        return Picture((*beside_overlap(shown), overlap), anchor=anchor(shown))
    lines = list(mark(shown)) if points(shown, "solid") is None else []
    found = ends(shown)
    if found is not None:
        lines.append(Lines(np.array(found), "fault", STRONG))
    return Picture(company(shown), tuple(lines), anchor=anchor(shown))


def overlap_of(shown: Shown) -> Faces | None:
    """The solid that two members share."""
    corners = points(shown, "solid", 4, MOST_CORNERS)
    solid = hull(corners) if corners is not None else None
    if solid is None or not len(solid.triangles):
        return None
    return Faces(solid, "fault", *OVERLAP, outline="plain")


def beside_overlap(shown: Shown) -> tuple[Faces, ...]:
    """The members of an overlap, only hinted at."""
    return (
        *members(shown, related_names(shown), "related", HINT),
        *members(shown, subjects_of(shown), "fault", HINT),
    )
