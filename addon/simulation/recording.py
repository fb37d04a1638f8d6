# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene copy is stepped frame by frame, and what is seen becomes a trajectory in SI units.

Never baked: a bake that came with the copy is thrown away, and every frame is simulated. Scripts
that Blender would run in every frame are held back for that long, and named in the trajectory.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from typing import Any

import bpy
import numpy as np

from ...checks.reconstruction.bodies import Body
from ...checks.reconstruction.surroundings import Joint
from ...checks.reconstruction.trajectory import Trajectory
from . import bodies_of, joints_of
from .copying import SceneCopy
from .distances_of import distances_of
from .drivers_of import drivers_of, handlers_of
from .fields_of import fields_of
from .fresh import made_fresh, solver_starts
from .handlers import held_back
from .media.liquid import LiquidRecorder
from .media.recorder import MediaRecorder
from .poses import Floats, PoseReader, quaternions, split, steady
from .steps import SimulationError, Steps

#: Gravity of the earth, m/s2 (Blender's default).
_EARTH = 9.81


def frames_of(
    scene: bpy.types.Scene, first: int | None = None, last: int | None = None
) -> tuple[int, int]:
    """First and last frame to record: the scene's own where none is given.

    Raises :class:`.steps.SimulationError` if there is none between them.
    """
    return _range(scene, str(scene.name), first, last)


def _range(
    scene: bpy.types.Scene, title: str, first: int | None, last: int | None
) -> tuple[int, int]:
    low = scene.frame_start if first is None else first
    high = scene.frame_end if last is None else last
    if high <= low:
        raise SimulationError(
            f"{title} has no frames to simulate: the first is {low}, the last {high}; set "
            f"the end of the frame range after its start"
        )
    return int(low), int(high)


def record(
    stage: SceneCopy,
    first: int | None = None,
    last: int | None = None,
    *,
    meshes: Collection[str] = (),
    distances: bool = True,
) -> Steps[Trajectory]:
    """Simulate a copy from where its solvers start, and record frames ``first`` to ``last``.

    Parameters
    ----------
    stage
        The copy; it is stepped by 1 whatever its frame step, and left at the last frame.
    first, last
        Frame numbers, the scene's own range by default.
    meshes
        Names of objects, as the person calls them, whose evaluated vertices are kept frame by
        frame; cloth and soft bodies are anyway.
    distances
        Whether distances of what isn't convex, or deforms, are measured at the end.

    What ``stage.after`` holds for a frame is done to the copy once that was recorded.

    Yields (done, total) after each frame. Names are those of the person's scene. Raises
    :class:`.steps.SimulationError` if there is nothing to record, ``StageGone`` if the copy was
    removed.
    """
    scene = stage.scene
    low, high = _range(scene, _title(stage), first, last)
    recorder = _Recorder(stage, low, high, frozenset(meshes), distances)
    begin = min([low, *solver_starts(scene)])
    total = high - begin + 1
    for frame in range(begin, high + 1):
        with held_back():
            stage.scene.frame_set(frame)
        recorder.frame(frame)
        for change in stage.after.pop(frame, ()):
            change()
            recorder.look_again()
        yield frame - begin + 1, total
    trajectory = recorder.done()
    return (yield from _measured(trajectory, total)) if distances else trajectory


def _measured(trajectory: Trajectory, total: int) -> Steps[Trajectory]:
    """The trajectory with the distances that the checks can't measure themselves."""
    steps = distances_of(trajectory)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            return replace(trajectory, distances=end.value)
        yield total, total


class _Recorder:
    """Takes in one frame after the other, the one in which all starts first."""

    def __init__(
        self, stage: SceneCopy, first: int, last: int, meshes: frozenset[str], distances: bool
    ) -> None:
        self._stage = stage
        self._asked = meshes
        self._frames = np.arange(first, last + 1)
        self._handlers = handlers_of()
        self._notes = made_fresh(stage, last)
        self._liquids = LiquidRecorder(stage, last)
        # What is hidden from the person is shown in the copy from here on.
        self._seen = {one.name for one in fields_of(stage.scene, stage.names) if one.visible}
        self._chosen = bodies_of.chosen(stage, bodies_of.show_what_is_rendered(stage))
        if not self._chosen:
            raise SimulationError(
                f"there is nothing to simulate in {_title(stage)}: no rigid body, and no object "
                f"with a surface that a camera sees"
            )
        moving = any(getattr(o, "animation_data", None) for o in _all_of(stage.scene))
        self._reader = PoseReader([one.obj for one in self._chosen], moving)
        self._matrices = np.empty((len(self._frames), len(self._chosen), 4, 4), np.float32)
        self._toggled = [k for k, one in enumerate(self._chosen) if bodies_of.toggled(one.obj)]
        self._kinematic = np.zeros((len(self._frames), len(self._chosen)), bool)
        self._joints: Any = None
        self._bodies: tuple[Body, ...] = ()
        self._media: MediaRecorder | None = None

    def frame(self, frame: int) -> None:
        """Read the present frame."""
        graph = self._stage.graph
        row = frame - int(self._frames[0])
        matrices = self._matrices[max(row, 0)]
        self._reader.read(graph, matrices)
        if self._media is None:
            self._begin(matrices)
        if self._joints is None and frame >= _start(self._stage.scene):
            at = {self._stage.name(o.obj): m for o, m in zip(self._chosen, matrices, strict=True)}
            self._joints = joints_of.joints_of(self._stage, at)
        if row < 0:
            return
        for k in self._toggled:
            body = self._chosen[k].obj.evaluated_get(graph).rigid_body
            self._kinematic[row, k] = body.kinematic or not body.enabled
        if self._media is not None:
            self._media.frame(graph, row)

    def look_again(self) -> None:
        """The copy was changed in between."""
        self._reader.look_again()

    def _begin(self, matrices: Any) -> None:
        maker = bodies_of.BodyMaker(self._stage, drivers_of)
        self._bodies = maker.bodies(self._chosen, np.asarray(matrices, np.float64))
        self._media = MediaRecorder(self._stage, self._bodies, self._asked, self._liquids)
        if not any(b.moves or {d.kind for d in b.drivers or ()} - {"solver"} for b in self._bodies):
            raise SimulationError(
                f"there is no physics in {_title(self._stage)} and nothing that moves: add a "
                f"rigid-body world with active bodies, cloth or a soft body"
            )

    def done(self) -> Trajectory:
        """The trajectory."""
        scene = self._stage.scene
        unit = float(scene.unit_settings.scale_length)
        position, turned, scale = split(self._matrices)
        joints, about_joints = self._joints or ((), ())
        self._kinematic |= np.array([body.part != "active" for body in self._bodies], bool)
        media = self._media.done() if self._media is not None else {}
        values: dict[str, Any] = {"bodies": self._bodies, **media}
        about = (*about_joints, *_about_gravity(scene))
        values["notes"] = (*self._notes, *about, *media.get("notes", ()))
        values["source"] = {
            "scene": _title(self._stage),
            "blender": bpy.app.version_string,
            "unit": unit,
            **media.get("source", {}),
        }
        return Trajectory(
            frames=self._frames,
            position=position * unit,
            quaternion=steady(quaternions(turned)),
            fps=speed(scene),
            gravity=gravity(scene),
            scale=scale,
            kinematic=self._kinematic,
            substeps=_substeps(scene),
            joints=self._until(joints, position * unit, turned),
            fields=tuple(
                replace(one, visible=one.name in self._seen)
                for one in fields_of(scene, self._stage.names)
            ),
            handlers=self._handlers,
            **values,
        )

    def _until(
        self, joints: tuple[Joint, ...], position: Floats, turned: Floats
    ) -> tuple[Joint, ...]:
        """Joints that may break, with the last frame in which they held."""
        may = joints_of.breakable(self._stage)
        rows = {body.name: k for k, body in enumerate(self._bodies)}
        found = []
        for joint in joints:
            if joint.name in may and joint.second is not None:
                k, other = rows[joint.first], rows[joint.second]
                size = min(self._bodies[k].size, self._bodies[other].size)
                row = joints_of.broken_at(
                    joint, position[:, [k, other]], turned[:, [k, other]], size
                )
                if row is not None:
                    joint = replace(joint, until=int(self._frames[max(row - 1, 0)]))
            found.append(joint)
        return tuple(found)


def _all_of(scene: bpy.types.Scene) -> list[Any]:
    """What may have animation that hides or shows objects."""
    return [scene, *scene.objects, *scene.collection.children_recursive]


def _title(stage: SceneCopy) -> str:
    """The name of the person's scene, that of the copy where it is gone."""
    for scene in bpy.data.scenes:
        if scene.session_uid == stage.original_uid:
            return str(scene.name)
    return str(stage.scene.name)


def _start(scene: bpy.types.Scene) -> int:
    world = scene.rigidbody_world
    return int(world.point_cache.frame_start) if world is not None else 0


def speed(scene: bpy.types.Scene) -> float:
    """Frames a second of the solver's time: the rigid-body world may run slower or faster."""
    fps = scene.render.fps / scene.render.fps_base
    world = scene.rigidbody_world
    if world is not None and world.enabled and world.time_scale > 0:
        fps /= world.time_scale
    return float(fps)


def gravity(scene: bpy.types.Scene) -> Floats:
    """Gravity of the scene, (3,) m/s2; nothing where it is switched off."""
    if not scene.use_gravity:
        return np.zeros(3)
    return np.array(scene.gravity, np.float64) * scene.unit_settings.scale_length


def _about_gravity(scene: bpy.types.Scene) -> tuple[str, ...]:
    """A sentence where gravity has the earth's number in units that aren't metres."""
    unit = scene.unit_settings.scale_length
    number = float(np.linalg.norm(scene.gravity))
    if abs(unit - 1) < 0.05 or abs(number - _EARTH) > 0.05 * _EARTH:
        return ()
    return (
        f"gravity is {number:.4g} units, and a unit is {unit:.4g} m: things fall at "
        f"{number * unit:.3g} m/s2; for the earth's set it to {_EARTH / unit:.4g}",
    )


def _substeps(scene: bpy.types.Scene) -> int | None:
    world = scene.rigidbody_world
    return int(world.substeps_per_frame) if world is not None else None
