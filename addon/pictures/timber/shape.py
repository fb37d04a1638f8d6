# SPDX-License-Identifier: GPL-3.0-or-later
"""Members as they are and as they should be: turned, of another size, or not there at all."""

from __future__ import annotations

import numpy as np

from ....checks.timber.structure import CORNER_SIGNS
from ..drawing import Faces, Floats, Lines, Picture, Shown
from ..marks import DOWN, dimension
from ..solids import boxes, hull
from .contact import bearing
from .parts import (
    anchor,
    boxes_of,
    company,
    ends,
    mark,
    number,
    numbers,
    points,
    still,
    subject_names,
    words,
)

#: Opacity of a member that is not there.
_GHOST = (0.22, 0.40)
#: Width of the outline of what it should be: another size differs by millimetres only.
_OUTLINE = 1.6


def turned(shown: Shown) -> Picture | None:
    """A member that lies flat, and the outline of how it would stand on edge."""
    axes = _axes(shown)
    if axes is None:
        return None
    center, half = axes
    sizes = np.linalg.norm(half, axis=1, keepdims=True)
    across = half / np.maximum(sizes, 1e-12)
    # The depth changes places with the width; the axis is the one that stays.
    edge = np.array([half[0], across[1] * sizes[2], across[2] * sizes[1]])
    return _as_it_should_be(shown, center, edge, "should stand on edge")


def resized(shown: Shown) -> Picture | None:
    """A member of an odd section, and the outline of the nearest size that can be bought."""
    axes = _axes(shown)
    size = numbers(shown, "size", 2)
    if axes is None or size is None or min(size) <= 0:
        return None
    center, half = axes
    width, depth = size
    sizes = np.linalg.norm(half, axis=1, keepdims=True)
    across = half / np.maximum(sizes, 1e-12)
    bought = np.array([half[0], across[1] * 0.5 * depth, across[2] * 0.5 * width])
    is_now = " × ".join(shown.length(2.0 * float(s)) for s in sizes[[2, 1], 0])
    would_be = " × ".join(shown.length(s) for s in (width, depth))
    return _as_it_should_be(shown, center, bought, f"{is_now}, nearest {would_be}")


def _axes(shown: Shown) -> tuple[Floats, Floats] | None:
    """Centre (3,) and half axes (3, 3), longest first, of the member at fault, unless moved."""
    wanted, corners = boxes_of(shown.subjects, subject_names(shown))
    if not wanted or not still(shown):
        return None
    center = corners[0].mean(axis=0)
    return center, CORNER_SIGNS.T @ (corners[0] - center) / 8.0


def _as_it_should_be(shown: Shown, center: Floats, half: Floats, text: str) -> Picture:
    outline = boxes((center + CORNER_SIGNS @ half)[None])
    edges = Lines(outline.points[outline.edges.reshape(-1)], "allowed", _OUTLINE, dashed=True)
    return Picture(company(shown), (edges,), words=words(text, center), anchor=anchor(shown))


def opening(shown: Shown) -> Picture | None:
    """The header or king stud that is missing as a ghost, or where a header bears too little."""
    corners = points(shown, "missing", 8, 8)
    if corners is None:
        return bearing(shown)
    if not still(shown):
        return None
    solid = hull(corners)
    if not len(solid.triangles):
        return None
    lines: list[Lines] = []
    texts = words("missing", corners.mean(axis=0))
    found, wide = ends(shown), number(shown.finding.measured)
    if found is not None and wide is not None and wide > 0:
        line = dimension(*found, -DOWN, offset=0.08, tone="fault")
        lines += line.lines
        texts = words(f"no header over {shown.length(wide)}", line.middle)
    faces = (*company(shown), Faces(solid, "allowed", *_GHOST, outline="allowed"))
    return Picture(faces, tuple(lines), words=texts, anchor=anchor(shown))


def nameless(shown: Shown) -> Picture | None:
    """What nobody knows what it is, or the place where a whole part of the house is missing."""
    if not still(shown):
        return None
    return Picture(company(shown), mark(shown), anchor=anchor(shown))
