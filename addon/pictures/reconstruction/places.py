# SPDX-License-Identifier: GPL-3.0-or-later
"""Where bodies are in a frame, as boxes and surfaces, m. What is drawn follows the frame shown.

A pose that is no number is drawn where the body was last.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ....checks.reconstruction.bodies import Body
from ....checks.reconstruction.motion import matrices
from ....checks.reconstruction.trajectory import Trajectory
from ....checks.timber.structure import CORNER_SIGNS
from ..drawing import Floats, Ints, Solid, Subjects
from .convex import convex_solid, feature_edges

#: Surfaces of more triangles are drawn as boxes: a picture is made while a view is redrawn.
MOST_TRIANGLES = 20_000
#: Convex surfaces of more faces are cut as coarser ones.
_MOST_FACES = 1_500

_PARTS = {
    "active": "moved by the solver",
    "passive": "still",
    "animated": "animated",
    "none": "no body",
}
_MEDIA = {"cloth": "cloth", "soft": "soft body", "liquid": "liquid", "particles": "particles"}


def poses(
    trajectory: Trajectory, row: int, bodies: Sequence[int] | None = None
) -> tuple[Floats, Floats]:
    """Places (k, 3), m, and rotation matrices (k, 3, 3) of bodies, or all, in a row of frames.

    Of a body that has no pose there those of the last frame in which it had one.
    """
    known = trajectory.workings.get("picture rows")
    if known is None:
        good = np.isfinite(trajectory.position).all(2) & np.isfinite(trajectory.quaternion).all(2)
        rows = np.where(good, np.arange(len(trajectory))[:, None], 0)
        known = trajectory.workings["picture rows"] = np.maximum.accumulate(rows, axis=0)
    which = np.arange(len(trajectory.bodies)) if bodies is None else np.asarray(bodies)
    place = trajectory.position[known[row, which], which]
    turned = matrices(trajectory.quaternion[known[row, which], which])
    lost = ~(np.isfinite(place).all(1) & np.isfinite(turned).all((1, 2)))
    return np.where(lost[:, None], 0.0, place), np.where(lost[:, None, None], np.eye(3), turned)


def pose(trajectory: Trajectory, body: int, row: int) -> tuple[Floats, Floats]:
    """Place (3,), m, and rotation matrix (3, 3) of a body; where it was last if it has none."""
    place, turned = poses(trajectory, row, [body])
    return place[0], turned[0]


def points_at(trajectory: Trajectory, body: int, row: int) -> Floats:
    """Vertices of a body's visible surface, (v, 3) m; of one without any, those of its pieces."""
    one = trajectory.bodies[body]
    mesh = trajectory.meshes.get(one.name)
    if mesh is not None and len(mesh[row]):
        good = np.flatnonzero(np.isfinite(mesh[: row + 1]).all((1, 2)))
        if len(good):
            found: Floats = np.asarray(mesh[int(good[-1])], float)
            return found
    place, turned = pose(trajectory, body, row)
    local = one.vertices if len(one.vertices) else one.points
    return (local if len(local) else np.zeros((1, 3))) @ turned.T + place


def corners_of(trajectory: Trajectory, row: int) -> Floats:
    """Boxes round all bodies in a row of frames, (n, 8, 3) m.

    Along a rigid body's own axes; round one that deforms along the world's.
    """
    place, turned = poses(trajectory, row)
    made: Floats = _local_boxes(trajectory) @ np.swapaxes(turned, 1, 2) + place[:, None]
    for k, body in enumerate(trajectory.bodies):
        if body.name in trajectory.meshes:
            points = points_at(trajectory, k, row)
            low, high = points.min(0), points.max(0)
            made[k] = (low + high) / 2 + CORNER_SIGNS * (high - low) / 2
    return made


def _local_boxes(trajectory: Trajectory) -> Floats:
    """Boxes round all bodies in their own axes, (n, 8, 3) m, worked out once."""
    if "picture boxes" not in trajectory.workings:
        made = np.zeros((len(trajectory.bodies), 8, 3))
        for k, body in enumerate(trajectory.bodies):
            local = body.points if len(body.points) else np.zeros((1, 3))
            low, high = local.min(0) - body.rounding, local.max(0) + body.rounding
            made[k] = (low + high) / 2 + CORNER_SIGNS * (high - low) / 2
        trajectory.workings["picture boxes"] = made
    found: Floats = trajectory.workings["picture boxes"]
    return found


def subjects_in(trajectory: Trajectory, row: int) -> Subjects:
    """Every body in a row of frames; a role is what the task calls it, else how it moves."""
    roles = tuple(_role(body) for body in trajectory.bodies)
    return Subjects(trajectory.names, corners_of(trajectory, row), roles)


def _role(body: Body) -> str:
    return body.role or _MEDIA.get(body.medium) or _PARTS[body.part]


def surface(trajectory: Trajectory, body: int, row: int, skin: float = 0.0) -> Solid:
    """The visible surface of a body as triangles, with the edges that one sees.

    ``skin``, m, is how much larger it is drawn, from its middle outwards.
    """
    one = trajectory.bodies[body]
    if not len(one.triangles) and one.pieces:
        local = _pieces(trajectory, body)
        place, turned = pose(trajectory, body, row)
        return _grown(
            Solid(local.points @ turned.T + place, local.triangles, local.edges),
            skin,
        )
    triangles = one.triangles[:MOST_TRIANGLES].astype(np.int32)
    edges = _edges(trajectory, body)
    return _grown(Solid(points_at(trajectory, body, row), triangles, edges), skin)


def _grown(solid: Solid, skin: float) -> Solid:
    if not skin or not len(solid.points):
        return solid
    out = solid.points - solid.points.mean(0)
    far = np.linalg.norm(out, axis=1, keepdims=True)
    way = np.divide(out, far, out=np.zeros_like(out), where=far > 0)
    return Solid(solid.points + skin * way, solid.triangles, solid.edges)


def _edges(trajectory: Trajectory, body: int) -> Ints:
    """Edges that one sees, worked out once for a body."""
    key = ("picture edges", body)
    if key not in trajectory.workings:
        one = trajectory.bodies[body]
        trajectory.workings[key] = feature_edges(one.vertices, one.triangles)
    found: Ints = trajectory.workings[key]
    return found


def _pieces(trajectory: Trajectory, body: int) -> Solid:
    """All convex pieces of a body as one solid in its own axes."""
    return joined(local_pieces(trajectory, body))


def local_pieces(trajectory: Trajectory, body: int) -> tuple[Solid, ...]:
    """The convex pieces of a body in its own axes, grown by its rounding; none if it has none."""
    key = ("picture pieces", body)
    if key not in trajectory.workings:
        one = trajectory.bodies[body]
        if one.pieces or not one.convex or not 0 < len(one.triangles) <= _MOST_FACES:
            made = [convex_solid(p, one.rounding) for p in one.solids]
        else:  # its surface is its hull
            made = [Solid(one.vertices, one.triangles.astype(np.int32), _edges(trajectory, body))]
        trajectory.workings[key] = tuple(made)
    found: tuple[Solid, ...] = trajectory.workings[key]
    return found


def pieces_at(trajectory: Trajectory, body: int, row: int) -> tuple[Solid, ...]:
    """The convex pieces of a body that keeps its shape, where they are in a row of frames."""
    if trajectory.bodies[body].name in trajectory.meshes:
        return ()
    place, turned = pose(trajectory, body, row)
    return tuple(
        Solid(piece.points @ turned.T + place, piece.triangles, piece.edges)
        for piece in local_pieces(trajectory, body)
        if len(piece.triangles)
    )


def joined(solids: tuple[Solid, ...] | list[Solid]) -> Solid:
    """Several solids as one."""
    if not solids:
        return Solid()
    first = np.cumsum([0] + [len(s.points) for s in solids])[:-1]
    return Solid(
        np.concatenate([s.points for s in solids]),
        np.concatenate([s.triangles + n for s, n in zip(solids, first, strict=True)]).astype(
            np.int32
        ),
        np.concatenate([s.edges + n for s, n in zip(solids, first, strict=True)]).astype(np.int32),
    )
