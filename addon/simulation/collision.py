# SPDX-License-Identifier: GPL-3.0-or-later
"""The collision shape that Blender makes of an object for Bullet. No ``bpy`` here.

Blender takes the box round the evaluated mesh, in the object's own axes and without its scale,
*about the origin wherever the mesh lies*, makes Bullet's shape of half its lengths, and has Bullet
scale that (``rigidbody_validate_sim_shape_helper`` in Blender's ``rigidbody.cc``; Bullet's
``btSphereShape``, ``btCapsuleShapeZ``, ``btCylinderShapeZ``, ``btConeShapeZ``). Boxes, balls,
capsules and cylinders hold their margin within; a cone, a hull and a mesh are grown by it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .surfaces import Floats

#: Margin of a shape that was given none of its own (``RBO_GET_MARGIN``).
MARGIN = 0.04
_ROUND = 64
_SIGNS = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], float)


@dataclass(frozen=True, eq=False)
class Collision:
    """Points whose hull, grown by ``rounding``, is felt; ``None``: the visible surface itself.

    ``margin`` is the gap that Bullet leaves beyond that, ``embedded`` what it keeps within, by
    which it rounds corners. All in the units of the scene, along the object's axes with its scale.
    """

    vertices: Floats | None
    rounding: float = 0.0
    margin: float = 0.0
    embedded: float = 0.0


def collision_shape(
    shape: str, vertices: Floats, scale: Floats, margin: float, use_margin: bool
) -> Collision:
    """The shape that is felt, of the evaluated mesh's vertices in its own axes.

    ``shape`` is one of Blender's; what Blender can make nothing of becomes its box. A mesh is the
    surface that is seen, with its margin.
    """
    half = np.ptp(vertices, axis=0) / 2 if len(vertices) else np.ones(3)
    scale = np.abs(scale)
    x, y, z = half
    within = margin if use_margin else MARGIN
    if shape == "SPHERE":
        return Collision(np.zeros((1, 3)), float(half.max() * scale[0]))
    if shape == "CAPSULE":
        radius = max(x, y)
        ends = max(z - radius, 0.0) * scale[2] * np.array([[0, 0, -1.0], [0, 0, 1.0]])
        return Collision(ends, float(radius * scale[1]))
    if shape == "CYLINDER":
        ring = _ring(max(x, y) * scale[0])
        high = [0, 0, z * scale[2]]
        return Collision(np.concatenate((ring - high, ring + high)), embedded=within)
    if shape == "CONE":
        ring = _ring(max(x, y) * (scale[0] + scale[1]) / 2)
        tip = np.array([[0, 0, z * scale[2]]])
        return Collision(np.concatenate((ring - tip, tip)), 0.0, margin)
    if shape == "CONVEX_HULL" and len(vertices) > 3:
        # Without a margin of its own Blender shrinks a hull by what Bullet adds to it again.
        if use_margin:
            return Collision(vertices * scale, 0.0, margin)
        return Collision(vertices * scale, embedded=MARGIN if half.min() > MARGIN else 0.0)
    if shape == "MESH" and len(vertices) > 2:
        return Collision(None, 0.0, margin)
    return Collision(_SIGNS * half * scale, embedded=within)


def _ring(radius: float) -> Floats:
    turn = np.linspace(0, 2 * np.pi, _ROUND, endpoint=False)
    return np.column_stack((radius * np.cos(turn), radius * np.sin(turn), np.zeros(_ROUND)))
