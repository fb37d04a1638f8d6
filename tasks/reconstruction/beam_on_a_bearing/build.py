# SPDX-License-Identifier: GPL-3.0-or-later
"""A beam swings on the bearing of a post, clear of the table that the post stands on.

x runs along the table, its top is at z = 0; all in metres and kilograms.
"""

from math import cos, radians, sin

import bpy

TILT = 1.3  # of the beam at the start, rad from hanging
ARM = 0.24  # from the bearing to the middle of the beam
HEIGHT = 0.75  # of the bearing

scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, 84
scene.render.fps = 24
if scene.rigidbody_world is None:
    bpy.ops.rigidbody.world_add()
scene.rigidbody_world.point_cache.frame_end = scene.frame_end


def solid(name, mesh, colour, place, shape=None, mass=None, bounce=0):
    """One object of a closed mesh; a rigid body if it has a shape, and one that moves if a mass."""
    data = bpy.data.meshes.new(name)
    data.from_pydata(mesh[0], [], mesh[1])
    data.materials.append(bpy.data.materials.new(name))
    data.materials[0].diffuse_color = (*colour, 1)
    thing = bpy.data.objects.new(name, data)
    thing.location = place
    thing["plumbline_role"] = name.lower()
    scene.collection.objects.link(thing)
    if shape:
        bpy.context.view_layer.objects.active = thing
        bpy.ops.rigidbody.object_add(type="ACTIVE" if mass else "PASSIVE")
        body = thing.rigid_body
        body.collision_shape, body.mass, body.restitution = shape, mass or 1, bounce
        body.use_margin, body.collision_margin = True, 0
    return thing


def prism(outline, low, high):
    """An outline in x and z, anticlockwise as seen from -y, drawn out from y `low` to `high`."""
    n = len(outline)
    corners = [(x, y, z) for y in (low, high) for x, z in outline]
    sides = [(k, n + k, n + (k + 1) % n, (k + 1) % n) for k in range(n)]
    return corners, [*sides, tuple(range(n)), tuple(reversed(range(n, 2 * n)))]


def box(x, y, z):
    """A box of these lengths about its middle."""
    x, z = x / 2, z / 2
    return prism([(-x, -z), (x, -z), (x, z), (-x, z)], -y / 2, y / 2)


WOOD, STEEL, PINE = (0.55, 0.36, 0.2), (0.45, 0.48, 0.52), (0.85, 0.65, 0.4)
solid("Table", box(2, 1.2, 0.08), WOOD, (0, 0, -0.04), "BOX")
post = solid("Post", box(0.1, 0.1, 0.85), STEEL, (0, 0.12, 0.425), "BOX")

place = (ARM * sin(TILT), 0, HEIGHT - ARM * cos(TILT))
weight = 450 * 0.08 * 0.1 * 0.78  # pine
beam = solid("Beam", box(0.08, 0.1, 0.78), PINE, place, "BOX", weight)
beam.rotation_euler = (0, -TILT, 0)
beam.rigid_body.linear_damping = beam.rigid_body.angular_damping = 0.05
beam["plumbline_material"] = "pine"

bearing = bpy.data.objects.new("Bearing", None)
bearing.location, bearing.rotation_euler = (0, 0, HEIGHT), (radians(90), 0, 0)
bearing.empty_display_size = 0.1
bearing["plumbline_role"] = "bearing"
scene.collection.objects.link(bearing)
bpy.context.view_layer.objects.active = bearing
bpy.ops.rigidbody.constraint_add(type="HINGE")
hinge = bearing.rigid_body_constraint
hinge.object1, hinge.object2 = beam, post
hinge.disable_collisions = True


camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.location, camera.rotation_euler = (0.4, -3.0, 1.3), (1.3, 0, 0.13)
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.rotation_euler = 3, (0.6, 0.3, 0)
scene.collection.objects.link(sun)
