# SPDX-License-Identifier: GPL-3.0-or-later
"""A painted stone ball, a brass knob at both ends of its axis, that two driven rollers turn.

The rollers lie along y, the table's top is at z = 0; metres, kilograms, 30 frames a second.
"""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

RADIUS = 0.120
STONE = 2700  # kg/m3, granite
ROLLER = 0.030  # radius
APART = 0.090  # of each roller from the middle
HIGH = 0.060  # of the rollers' axes over the table
LONG = 0.360
TURNS = 2.5  # of the rollers during the shot
KNOB = 0.026  # radius
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


def rod(name, place, radius, length, look, sides=16):
    """A cylinder along z."""
    form = bmesh.new()
    bmesh.ops.create_cone(
        form, cap_ends=True, segments=sides, radius1=radius, radius2=radius, depth=length
    )
    return show(name, form, place, look)


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


def roller(name, x):
    """A rubber roller between two bearings, turned at a steady rate."""
    rubber, steel = (
        material("rubber", (0.10, 0.10, 0.11), 0.8),
        material("steel", (0.6, 0.62, 0.65)),
    )
    made = rod(name, (x, 0, HIGH), ROLLER, LONG, rubber, sides=48)
    made["plumbline_role"] = name.lower()
    rigid(made, "PASSIVE", "CYLINDER", friction=1.0)
    for frame, turns in ((1, 0), (LAST, TURNS)):
        made.rotation_euler = (math.pi / 2, 2 * math.pi * turns, 0)
        made.keyframe_insert("rotation_euler", frame=frame)
    made.rigid_body.kinematic = True
    for side in (-1, 1):
        y = side * (LONG / 2 + 0.015)
        box(f"Bearing_{name[-1]}_{side}", (x, y, HIGH / 2), (0.060, 0.024, HIGH), steel)


def globe():
    """The ball in the groove between the rollers, with a knob at both ends of its axis."""
    height = HIGH + math.sqrt((RADIUS + ROLLER) ** 2 - APART**2)
    stone, stripe = material("stone", (0.42, 0.40, 0.44), 0.35), (0.78, 0.30, 0.16)
    made = ball("Ball", (0, 0, height), RADIUS, stone)
    made.data.transform(Matrix.Rotation(math.pi / 2, 4, "X"))  # its poles along y
    made.data.materials.append(material("paint", stripe))
    for face in made.data.polygons:
        turn = math.atan2(face.center.z, face.center.x) / (2 * math.pi) % 1
        face.material_index = int(8 * turn) % 2
    made["plumbline_role"] = "ball"
    rigid(made, "ACTIVE", "SPHERE", STONE * 4 / 3 * math.pi * RADIUS**3, 1.0, 0.0)
    for side in (-1, 1):
        knob = ball(
            f"Knob_{side}", (0, side * RADIUS, 0), KNOB, material("brass", (0.85, 0.62, 0.2))
        )
        knob.parent = made


shot((0.75, -0.95, 0.55), (0, 0, 0.13), 45, LAST)
table = box("Table", (0, 0, -0.025), (1.20, 0.90, 0.050), material("oak", (0.56, 0.38, 0.22)))
rigid(table, "PASSIVE", "BOX")
roller("Roller_1", -APART)
roller("Roller_2", APART)
globe()
world = scene.rigidbody_world
world.substeps_per_frame, world.solver_iterations = 20, 20
world.point_cache.frame_end = LAST
