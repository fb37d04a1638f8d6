# SPDX-License-Identifier: GPL-3.0-or-later
"""Moments of inertia as Bullet takes them for a collision shape. No ``bpy`` here.

Balls and cylinders are exact; boxes too. For cones, capsules and hulls Bullet takes those of the
box round them (``calculateLocalInertia`` of ``btSphereShape``, ``btCylinderShape``,
``btPolyhedralConvexShape`` and others). Who adds up energies needs what the solver reckons with.
"""

from __future__ import annotations

import numpy as np

from .surfaces import Floats

_BOXED = ("BOX", "CONE", "CAPSULE", "CONVEX_HULL")


def inertia_of(shape: str, extents: Floats, mass: float) -> Floats | None:
    """Principal moments along the object's axes, (3,), mass times the square of ``extents``' unit.

    ``extents`` (3,) are the full lengths of the collision shape along its own axes. ``None`` for
    shapes whose moments Bullet adds up from triangles.
    """
    square = np.asarray(extents, float) ** 2
    if shape == "SPHERE":
        return np.full(3, 0.1 * mass * square.max())
    if shape == "CYLINDER":
        # The axis is z: m r^2 / 2 about it, m (3 r^2 + h^2) / 12 about the others.
        radius = max(square[0], square[1]) / 4
        across = mass * (3 * radius + square[2]) / 12
        return np.array([across, across, mass * radius / 2])
    if shape in _BOXED:
        box: Floats = mass / 12 * (square.sum() - square)
        return box
    return None
