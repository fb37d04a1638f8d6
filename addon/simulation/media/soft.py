# SPDX-License-Identifier: GPL-3.0-or-later
"""Soft bodies: what a recording needs to know of them beside where their vertices are."""

from __future__ import annotations

import bpy
import numpy as np

from ....checks.reconstruction.bodies import Ints
from .surface import held, weights_of

# From this goal on Blender's soft-body solver holds a vertex: SOFTGOALSNAP of its source.
_SNAP = 0.999


def modifier_of(obj: bpy.types.Object) -> bpy.types.Modifier | None:
    """The soft-body modifier that works on an object, if any."""
    for modifier in obj.modifiers:
        if modifier.type == "SOFT_BODY" and modifier.show_viewport:
            return modifier
    return None


def pinned(obj: bpy.types.Object, mesh: bpy.types.Mesh) -> Ints:
    """Vertices of the evaluated mesh that the goal holds in place, (p,)."""
    modifier = modifier_of(obj)
    settings = modifier.settings if modifier is not None else None
    if settings is None or not settings.use_goal:
        return np.zeros(0, np.int64)
    share = np.full(len(mesh.vertices), settings.goal_default)
    if settings.vertex_group_goal:
        share = weights_of(obj, mesh, settings.vertex_group_goal) * settings.goal_default
    goal = settings.goal_min + share * abs(settings.goal_max - settings.goal_min)
    return np.flatnonzero(held(goal, _SNAP)).astype(np.int64)


def margin(obj: bpy.types.Object) -> float:
    """Distance at which it keeps from what it collides with: none, colliders have a thickness."""
    return 0.0
