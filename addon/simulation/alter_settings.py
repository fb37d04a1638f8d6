# SPDX-License-Identifier: GPL-3.0-or-later
"""Interventions that set a value: gravity, mass, friction, restitution, fields, joints, substeps.

Each is set on a copy, held against its own animation there, and read back.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import bpy

from .animation_of import curves, drivers, strip_curves
from .copying import SceneCopy
from .steps import SimulationError

#: Blender keeps settings as 4-byte numbers.
_CLOSE = 1e-5


def hold(block: bpy.types.ID, path: str) -> bool:
    """Keep a property from being animated or driven, in a copy; whether it was.

    Raises :class:`SimulationError` where a strip of the nonlinear animation moves it: its action
    is that of the person's scene too.
    """
    data = block.animation_data
    if data is None:
        return False
    for strip, curve in strip_curves(block):
        if curve.data_path == path:
            raise SimulationError(
                f"{path} is animated by the strip {strip!r} and can't be held: make it a plain "
                f"action first"
            )
    if data.action is not None and data.action.users > 1:
        slot = getattr(data, "action_slot", None)
        data.action = data.action.copy()
        if slot is not None:
            data.action_slot = data.action.slots[slot.identifier]
    found = [c for c in (*curves(block), *drivers(block)) if c.data_path == path]
    for curve in found:
        curve.mute = True
    return bool(found)


def read_back(what: str, wanted: float, found: float, ends: str = "") -> float:
    """The value that Blender took. Raises :class:`SimulationError` if it took another."""
    if not math.isclose(found, wanted, rel_tol=_CLOSE, abs_tol=1e-9):
        raise SimulationError(f"{what} can't be {wanted:g}: Blender made it {found:g}{ends}")
    return found


def gravity(stage: SceneCopy, values: Mapping[str, Any]) -> dict[str, Any]:
    """The scene's gravity, m/s2."""
    scene = stage.scene
    unit = scene.unit_settings.scale_length
    old = tuple(scene.gravity) if scene.use_gravity else (0.0, 0.0, 0.0)
    new = tuple(v / unit for v in values["vector"]) if "vector" in values else None
    hold(scene, "gravity")
    scene.use_gravity = True
    scene.gravity = new or tuple(v * values["scale"] for v in old)
    wanted = new or tuple(v * values["scale"] for v in old)
    found = [read_back("gravity", w, f) * unit for w, f in zip(wanted, scene.gravity, strict=True)]
    return {"gravity": found, "before": [v * unit for v in old]}


def rigid(obj: bpy.types.Object, name: str) -> bpy.types.RigidBodyObject:
    """The rigid body of an object. Raises :class:`SimulationError` where it is none."""
    if obj.rigid_body is None:
        raise SimulationError(f"{name} is no rigid body, so the rigid-body solver has none of it")
    return obj.rigid_body


def of_body(
    kind: str, obj: bpy.types.Object, name: str, values: Mapping[str, Any]
) -> dict[str, Any]:
    """``mass`` in kg, ``friction`` or ``restitution`` of a rigid body."""
    body = rigid(obj, name)
    old = float(getattr(body, kind))
    new = float(values["value"]) if "value" in values else old * float(values["scale"])
    if kind == "mass" and new <= 0:
        raise SimulationError(f"mass of {name} must be above 0, not {new:g} kg")
    hold(obj, f"rigid_body.{kind}")
    setattr(body, kind, new)
    found = read_back(f"{kind} of {name}", new, float(getattr(body, kind)))
    return {"object": name, kind: found, "before": old}


def of_field(obj: bpy.types.Object, name: str) -> bpy.types.FieldSettings:
    """The force field of an object. Raises :class:`SimulationError` where it has none."""
    if not has_field(obj):
        raise SimulationError(f"{name} has no force field")
    return obj.field


def field(obj: bpy.types.Object, name: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Strength of a force field; one that is off drags nothing either."""
    of_field(obj, name)
    old = float(obj.field.strength)
    if values["scale"] == 0:
        switch_off(obj)
    hold(obj, "field.strength")
    obj.field.strength = old * values["scale"]
    found = read_back(f"strength of {name}", old * values["scale"], float(obj.field.strength))
    return {"field": name, "strength": found, "before": old}


def has_field(obj: bpy.types.Object) -> bool:
    """Whether an object has a force field."""
    return obj.field is not None and obj.field.type != "NONE"


def switch_off(obj: bpy.types.Object) -> None:
    """A force field does nothing: neither its force nor its drag (``flow``)."""
    for name in ("strength", "flow"):
        hold(obj, f"field.{name}")
        setattr(obj.field, name, 0.0)


def constraint(stage: SceneCopy, obj: bpy.types.Object | None, name: str) -> dict[str, Any]:
    """A joint of the rigid-body solver, or else an object constraint of that name, lets go."""
    if obj is not None and obj.rigid_body_constraint is not None:
        joint = obj.rigid_body_constraint
        if not joint.enabled:
            raise SimulationError(f"joint {name} doesn't hold as it is: it is switched off")
        hold(obj, "rigid_body_constraint.enabled")
        joint.enabled = False
        return {"constraint": name, "enabled": bool(joint.enabled)}
    found = [(o, c) for o in stage.scene.objects for c in o.constraints if c.name == name]
    if len(found) == 1:
        owner, one = found[0]
        hold(owner, f'constraints["{bpy.utils.escape_identifier(name)}"].influence')
        one.mute = True
        return {"constraint": name, "object": stage.name(owner), "enabled": not one.mute}
    if found:
        raise SimulationError(f"{len(found)} objects have a constraint {name!r}: rename one")
    joints = [stage.name(o) for o in stage.scene.objects if o.rigid_body_constraint is not None]
    there = f"there are {', '.join(joints[:8])}" if joints else "the scene has none"
    raise SimulationError(f"there is no joint or constraint {name!r}: {there}")


def substeps(stage: SceneCopy, factor: float) -> dict[str, Any]:
    """Times the steps that the solvers take a frame; whole, and at least one."""
    world = stage.scene.rigidbody_world
    applied: dict[str, Any] = {}
    if world is not None:
        applied["substeps"] = _stepped(world, "substeps_per_frame", factor)
        hold(stage.scene, "rigidbody_world.substeps_per_frame")
    for obj in stage.scene.objects:
        for one in obj.modifiers:
            if one.type == "CLOTH":
                applied[f"quality of {stage.name(obj)}"] = _stepped(one.settings, "quality", factor)
    if not applied:
        raise SimulationError("there is no rigid-body world and no cloth whose steps could change")
    return applied


#: A whole number that Blender can be asked to take.
_MOST_STEPS = 2**31 - 1


def _stepped(owner: Any, name: str, factor: float) -> int:
    old = getattr(owner, name)
    new = round(min(old * factor, _MOST_STEPS))
    if new < 1 or not math.isclose(new, old * factor):
        raise SimulationError(f"{old} steps a frame times {factor:g} are no whole number of steps")
    setattr(owner, name, new)
    return int(read_back("steps a frame", new, getattr(owner, name), ", it takes no more"))
