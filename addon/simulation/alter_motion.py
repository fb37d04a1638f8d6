# SPDX-License-Identifier: GPL-3.0-or-later
"""Interventions on how a body starts: where it is, how it is turned, how fast it goes.

Blender has no starting velocity. It takes one from animation, though: a body that was led, and is
let go, keeps the velocity of the last step in which it was led. So a body is led for two frames in
a straight line to where it is to be, without contact, and let go there. Before the start everything
else stands still meanwhile and comes to the same bits afterwards; in the midst of a run all else
goes on, so the body must be free of others for those two frames, and whoever runs it checks that.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import bpy
import numpy as np
from mathutils import Matrix, Quaternion, Vector

from ...checks.reconstruction.trajectory import Trajectory
from .alter_contacts import bodies, layers_of, set_layers
from .alter_settings import hold, rigid
from .animation_of import curves, drivers
from .bodies_of import STANDS_KEY
from .copying import SceneCopy
from .fresh import solver_starts
from .recording import speed
from .steps import SimulationError

#: Frames for which a body is led.
LEAD = 2
_PATHS = ("location", "rotation_euler", "rotation_quaternion", "rotation_axis_angle")
_ZERO = (0.0, 0.0, 0.0)


@dataclass(frozen=True)
class Way:
    """Where a body is to be in the end, as a matrix of the scene, and how fast it goes then.

    ``linear`` in units of the scene a frame, ``angular`` in radians a frame.
    """

    end: Matrix
    linear: Vector
    angular: Vector

    def before(self, frames: int) -> Matrix:
        """Where it is so many frames earlier."""
        place, turn, scale = self.end.decompose()
        angle = self.angular.length * frames
        back = Quaternion(self.angular.normalized(), -angle) if angle else Quaternion()
        return Matrix.LocRotScale(place - self.linear * frames, back @ turn, scale)


def way_of(
    scene: bpy.types.Scene, end: Matrix, linear: Sequence[float], angular: Sequence[float]
) -> Way:
    """A way from velocities in m/s and rad/s of the solver's time."""
    dt = 1.0 / speed(scene)
    unit = scene.unit_settings.scale_length
    return Way(end, Vector(linear) * (dt / unit), Vector(angular) * dt)


class Leader:
    """Leads one body of a copy to the end of its way, and lets it go there."""

    def __init__(self, stage: SceneCopy, obj: bpy.types.Object, way: Way) -> None:
        self._obj = obj
        self._way = way
        self._layers = layers_of(obj)

    def take(self, running: bool = True) -> None:
        """From now on it is led, and felt by nobody, nor does it feel fields."""
        for path in (*_PATHS, "rigid_body.kinematic"):
            hold(self._obj, path)
        body = self._obj.rigid_body
        body.kinematic = True
        if running:
            # What fields do to a body that is led is kept for the first step after it.
            body.type = "PASSIVE"
        set_layers(self._obj, 0)
        self.put(1)

    def put(self, frames: int) -> None:
        """Where it is so many frames before the end."""
        place(self._obj, self._way.before(frames))

    def let_go(self) -> None:
        """The solver has it again."""
        set_layers(self._obj, self._layers)
        self._obj.rigid_body.type = "ACTIVE"
        self._obj.rigid_body.kinematic = False


def place(obj: bpy.types.Object, matrix: Matrix) -> None:
    """Put an object there, quaternions kept as they are, without a detour through angles."""
    if obj.parent is not None:
        obj.matrix_world = matrix
        return
    at, turn, _ = matrix.decompose()
    obj.delta_location = _ZERO
    obj.delta_rotation_quaternion = Quaternion()
    obj.delta_rotation_euler = _ZERO
    obj.rotation_mode = "QUATERNION"
    obj.location = at
    obj.rotation_quaternion = turn


def moved_by_solver(obj: bpy.types.Object, name: str) -> None:
    """Raises :class:`SimulationError` for a body that the solver doesn't move now."""
    body = rigid(obj, name)
    if body.type != "ACTIVE" or not body.enabled:
        raise SimulationError(f"{name} is no active rigid body: it can't be given a velocity")


def release(
    stage: SceneCopy, obj: bpy.types.Object, offset: Sequence[float], rotation: Sequence[float]
) -> dict[str, Any]:
    """A body starts elsewhere or turned; one that is animated goes its whole way so.

    ``offset`` in m along the world's axes, ``rotation`` as axis times angle in rad, about the
    object's origin.
    """
    name = stage.name(obj)
    if not any(offset) and not any(rotation):
        raise SimulationError(f"{name} is neither shifted nor turned: give offset or rotation")
    unit = stage.scene.unit_settings.scale_length
    shift, turn = Vector(offset) / unit, Vector(rotation)
    whole = Quaternion(turn.normalized(), turn.length) if turn.length else Quaternion()
    before = obj.evaluated_get(stage.graph).matrix_world.copy()
    if obj.parent is not None:
        if obj.animation_data is not None and obj.animation_data.action is not None:
            raise SimulationError(
                f"{name} is animated and has a parent: shift {obj.parent.name} instead"
            )
        at, old, scale = before.decompose()
        obj.matrix_world = Matrix.LocRotScale(at + shift, whole @ old, scale)
    else:
        obj.delta_location = Vector(obj.delta_location) + shift
        if obj.rotation_mode in ("QUATERNION", "AXIS_ANGLE"):
            obj.delta_rotation_quaternion = whole @ Quaternion(obj.delta_rotation_quaternion)
        else:
            delta = whole @ obj.delta_rotation_euler.to_quaternion()
            obj.delta_rotation_euler = delta.to_euler(obj.rotation_mode)
    stage.layer.update()
    after = obj.evaluated_get(stage.graph).matrix_world
    moved = (after.translation - before.translation) * unit
    turned = (after.to_quaternion() @ before.to_quaternion().inverted()).angle
    turned = min(turned, 2 * math.pi - turned)
    if (moved - Vector(offset)).length > 1e-4 * max(1.0, after.translation.length):
        raise SimulationError(
            f"{name} can't be shifted: something else holds it where it is (constraint or driver)"
        )
    return {"object": name, "offset": list(moved), "angle": turned}


def start_velocity(
    stage: SceneCopy, obj: bpy.types.Object, linear: Sequence[float], angular: Sequence[float]
) -> dict[str, Any]:
    """A body starts with another velocity: the copy's simulation begins two frames earlier.

    All else stands still until the first frame, and starts as it would. What is recorded of the
    frames before is no part of the run. The copy must be in the frame in which its solver starts.
    """
    name = stage.name(obj)
    moved_by_solver(obj, name)
    end = obj.evaluated_get(stage.graph).matrix_world.copy()
    leader = Leader(stage, obj, way_of(stage.scene, end, linear, angular))
    if stage not in _starts:
        _starts[stage] = _Start(stage)
    _starts[stage].lead(leader, _joints_of(stage, obj))
    told = {"object": name, "linear": list(linear), "angular": list(angular), "led": LEAD}
    return {**told, "let_go": _starts[stage].frame, "at_start": True}


def start_of(stage: SceneCopy) -> int:
    """The frame in which the simulation starts, without what is led before it."""
    if stage in _starts:
        return _starts[stage].frame
    world = stage.scene.rigidbody_world
    if world is not None and world.enabled:
        return int(world.point_cache.frame_start)
    return min([int(stage.scene.frame_start), *solver_starts(stage.scene)])


class _Start:
    """A copy whose bodies stand still for some frames before its start, while some are led."""

    def __init__(self, stage: SceneCopy) -> None:
        world = stage.scene.rigidbody_world
        self.frame = int(world.point_cache.frame_start)
        self._stage = stage
        self._steps = world.substeps_per_frame
        self._leaders: list[Leader] = []
        self._joints: list[bpy.types.Object] = []
        self._go = _stand_still([o for o in bodies(stage) if o.rigid_body.type == "ACTIVE"])
        world.point_cache.frame_start = self.frame - LEAD
        # In one step a frame: of shorter ones a velocity is the difference of two near places.
        world.substeps_per_frame = 1
        # What fields do to a body that stands still is kept for the first step after it.
        self._fields = world.effector_weights.all
        world.effector_weights.all = 0.0
        stage.after.setdefault(self.frame - 1, []).append(self._arrive)
        stage.after.setdefault(self.frame, []).insert(0, self._begin)

    def lead(self, leader: Leader, joints: list[bpy.types.Object]) -> None:
        self._leaders.append(leader)
        self._joints += joints
        leader.take(running=False)

    def _arrive(self) -> None:
        for leader in self._leaders:
            leader.put(0)

    def _begin(self) -> None:
        world = self._stage.scene.rigidbody_world
        world.substeps_per_frame = self._steps
        world.effector_weights.all = self._fields
        for leader in self._leaders:
            leader.let_go()
        self._go()
        for joint in self._joints:  # its place in the body is taken anew, where the body is now
            joint.rigid_body_constraint.type = joint.rigid_body_constraint.type


_starts: WeakKeyDictionary[SceneCopy, _Start] = WeakKeyDictionary()


def lead_to(stage: SceneCopy, obj: bpy.types.Object, frame: int, way: Way) -> None:
    """Have a body led in the midst of a run so that it is let go in ``frame``.

    All else goes on meanwhile, and the body isn't felt; whether that made a difference to anything
    is for the caller to see.
    """
    leader = Leader(stage, obj, way)
    stage.after.setdefault(frame - LEAD, []).append(leader.take)
    stage.after.setdefault(frame - 1, []).append(lambda: leader.put(0))
    stage.after.setdefault(frame, []).append(leader.let_go)


def _joints_of(stage: SceneCopy, obj: bpy.types.Object) -> list[bpy.types.Object]:
    return [
        one
        for one in stage.scene.objects
        if one.rigid_body_constraint is not None
        and obj in (one.rigid_body_constraint.object1, one.rigid_body_constraint.object2)
    ]


def _stand_still(rest: list[bpy.types.Object]) -> Callable[[], None]:
    """Bodies stand where they start; the function that is returned lets them go."""
    held = [o for o in rest if not o.rigid_body.kinematic]
    muted = [
        curve
        for obj in held
        for curve in (*curves(obj), *drivers(obj))
        if curve.data_path == "rigid_body.kinematic"
    ]
    for curve in muted:
        curve.mute = True
    for obj in held:
        obj[STANDS_KEY] = True
        obj.rigid_body.kinematic = True

    def go() -> None:
        for obj in held:
            obj.rigid_body.kinematic = False
        for curve in muted:
            curve.mute = False

    return go


def matrix_of(obj: bpy.types.Object, position: Any, quaternion: Any, unit: float) -> Matrix:
    """A scene matrix of a recorded pose, (3,) m and (4,) as (w, x, y, z), with the own scale."""
    at = Vector(np.asarray(position, float) / unit)
    turn = Quaternion(np.asarray(quaternion, float))
    return Matrix.LocRotScale(at, turn, obj.matrix_world.to_scale())


def moved(end: Matrix, offset: Sequence[float], rotation: Sequence[float], unit: float) -> Matrix:
    """A matrix shifted by so many metres, and turned about its own place by axis times angle."""
    at, turn, scale = end.decompose()
    angle = Vector(rotation)
    whole = Quaternion(angle.normalized(), angle.length) if angle.length else Quaternion()
    return Matrix.LocRotScale(at + Vector(offset) / unit, whole @ turn, scale)


def velocity_at(run: Trajectory, row: int, body: int) -> tuple[list[float], list[float]]:
    """Velocity in m/s and rad/s that the solver has at the end of a row, from the rows before.

    The last step's mean, and what a steady acceleration adds to it: the solver changes velocity
    first and place then, ``substeps`` times a frame.
    """
    p, n = run.position[row - 2 : row + 1, body], run.substeps or 1
    step = p[2] - p[1]
    change = step - (p[1] - p[0])
    linear = (step + change * (n - 1) / (2 * n)) / run.dt
    before, now = (Quaternion(run.quaternion[k, body]) for k in (row - 1, row))
    axis, angle = (now @ before.inverted()).to_axis_angle()
    angle -= 2 * math.pi if angle > math.pi else 0.0
    return linear.tolist(), list(axis * (angle / run.dt))
