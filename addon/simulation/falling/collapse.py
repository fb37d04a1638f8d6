# SPDX-License-Identifier: GPL-3.0-or-later
"""Letting a model fall: Blender's rigid bodies in a scene of their own, a frame at a time.

A joint is two of Bullet's: one that holds the place and one that holds the turn, each breaking by
itself. Bullet compares the impulse of one step with the threshold, so a strength in N becomes
``F dt`` in N s. Faces that bear on each other collide, and their joint does not carry compression.
"""

from __future__ import annotations

import bpy
import numpy as np

from ..steps import SimulationError, Steps
from .model import FIRST, SECOND, Floats, Model
from .motion import Motion
from .trial import Trial

#: Frames a second that are kept.
FPS = 24
#: Steps of the solver a frame, and passes a step: measured on the bundled houses, which stay where
#: they are within 5 mm; Bullet's stiff joints sag with fewer (ours).
SUBSTEPS, ITERATIONS = 10, 30
#: Passes where there are few joints: the end of a row of eight blocks of stone that sticks out of
#: a wall sags by 83 mm with 30, by 9 mm with 200, and oak breaks too soon with 100 (measured).
MORE_ITERATIONS, FEW = 200, 300
#: Where nothing is farther than this from where it was so long ago, it lies still, m and s (ours:
#: Bullet's bodies tremble by up to a millimetre).
STILL, STILL_FOR = 0.002, 1.0
#: Limits of a joint that doesn't give, and how far one gives that holds one way only, m.
LOCKED, FREE = (0.0, 0.0), 100.0
#: The longest fall, s.
LONGEST = 20.0
#: How far below the ground the slab goes, m: a member falls by 16 mm a step at 4 m/s.
SLAB = 5.0


def collapse(model: Model, seconds: float = 5.0, pieces: int = 1) -> Steps[Motion]:
    """Let it fall for ``seconds``, or until everything lies still. Raises ``SimulationError``.

    ``pieces`` (1, 2, 5 or 10) are the steps in which Blender works a frame, so that a window stays
    free; the result is the same to the last bit.
    """
    if SUBSTEPS % pieces:
        raise SimulationError(f"{SUBSTEPS} steps of the solver can't be parted into {pieces}")
    if not 0 < seconds <= LONGEST:
        raise SimulationError(f"{seconds:g} s can't be simulated; choose up to {LONGEST:g} s")
    frames = max(1, round(seconds * FPS))
    last = frames * pieces + 1
    passes = MORE_ITERATIONS if len(model.joints) <= FEW else ITERATIONS
    trial = Trial(last + 1, FPS * pieces, SUBSTEPS // pieces, passes)
    try:
        yield 0, frames + 1
        bodies, base = _bodies(trial, model)
        _joints(trial, model, bodies)
        _pushes(trial, model, bodies)
        trial.gravity(model.gravity)
        trial.scene.view_layers[0].update()
        trial.scene.frame_set(1)
        yield 1, frames + 1
        poses = [_poses(trial, bodies)]
        settled = False
        for frame in range(1, frames + 1):
            for piece in range(pieces):
                trial.scene.frame_set(1 + (frame - 1) * pieces + piece + 1)
                yield frame, frames + 1
            poses.append(_poses(trial, bodies))
            settled = _lie_still(poses)
            if settled:
                break
    finally:
        trial.close()
    return _motion(model, base, np.array(poses), settled)


def _lie_still(poses: list[Floats]) -> bool:
    before = len(poses) - 1 - round(STILL_FOR * FPS)
    if before < 0:
        return False
    return bool(np.abs(poses[-1] - poses[before]).max(initial=0.0) < STILL)


def _bodies(trial: Trial, model: Model) -> tuple[list[bpy.types.Object], Floats]:
    """A body for each piece, and the pose that each starts in, (m, 4, 4)."""
    piece = model.pieces
    order = np.argsort(piece, kind="stable")
    members = np.split(order, np.flatnonzero(np.diff(piece[order])) + 1)
    bodies, base = [], np.tile(np.eye(4), (len(members), 1, 1))
    for k, rows in enumerate(members):
        mass = float(model.mass[rows].sum())
        passive = bool(model.fixed[rows].any())
        kind = {"type": "PASSIVE" if passive else "ACTIVE", "mass": mass}
        if len(rows) == 1:
            m = int(rows[0])
            base[k, :3, :3], base[k, :3, 3] = model.axes[m].T, model.center[m]
            bodies.append(trial.box(model.half[m], model.center[m], base[k, :3, :3], **kind))
            continue
        place = np.average(model.center[rows], axis=0, weights=model.mass[rows])
        base[k, :3, 3] = place
        halves, places = merged(model.center[rows], model.half[rows])
        bodies.append(trial.compound(halves, places, place, **kind))
    low, high = model.corners.min(axis=(0, 1)), model.corners.max(axis=(0, 1))
    reach = 50.0 + float((high - low).max())
    middle = np.array([*(0.5 * (low + high)[:2]), model.ground - SLAB])
    trial.box(np.array([reach, reach, SLAB]), middle, np.eye(3), type="PASSIVE")
    return bodies, base


def merged(center: Floats, half: Floats) -> tuple[Floats, Floats]:
    """Unit boxes of a piece in rows along x: half extents and centres, two (r, 3), m.

    Fewer shapes, and no seams on which an edge could catch.
    """
    order = np.lexsort((center[:, 0], center[:, 1], center[:, 2]))
    c, h = center[order], half[order]
    step = c[1:] - c[:-1]
    same = (np.abs(step[:, 1:]) < 1e-6).all(axis=1)
    same &= (np.abs(h[1:, 1:] - h[:-1, 1:]) < 1e-6).all(axis=1)
    same &= np.abs(step[:, 0] - h[1:, 0] - h[:-1, 0]) < 1e-6
    run = np.cumsum(np.concatenate([[0], ~same]))
    first = np.searchsorted(run, np.arange(run[-1] + 1))
    last = np.searchsorted(run, np.arange(run[-1] + 1), side="right") - 1
    low, high = c[first] - h[first], c[last] + h[last]
    return 0.5 * (high - low), 0.5 * (low + high)


def _joints(trial: Trial, model: Model, bodies: list[bpy.types.Object]) -> None:
    """Two breakable joints a contact; see the top of this file."""
    c, piece = model.contacts, model.pieces
    step = 1.0 / (FPS * SUBSTEPS)
    force, moment, bears = model.breaking_force(), model.held.moment, c.bears
    upright = axes_along(np.array([0.0, 0.0, 1.0]))
    for k in model.joints.tolist():
        pair = bodies[piece[c.first[k]]], bodies[piece[c.second[k]]]
        # What is one across the whole face needs no contact beside its joint.
        collide = bool(bears[k]) and c.kind[k] != "blocks"
        spot = c.spot[k]
        if force[k] > 0:
            limits = _places(model, k, collide)
            trial.joint(pair, spot, upright, limits, float(force[k]) * step, collide)
        elif not bears[k]:
            trial.joint(pair, spot, upright, {}, None, False)
        if force[k] > 0 and moment[k] > 0 and (c.carries[k] or model.turned):
            hinged = bool(c.hinge[k].any())
            limits = {"ang_y": LOCKED, "ang_z": LOCKED, **({} if hinged else {"ang_x": LOCKED})}
            turn = axes_along(c.hinge[k] if hinged else c.normal[k])
            trial.joint(pair, spot, turn, limits, float(moment[k]) * step, collide)


def _places(model: Model, k: int, bears: bool) -> dict[str, tuple[float, float]]:
    """How far the second member of a contact may go from the first; x is up.

    What carries holds the other up, but doesn't hang on it.
    """
    limits = {"lin_y": LOCKED, "lin_z": LOCKED}
    carries = FIRST | SECOND if model.turned else int(model.contacts.carries[k])
    if carries == FIRST | SECOND:
        limits["lin_x"] = LOCKED
    elif carries and not bears:
        limits["lin_x"] = (0.0, FREE) if carries == FIRST else (-FREE, 0.0)
    return limits


def axes_along(normal: Floats) -> Floats:
    """A right-handed frame whose first column is ``normal``, (3, 3)."""
    x = normal / np.linalg.norm(normal)
    up = np.array([0.0, 0.0, 1.0]) if abs(x[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    y = np.cross(up, x)
    y /= np.linalg.norm(y)
    return np.stack([x, y, np.cross(x, y)], axis=1)


def _pushes(trial: Trial, model: Model, bodies: list[bpy.types.Object]) -> None:
    """Forces for as long as it lasts, and a velocity in the first step, on the bodies of members.

    Bullet's motor does both: one without end that may use only so much force, and one that may use
    any and breaks by what gives its member that velocity.
    """
    anchor = None
    for pushes, lasts in ((model.force, True), (model.velocity, False)):
        rows = np.flatnonzero(pushes.any(axis=1)) if pushes is not None else np.zeros(0, int)
        for m in rows.tolist():
            assert pushes is not None
            if anchor is None:
                below = np.array([0.0, 0.0, model.ground - 3.0 * SLAB])
                anchor = trial.box(np.full(3, 0.1), below, np.eye(3), type="PASSIVE")
            size = float(np.linalg.norm(pushes[m])) * (1.0 if lasts else float(model.mass[m]))
            turn = axes_along(pushes[m])
            body = bodies[model.pieces[m]]
            trial.motor((anchor, body), model.center[m], turn, size, lasts)


def _poses(trial: Trial, bodies: list[bpy.types.Object]) -> Floats:
    """Where the bodies are, (m, 4, 4)."""
    graph = trial.scene.view_layers[0].depsgraph
    return np.array([obj.evaluated_get(graph).matrix_world for obj in bodies], np.float64)


def _motion(model: Model, base: Floats, poses: Floats, settled: bool) -> Motion:
    """Poses of members (f, n) from those of their pieces (f, m, 4, 4)."""
    if not np.isfinite(poses).all():
        raise SimulationError(
            "the solver gave up: bodies went to infinity; look for members that lie in each other"
        )
    piece = model.pieces
    turn = poses[:, :, :3, :3] @ base[None, :, :3, :3].transpose(0, 1, 3, 2)
    offset = model.center - base[piece, :3, 3]
    place = np.einsum("fnij,nj->fni", turn[:, piece], offset) + poses[:, :, :3, 3][:, piece]
    return Motion(float(FPS), turn[:, piece], place, settled)
