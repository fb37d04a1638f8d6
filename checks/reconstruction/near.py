# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies are near each other in which frames, and how far apart or how deep.

Bodies are unions of convex pieces (:attr:`Body.solids`). Those that aren't, and those that deform,
can only be measured by what records a scene; what it gives in ``Trajectory.distances`` is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .bodies import Bools, Floats, Ints
from .hulls import axes, depth, separation
from .limits import Limits
from .motion import boxes, rotations, speeds, spins
from .trajectory import Distances, Trajectory

# Numbers of points that are turned at a time.
_AT_ONCE = 400_000
# Poses that differ by less, m, are the same one.
_SAME = 1e-9


@dataclass(frozen=True, eq=False)
class Near:
    """All rows of :class:`.Distances` of a trajectory, and what could not be measured.

    ``unmeasured`` are pairs whose boxes come near each other but that nobody measured, (u, 2), and
    ``unknown`` the frames in which a body is near one that was not measured against it, (f, n).
    ``touch`` (k,): whether a row is contact, that is within both margins and the support gap of the
    smaller body.
    """

    rows: Distances
    unmeasured: Ints
    unknown: Bools
    touch: Bools

    def of(self, body: int) -> Ints:
        """Rows that a body is part of."""
        return np.flatnonzero((self.rows.first == body) | (self.rows.second == body))

    def touching(self, frames: int, bodies: int) -> Bools:
        """Whether a body touches any other, (f, n)."""
        whole = np.zeros((frames, bodies), bool)
        for side in (self.rows.first, self.rows.second):
            whole[self.rows.frame[self.touch], side[self.touch]] = True
        return whole

    def pairs_in_reach(self, trajectory: Trajectory, limits: Limits) -> Bools:
        """Rows (k,) of pairs that touch, or may within a frame before or after."""
        rows = self.rows
        slack = _closing(trajectory, rows.frame, rows.first, rows.second)
        held: Bools = (
            rows.distance <= touch_limits(trajectory, limits)[rows.first, rows.second] + slack
        )
        return held

    def might_touch(self, trajectory: Trajectory, limits: Limits) -> Bools:
        """Whether a body may touch any other within a frame before or after, (f, n).

        That is: it is nearer than the touching distance and what both close in a frame, or nobody
        measured how near.
        """
        rows, held = self.rows, self.pairs_in_reach(trajectory, limits)
        whole = self.unknown.copy()
        for side in (rows.first, rows.second):
            whole[rows.frame[held], side[held]] = True
        return whole


def near(trajectory: Trajectory, limits: Limits) -> Near:
    """The distances of a trajectory; measured once and kept with it."""
    key = ("near", limits)
    if key not in trajectory.workings:
        trajectory.workings[key] = _measure(trajectory, limits)
    found: Near = trajectory.workings[key]
    return found


def touch_limits(trajectory: Trajectory, limits: Limits) -> Floats:
    """Distance within which two bodies touch, (n, n) m: both margins and the smaller one's gap."""
    margins = np.array([body.margin for body in trajectory.bodies])
    gaps = np.array([limits.gap(body.size) for body in trajectory.bodies])
    pair: Floats = margins[:, None] + margins + np.minimum(gaps[:, None], gaps)
    return pair


def travel(trajectory: Trajectory) -> Floats:
    """How far any point of a body gets in the frame before or after, (f, n) m."""
    fast = np.zeros(trajectory.position.shape[:2])
    if len(trajectory) > 1:
        speed = speeds(trajectory)
        for name, mesh in trajectory.meshes.items():
            k = trajectory.index(name)
            if trajectory.bodies[k].medium not in ("rigid", "none") and mesh.size:
                with np.errstate(invalid="ignore"):
                    step = np.linalg.norm(np.diff(mesh, axis=0), axis=2).max(1)
                speed[:, k] = np.maximum(speed[:, k], step / trajectory.dt)
        fast[:-1] = speed
        fast[1:] = np.maximum(fast[1:], speed)
    # What explodes is judged elsewhere; here it must not make everything near everything.
    return np.minimum(np.nan_to_num(fast, nan=0.0, posinf=0.0) * trajectory.dt, 1e6)


def _closing(trajectory: Trajectory, frame: Ints, first: Ints, second: Ints) -> Floats:
    """How much nearer two bodies may come in the frame before or after, (k,) m.

    What one goes against the other, and what both turn: two that fall side by side don't near each
    other, however fast. Of what deforms, what both travel.
    """
    fast = travel(trajectory)
    whole: Floats = fast[frame, first] + fast[frame, second]
    if len(trajectory) < 2:
        return whole
    sizes = np.array([body.size for body in trajectory.bodies])
    turn = _beside(np.linalg.norm(spins(trajectory), axis=2) * sizes / 2 * trajectory.dt)
    shift = np.zeros((len(trajectory) + 1, len(sizes), 3))
    shift[1:-1] = np.diff(trajectory.position, axis=0)
    steps = [shift[frame + k, first] - shift[frame + k, second] for k in (0, 1)]
    near_by = np.linalg.norm(steps, axis=2).max(0) + turn[frame, first] + turn[frame, second]
    solid = np.array([body.name not in trajectory.meshes for body in trajectory.bodies])
    with np.errstate(invalid="ignore"):
        use = solid[first] & solid[second] & (near_by < whole)
    return np.where(use, near_by, whole)


def _beside(steps: Floats) -> Floats:
    """The greater of the steps before and after each frame, (f, n), of steps (f - 1, n)."""
    wide = np.zeros((len(steps) + 1, steps.shape[1]))
    wide[:-1] = steps
    wide[1:] = np.maximum(wide[1:], steps)
    return np.nan_to_num(wide)


def left_to_recorder(trajectory: Trajectory, limits: Limits) -> tuple[Ints, Bools, Floats]:
    """Pairs that convex pieces don't tell of, (p, 2), where they are close, and the reach, (f, p).

    The reach, m, is the touching distance and what the two may come nearer in two frames.
    """
    able = _able(trajectory)
    if able.all():
        f = len(trajectory)
        return np.zeros((0, 2), np.int64), np.zeros((f, 0), bool), np.zeros((f, 0))
    touch = touch_limits(trajectory, limits)
    pairs, close = _candidates(trajectory, touch)
    left = ~(able[pairs[:, 0]] & able[pairs[:, 1]])
    pairs, close = pairs[left], close[:, left]
    fast = 2 * travel(trajectory)
    reach = touch[pairs[:, 0], pairs[:, 1]] + fast[:, pairs[:, 0]] + fast[:, pairs[:, 1]]
    return pairs, close, reach


def _able(trajectory: Trajectory) -> Bools:
    """Whether convex pieces tell all of a body's surface, (n,): rigid ones may be recorded too."""
    rigid = [b.medium in ("rigid", "none") for b in trajectory.bodies]
    return np.array(
        [
            bool(body.solids) and (stiff or body.name not in trajectory.meshes)
            for body, stiff in zip(trajectory.bodies, rigid, strict=True)
        ],
        bool,
    )


def _measure(trajectory: Trajectory, limits: Limits) -> Near:
    touch = touch_limits(trajectory, limits)
    pairs, close = _candidates(trajectory, touch)
    given = trajectory.distances
    known = {tuple(p) for p in given.measured.tolist()} if given is not None else set()
    able = _able(trajectory)
    ours = np.array([able[i] and able[j] and (i, j) not in known for i, j in pairs.tolist()], bool)
    left = np.array(
        [not (able[i] and able[j]) and (i, j) not in known for i, j in pairs.tolist()], bool
    )
    unknown = np.zeros(trajectory.position.shape[:2], bool)
    for side in pairs[left].T:
        for p, body in enumerate(side):
            unknown[:, body] |= close[:, left][:, p]
    rows = _all_rows(trajectory, pairs[ours], close[:, ours])
    if given is not None:
        rows = _joined(given, rows)
    return Near(rows, pairs[left], unknown, rows.distance <= touch[rows.first, rows.second])


def _candidates(trajectory: Trajectory, touch: Floats) -> tuple[Ints, Bools]:
    """Pairs whose boxes come within reach in any frame, (p, 2), and where, (f, p).

    Reach is the touching distance and what the two may come nearer in two frames.
    """
    low, high = boxes(trajectory)
    reach = 2 * travel(trajectory)
    usable = [b.medium not in ("liquid", "particles") for b in trajectory.bodies]
    first, second = np.triu_indices(len(trajectory.bodies), 1)
    both = np.array(usable, bool)[first] & np.array(usable, bool)[second]
    groups = [body.group or k for k, body in enumerate(trajectory.bodies)]
    which = np.array([groups.index(group) for group in groups], np.int64)
    both &= which[first] != which[second]
    first, second = first[both], second[both]
    ever = _ever_near(trajectory, touch, reach, first, second)
    first, second = first[ever], second[ever]
    close = np.zeros((len(trajectory), len(first)), bool)
    with np.errstate(invalid="ignore"):
        for f in range(len(trajectory)):
            slack = touch[first, second] + reach[f, first] + reach[f, second]
            slack = slack[:, None]
            apart = (low[f, first] - high[f, second] > slack) | (
                low[f, second] - high[f, first] > slack
            )
            whole = trajectory.finite[f, first] & trajectory.finite[f, second]
            close[f] = whole & ~apart.any(1)
    ever = close.any(0)
    return np.stack((first[ever], second[ever]), axis=1), close[:, ever]


def _ever_near(
    trajectory: Trajectory, touch: Floats, reach: Floats, first: Ints, second: Ints
) -> Bools:
    """Pairs whose boxes round all that they pass through come within reach, (p,)."""
    low, high = boxes(trajectory)
    there = trajectory.finite[..., None]
    low = np.where(there, low, np.inf).min(0)
    high = np.where(there, high, -np.inf).max(0)
    slack = touch[first, second] + reach.max(0)[first] + reach.max(0)[second]
    with np.errstate(invalid="ignore"):
        apart = np.maximum(low[first] - high[second], low[second] - high[first]).max(1)
        near: Bools = ~(apart > slack)
    return near


def _all_rows(trajectory: Trajectory, pairs: Ints, close: Bools) -> Distances:
    """Distances of the pairs in the frames where they are close; still ones are measured once."""
    which, frame = np.nonzero(close.T)
    i, j = pairs[which, 0], pairs[which, 1]
    fresh = np.ones(len(which), bool)
    if len(which) > 1:
        follows = (which[1:] == which[:-1]) & (frame[1:] == frame[:-1] + 1)
        still = _still(trajectory)
        fresh[1:] = ~(follows & still[frame[1:], i[1:]] & still[frame[1:], j[1:]])
    source = np.cumsum(fresh) - 1
    distance, normal, point = _distances(trajectory, frame[fresh], i[fresh], j[fresh])
    return Distances(
        frame,
        i,
        j,
        distance[source],
        point[source],
        normal[source],
        pairs,
        method="convex pieces",
    )


def _still(trajectory: Trajectory) -> Bools:
    """Whether a body is where it was in the frame before, (f, n)."""
    same = np.zeros(trajectory.position.shape[:2], bool)
    with np.errstate(invalid="ignore"):
        shift = np.abs(np.diff(trajectory.position, axis=0)).max(2) <= _SAME
        same[1:] = shift & (np.abs(np.diff(trajectory.quaternion, axis=0)).max(2) <= _SAME)
    return same


def _distances(
    trajectory: Trajectory, frame: Ints, i: Ints, j: Ints
) -> tuple[Floats, Floats, Floats]:
    """Signed distance (k,), direction and place (k, 3) of body pairs in frames: least of pieces."""
    distance = np.full(len(frame), np.inf)
    normal, point = np.full((len(frame), 3), np.nan), np.full((len(frame), 3), np.nan)
    counts = np.array([len(body.solids) for body in trajectory.bodies])
    for p in range(int(counts[i].max(initial=0))):
        for q in range(int(counts[j].max(initial=0))):
            rows = np.flatnonzero((p < counts[i]) & (q < counts[j]))
            for chunk in _chunks(trajectory, i[rows], j[rows], p, q):
                at = rows[chunk]
                found = _pieces(trajectory, frame[at], i[at], j[at], p, q)
                better = found[0] < distance[at]
                distance[at[better]] = found[0][better]
                normal[at[better]], point[at[better]] = found[1][better], found[2][better]
    return distance, normal, point


def _chunks(trajectory: Trajectory, i: Ints, j: Ints, p: int, q: int) -> list[Ints]:
    """Rows in parts of bounded size, those with many points apart from those with few."""
    bodies = trajectory.bodies
    points = np.array(
        [
            [max([len(s) for s in body.solids[k : k + 1]], default=0) for body in bodies]
            for k in (p, q)
        ]
    )
    need = np.maximum(points[0, i], points[1, j])
    order = np.argsort(need, kind="stable")
    parts, start = [], 0
    while start < len(order):
        end = start + 1
        # Twice as many points at most in one part, since all are filled up to the largest.
        end = int(np.searchsorted(need[order], 2 * max(need[order[start]], 8), side="right"))
        end = min(end, start + max(1, _AT_ONCE // int(need[order[end - 1]] or 1)))
        parts.append(order[start:end])
        start = end
    return parts


def _pieces(
    trajectory: Trajectory, frame: Ints, i: Ints, j: Ints, p: int, q: int
) -> tuple[Floats, Floats, Floats]:
    """Signed distances of piece ``p`` of bodies ``i`` and piece ``q`` of bodies ``j``."""
    first, second = _placed(trajectory, frame, i, p), _placed(trajectory, frame, j, q)
    distance, normal, point, overlap = separation(first, second)
    round_i = np.array([body.rounding for body in trajectory.bodies])
    if overlap.any():
        rows = np.flatnonzero(overlap)
        pair = i[rows] * len(trajectory.bodies) + j[rows]
        for one in np.unique(pair):
            at = rows[pair == one]
            ways = _ways(trajectory, frame[at], int(i[at[0]]), int(j[at[0]]))
            deep, normal[at], point[at] = depth(first[at], second[at], ways)
            distance[at] = -deep
    distance -= round_i[i] + round_i[j]
    # From the middle of the cores to that of the surfaces.
    point += normal * ((round_i[j] - round_i[i]) / 2)[:, None]
    return distance, normal, point


def _placed(trajectory: Trajectory, frame: Ints, body: Ints, piece: int) -> Floats:
    """Points of a piece of each body in the world, (k, v, 3), filled up with copies."""
    kinds, which = np.unique(body, return_inverse=True)
    solids = [trajectory.bodies[k].solids[piece] for k in kinds]
    most = max(len(s) for s in solids)
    filled = np.stack([s[np.minimum(np.arange(most), len(s) - 1)] for s in solids])
    turned = rotations(trajectory)[frame, body]
    placed: Floats = filled[which.reshape(-1)] @ np.swapaxes(turned, 1, 2)
    placed += trajectory.position[frame, body][:, None]
    return placed


def _ways(trajectory: Trajectory, frame: Ints, i: int, j: int) -> Floats:
    """Directions along which two bodies may be freed, world axes, (m, k, 3)."""
    turned = rotations(trajectory)[frame]
    (faces_i, edges_i), (faces_j, edges_j) = (_axes(trajectory, k) for k in (i, j))
    parts = [faces_i @ np.swapaxes(turned[:, i], 1, 2), faces_j @ np.swapaxes(turned[:, j], 1, 2)]
    apart = trajectory.position[frame, i] - trajectory.position[frame, j]
    length = np.linalg.norm(apart, axis=1, keepdims=True)
    parts.append(
        np.where(length > 0, apart / np.where(length > 0, length, 1), [0, 0, 1.0])[:, None]
    )
    if len(edges_i) and len(edges_j):
        along_i = edges_i @ np.swapaxes(turned[:, i], 1, 2)
        along_j = edges_j @ np.swapaxes(turned[:, j], 1, 2)
        cross = np.cross(along_i[:, :, None], along_j[:, None]).reshape(len(frame), -1, 3)
        size = np.linalg.norm(cross, axis=2, keepdims=True)
        parts.append(np.where(size > 1e-6, cross / np.where(size > 1e-6, size, 1), parts[2]))
    return np.concatenate(parts, axis=1)


def _axes(trajectory: Trajectory, k: int) -> tuple[Floats, Floats]:
    key = ("axes", k)
    if key not in trajectory.workings:
        trajectory.workings[key] = axes(trajectory.bodies[k])
    found: tuple[Floats, Floats] = trajectory.workings[key]
    return found


def _joined(given: Distances, ours: Distances) -> Distances:
    """The recorder's rows and ours."""
    parts = {
        name: np.concatenate((getattr(given, name), getattr(ours, name)))
        for name in ("frame", "first", "second", "distance", "point", "normal", "measured")
    }
    method = given.method if not len(ours.measured) else f"{given.method}, {ours.method}"
    return Distances(**parts, method=method, exact=given.exact)
