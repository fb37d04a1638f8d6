# SPDX-License-Identifier: GPL-3.0-or-later
"""Trajectories whose physics are known in closed form, each sound, to be made faulty by tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from plumbline.checks.reconstruction import Body, Trajectory
from plumbline.checks.reconstruction.bodies import Driver

G = 9.81
SOLVER = (Driver("solver"),)

_SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)
#: Triangles of a box whose corners are those of ``_SIGNS``, outwards.
_FACES = np.array(
    [
        *([0, 1, 3], [0, 3, 2], [4, 6, 7], [4, 7, 5], [0, 4, 5], [0, 5, 1]),
        *([2, 3, 7], [2, 7, 6], [0, 2, 6], [0, 6, 4], [1, 5, 7], [1, 7, 3]),
    ]
)


def box(name: str, size: Any = (1, 1, 1), **values: Any) -> Body:
    """A box with its centre at its origin; lengths in m."""
    given: dict[str, Any] = {
        "mass": 1.0,
        "friction": 0.5,
        "restitution": 0.0,
        "shape": "BOX",
        "drivers": SOLVER,
        "linear_damping": 0.0,
        "angular_damping": 0.0,
        **values,
    }
    if given.get("part", "active") != "active":
        given["drivers"] = values.get("drivers", ())
    return Body(name, vertices=_SIGNS * np.asarray(size, float) / 2, triangles=_FACES, **given)


def ball(name: str, radius: float = 0.5, **values: Any) -> Body:
    """A ball with its centre at its origin."""
    given: dict[str, Any] = {
        "mass": 1.0,
        "friction": 0.5,
        "restitution": 0.0,
        "shape": "SPHERE",
        "drivers": SOLVER,
        "linear_damping": 0.0,
        "angular_damping": 0.0,
        **values,
    }
    return Body(name, pieces=(np.zeros((1, 3)),), rounding=radius, **given)


def floor(size: float = 20.0, top: float = 0.0, **values: Any) -> tuple[Body, Any]:
    """A still slab 1 m thick and where its centre is, so that its top is at ``top``."""
    return box("floor", (size, size, 1.0), part="passive", **values), (0.0, 0.0, top - 0.5)


def recorded(
    *placed: tuple[Body, Any], frames: int = 60, fps: float = 30.0, turned: Any = None, **more: Any
) -> Trajectory:
    """A trajectory of bodies with their positions, (3,) or (f, 3), and quaternions by name."""
    bodies = tuple(body for body, _ in placed)
    position = np.stack(
        [np.broadcast_to(np.asarray(at, float), (frames, 3)) for _, at in placed], axis=1
    )
    quaternion = np.zeros((frames, len(bodies), 4))
    quaternion[:, :, 0] = 1
    for k, body in enumerate(bodies):
        if turned and body.name in turned:
            quaternion[:, k] = turned[body.name]
    given: dict[str, Any] = {"gravity": np.array([0, 0, -G]), "substeps": 10, **more}
    return Trajectory(np.arange(1, frames + 1), bodies, position.copy(), quaternion, fps, **given)


def times(frames: int = 60, fps: float = 30.0) -> Any:
    """Seconds of each frame, (f,)."""
    return np.arange(frames) / fps


def fallen(start: Any, velocity: Any = (0, 0, 0), frames: int = 60, fps: float = 30.0) -> Any:
    """Positions in free flight, (f, 3)."""
    t = times(frames, fps)[:, None]
    pull = np.array([0, 0, -G])
    return np.asarray(start, float) + np.asarray(velocity, float) * t + pull * t**2 / 2


def bounced(
    height: float, restitution: float, radius: float = 0.5, frames: int = 60, fps: float = 30.0
) -> Any:
    """Heights of a ball's centre that is let go and bounces off z = 0, (f,)."""
    heights = []
    drop = height - radius
    for t in times(frames, fps):
        speed, duration = 0.0, np.sqrt(2 * drop / G)
        landed = duration
        if t <= duration:
            heights.append(height - G * t**2 / 2)
            continue
        speed = np.sqrt(2 * G * drop) * restitution
        while speed > 1e-3 and t > landed + 2 * speed / G:
            landed += 2 * speed / G
            speed *= restitution
        since = t - landed
        heights.append(radius + max(0.0, speed * since - G * since**2 / 2))
    return np.array(heights)


def spun(axis: Any, angles: Any) -> Any:
    """Quaternions of turns about an axis, (f, 4)."""
    unit = np.asarray(axis, float) / np.linalg.norm(axis)
    half = np.asarray(angles, float)[:, None] / 2
    return np.concatenate((np.cos(half), np.sin(half) * unit), axis=1)


def changed(trajectory: Trajectory, name: str, **values: Any) -> Trajectory:
    """The trajectory with another setting of one body."""
    bodies = tuple(replace(b, **values) if b.name == name else b for b in trajectory.bodies)
    return replace(trajectory, bodies=bodies)


def moved(trajectory: Trajectory, name: str, position: Any) -> Trajectory:
    """The trajectory with one body elsewhere, (3,) or (f, 3)."""
    whole = trajectory.position.copy()
    whole[:, trajectory.index(name)] = position
    return replace(trajectory, position=whole)
