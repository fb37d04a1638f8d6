# SPDX-License-Identifier: GPL-3.0-or-later
"""What poses say of motion: rotations, velocities and accelerations by differences, and boxes.

The solver's step is semi-implicit Euler with fixed steps, so that free flight is a parabola through
every frame and second differences give its acceleration exactly.
"""

from __future__ import annotations

import numpy as np

from .bodies import Body, Bools, Floats
from .trajectory import Trajectory


def matrices(quaternion: Floats) -> Floats:
    """Rotation matrices (..., 3, 3) of quaternions (..., 4) as (w, x, y, z), of any length."""
    length = np.linalg.norm(quaternion, axis=-1, keepdims=True)
    w, x, y, z = np.moveaxis(quaternion / np.where(length > 0, length, 1), -1, 0)
    rows = (
        *(1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        *(2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        *(2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    whole: Floats = np.stack(rows, axis=-1).reshape(*quaternion.shape[:-1], 3, 3)
    return whole


def rotations(trajectory: Trajectory) -> Floats:
    """Rotation matrices of every pose, (f, n, 3, 3)."""
    kept = trajectory.workings
    if "rotations" not in kept:
        kept["rotations"] = matrices(trajectory.quaternion)
    whole: Floats = kept["rotations"]
    return whole


def steps(trajectory: Trajectory) -> Floats:
    """Distance from each frame to the next, (f - 1, n) m."""
    length: Floats = np.linalg.norm(np.diff(trajectory.position, axis=0), axis=2)
    return length


def velocities(trajectory: Trajectory) -> Floats:
    """The solver's velocities, or central differences, (f, n, 3) m/s."""
    if trajectory.velocity is not None:
        return trajectory.velocity
    if len(trajectory) < 2:
        return np.zeros_like(trajectory.position)
    slope: Floats = np.gradient(trajectory.position, trajectory.dt, axis=0)
    return slope


def accelerations(trajectory: Trajectory) -> Floats:
    """Second differences of positions, (f, n, 3) m/s2; NaN in the first and the last frame."""
    whole = np.full(trajectory.position.shape, np.nan)
    if len(trajectory) > 2:
        whole[1:-1] = np.diff(trajectory.position, 2, axis=0) / trajectory.dt**2
    return whole


def spins(trajectory: Trajectory) -> Floats:
    """Angular velocities of each step from one frame to the next, world axes, (f - 1, n, 3) rad/s.

    A step of more than half a turn can't be told from the shorter one the other way.
    """
    turned = rotations(trajectory)
    step = turned[1:] @ np.swapaxes(turned[:-1], -1, -2)
    axis = np.stack(
        (
            step[..., 2, 1] - step[..., 1, 2],
            step[..., 0, 2] - step[..., 2, 0],
            step[..., 1, 0] - step[..., 0, 1],
        ),
        axis=-1,
    )
    sine = np.linalg.norm(axis, axis=-1) / 2
    cosine = (np.trace(step, axis1=-2, axis2=-1) - 1) / 2
    angle = np.arctan2(sine, cosine)
    scale = np.divide(angle, 2 * sine, out=np.full_like(sine, 0.5), where=sine > 1e-12)
    spin: Floats = axis * scale[..., None] / trajectory.dt
    return spin


def speeds(trajectory: Trajectory) -> Floats:
    """How fast any point of each body goes at most, (f - 1, n) m/s, by steps: shift and turn."""
    sizes = np.array([body.size for body in trajectory.bodies])
    turn = np.linalg.norm(spins(trajectory), axis=2) * sizes / 2
    whole: Floats = steps(trajectory) / trajectory.dt + turn
    return whole


def boxes(trajectory: Trajectory) -> tuple[Floats, Floats]:
    """Least and greatest corner of the box round each body, world axes, two of (f, n, 3) m."""
    kept = trajectory.workings
    if "boxes" not in kept:
        low = np.empty(trajectory.position.shape)
        high = np.empty_like(low)
        turned = rotations(trajectory)
        for k, body in enumerate(trajectory.bodies):
            mesh = trajectory.meshes.get(body.name)
            if mesh is not None and mesh.shape[1]:
                low[:, k], high[:, k] = mesh.min(1), mesh.max(1)
                continue
            reach = turned[:, k] @ body.points.T  # (f, 3, v)
            low[:, k] = trajectory.position[:, k] + reach.min(2) - body.rounding
            high[:, k] = trajectory.position[:, k] + reach.max(2) + body.rounding
        kept["boxes"] = low, high
    low, high = kept["boxes"]
    return low, high


def lows(trajectory: Trajectory) -> Floats:
    """Lowest height of each body along ``up``, (f, n) m."""
    turned = rotations(trajectory)
    heights = np.empty(trajectory.position.shape[:2])
    for k, body in enumerate(trajectory.bodies):
        local = np.einsum("fji,j->fi", turned[:, k], trajectory.up)  # up, in the body's axes
        heights[:, k] = (local @ body.points.T).min(1) - body.rounding
    heights += trajectory.position @ trajectory.up
    return heights


def resting(trajectory: Trajectory, share: float, frames: float) -> Bools:
    """Where bodies are at rest, (f, n): slower than ``share`` sizes/s for ``frames`` in a row.

    However large a body, what gravity does to its speed in two frames isn't rest, so that the top
    of a throw never is.
    """
    bound = share * np.array([body.size for body in trajectory.bodies])
    if trajectory.g:
        bound = np.minimum(bound, 2 * trajectory.g * trajectory.dt)
    whole = np.zeros(trajectory.position.shape[:2], bool)
    if len(trajectory) > 1:
        slow = speeds(trajectory) <= bound
        whole[:-1] = slow
        whole[1:] &= slow
        whole[-1] = slow[-1]
    return lasting(whole & trajectory.finite, int(frames))


def lasting(mask: Bools, frames: int) -> Bools:
    """Only the parts of each column of ``mask`` (f, n) that last for ``frames`` rows in a row."""
    kept = np.zeros_like(mask)
    for k in range(mask.shape[1]):
        for first, last in runs(mask[:, k]):
            if last - first + 1 >= frames:
                kept[first : last + 1, k] = True
    return kept


def runs(mask: Bools) -> list[tuple[int, int]]:
    """First and last row of every stretch of true rows."""
    padded = np.concatenate(([False], mask, [False])).astype(np.int8)
    change = np.diff(padded)
    return list(
        zip(
            np.flatnonzero(change == 1).tolist(),
            (np.flatnonzero(change == -1) - 1).tolist(),
            strict=True,
        )
    )


def moved(trajectory: Trajectory, share: float) -> Bools:
    """Which bodies move by more than ``share`` of their size, or turn as far, (n,)."""
    sizes = np.array([body.size for body in trajectory.bodies])
    with np.errstate(invalid="ignore"):
        shift = np.linalg.norm(trajectory.position - trajectory.position[:1], axis=2)
        turned = rotations(trajectory)
        cosine = (np.einsum("fnij,nij->fn", turned, turned[0]) - 1) / 2
        turn = np.arccos(np.clip(cosine, -1, 1)) * sizes / 2
        far: Bools = np.nanmax(np.maximum(shift, turn), axis=0, initial=0.0) > share * sizes
    for name, mesh in trajectory.meshes.items():
        if mesh.size:
            k = trajectory.index(name)
            span = np.linalg.norm(mesh - mesh[:1], axis=2).max(initial=0.0)
            far[k] |= bool(span > share * sizes[k])
    return far


def volume_of(vertices: Floats, body: Body) -> Floats:
    """Volume within the triangles of a body, (...,) m3, for vertices (..., v, 3)."""
    a, b, c = (vertices[..., body.triangles[:, j], :] for j in range(3))
    inside: Floats = np.einsum("...ti,...ti->...", a, np.cross(b, c)) / 6
    return inside


def solid_volume(body: Body) -> float | None:
    """Volume of the visible solid, m3; ``None`` where its surface doesn't tell."""
    if body.closed and len(body.triangles):
        return abs(float(volume_of(body.vertices, body)))
    if body.rounding and len(body.pieces) == 1 and len(body.pieces[0]) == 1:
        return 4 / 3 * np.pi * body.rounding**3
    return None
