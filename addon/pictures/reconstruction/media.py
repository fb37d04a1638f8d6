# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth, soft bodies, liquids, wind, and what should keep its shape or hold together."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ....checks.reconstruction.motion import rotations
from ....checks.reconstruction.probes.sheets import crossings, neighbours
from ....checks.reconstruction.trajectory import Trajectory
from ..drawing import Faces, Floats, Lines, Picture, Shown, Solid
from ..marks import FINE, STRONG
from .parts import (
    about,
    anchor,
    arrows,
    at_hand,
    away,
    bodies,
    company,
    ghost,
    location,
    mark,
    middle,
    number,
    row_of,
    trajectory_of,
    words,
)
from .places import corners_of, points_at

#: A cloth is so pale that its crossing triangles are seen in it.
_PALE = (0.04, 0.14)
#: Larger surfaces aren't searched again for a picture: the place alone is shown.
_MOST_FACES = 6_000
#: Edges that are drawn as stretched, the longest first.
_MOST_EDGES = 200


def cloth(shown: Shown) -> Picture | None:
    """Triangles that cross, a vertex that came loose, or the edges that are stretched most."""
    run = trajectory_of(shown)
    fault = about(shown, run)[0] if run is not None else []
    if run is None or not fault or run.bodies[fault[0]].name not in run.meshes:
        return None
    if shown.finding.unit == "m":
        return _loose(shown, run, fault[0])
    if shown.finding.unit == "1":
        return _stretched(shown, run, fault[0])
    return _crossing(shown, run, fault[0])


def _crossing(shown: Shown, run: Trajectory, body: int) -> Picture:
    row = row_of(shown, run)
    found = crossing_pairs(run, body, row)
    points = points_at(run, body, row)
    faces = list(bodies(run, [body], row, "fault", _PALE))
    text = away(shown, run, "crosses itself")
    lines: tuple[Lines, ...] = ()
    if len(found):
        chosen = np.unique(found)
        triangles = run.bodies[body].triangles[chosen].astype(np.int32)
        edges = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
        solid = Solid(points, triangles, np.unique(np.sort(edges, axis=1), axis=0))
        faces.append(Faces(solid, "fault", 0.75, 0.9, outline="plain"))
        count = len(found)
        said = "1 pair of triangles crosses" if count == 1 else f"{count:,} pairs cross"
        text = words(said, points[triangles].mean((0, 1)))
    elif not text:
        lines = mark(shown, run)
    return Picture(tuple(faces), lines, words=text, anchor=anchor(shown, run))


def crossing_pairs(run: Trajectory, body: int, row: int) -> NDArray[np.int64]:
    """Pairs of triangles of a surface that cross in a row of frames, (m, 2); none of large ones."""
    one = run.bodies[body]
    if len(one.triangles) > _MOST_FACES:
        return np.zeros((0, 2), np.int64)
    key = ("picture neighbours", body)
    if key not in run.workings:
        count = len(one.triangles)
        run.workings[key] = np.array([t * count + u for t, u in neighbours(one)], np.int64)
    return crossings(points_at(run, body, row), one.triangles, run.workings[key])


def _loose(shown: Shown, run: Trajectory, body: int) -> Picture:
    """Held vertices of the frame shown, each with an arrow from where it should be."""
    row, one = row_of(shown, run), run.bodies[body]
    lines: list[Lines] = []
    if len(one.pinned):
        now = points_at(run, body, row)[one.pinned]
        held = points_at(run, body, 0)[one.pinned] + run.position[row, body] - run.position[0, body]
        if np.isfinite(held).all():
            off = np.linalg.norm(now - held, axis=1)
            away_from = off > 0.25 * max(float(off.max()), 1e-9)
            lines += arrows(held[away_from], now[away_from], "fault")
    if not lines and at_hand(shown, run):
        lines += mark(shown, run)
    far = number(shown.finding.measured)
    text = away(shown, run, "comes loose")
    at = location(shown)
    if not text and far is not None and at is not None:
        text = words(f"{shown.length(far)} from where it is held", at)
    return Picture(company(shown, run), tuple(lines), words=text, anchor=anchor(shown, run))


def _stretched(shown: Shown, run: Trajectory, body: int) -> Picture:
    """Edges in the frame shown that are longer or shorter than allowed."""
    row, one = row_of(shown, run), run.bodies[body]
    lines: tuple[Lines, ...] = ()
    limit = number(shown.finding.limit)
    if len(one.edges) and limit is not None:
        points = points_at(run, body, row)
        first = points_at(run, body, 0)
        rest = one.rest_lengths
        if rest is None:
            rest = np.linalg.norm(first[one.edges[:, 1]] - first[one.edges[:, 0]], axis=1)
        ends = points[one.edges]
        length = np.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
        share = np.abs(np.divide(length, rest, out=np.ones_like(length), where=rest > 0) - 1)
        worst = np.argsort(-share)[:_MOST_EDGES]
        worst = worst[share[worst] > limit]
        if len(worst):
            lines = (Lines(ends[worst].reshape(-1, 3), "fault", STRONG),)
    value = number(shown.finding.measured)
    text = away(shown, run)
    if not text and value is not None:
        text = words(f"stretched by {value:.0%}", middle(run, body, row))
    faces = bodies(run, [body], row, "fault", _PALE)
    return Picture(faces, lines, words=text, anchor=anchor(shown, run))


def soft(shown: Shown) -> Picture | None:
    """As cloth; of a volume that changes the body as it began beside what became of it."""
    run = trajectory_of(shown)
    fault = about(shown, run)[0] if run is not None else []
    if run is None or not fault:
        return None
    if "volume" not in str(shown.finding.message):
        return cloth(shown)
    faces = (*company(shown, run), *_as_it_began(run, fault[0], row_of(shown, run)))
    value = number(shown.finding.measured)
    text = away(shown, run)
    if not text and value is not None:
        said = f"{value:.0%} of its volume gained or lost"
        text = words(said, middle(run, fault[0], row_of(shown, run)))
    return Picture(faces, words=text, anchor=anchor(shown, run))


def _as_it_began(run: Trajectory, body: int, row: int) -> tuple[Faces, ...]:
    """The surface of the first frame, moved to where the body's middle is now."""
    shift = middle(run, body, row) - middle(run, body, 0)
    return tuple(
        Faces(
            Solid(part.solid.points + shift, part.solid.triangles, part.solid.edges),
            "allowed", part.behind, part.front, part.outline,
        )
        for part in ghost(run, body, 0, "allowed")
    )  # fmt: skip


def liquid(shown: Shown) -> Picture | None:
    """The level in the frame shown, and how much is missing, outside, or in the walls."""
    run = trajectory_of(shown)
    fault = about(shown, run)[0] if run is not None else []
    if run is None or not fault:
        return None
    body, row = fault[0], row_of(shown, run)
    of = next((one for one in run.liquids if one.body == run.names[body]), None)
    names = [of.container] if of is not None and of.container else []
    held = [run.index(name) for name in names if name in run.names]
    faces = (*bodies(run, held, row, "related", _PALE), *company(shown, run))
    lines: tuple[Lines, ...] = ()
    corners = corners_of(run, row)[held[0] if held else body]
    if of is not None and of.level is not None and np.isfinite(of.level[row]):
        low, high = corners.min(0), corners.max(0)
        lines = (Lines(_level(low, high, float(of.level[row])), "flow", FINE * 2),)
    text = away(shown, run) or words(_liquid_words(shown), corners.max(0))
    return Picture(faces, lines + mark(shown, run), words=text, anchor=anchor(shown, run))


def _level(low: Floats, high: Floats, height: float) -> Floats:
    """The outline of a level within a box, as pairs of points."""
    ring = np.array([
        [low[0], low[1], height], [high[0], low[1], height],
        [high[0], high[1], height], [low[0], high[1], height],
    ])  # fmt: skip
    return np.stack((ring, np.roll(ring, -1, axis=0)), axis=1).reshape(-1, 3)


def _liquid_words(shown: Shown) -> str:
    value, message = number(shown.finding.measured), str(shown.finding.message)
    if value is None:
        return ""
    if shown.finding.unit == "m":
        return "its level doesn't rise"
    for word, said in (
        ("outside", "outside of the container"),
        ("inside the material", "inside the walls"),
        ("let in", "of what was let in is off"),
    ):
        if word in message:
            return f"{value:.1%} {said}"
    return f"{value:.1%}"


def rigidity(shown: Shown) -> Picture | None:
    """Two pivots of a joint that came apart, or a rigid body beside its own first shape."""
    run = trajectory_of(shown)
    if run is None:
        return None
    fault, related = about(shown, run)
    if not fault:
        return None
    if shown.finding.unit == "m":
        return _apart(shown, run, [*fault, *related])
    faces = (*company(shown, run), *_as_it_began(run, fault[0], row_of(shown, run)))
    value = number(shown.finding.measured)
    text = away(shown, run)
    if not text and value is not None:
        text = words(f"stretched by {value:.2%}", middle(run, fault[0], row_of(shown, run)))
    return Picture(faces, words=text, anchor=anchor(shown, run))


def _apart(shown: Shown, run: Trajectory, rows: list[int]) -> Picture:
    """The two places of the joint in the frame shown, which should be one."""
    names = {run.names[k] for k in rows}
    row = row_of(shown, run)
    lines: list[Lines] = []
    for joint in run.joints:
        if joint.first not in names or (joint.second is not None and joint.second not in names):
            continue
        ends = []
        for name, pivot in ((joint.first, joint.first_pivot), (joint.second, joint.second_pivot)):
            if name is None:
                ends.append(np.array(pivot))
                continue
            k = run.index(name)
            ends.append(rotations(run)[row, k] @ np.array(pivot) + run.position[row, k])
        if np.isfinite(ends).all():
            lines += arrows([ends[0]], [ends[1]], "fault")
    drift = number(shown.finding.measured)
    text = away(shown, run, "comes apart")
    at = location(shown)
    if not text and drift is not None and at is not None:
        text = words(f"{shown.length(drift)} apart", at)
    return Picture(company(shown, run), tuple(lines), words=text, anchor=anchor(shown, run))


def wind(shown: Shown) -> Picture | None:
    """The way of a body in the wind and, where it was run so, without."""
    run = trajectory_of(shown)
    fault = about(shown, run)[0] if run is not None else []
    calm = getattr(shown.structure, "without_fields", None)
    if run is None or not fault or calm is None or run.names[fault[0]] not in calm.names:
        return None
    body, other = fault[0], calm.index(run.names[fault[0]])
    row = row_of(shown, run)
    faces = (*company(shown, run), *ghost(calm, other, calm.row(int(run.frames[row])), "flow"))
    lines = [Lines(_way(run, body), "fault", FINE * 2)]
    lines.append(Lines(_way(calm, other), "flow", FINE * 2, dashed=True))
    text = words("goes the same without the wind", middle(run, body, row))
    return Picture(faces, tuple(lines), words=text, anchor=anchor(shown, run))


def _way(run: Trajectory, body: int) -> Floats:
    points = run.position[:, body]
    points = points[np.isfinite(points).all(1)]
    return np.stack((points[:-1], points[1:]), axis=1).reshape(-1, 3)
