# SPDX-License-Identifier: GPL-3.0-or-later
"""Support: what rests is held by something that is seen, where it is seen."""

from __future__ import annotations

import numpy as np

from ...result import CheckResult, Finding
from ..bodies import Body, Floats
from ..brief import ReconstructionBrief
from ..hulls import all_round, separation
from ..limits import Limits
from ..motion import resting, rotations, runs
from ..near import near
from ..trajectory import Trajectory
from ..words import lengths
from .common import fault, pushed, result, rigid, span

ID = "support"

# Directions in which a collision shape is compared with what is seen.
_DIRECTIONS = 200


def support(trajectory: Trajectory, brief: ReconstructionBrief, limits: Limits) -> CheckResult:
    """Bodies at rest touch something visible; collision shapes keep to the visible surface.

    A body at rest that is joined to another, or that a force field may hold, is left out.
    """
    findings, judged, gaps = _gaps(trajectory, limits)
    proxies, off = _proxies(trajectory, limits)
    hidden = _hidden(trajectory, limits)
    figures = {"resting": judged, "gaps": gaps, "shape_off_surface": off}
    blind = near(trajectory, limits).unknown
    unsure = [
        body.name
        for k, body in enumerate(trajectory.bodies)
        if body.moves and blind[:, k].any() and body.name not in gaps
    ]
    return result(
        ID,
        brief,
        [*findings, *hidden, *proxies],
        figures,
        vacuous=None
        if judged or off or unsure
        else "no body rests, and no collision shape is known",
        inconclusive=f"what holds {', '.join(unsure[:5])} was not measured"
        if unsure and not judged
        else None,
    )


def _gaps(trajectory: Trajectory, limits: Limits) -> tuple[list[Finding], int, dict[str, float]]:
    found = near(trajectory, limits)
    touching = found.touching(len(trajectory), len(trajectory.bodies)) | found.unknown
    still = resting(trajectory, limits.rest_size, limits.rest_frames)
    still &= rigid(trajectory) & ~trajectory.driven & ~pushed(trajectory)
    findings, gaps, judged = [], {}, 0
    for k in np.flatnonzero(still.any(0)):
        body = trajectory.bodies[k]
        if trajectory.joints_of(body.name) or trajectory.g == 0:
            continue
        judged += 1
        for first, last in runs(still[:, k] & ~touching[:, k]):
            if last - first + 1 < limits.rest_frames:
                continue
            row = (first + last) // 2
            gap, other, at = _nearest(trajectory, int(k), row)
            limit = limits.gap(body.size) + body.margin
            limit += trajectory.bodies[other].margin if other is not None else 0.0
            if gap is not None:
                gaps[body.name] = gap
            far = "there is nothing else"
            if other is not None and gap is not None:
                away, most = lengths(gap, limit)
                far = f"{trajectory.names[other]} is nearest, {away} away; {most} is allowed"
            findings.append(
                fault(
                    *(trajectory, ID, int(k), row),
                    f"{body.name} rests in the air through {span(trajectory, first, last)}: {far}",
                    measured=gap,
                    limit=limit,
                    unit="m",
                    related=() if other is None else (other,),
                    **{"from": trajectory.position[row, k].tolist()},
                    to=at.tolist(),
                )
            )
            break
    return findings, judged, gaps


def _nearest(trajectory: Trajectory, k: int, row: int) -> tuple[float | None, int | None, Floats]:
    """The nearest other body to one in a frame: how far, which, and the place between.

    Of a body that isn't convex its hull counts, which is no farther than the body.
    """
    best, which, place = None, None, trajectory.position[row, k]
    for other, body in enumerate(trajectory.bodies):
        if (
            other == k
            or not trajectory.finite[row, other]
            or body.medium in ("liquid", "particles")
        ):
            continue
        for mine in _solids(trajectory, k, row):
            for theirs in _solids(trajectory, other, row):
                far, _, middle, _ = separation(mine[None], theirs[None])
                gap = float(far[0]) - trajectory.bodies[k].rounding - body.rounding
                if best is None or gap < best:
                    best, which, place = gap, other, middle[0]
    return best, which, place


def _solids(trajectory: Trajectory, k: int, row: int) -> list[Floats]:
    """Convex pieces of a body in the world, or all its points, (p, 3) each."""
    body = trajectory.bodies[k]
    mesh = trajectory.meshes.get(body.name)
    if mesh is not None and body.medium not in ("rigid", "none"):
        return [mesh[row]] if mesh.shape[1] else []
    if not body.solids and not len(body.vertices):
        return []
    turned, place = rotations(trajectory)[row, k], trajectory.position[row, k]
    return [piece @ turned.T + place for piece in body.solids or (body.vertices,)]


def _hidden(trajectory: Trajectory, limits: Limits) -> list[Finding]:
    """Bodies that nothing but an unseen one holds, for long enough."""
    unseen = np.array([not body.visible for body in trajectory.bodies], bool)
    if not unseen.any():
        return []
    found = near(trajectory, limits)
    rows, shape = found.rows, trajectory.position.shape[:2]
    by_seen, by_unseen = np.zeros(shape, bool), np.zeros(shape, bool)
    by_seen |= found.unknown
    for one, other in ((rows.first, rows.second), (rows.second, rows.first)):
        touch = found.touch
        by_unseen[rows.frame[touch & unseen[other]], one[touch & unseen[other]]] = True
        by_seen[rows.frame[touch & ~unseen[other]], one[touch & ~unseen[other]]] = True
    only = by_unseen & ~by_seen & rigid(trajectory) & ~unseen
    findings = []
    for k in np.flatnonzero(only.any(0)):
        long = [r for r in runs(only[:, k]) if r[1] - r[0] + 1 >= limits.rest_frames]
        if long:
            first, last = max(long, key=lambda r: r[1] - r[0])
            hits = found.of(int(k))
            hits = hits[(rows.frame[hits] == first) & found.touch[hits]]
            both = np.concatenate((rows.first[hits], rows.second[hits]))
            others = sorted({int(b) for b in both if unseen[b]})
            findings.append(
                fault(
                    *(trajectory, ID, int(k), first),
                    f"{trajectory.names[k]} is held through {span(trajectory, first, last)} by "
                    f"{trajectory.names[others[0]]}, which nobody can see, and by nothing else",
                    related=others,
                )
            )
    return findings


def _proxies(trajectory: Trajectory, limits: Limits) -> tuple[list[Finding], dict[str, float]]:
    """Collision shapes that reach beyond the visible surface, or stay behind it."""
    findings, off = [], {}
    for k, body in enumerate(trajectory.bodies):
        if body.collision_vertices is None or not len(body.points) or body.part == "none":
            continue
        far, place = _off_surface(body)
        off[body.name] = far
        limit = limits.proxy(body.size)
        if abs(far) > limit:
            words = "beyond" if far > 0 else "behind"
            turned = rotations(trajectory)[0, k]
            away, most = lengths(abs(far), limit)
            findings.append(
                fault(
                    *(trajectory, ID, k, 0),
                    f"the collision shape of {body.name} is {away} {words} its visible "
                    f"surface; {most} is allowed: what it touches isn't what is seen",
                    measured=abs(far),
                    limit=limit,
                    unit="m",
                    at=turned @ place + trajectory.position[0, k],
                )
            )
    return findings, off


def _off_surface(body: Body) -> tuple[float, Floats]:
    """How far the hull of the collision shape is off that of the surface, m, and where.

    The largest difference of how far the two reach, over directions all round and along the axes;
    positive where the collision shape reaches farther.
    """
    assert body.collision_vertices is not None
    ways = np.concatenate((all_round(_DIRECTIONS), np.eye(3), -np.eye(3)))
    seen = (body.points @ ways.T).max(0) + body.rounding
    felt = (body.collision_vertices @ ways.T).max(0) + body.collision_rounding
    worst = int(np.abs(felt - seen).argmax())
    return float(felt[worst] - seen[worst]), ways[worst] * seen[worst]
