# SPDX-License-Identifier: GPL-3.0-or-later
"""A museum's Newton's cradle: five steel balls on threads, the first one let go from the side.

x runs along the row of balls, the table top is at z = 0; metres, kilograms, 30 frames a second.
"""

import math

import bmesh
import bpy
from mathutils import Matrix, Vector

RADIUS = 0.050
GAP = 0.0005  # between balls that hang still: so little that nobody sees it
PITCH = 2 * RADIUS + GAP
HANG = 0.450  # from the axis of a thread's upper end to the middle of the ball
TOP = 0.560  # height of those axes
APART = 0.150  # of the two rails from the middle
LIFT = math.radians(35)  # the first ball starts so far out
STEEL = 7850  # kg/m3
# Of a pair 0.8. The solver pushes balls apart again that got into each other within a step, by as
# much as 0.2 of the speed at which they met; more than 1 together would be energy from nowhere.
RESTITUTION = 0.894
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


def frame():
    """Base, four posts and the two rails from which the threads hang."""
    steel, oak = material("steel", (0.62, 0.64, 0.67), 0.3), material("oak", (0.33, 0.18, 0.09))
    rigid(box("Table", (0, 0, -0.025), (3, 2, 0.05), material("slate", (0.2, 0.22, 0.25))), *STILL)
    rigid(box("Base", (0, 0, 0.020), (0.90, 0.46, 0.040), oak), *STILL)
    for side in (-1, 1):
        for end in (-1, 1):
            place = (end * 0.40, side * APART, (0.040 + TOP - 0.008) / 2)
            rod(f"Post_{end}_{side}", place, 0.008, TOP - 0.048, steel)
        rail = box(f"Rail_{side}", (0, side * APART, TOP), (0.84, 0.016, 0.016), steel)
        rigid(rail, *STILL)
    return rail


def thread(name, carrier, side):
    """One thread from the ball's surface to a rail's inner side; it goes where the ball goes."""
    up = Vector((0, side * (APART - 0.0095), HANG))
    length = up.length - RADIUS
    line = rod(name, (0, 0, 0), 0.0012, length, material("thread", (0.9, 0.88, 0.8)), sides=6)
    line.parent = carrier
    line.location = up.normalized() * (RADIUS + length / 2)
    line.rotation_euler = up.to_track_quat("Z", "Y").to_euler()


def hang(number, rail, angle=0.0):
    """A ball on its hinge at the rails, `angle` out of the plumb line."""
    x = (number - 3) * PITCH
    place = (x - HANG * math.sin(angle), 0, TOP - HANG * math.cos(angle))
    made = ball(f"Ball_{number}", place, RADIUS, material("polished steel", (0.75, 0.77, 0.8), 0.1))
    made.rotation_euler = (0, angle, 0)
    made["plumbline_role"] = f"ball_{number}"
    rigid(made, "ACTIVE", "SPHERE", STEEL * 4 / 3 * math.pi * RADIUS**3, 0.0, RESTITUTION)
    for side in (-1, 1):
        thread(f"Thread_{number}_{side}", made, side)
    hinge = bpy.data.objects.new(f"Hinge_{number}", None)
    hinge.location = (x, 0, TOP)
    hinge.rotation_euler = (math.pi / 2, 0, 0)  # its z is the axis, along y
    hinge.empty_display_size = 0.02
    scene.collection.objects.link(hinge)
    bpy.context.view_layer.objects.active = hinge
    bpy.ops.rigidbody.constraint_add(type="HINGE")
    hinge.rigid_body_constraint.object1 = made
    hinge.rigid_body_constraint.object2 = rail


STILL = ("PASSIVE", "BOX")
shot((0.55, -1.75, 0.62), (0, 0, 0.29), 45, LAST)
rails = frame()
for number in range(1, 6):
    hang(number, rails, LIFT if number == 1 else 0.0)
world = scene.rigidbody_world
world.substeps_per_frame, world.solver_iterations = 20, 20
world.point_cache.frame_end = LAST
