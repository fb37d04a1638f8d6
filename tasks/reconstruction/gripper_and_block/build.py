# SPDX-License-Identifier: GPL-3.0-or-later
"""A gripper brings a wooden block over a table and lets it fall.

Its left finger carries the block on a ledge, the right one keeps it there; x runs along the
gripper's rail, the table's top is at z = 0; metres, kilograms, 30 frames a second.
"""

import bmesh
import bpy
from mathutils import Matrix, Vector

BLOCK = 0.120
HIGH = 0.420  # of the ledge's upper side over the table
THICK = 0.020  # of fingers and ledge
PINE = 500  # kg/m3
START = -0.300  # where the gripper comes from
# Frames: it has come, it begins to open, it is open, the shot ends.
COME, HELD, OPEN, LAST = 34, 42, 48, 100

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


def moved(obj, *keys):
    """Keyframes along x, (frame, x) each; what has them is moved by hand and pushes others."""
    for frame, x in keys:
        obj.location.x = x
        obj.keyframe_insert("location", index=0, frame=frame)
    if obj.rigid_body is not None:
        obj.rigid_body.kinematic = True


def finger(name, x, away):
    """An upright finger at `x` when closed, which goes `away` to open."""
    steel = material("steel", (0.55, 0.58, 0.62), 0.35)
    made = box(name, (x, 0, HIGH + 0.070), (THICK, 0.100, 0.180 + 2 * THICK), steel)
    made["plumbline_role"] = name.lower()
    rigid(made, "PASSIVE", "BOX", friction=0.2)
    keys = ((1, START + x), (COME, x), (HELD, x), (OPEN, x + away))
    moved(made, *keys)
    return made


def gripper():
    """Rail, carriage, two fingers, and the ledge on the left one."""
    dark = material("painted steel", (0.16, 0.24, 0.34), 0.4)
    top = HIGH + 0.070 + 0.090 + THICK
    box("Rail", (-0.10, 0, top + 0.085), (1.10, 0.060, 0.050), dark)
    carriage = box("Carriage", (0, 0, top + 0.030), (0.560, 0.120, 0.060), dark)
    rigid(carriage, "PASSIVE", "BOX")
    moved(carriage, (1, START), (COME, 0.0))
    near = (BLOCK + THICK) / 2 + 0.0005
    left, _ = finger("Finger_left", -near, -0.150), finger("Finger_right", near, 0.050)
    steel = material("steel", (0.55, 0.58, 0.62), 0.35)
    ledge = box("Ledge", (0.060, 0, -0.090), (0.100, 0.100, THICK), steel)
    ledge.parent = left
    rigid(ledge, "PASSIVE", "BOX", friction=0.7).kinematic = True


shot((0.35, -1.75, 0.75), (-0.05, 0, 0.30), 42, LAST)
table = box("Table", (0, 0, -0.025), (1.60, 0.90, 0.050), material("oak", (0.56, 0.38, 0.22)))
rigid(table, "PASSIVE", "BOX", friction=0.6)
gripper()
block = box(
    "Block", (START, 0, HIGH + BLOCK / 2), (BLOCK,) * 3, material("pine", (0.85, 0.42, 0.16))
)
block["plumbline_role"] = "block"
rigid(block, "ACTIVE", "BOX", PINE * BLOCK**3, 0.6, 0.1)
world = scene.rigidbody_world
world.substeps_per_frame, world.solver_iterations = 20, 20
world.point_cache.frame_end = LAST
