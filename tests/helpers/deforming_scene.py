# SPDX-License-Identifier: GPL-3.0-or-later
"""Small scenes of cloth, soft bodies and wind, as a person would make them. Needs ``bpy``."""

from __future__ import annotations

import math
from typing import Any

import bmesh
import bpy
from mathutils import Matrix


def empty(frames: int) -> bpy.types.Scene:
    """An empty scene at 24 frames a second."""
    bpy.ops.wm.read_homefile(use_factory_startup=True, use_empty=True)
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, frames
    return scene


def _linked(name: str, made: Any, at: Any) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    made.to_mesh(mesh)
    made.free()
    obj = bpy.data.objects.new(name, mesh)
    obj.location = at
    bpy.context.scene.collection.objects.link(obj)
    return obj


def sheet(name: str, side: int, size: float, at: Any, upright: bool = False) -> bpy.types.Object:
    """A square of ``side`` x ``side`` quads; upright it stands in the xz plane."""
    made = bmesh.new()
    bmesh.ops.create_grid(made, x_segments=side, y_segments=side, size=size / 2)
    if upright:
        made.transform(Matrix.Rotation(math.pi / 2, 4, "X"))
    return _linked(name, made, at)


def ball(name: str, radius: float, at: Any, segments: int = 16) -> bpy.types.Object:
    """A ball."""
    made = bmesh.new()
    bmesh.ops.create_uvsphere(made, u_segments=segments, v_segments=segments // 2, radius=radius)
    return _linked(name, made, at)


def wind(strength: float = 400.0) -> bpy.types.Object:
    """A steady wind along x that turns a little."""
    obj = bpy.data.objects.new("wind", None)
    bpy.context.scene.collection.objects.link(obj)
    obj.location, obj.rotation_euler = (-2, -0.5, 2), (0, math.pi / 2, 0.2)
    with bpy.context.temp_override(object=obj, active_object=obj):
        bpy.ops.object.forcefield_toggle()
    obj.field.type, obj.field.strength = "WIND", strength
    return obj


def flag(frames: int = 40, self_collision: bool = True, side: int = 14) -> bpy.types.Object:
    """A flag of 1 m, pinned along its left edge, in a wind that folds it."""
    empty(frames)
    obj = sheet("flag", side, 1.0, (0, 0, 2), upright=True)
    group = obj.vertex_groups.new(name="pole")
    group.add([v.index for v in obj.data.vertices if v.co.x < -0.49], 1.0, "REPLACE")
    modifier = obj.modifiers.new("Cloth", "CLOTH")
    modifier.settings.vertex_group_mass = "pole"
    modifier.settings.quality = 8
    modifier.collision_settings.use_collision = False
    modifier.collision_settings.use_self_collision = self_collision
    wind()
    return obj


def drape(frames: int = 24, side: int = 12) -> bpy.types.Object:
    """A cloth of 1.2 m that falls on a ball of 0.4 m."""
    empty(frames)
    obj = sheet("cloth", side, 1.2, (0, 0, 0.5))
    obj.modifiers.new("Cloth", "CLOTH").settings.quality = 10
    ball("ball", 0.4, (0, 0, 0)).modifiers.new("Collision", "COLLISION")
    return obj


def jelly(frames: int = 30) -> bpy.types.Object:
    """A soft ball of 0.5 m that falls on a floor."""
    empty(frames)
    obj = ball("jelly", 0.5, (0, 0, 0.8))
    settings = obj.modifiers.new("Softbody", "SOFT_BODY").settings
    settings.use_goal = False
    settings.pull = settings.push = 0.9
    settings.bend, settings.damping = 5, 10
    sheet("floor", 2, 6, (0, 0, 0)).modifiers.new("Collision", "COLLISION")
    return obj
