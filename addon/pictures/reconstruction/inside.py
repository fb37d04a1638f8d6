# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies within each other: what they share in the frame shown, and how deep it goes."""

from __future__ import annotations

import numpy as np

from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Lines, Picture, Place, Shown, Solid
from ..marks import STRONG
from .convex import inside, shared
from .parts import (
    about,
    anchor,
    away,
    bodies,
    location,
    mark,
    number,
    own_row,
    pointing,
    row_of,
    size_of,
    told,
    trajectory_of,
    when,
    words,
)
from .parts import through as seen_through
from .places import pieces_at, surface

#: Bodies so pale that what they share is seen in them.
_PALE, _PALER = (0.05, 0.16), (0.04, 0.12)


def penetration(shown: Shown) -> Picture | None:
    """What both share as a solid through everything, its depth, and the way out."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault or not related:
        return None
    row = row_of(shown, run)
    common = region(run, fault[0], related[0], row)
    faces = (
        *bodies(run, related, row, "related", _PALER),
        *bodies(run, fault, row, "fault", _PALE),
        *seen_through(common),
    )
    lines: list[Lines] = []
    text = away(shown, run, "deepest")
    depth, at = number(shown.finding.measured), location(shown)
    if not when(shown, run) and at is not None:
        if row == own_row(shown, run):
            lines += _way_out(shown, run, depth, at)
        if not len(common.triangles):
            lines += mark(shown, run)
        if depth is not None and depth > 0:
            text = words(f"{shown.length(depth)} deep", at)
    return Picture(faces, tuple(lines), words=text, anchor=anchor(shown, run))


def _way_out(shown: Shown, run: Trajectory, depth: float | None, at: Place) -> tuple[Lines, ...]:
    """An arrow along the direction in which the two part, as long as the body is deep."""
    normal = told(shown, "normal")
    if depth is None or not isinstance(normal, (list, tuple)) or len(normal) != 3:
        return ()
    way = [number(v) for v in normal]
    if any(v is None for v in way):
        return ()
    fault, related = about(shown, run)
    direction = np.array(way, float)
    if fault[0] > related[0]:  # it points from the second body of the pair to the first
        direction = -direction
    length = max(depth, 0.3 * size_of(run, fault[0], related[0]))
    return pointing(at, direction, length, "flow")


def region(run: Trajectory, one: int, other: int, row: int) -> Solid:
    """What two bodies share in a row of frames: of unions of convex pieces exactly.

    Of others the faces of each whose corners are all within the other.
    """
    first, second = pieces_at(run, one, row), pieces_at(run, other, row)
    if first and second:
        return shared(first, second)
    a, b = surface(run, one, row), surface(run, other, row)
    small, large = (a, b) if run.bodies[one].size <= run.bodies[other].size else (b, a)
    within = inside(small.points, large)
    chosen = small.triangles[within[small.triangles].any(1)]
    return Solid(small.points, chosen, np.zeros((0, 2), np.int32))


def passed_through(shown: Shown) -> Picture | None:
    """A body that goes on into another as if it weren't there: its way, and what both share."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault or not related:
        return None
    own, row = own_row(shown, run), row_of(shown, run)
    points = run.position[max(own - 6, 0) : own + 7, fault[0]]
    points = points[np.isfinite(points).all(1)]
    if len(points) < 2:
        return None
    pairs = np.stack((points[:-1], points[1:]), axis=1).reshape(-1, 3)
    step = points[-1] - points[-2]
    lines = (
        Lines(pairs, "fault", STRONG),
        *pointing(points[-1], step, 0.5 * size_of(run, fault[0]), "fault"),
    )
    faces = (
        *bodies(run, related, row, "related", _PALER),
        *bodies(run, fault, row, "fault", _PALE),
        *seen_through(region(run, fault[0], related[0], row)),
    )
    text = away(shown, run, "goes through")
    kept = number(shown.finding.measured)
    if not text and kept is not None:
        text = words(f"{kept:.0%} of its speed kept", points[len(points) // 2])
    return Picture(faces, lines, words=text, anchor=anchor(shown, run))
