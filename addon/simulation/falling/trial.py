# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene of its own in which bodies fall: made, joined, and taken away. Main thread only.

Bodies are built afresh, with their origin in their centre of mass, since Blender's solver takes an
object's origin for that; so the person's scene is never touched.
"""

from __future__ import annotations

from collections.abc import Mapping

import bpy
import numpy as np
from mathutils import Matrix

from ....checks.timber.structure import CORNER_SIGNS
from ..copying import COPY_KEY
from ..probes import StageGone
from .model import Floats

_FACES = ((0, 1, 2, 3), (4, 7, 6, 5), (0, 4, 5, 1), (3, 2, 6, 7), (0, 3, 7, 4), (1, 5, 6, 2))
#: Bullet's margin round a shape, m: small against the thinnest board (ours).
MARGIN = 0.001
#: Wood on wood, dry: 0.25 to 0.5 (Wood Handbook, chapter 5); stone on stone is more.
FRICTION = 0.5
#: Below these a body may be put to rest, m/s and rad/s: Blender's 0.4 and 0.5 would put a beam to
#: rest that begins to tip (ours).
SLEEPS = 0.02
#: Wood dropped on wood hardly bounces (ours: what is asked is what falls, not how it bounces).
RESTITUTION = 0.0

#: A speed that no motor reaches, m/s: it pushes as hard as it may.
FASTER = 1e4


class Trial:
    """A rigid-body world in a scene of its own; :meth:`close` takes it away."""

    def __init__(self, frames: int, fps: int, substeps: int, iterations: int) -> None:
        scene = bpy.data.scenes.new("Fall")
        scene[COPY_KEY] = True
        self._uid = scene.session_uid
        self._boxes: dict[tuple[float, ...], bpy.types.Mesh] = {}
        scene.render.fps, scene.render.fps_base = fps, 1.0
        scene.unit_settings.scale_length = 1.0
        scene.frame_start, scene.frame_end = 1, frames
        with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
            bpy.ops.rigidbody.world_add()
        world = scene.rigidbody_world
        world.collection = bpy.data.collections.new("Fall bodies")
        world.constraints = bpy.data.collections.new("Fall joints")
        world.substeps_per_frame, world.solver_iterations = substeps, iterations
        # Bodies that overlap part without gaining speed from it.
        world.use_split_impulse = True
        world.point_cache.frame_start, world.point_cache.frame_end = 1, frames

    @property
    def scene(self) -> bpy.types.Scene:
        """The scene. Raises ``StageGone`` once somebody took it away."""
        for scene in bpy.data.scenes:
            if scene.session_uid == self._uid:
                return scene
        raise StageGone("the scene in which it falls is gone: it was undone or removed; run again")

    def gravity(self, vector: Floats) -> None:
        """Set gravity, m/s2."""
        self.scene.use_gravity = True
        self.scene.gravity = vector.tolist()

    def box(self, half: Floats, place: Floats, turn: Floats, **body: object) -> bpy.types.Object:
        """A box of half extents (3,) m whose axes are the columns of ``turn`` (3, 3)."""
        key = tuple(np.round(half, 6).tolist())
        mesh = self._boxes.get(key)
        if mesh is None:
            mesh = self._boxes[key] = bpy.data.meshes.new("Fall")
            mesh.from_pydata((CORNER_SIGNS * half).tolist(), [], _FACES)
        return self._body(mesh, place, turn, {"collision_shape": "BOX", **body})

    def compound(
        self, halves: Floats, places: Floats, place: Floats, **body: object
    ) -> bpy.types.Object:
        """Boxes that are one body with its origin at ``place``, the centre of mass, (3,) m."""
        root = self._body(
            bpy.data.meshes.new("Fall"), place, np.eye(3), {"collision_shape": "COMPOUND", **body}
        )
        for half, at in zip(halves, places, strict=True):
            part = self.box(half, at - place, np.eye(3))
            part.parent = root
        return root

    def _body(
        self, mesh: bpy.types.Mesh, place: Floats, turn: Floats, body: dict[str, object]
    ) -> bpy.types.Object:
        scene = self.scene
        obj = bpy.data.objects.new("Fall", mesh)
        obj.matrix_world = _matrix(place, turn)
        scene.collection.objects.link(obj)
        scene.rigidbody_world.collection.objects.link(obj)
        rigid = obj.rigid_body
        values = {
            "friction": FRICTION,
            "restitution": RESTITUTION,
            "use_margin": True,
            "collision_margin": MARGIN,
            "use_deactivation": True,
            "deactivate_linear_velocity": SLEEPS,
            "deactivate_angular_velocity": SLEEPS,
            **body,
        }
        for name, value in values.items():
            setattr(rigid, name, value)
        return obj

    def joint(
        self,
        bodies: tuple[bpy.types.Object, bpy.types.Object],
        place: Floats,
        turn: Floats,
        limits: Mapping[str, tuple[float, float]],
        breaks: float | None,
        collide: bool,
    ) -> None:
        """Join two bodies at ``place``, with the columns of ``turn`` for axes.

        ``limits`` say how far the second may go from the first, ``"lin_x"`` in m, ``"ang_x"`` in
        rad; what isn't named is free. ``breaks`` is the impulse in one step at which it breaks, N s
        or N m s. Without ``collide`` the two don't until it is broken.
        """
        scene = self.scene
        obj = bpy.data.objects.new("Fall", None)
        obj.matrix_world = _matrix(place, turn)
        scene.collection.objects.link(obj)
        scene.rigidbody_world.constraints.objects.link(obj)
        joint = obj.rigid_body_constraint
        # Without a spring this is Bullet's newer six-way joint, which FIXED is made of too.
        joint.type, joint.spring_type = "GENERIC_SPRING", "SPRING2"
        joint.object1, joint.object2 = bodies
        joint.disable_collisions = not collide
        for axis, (low, high) in limits.items():
            setattr(joint, f"use_limit_{axis}", True)
            setattr(joint, f"limit_{axis}_lower", low)
            setattr(joint, f"limit_{axis}_upper", high)
        joint.use_breaking = breaks is not None
        if breaks is not None:
            joint.breaking_threshold = breaks

    def motor(
        self,
        bodies: tuple[bpy.types.Object, bpy.types.Object],
        place: Floats,
        turn: Floats,
        size: float,
        lasts: bool,
    ) -> None:
        """Push the second body along the first column of ``turn``.

        ``size`` is a force, N, where it ``lasts``, else an impulse, N s, in the first step.
        """
        scene = self.scene
        obj = bpy.data.objects.new("Fall", None)
        obj.matrix_world = _matrix(place, turn)
        scene.collection.objects.link(obj)
        scene.rigidbody_world.constraints.objects.link(obj)
        motor = obj.rigid_body_constraint
        motor.type = "MOTOR"
        motor.object2, motor.object1 = bodies
        motor.use_motor_lin = True
        motor.motor_lin_target_velocity = FASTER
        motor.motor_lin_max_impulse = size if lasts else FASTER**2
        # Bullet gives a row no more than its threshold, and breaks it then: seen in 5.0.
        motor.use_breaking = not lasts
        motor.breaking_threshold = 0.0 if lasts else size

    def close(self) -> None:
        """Take it away with all that was made for it; nothing if it is gone already."""
        scenes = [s for s in bpy.data.scenes if s.session_uid == self._uid]
        for scene in scenes:
            world = scene.rigidbody_world
            collections = [c for c in (world.collection, world.constraints) if c is not None]
            # Joints that outlive their world end Blender, but in 4.2 those that go before it do;
            # so do bodies that go before it, everywhere (seen in 4.2, 4.3, 4.5, 5.0 and 5.2).
            if bpy.app.version >= (4, 3, 0):
                bpy.data.batch_remove([obj for obj in scene.objects if obj.rigid_body_constraint])
            objects = list(scene.objects)
            with bpy.context.temp_override(scene=scene, view_layer=scene.view_layers[0]):
                bpy.ops.rigidbody.world_remove()
            meshes = {obj.data for obj in objects if obj.data is not None}
            bpy.data.scenes.remove(scene)
            bpy.data.batch_remove([*objects, *collections, *meshes])
        self._boxes.clear()


def _matrix(place: Floats, turn: Floats) -> Matrix:
    matrix = np.eye(4)
    matrix[:3, :3], matrix[:3, 3] = turn, place
    return Matrix(matrix.tolist())
