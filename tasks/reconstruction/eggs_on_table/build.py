# SPDX-License-Identifier: GPL-3.0-or-later
"""Eggs on a kitchen table: five lie there, a sixth rolls in from the left and comes to them.

x runs along the table's length, its top is at z = 0; metres, kilograms, 30 frames a second.
"""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

LONG, WIDE = 0.058, 0.044  # of an egg, m
EGG = 1030  # kg/m3
WEDGE = (0.22, 0.035)  # its run and its rise
# Where the eggs lie: x, y, turn about the vertical in degrees, shade.
PLACES = [
    (0.05, -0.005, 80, 0),
    (0.14, 0.070, 25, 2),
    (0.13, -0.075, 140, 1),
    (0.22, 0.010, -35, 0),
    (0.25, -0.110, 60, 2),
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


SHELLS = [(0.80, 0.62, 0.45), (0.90, 0.83, 0.74), (0.66, 0.43, 0.27)]


def egg(name, x, y, turn, shade, height=0.0):
    """An egg that lies on its side, `turn` about the vertical, its lowest point at `height`."""
    form = bmesh.new()
    bmesh.ops.create_uvsphere(form, u_segments=16, v_segments=12, radius=1)
    facet = Matrix.Rotation(math.pi / 16, 3, "Z")  # so that it lies on a facet
    for vertex in form.verts:
        across = facet @ vertex.co
        girth = WIDE / 2 * (1 - 0.1 * across.z)  # blunter at one end than at the other
        vertex.co = (across.z * LONG / 2, across.x * girth, across.y * girth)
    middle = sum((v.co for v in form.verts), Vector()) / len(form.verts)
    for vertex in form.verts:
        vertex.co -= middle
    low = min(v.co.z for v in form.verts)
    look = material(f"eggshell {shade + 1}", SHELLS[shade], 0.6)
    made = show(name, form, (x, y, height - low), look)
    made.rotation_euler = (0, 0, turn)
    made["plumbline_role"] = name.lower()
    rigid(made, "ACTIVE", "CONVEX_HULL", EGG * math.pi / 6 * LONG * WIDE**2, 0.6, 0.1)
    return made


def kitchen():
    """The table's top, and a wedge of wood down which an egg can roll."""
    table = box("Table", (0, 0, -0.020), (0.90, 0.50, 0.040), material("oak", (0.56, 0.38, 0.22)))
    rigid(table, "PASSIVE", "BOX", friction=0.6)
    form = bmesh.new()
    run, rise = WEDGE
    ends = [(0, 0), (run, 0), (0, rise)]
    near, far = ([form.verts.new((x, y, z)) for x, z in ends] for y in (-0.05, 0.05))
    form.faces.new(near)
    form.faces.new(far[::-1])
    for k in range(3):
        form.faces.new((near[k], far[k], far[k - 2], near[k - 2])[::-1])
    form.normal_update()
    wedge = show("Wedge", form, (-0.40, 0, 0), material("beech", (0.72, 0.55, 0.36)), smooth=False)
    rigid(wedge, "PASSIVE", "CONVEX_HULL", friction=0.6)


shot((0.02, -0.78, 0.42), (-0.06, -0.01, 0.0), 42, LAST)
kitchen()
run, rise = WEDGE
egg("Rolling_egg", -0.36, 0, math.pi / 2, 1, rise * (1 - 0.04 / run) + 0.003)
for number, (x, y, turn, shade) in enumerate(PLACES, 1):
    egg(f"Egg_{number}", x, y, math.radians(turn), shade)
world = scene.rigidbody_world
world.substeps_per_frame, world.solver_iterations = 20, 20
world.point_cache.frame_end = LAST
