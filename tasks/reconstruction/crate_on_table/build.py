# SPDX-License-Identifier: GPL-3.0-or-later
"""Apples dropped into an open crate that stands on a table.

The crate's floor and walls are boards that butt; the table's top is at z = 0; metres, kilograms,
30 frames a second.
"""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

LONG, WIDE, HIGH = 0.400, 0.300, 0.140  # the crate's outside, m
BOARD = 0.018  # thickness of its boards
APPLE = 0.037  # radius, m
DENSITY = 800  # of an apple, kg/m3
# Where the apples start: x, y, z.
STARTS = [
    (-0.090, -0.040, 0.300),
    (0.070, 0.050, 0.330),
    (-0.020, 0.060, 0.420),
    (0.100, -0.060, 0.470),
    (0.005, -0.010, 0.560),
    (-0.100, 0.050, 0.600),
]
LAST = 120

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


def ball(name, place, radius, look):
    """A ball."""
    form = bmesh.new()
    bmesh.ops.create_uvsphere(form, u_segments=32, v_segments=16, radius=radius)
    return show(name, form, place, look)


def rigid(obj, kind, shape, mass=1.0, friction=0.5, restitution=0.0):
    """Make an object a body of the rigid-body world; without damping, margin or sleep."""
    bpy.context.view_layer.objects.active = obj
    bpy.ops.rigidbody.object_add(type=kind)
    body = obj.rigid_body
    body.collision_shape, body.mass = shape, mass
    body.friction, body.restitution = friction, restitution
    body.linear_damping = body.angular_damping = 0.0
    body.use_margin, body.collision_margin = True, 0.0
    body.use_deactivation = False
    return body


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


def still(name, place, size, look):
    """A box that stays where it is."""
    made = box(name, place, size, look)
    made["plumbline_role"] = name.lower()
    rigid(made, "PASSIVE", "BOX", friction=0.6, restitution=0.5)


def crate():
    """A floor, and four walls that stand on it."""
    pine = material("pine", (0.78, 0.60, 0.38))
    still("Crate_floor", (0, 0, BOARD / 2), (LONG, WIDE, BOARD), pine)
    z, tall = (HIGH + BOARD) / 2, HIGH - BOARD
    for side, name in ((-1, "front"), (1, "back")):
        y = side * (WIDE - BOARD) / 2
        still(f"Crate_{name}", (0, y, z), (LONG, BOARD, tall), pine)
    for side, name in ((-1, "left"), (1, "right")):
        x = side * (LONG - BOARD) / 2
        still(f"Crate_{name}", (x, 0, z), (BOARD, WIDE - 2 * BOARD, tall), pine)


shot((0.50, -1.05, 0.85), (0, 0, 0.22), 38, LAST)
still("Table", (0, 0, -0.025), (1.40, 0.90, 0.050), material("oak", (0.52, 0.34, 0.19)))
crate()
shades = [("red apple", (0.72, 0.12, 0.10)), ("green apple", (0.50, 0.66, 0.20))]
for number, place in enumerate(STARTS, 1):
    apple = ball(f"Apple_{number}", place, APPLE, material(*shades[number % 2]))
    apple["plumbline_role"] = f"apple_{number}"
    rigid(apple, "ACTIVE", "SPHERE", DENSITY * 4 / 3 * math.pi * APPLE**3, 0.6, 0.5)
world = scene.rigidbody_world
world.substeps_per_frame, world.solver_iterations = 20, 20
world.point_cache.frame_end = LAST
