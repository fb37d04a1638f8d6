# SPDX-License-Identifier: GPL-3.0-or-later
"""Interventions are carried out on a scene copy, and read back.

With ``at_frame`` the copy runs as it is up to that frame, and is changed between two frames: the
solver keeps its state over every change that is made here, so that all before is the same to the
last bit. ``stage.after`` holds what is still to be done; :func:`.recording.record` does it.
"""

from __future__ import annotations

import difflib
from collections.abc import Callable, Mapping
from typing import Any

import bpy
import numpy as np

from ...checks.reconstruction.bodies import TrajectoryError
from ...checks.reconstruction.interventions import Intervention
from ...checks.reconstruction.reading import shown
from ...checks.reconstruction.trajectory import Trajectory
from . import alter_contacts, alter_motion, alter_settings
from .bodies_of import ROLE_KEY
from .copying import SceneCopy
from .fresh import solver_starts
from .handlers import held_back
from .recording import speed
from .steps import SimulationError

Names = Callable[[str], str]
#: Kinds that set a value of one rigid body.
_OF_BODY = ("mass", "friction", "restitution")


def called(scene: bpy.types.Scene, roles: Mapping[str, str] | None = None) -> Names:
    """Finds an object's name by its role, as the scene or ``roles`` bind it, or by its name.

    The function raises :class:`.steps.SimulationError` for what there is not.
    """
    objects = [o.name for o in scene.objects]
    told = [(str(o[ROLE_KEY]), o.name) for o in scene.objects if o.get(ROLE_KEY)]
    bound = {**(roles or {}), **dict(told)}

    def name(asked: str) -> str:
        several = [n for role, n in told if role == asked]
        if len(several) > 1:
            raise SimulationError(
                f"role {shown(asked)} is bound to {len(several)} objects, {several[0]} and "
                f"{several[1]} among them: give it to one"
            )
        found = bound.get(asked, asked)
        if found in objects:
            return found
        near = difflib.get_close_matches(asked, [*bound, *objects], 3, 0.5)
        hint = f"; did you mean {' or '.join(near)}?" if near else ""
        if asked in bound:
            raise SimulationError(
                f"role {shown(asked)} is bound to {found!r}, which isn't in the scene"
            )
        raise SimulationError(f"no object of the scene has the role or name {shown(asked)}{hint}")

    return name


def alter(
    stage: SceneCopy,
    intervention: Intervention,
    names: Names,
    *,
    baseline: Trajectory | None = None,
) -> dict[str, Any]:
    """Carry out one intervention on a copy, before it is recorded.

    Parameters
    ----------
    stage
        The copy; it is put into the frame in which its solvers start.
    intervention
        What is otherwise. With ``at_frame`` it is done after that frame was recorded.
    names
        A role or name to the name of the person's object, as :func:`called` makes it.
    baseline
        The unchanged run: how a body goes before ``at_frame`` must be known to shift it or to give
        it another velocity there.

    Returns
    -------
    dict
        What was applied, as it was read back from the copy, under ``done``; before ``at_frame`` is
        reached that is empty.

    Raises
    ------
    SimulationError
        For what can't be done, in one sentence; later ones come out of ``record``.
    """
    start = alter_motion.start_of(stage)
    with held_back():
        stage.scene.frame_set(start)
    when = intervention.at_frame
    applied: dict[str, Any] = {"kind": intervention.kind, "at_frame": when, "done": {}}
    _check_names(stage, intervention, names)
    begin = min(start, int(stage.scene.frame_start), *solver_starts(stage.scene))
    if when is None or when <= begin or (when <= start and intervention.kind == "velocity"):
        _do(stage, intervention, names, baseline, applied["done"], False)
    elif when > start and _led(stage, intervention, names, when, baseline):
        _lead(stage, intervention, names, when, baseline, applied["done"])
    else:
        stage.after.setdefault(when, []).append(
            lambda: _do(stage, intervention, names, baseline, applied["done"], True)
        )
    return applied


def _check_names(stage: SceneCopy, done: Intervention, names: Names) -> None:
    found = [_object(stage, names(subject)) for subject in done.subjects]
    if len(found) == 2 and found[0] == found[1]:
        first, second = done.subjects
        raise SimulationError(f"{first!r} and {second!r} are the same object, {found[0].name}")
    if done.kind == "field":
        alter_settings.of_field(_object(stage, names(done.values["field"])), done.values["field"])


def _object(stage: SceneCopy, name: str) -> bpy.types.Object:
    try:
        return stage.object(name)
    except KeyError:
        raise SimulationError(f"the copy of the scene has no object {name!r}") from None


def _do(
    stage: SceneCopy,
    done: Intervention,
    names: Names,
    baseline: Trajectory | None,
    told: dict[str, Any],
    running: bool,
) -> None:
    """Do it now, and tell what was read back."""
    try:
        if done.substeps is not None:
            told |= alter_settings.substeps(stage, done.substeps)
        told |= _applied(stage, done, names, baseline, running)
    except (SimulationError, TrajectoryError):
        raise
    except (ValueError, OverflowError) as error:  # a number that none of Blender's settings takes
        raise SimulationError(f"{done.kind} can't be done as asked: {error}") from None
    told["kind"] = done.kind


def _applied(
    stage: SceneCopy,
    done: Intervention,
    names: Names,
    baseline: Trajectory | None,
    running: bool,
) -> dict[str, Any]:
    kind, values = done.kind, done.values
    objects = [_object(stage, names(subject)) for subject in done.subjects]
    if kind == "none":
        return {}
    if kind == "gravity":
        return alter_settings.gravity(stage, values)
    if kind in _OF_BODY:
        return alter_settings.of_body(kind, objects[0], stage.name(objects[0]), values)
    if kind == "field":
        name = names(values["field"])
        return alter_settings.field(_object(stage, name), name, values)
    if kind == "remove_constraint":
        return _constraint(stage, values["constraint"], names)
    if kind == "remove":
        return alter_contacts.remove(stage, objects[0], running)
    if kind in ("remove_contact", "add_contact", "bound_support"):
        act: Callable[..., dict[str, Any]] = getattr(alter_contacts, kind)
        return act(stage, *objects)
    if kind == "add_support":
        return alter_contacts.add_support(stage, values["centre"], values["size"])
    zero = (0.0, 0.0, 0.0)
    if kind == "release":
        offset, rotation = values.get("offset", zero), values.get("rotation", zero)
        return alter_motion.release(stage, objects[0], offset, rotation)
    linear, angular = values.get("linear", zero), values.get("angular", zero)
    until = _animated_until(objects[0], stage.name(objects[0]), baseline)
    if until is not None:
        way = _way(stage, done, objects[0], until, baseline)
        alter_motion.lead_to(stage, objects[0], until, way)
        return {
            "object": stage.name(objects[0]),
            "linear": list(linear),
            "angular": list(angular),
            "led": alter_motion.LEAD,
            "let_go": until,
        }
    return alter_motion.start_velocity(stage, objects[0], linear, angular)


def _constraint(stage: SceneCopy, name: str, names: Names) -> dict[str, Any]:
    try:
        obj: bpy.types.Object | None = _object(stage, names(name))
    except SimulationError:
        obj = None
    return alter_settings.constraint(stage, obj, name)


def _animated_until(obj: bpy.types.Object, name: str, baseline: Trajectory | None) -> int | None:
    """The last frame in which animation moves a body that the solver has later, else ``None``."""
    if baseline is None or baseline.kinematic is None or name not in baseline.names:
        return None
    led = baseline.kinematic[:, baseline.index(name)]
    if obj.rigid_body is None or not led[0] or led.all():
        return None
    return int(baseline.frames[int(np.argmin(led)) - 1])


def _led(
    stage: SceneCopy, done: Intervention, names: Names, when: int, baseline: Trajectory | None
) -> bool:
    """Whether it can only be done by leading a body for some frames before."""
    if done.kind == "velocity":
        return True
    if done.kind != "release":
        return False
    obj = _object(stage, names(done.values["object"]))
    body = obj.rigid_body
    if body is None or body.type != "ACTIVE" or not body.enabled:
        return False
    name = stage.name(obj)
    if baseline is None or baseline.kinematic is None or name not in baseline.names:
        return not body.kinematic
    return not baseline.kinematic[baseline.row(when), baseline.index(name)]


def _lead(
    stage: SceneCopy,
    done: Intervention,
    names: Names,
    when: int,
    baseline: Trajectory | None,
    told: dict[str, Any],
) -> None:
    """Have a body led to where it is to be in ``when``, with the velocity that it is to have."""
    obj = _object(stage, names(done.values["object"]))
    name = stage.name(obj)
    alter_motion.moved_by_solver(obj, name)
    first = alter_motion.start_of(stage)
    if when < first + alter_motion.LEAD:
        raise SimulationError(
            f"{name} can't be moved at frame {when}: it must be led for {alter_motion.LEAD} frames "
            f"before, and the simulation starts in frame {first}; leave at_frame out"
        )
    way = _way(stage, done, obj, when, baseline)
    alter_motion.lead_to(stage, obj, when, way)

    def tell() -> None:
        dt = 1.0 / speed(stage.scene)
        unit = stage.scene.unit_settings.scale_length
        told.update(
            kind=done.kind,
            object=name,
            led=alter_motion.LEAD,
            linear=[float(v) * unit / dt for v in way.linear],
            angular=[float(v) / dt for v in way.angular],
        )
        if done.substeps is not None:
            told.update(alter_settings.substeps(stage, done.substeps))

    stage.after[when].append(tell)


def _way(
    stage: SceneCopy,
    done: Intervention,
    obj: bpy.types.Object,
    when: int,
    baseline: Trajectory | None,
) -> alter_motion.Way:
    name = stage.name(obj)
    if baseline is None or name not in baseline.names:
        raise SimulationError(
            f"how {name} goes up to frame {when} isn't known: run the unchanged scene first"
        )
    row, k = baseline.row(when), baseline.index(name)
    if int(baseline.frames[row]) != when or not baseline.finite[row, k] or row < 2:
        raise SimulationError(f"where {name} is in frame {when} wasn't recorded")
    unit = stage.scene.unit_settings.scale_length
    end = alter_motion.matrix_of(obj, baseline.position[row, k], baseline.quaternion[row, k], unit)
    zero = (0.0, 0.0, 0.0)
    if done.kind == "velocity":
        linear, angular = done.values.get("linear", zero), done.values.get("angular", zero)
        return alter_motion.way_of(stage.scene, end, linear, angular)
    end = alter_motion.moved(
        end, done.values.get("offset", zero), done.values.get("rotation", zero), unit
    )
    linear, angular = alter_motion.velocity_at(baseline, row, k)
    return alter_motion.way_of(stage.scene, end, linear, angular)
