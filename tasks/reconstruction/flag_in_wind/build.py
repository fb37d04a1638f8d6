# SPDX-License-Identifier: GPL-3.0-or-later
"""A flag is let go at its pole and swings down in a gusty wind along x.

It is held along one edge; the ground is at z = 0; metres, kilograms, 30 frames a second.
"""

import math
from itertools import pairwise

import bmesh
import bpy
from mathutils import Matrix, Vector

LONG, HIGH = 1.50, 0.90
ACROSS, UP = 20, 12  # faces along and up
TOP = 2.60  # of the flag over the ground
LAST = 52

scene = bpy.context.scene


def material(name, colour, roughness=0.5):
    """The material of that name; bodies are made of what their material is called."""
    made = bpy.data.materials.get(name) or bpy.data.materials.new(name)
    made.diffuse_color, made.roughness = (*colour, 1), roughness
    if made.node_tree is None:
        made.use_nodes = True
    shader = made.node_tree.nodes["Principled BSDF"]
    shader.inputs["Base Color"].default_value = (*colour, 1)
    shader.inputs["Roughness"].default_value = roughness
    return made


def show(name, form, place, look, smooth=True):
    """An object from a bmesh."""
    mesh = bpy.data.meshes.new(name)
    for face in form.faces:
        face.smooth = smooth and len(face.verts) < 5
    form.to_mesh(mesh)
    form.free()
    mesh.materials.append(look)
    made = bpy.data.objects.new(name, mesh)
    made.location = place
    scene.collection.objects.link(made)
    return made


def box(name, place, size, look):
    """A box of `size` about `place`."""
    form = bmesh.new()
    bmesh.ops.create_cube(form, size=1, matrix=Matrix.Diagonal((*size, 1)))
    return show(name, form, place, look, smooth=False)


def rod(name, place, radius, length, look, sides=16):
    """A cylinder along z."""
    form = bmesh.new()
    bmesh.ops.create_cone(
        form, cap_ends=True, segments=sides, radius1=radius, radius2=radius, depth=length
    )
    return show(name, form, place, look)


def aimed(made, place, target):
    """Put a camera or a lamp at `place` and turn it to `target`."""
    made.location = place
    made.rotation_euler = (Vector(target) - made.location).to_track_quat("-Z", "Y").to_euler()
    scene.collection.objects.link(made)
    return made


def shot(place, target, lens, last):
    """Camera, two soft lamps, a plain wall of light, and the length of the shot."""
    scene.render.fps, scene.frame_start, scene.frame_end = 30, 1, last
    scene.render.resolution_x, scene.render.resolution_y = 640, 360
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.data.lens = lens
    scene.camera = aimed(camera, place, target)
    far = (Vector(place) - Vector(target)).length
    for name, side, power in (("Key", (0.7, -0.6, 1.2), 45), ("Fill", (-1.2, -0.5, 0.7), 15)):
        lamp = bpy.data.objects.new(name, bpy.data.lights.new(name, "AREA"))
        lamp.data.energy, lamp.data.size = power * far**2, far / 2
        aimed(lamp, Vector(target) + far * Vector(side), target)
    scene.world = bpy.data.worlds.new("World")
    scene.world.color = (0.55, 0.58, 0.62)


def flag():
    """The cloth, its edge at the pole held."""
    form = bmesh.new()
    rows = [
        [
            form.verts.new((i / ACROSS * LONG, 0.02 * math.sin(6 * i / ACROSS), -k / UP * HIGH))
            for i in range(ACROSS + 1)
        ]
        for k in range(UP + 1)
    ]
    for a, b in pairwise(rows):
        for i in range(ACROSS):
            form.faces.new((a[i], b[i], b[i + 1], a[i + 1]))
    made = show("Flag", form, (0.025, 0, TOP), material("cotton", (0.75, 0.16, 0.14), 0.8))
    made["plumbline_role"] = "flag"
    held = made.vertex_groups.new(name="held")
    held.add([k * (ACROSS + 1) for k in range(UP + 1)], 1.0, "REPLACE")
    cloth = made.modifiers.new("Cloth", "CLOTH")
    cloth.settings.quality, cloth.settings.mass = 5, 0.1  # kg a vertex, in the solver's own measure
    cloth.settings.vertex_group_mass = "held"
    cloth.settings.tension_stiffness = cloth.settings.compression_stiffness = 30
    cloth.settings.shear_stiffness, cloth.settings.bending_stiffness = 15, 0.1
    folds = cloth.collision_settings
    folds.use_collision, folds.use_self_collision = False, True
    folds.self_distance_min, folds.collision_quality = 0.02, 3
    cloth.point_cache.frame_end = LAST


def gusts():
    """Wind along x, in gusts."""
    where, turn = (-1.5, -0.3, 2.1), (0, math.pi / 2, math.radians(12))
    bpy.ops.object.effector_add(type="WIND", location=where, rotation=turn)
    wind = bpy.context.object
    wind.name = "Wind"
    wind.field.strength, wind.field.noise, wind.field.seed = 200, 3, 3


shot((1.2, -4.2, 2.1), (0.55, 0, 1.85), 45, LAST)
box("Ground", (0, 0, -0.05), (8, 8, 0.1), material("gravel", (0.42, 0.40, 0.36), 0.9))
rod("Pole", (0, 0, 1.40), 0.020, 2.80, material("painted steel", (0.85, 0.86, 0.88), 0.3))
gusts()
flag()
