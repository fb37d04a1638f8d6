# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds a body: the gap below one that rests on nothing, a proxy that isn't what is seen."""

from __future__ import annotations

import numpy as np

from ....checks.reconstruction.hulls import separation
from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Faces, Floats, Lines, Picture, Shown, Solid
from ..marks import FINE, ball
from ..solids import hull
from .convex import convex_solid, thinned
from .parts import (
    about,
    anchor,
    away,
    bodies,
    company,
    location,
    measure,
    number,
    row_of,
    size_of,
    told,
    trajectory_of,
    words,
)
from .places import pieces_at, points_at, pose

_SHELL = (0.10, 0.20)


def support(shown: Shown) -> Picture | None:
    """The gap as a dimension, what nobody sees as a dashed outline, or a collision shape."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault:
        return None
    if told(shown, "to") is not None:
        return _gap(shown, run, fault[0], related)
    if related:
        return _unseen(shown, run, related)
    return _proxy(shown, run, fault[0])


def _gap(shown: Shown, run: Trajectory, body: int, related: list[int]) -> Picture | None:
    """From the body's lowest place to what is nearest, in the frame shown."""
    row = row_of(shown, run)
    ends = nearest(run, body, related[0], row) if related else None
    size = size_of(run, body)
    if ends is None:
        low = points_at(run, body, row)
        start = low[int((low @ run.up).argmin())]
        if not len(run.bodies[body].vertices):
            start = start - run.bodies[body].rounding * run.up
        ends = start, start - 0.8 * size * run.up
    start, end = ends
    gap = float(np.linalg.norm(end - start))
    lines: tuple[Lines, ...] = ()
    if gap > 1e-6:
        lines = measure(start, end, (1.0, 0.0, 0.0), size)
    text = away(shown, run, "rests in the air")
    limit = number(shown.finding.limit)
    if not text:
        allowed = "" if limit is None else f", {shown.length(limit)} allowed"
        said = f"{shown.length(gap)} of air{allowed}" if related else "nothing below"
        text = words(said, (start + end) / 2)
    return Picture(company(shown, run), lines, words=text, anchor=anchor(shown, run))


def nearest(run: Trajectory, body: int, other: int, row: int) -> tuple[Floats, Floats] | None:
    """The places of two bodies that are nearest to each other, (3,) m each; ``None`` if they touch
    or have no convex pieces."""
    best = None
    for mine in pieces_at(run, body, row):
        for theirs in pieces_at(run, other, row):
            gaps, ways, middles, overlap = separation(mine.points[None], theirs.points[None])
            if not overlap[0] and (best is None or gaps[0] < best[0]):
                best = float(gaps[0]), ways[0], middles[0]
    if best is None:
        return None
    far, way, half = best
    return half + way * far / 2, half - way * far / 2


def _unseen(shown: Shown, run: Trajectory, related: list[int]) -> Picture:
    """What holds the body and isn't seen, as dashed edges."""
    row = row_of(shown, run)
    lines = []
    for k in related:
        for part in bodies(run, [k], row, "fault", _SHELL):
            ends = part.solid.points[part.solid.edges].reshape(-1, 3)
            lines.append(Lines(ends, "fault", FINE * 2, dashed=True))
    text = away(shown, run, "held by what nobody sees")
    if not text:
        low = points_at(run, related[0], row)
        text = words("nobody sees this", low.mean(0))
    return Picture(company(shown, run), tuple(lines), words=text, anchor=anchor(shown, run))


def _proxy(shown: Shown, run: Trajectory, body: int) -> Picture | None:
    """The collision shape round the visible surface, and how far it is off."""
    felt = run.bodies[body].collision_vertices
    if felt is None or not len(felt):
        return None
    row = row_of(shown, run)
    at, turned = pose(run, body, row)
    rounding = run.bodies[body].collision_rounding
    local = convex_solid(felt, rounding) if rounding else hull(thinned(felt))
    shell = Solid(local.points @ turned.T + at, local.triangles, local.edges)
    edges = shell.points[shell.edges].reshape(-1, 3)
    if not len(edges):  # a ball shows none: three circles stand for it
        centre = shell.points.mean(0)
        edges = ball(centre, float(np.linalg.norm(shell.points - centre, axis=1).max()))
    first, turned_first = pose(run, body, 0)
    seen = location(shown)
    lines: list[Lines] = [Lines(edges, "fault", FINE * 2, dashed=True)]
    text = words("what is felt", shell.points[int((shell.points @ run.up).argmax())])
    off = number(shown.finding.measured)
    if seen is not None and off is not None:
        # Where it is off was measured in the first frame; it goes with the body.
        own = turned_first.T @ (np.array(seen) - first)
        start = turned @ own + at
        way = (turned @ own) / max(float(np.linalg.norm(own)), 1e-9)
        lines += measure(start, start + off * way, run.up, size_of(run, body))
        text = words(f"felt {shown.length(off)} beside what is seen", start + off * way)
    faces = (*company(shown, run), Faces(shell, "fault", *_SHELL))
    return Picture(faces, tuple(lines), words=text, anchor=anchor(shown, run))


__all__ = ["nearest", "support"]
