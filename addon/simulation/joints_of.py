# SPDX-License-Identifier: GPL-3.0-or-later
"""Rigid-body constraints of a scene copy, with their pivots in the axes of the bodies they join."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from ...checks.reconstruction.surroundings import PIVOTED, Joint, JointKind
from .poses import Floats, split

if TYPE_CHECKING:
    from .copying import SceneCopy

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

# Shares of a size, and rad: farther than joints that hold drift in Bullet.
_PARTED, _TURNED = 0.05, 0.1


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


def broken_at(joint: Joint, position: Floats, turned: Floats, size: float) -> int | None:
    """The row in which a joint that may break holds no more, ``None`` if it holds to the end.

    Blender doesn't tell. ``position`` (f, 2, 3) m and ``turned`` (f, 2, 3, 3) are of its two
    bodies, ``size`` m is the smaller one's. Joints with one pivot count as broken where the two
    ends have parted by 5 % of the size for good, or have turned against each other by 0.1 rad where
    nothing may turn. Of joints that let both happen nothing can be told.
    """
    if joint.kind not in PIVOTED:
        return None
    local = np.array([joint.first_pivot, joint.second_pivot])
    ends = np.einsum("fkij,kj->fki", turned, local) + position
    with np.errstate(invalid="ignore"):
        apart = np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1)
        off = apart - apart[0] > _PARTED * size
        if joint.kind == "fixed":
            between = np.swapaxes(turned[:, 0], 1, 2) @ turned[:, 1]
            cosine = (np.einsum("fij,ij->f", between, between[0]) - 1) / 2
            off |= np.arccos(np.clip(cosine, -1, 1)) > _TURNED
    if not len(off) or not off[-1]:
        return None
    held = np.flatnonzero(~off)
    return int(held[-1]) + 1 if len(held) else 0


def _local(matrix: Floats, at: Floats) -> Floats:
    """A place of the world in the axes of a body, without its scale."""
    place, turned, _ = split(matrix)
    local: Floats = turned.T @ (at - place)
    return local
