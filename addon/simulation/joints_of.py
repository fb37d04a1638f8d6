# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid-body constraints of a scene copy, with their pivots in the axes of the bodies they join."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from ...checks.reconstruction.surroundings import Joint, JointKind
from .copying import SceneCopy
from .poses import Floats, split

KINDS: dict[str, JointKind] = {
    "FIXED": "fixed",
    "POINT": "point",
    "HINGE": "hinge",
    "SLIDER": "slider",
    "PISTON": "piston",
    "GENERIC": "generic",
    "GENERIC_SPRING": "spring",
    "MOTOR": "motor",
}


def joints_of(
    stage: SceneCopy, start: Mapping[str, Floats]
) -> tuple[tuple[Joint, ...], tuple[str, ...]]:
    """Constraints that hold, and sentences on those that don't.

    ``start`` gives the (4, 4) world matrix of each body, by its name, in the frame in which the
    simulation starts: there Blender takes the pivots. Call it in that frame.
    """
    world = stage.scene.rigidbody_world
    if world is None or not world.enabled or world.constraints is None:
        return (), ()
    unit = float(stage.scene.unit_settings.scale_length)
    found, notes = [], []
    for obj in world.constraints.all_objects:
        settings = obj.rigid_body_constraint
        if settings is None or not settings.enabled:
            continue
        name = stage.name(obj)
        ends = [settings.object1, settings.object2]
        names = [stage.name(end) if end is not None else None for end in ends]
        if any(end is None or n not in start for end, n in zip(ends, names, strict=True)):
            notes.append(f"the constraint {name} holds nothing: it needs two rigid bodies")
            continue
        if names[0] == names[1]:
            notes.append(f"the constraint {name} holds nothing: both its bodies are {names[0]}")
            continue
        at = np.array(obj.evaluated_get(stage.graph).matrix_world, np.float64)[:3, 3]
        pivots = [_local(start[str(n)], at) * unit for n in names]
        found.append(
            Joint(
                name,
                KINDS[settings.type],
                str(names[0]),
                str(names[1]),
                tuple(pivots[0].tolist()),
                tuple(pivots[1].tolist()),
                collides=not settings.disable_collisions,
            )
        )
    return tuple(found), tuple(notes)


def breakable(stage: SceneCopy) -> set[str]:
    """Names of the constraints that may break."""
    world = stage.scene.rigidbody_world
    if world is None or world.constraints is None:
        return set()
    return {
        stage.name(obj)
        for obj in world.constraints.all_objects
        if obj.rigid_body_constraint is not None and obj.rigid_body_constraint.use_breaking
    }


def _local(matrix: Floats, at: Floats) -> Floats:
    """A place of the world in the axes of a body, without its scale."""
    place, turned, _ = split(matrix)
    local: Floats = turned.T @ (at - place)
    return local
