# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes that Blender's rigid-body solver simulates, each physically sound."""

from __future__ import annotations

import math
from typing import Any

import bpy


def start(frames: int = 60, substeps: int = 10) -> Any:
    """A rigid-body world in the open scene, which is empty; 24 frames a second."""
    scene = bpy.context.scene
    bpy.ops.rigidbody.world_add()
    scene.frame_end = frames
    scene.rigidbody_world.substeps_per_frame = substeps
    return scene


def body(obj: Any, kind: str = "ACTIVE", shape: str = "BOX", **settings: Any) -> Any:
    """Make an object a rigid body."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.rigidbody.object_add()
    rigid = obj.rigid_body
    rigid.type, rigid.collision_shape = kind, shape
    for name, value in settings.items():
        setattr(rigid, name, value)
    return obj


def box(name: str, at: Any, size: Any = (1, 1, 1), turn: Any = (0, 0, 0), **settings: Any) -> Any:
    """A box of those full lengths, m; without ``kind`` it is active."""
    obj = bare_box(name, at, size, turn)
    return body(obj, **settings)


def bare_box(name: str, at: Any, size: Any = (1, 1, 1), turn: Any = (0, 0, 0)) -> Any:
    """A box that takes no part in the simulation."""
    mesh = bpy.data.meshes.new(name)
    x, y, z = (length / 2 for length in size)
    corners = [(i * x, j * y, k * z) for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    mesh.from_pydata(corners, [], faces)
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location, obj.rotation_euler = at, turn
    return obj


def ball(name: str, at: Any, radius: float = 0.5, **settings: Any) -> Any:
    """A ball of 32 segments."""
    bpy.ops.mesh.primitive_uv_sphere_add(radius=radius, location=at)
    obj = bpy.context.object
    obj.name = name
    return body(obj, **{"shape": "SPHERE", **settings})


def floor(size: float = 20.0, **settings: Any) -> Any:
    """A still slab whose top is at z = 0."""
    return box("floor", (0, 0, -0.5), (size, size, 1), kind="PASSIVE", **settings)


def joint(name: str, kind: str, first: Any, second: Any, at: Any, **settings: Any) -> Any:
    """A constraint of two bodies with its pivot at a place."""
    obj = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = at
    bpy.context.view_layer.objects.active = obj
    bpy.ops.rigidbody.constraint_add(type=kind)
    held = obj.rigid_body_constraint
    held.object1, held.object2 = first, second
    for setting, value in settings.items():
        setattr(held, setting, value)
    return obj


# --- the scenes -----------------------------------------------------------------------------------


def free_fall() -> Any:
    """A box that turns a little falls and hits nothing."""
    scene = start(30)
    box("crate", (0, 0, 30), turn=(0.3, 0.2, 0))
    floor()
    return scene


def bouncing_ball() -> Any:
    """A ball of restitution 0.8 on a floor of 1, dropped from 3 m."""
    scene = start(100)
    floor(restitution=1.0)
    ball("ball", (0, 0, 3), restitution=0.8, linear_damping=0.0, angular_damping=0.0)
    return scene


def stack() -> Any:
    """Five boxes that stand on each other."""
    scene = start(60)
    floor()
    for k in range(5):
        box(f"box {k}", (0.02 * k, 0, 0.25 + 0.5 * k), (0.5, 0.5, 0.5))
    return scene


def dominoes() -> Any:
    """A row of ten tiles, the first one leans over."""
    scene = start(80)
    floor(friction=0.5)
    for k in range(10):
        tilt = 0.35 if k == 0 else 0.0
        back = 0.35 if k == 0 else 0.0
        high = 0.5 * math.cos(tilt) + 0.05 * math.sin(tilt)
        at = (0.3 * k - back + 0.5 * math.sin(tilt), 0, high)
        box(f"tile {k}", at, (0.1, 0.4, 1.0), (0, tilt, 0), friction=0.4)
    return scene


def pendulum() -> Any:
    """A bob on a point joint 1.5 m away, let go at the side."""
    scene = start(100)
    post = box("post", (0, 0, 4), (0.2, 0.2, 0.2), kind="PASSIVE")
    bob = ball("bob", (1.5, 0, 4), 0.25, linear_damping=0.0, angular_damping=0.0)
    joint("string", "POINT", post, bob, (0, 0, 4))
    return scene


def hinged_door() -> Any:
    """A door on a hinge that a ball pushes open."""
    scene = start(80)
    frame = box("frame", (-0.1, 0, 1.05), (0.1, 0.1, 2.1), kind="PASSIVE")
    door = box("door", (0.5, 0, 1.05), (1.0, 0.05, 2.0), mass=5.0)
    joint("hinge", "HINGE", frame, door, (-0.02, 0, 1.05))
    floor()
    box("ramp", (0.7, 2.4, 0.75), (0.8, 3, 0.2), (0.4, 0, 0), kind="PASSIVE")
    ball("ball", (0.7, 3.0, 1.6), 0.25, mass=3.0)
    return scene


def rolling_ball() -> Any:
    """A ball rolls down an incline of 20 degrees and on over the floor."""
    scene = start(80)
    floor(60.0, friction=0.8)
    angle = math.radians(20)
    box("incline", (0, 0, 1.2), (6, 2, 0.2), (0, angle, 0), kind="PASSIVE", friction=0.8)
    up = (math.sin(angle), 0, math.cos(angle))
    along = (-math.cos(angle), 0, math.sin(angle))
    at = [c + 0.4 * n + 2.5 * a for c, n, a in zip((0, 0, 1.2), up, along, strict=True)]
    ball("ball", at, 0.3, friction=0.8, linear_damping=0.0, angular_damping=0.0)
    return scene


def sliding_box() -> Any:
    """A crate slides down a smooth incline and comes to rest on a rough floor."""
    scene = start(80)
    floor(60.0, friction=0.6)
    angle = math.radians(35)
    box("incline", (0, 0, 1.8), (6, 2, 0.2), (0, angle, 0), kind="PASSIVE", friction=0.3)
    up = (math.sin(angle), 0, math.cos(angle))
    along = (-math.cos(angle), 0, math.sin(angle))
    at = [c + 0.35 * n + 2 * a for c, n, a in zip((0, 0, 1.8), up, along, strict=True)]
    box("crate", at, (0.5, 0.5, 0.5), (0, angle, 0), friction=0.6, linear_damping=0.0)
    return scene


def tumbling_crates() -> Any:
    """Crates that don't bounce land on corners; spin throws them up again, and lifts centres."""
    scene = start(60)
    floor(60.0)
    sizes = ((1, 1, 1), (2, 0.5, 0.5), (0.3, 1.5, 1))
    turns = ((0.5, 0.4, 0), (0.3, 0, 0), (0.7, 0.2, 0.3), (0, 0.8, 0))
    for i, size in enumerate(sizes):
        for j, turn in enumerate(turns):
            box(f"crate {i}{j}", (8 * i, 8 * j, 3), size, turn)
    return scene


def lift() -> Any:
    """A platform with a rail that carries a crate up: an actuator, and what is fixed to it."""
    scene = start(40)
    floor()
    platform = box("platform", (0, 0, 0.5), (2, 2, 0.2), kind="PASSIVE", kinematic=True)
    platform.keyframe_insert("location", frame=1)
    platform.location.z = 1.5
    platform.keyframe_insert("location", frame=35)
    rail = bare_box("rail", (0, 0.95, 0.35), (2, 0.1, 0.5))
    rail.parent = platform
    box("crate", (0, 0, 0.85), (0.5, 0.5, 0.5))
    return scene


def cradle() -> Any:
    """Newton's cradle: five balls on hinges, the first drawn aside by 40 degrees."""
    scene = start(120, substeps=60)
    scene.rigidbody_world.solver_iterations = 60
    beam = box("beam", (0, 0, 3), (3, 0.2, 0.1), kind="PASSIVE")
    for k in range(5):
        x, angle = 0.502 * (k - 2), math.radians(40) if k == 0 else 0.0
        at = (x - 2 * math.sin(angle), 0, 3 - 2 * math.cos(angle))
        bob = ball(f"bob {k}", at, 0.25, restitution=1.0, friction=0.0,
                   linear_damping=0.0, angular_damping=0.0)  # fmt: skip
        hinge = joint(f"string {k}", "HINGE", beam, bob, (x, 0, 3))
        hinge.rotation_euler = (math.pi / 2, 0, 0)
    return scene


def pile(count: int = 100) -> Any:
    """Balls that fall into a box without a lid and come to rest."""
    scene = start(100)
    floor()
    for name, at, size in (
        ("left", (-1.05, 0, 1), (0.1, 2.2, 2)),
        ("right", (1.05, 0, 1), (0.1, 2.2, 2)),
        ("front", (0, -1.05, 1), (2, 0.1, 2)),
        ("back", (0, 1.05, 1), (2, 0.1, 2)),
    ):
        box(name, at, size, kind="PASSIVE")
    mesh = None
    for k in range(count):
        x, y, z = k % 5, k // 5 % 5, k // 25
        at = (0.38 * (x - 2) + 0.01 * (z % 2), 0.38 * (y - 2), 0.3 + 0.42 * z)
        one = ball(f"grain {k}", at, 0.17) if mesh is None else _same(mesh, f"grain {k}", at)
        mesh = one.data
    return scene


def _same(mesh: Any, name: str, at: Any) -> Any:
    obj = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(obj)
    obj.location = at
    return body(obj, shape="SPHERE")


SOUND = {
    one.__name__: one
    for one in (
        *(free_fall, bouncing_ball, stack, dominoes, pendulum, hinged_door, rolling_ball),
        *(sliding_box, tumbling_crates, lift, cradle, pile),
    )
}
