# SPDX-License-Identifier: GPL-3.0-or-later
"""Cloth: what a recording needs to know of it beside where its vertices are."""

from __future__ import annotations

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Ints
from .surface import held, weights_of

# From this goal on Blender's cloth solver holds a vertex: SOFTGOALSNAP of its source, where the
# goal is the fourth power of the weight in the pin group.
_SNAP = 0.999


def modifier_of(obj: bpy.types.Object) -> bpy.types.Modifier | None:
    """The cloth modifier that works on an object, if any."""
    for modifier in obj.modifiers:
        if modifier.type == "CLOTH" and modifier.show_viewport:
            return modifier
    return None


def pinned(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> Ints:
    """Vertices of the evaluated mesh that the pin group holds, (p,)."""
    modifier = modifier_of(obj)
    if modifier is None:
        return np.zeros(0, np.int64)
    weights = weights_of(obj, mesh, modifier.settings.vertex_group_mass)
    return np.flatnonzero(held(weights, _SNAP)).astype(np.int64)


def margin(obj: bpy.types.Object) -> float:
    """Distance at which it keeps from what it collides with, in the scene's units."""
    modifier = modifier_of(obj)
    if modifier is None or not modifier.collision_settings.use_collision:
        return 0.0
    return float(modifier.collision_settings.distance_min)
