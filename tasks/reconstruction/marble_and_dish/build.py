# SPDX-License-Identifier: GPL-3.0-or-later
"""A wooden marble rolls down a wedge, passes a glazed dish, and stops at a rail.

x runs along the table, its top is at z = 0; all in metres and kilograms.
"""

from math import cos, pi, sin, tan

import bpy

RADIUS = 0.06  # of the marble
TILT = 0.22  # of the wedge, rad

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


def turned(profile, parts):
    """A profile of (radius, height) from axis to axis, anticlockwise, turned about z."""
    corners, faces, below = [], [], None
    for radius, z in profile:
        count = parts if radius else 1
        ring = [len(corners) + k % count for k in range(parts + 1)]
        for k in range(count):
            angle = 2 * pi * k / parts
            corners.append((radius * cos(angle), radius * sin(angle), z))
        for k in range(parts if below else 0):
            corner = (below[k], below[k + 1], ring[k + 1], ring[k])
            faces.append(tuple(dict.fromkeys(corner)))
        below = ring
    return corners, faces


def ball(radius):
    """A ball, fine enough that its faces lie within 0.5 % of it."""
    angles = [pi * k / 16 for k in range(17)]
    return turned([(radius * sin(a) if 0 < a < pi else 0, -radius * cos(a)) for a in angles], 32)


WOOD, OAK, GLAZE = (0.55, 0.36, 0.2), (0.8, 0.6, 0.35), (0.25, 0.45, 0.6)
solid("Table", box(2.2, 1.3, 0.08), WOOD, (0, 0, -0.04), "BOX")
slope = [(-1.05, 0), (-0.45, 0), (-1.05, 0.6 * tan(TILT))]
solid("Wedge", prism(slope, -0.5, 0.5), OAK, (0, 0, 0), "CONVEX_HULL")
solid("Rail", box(0.06, 1.1, 0.1), OAK, (1.05, 0, 0.05), "BOX")

# Foot, wall and rim outside, then the same inside: the glaze is 15 mm thick.
DISH = [(0, 0), (0.12, 0), (0.22, 0.09), (0.205, 0.1), (0.11, 0.018), (0, 0.018)]
solid("Dish", turned(DISH, 32), GLAZE, (0.2, -0.2, 0), "MESH")

start = -0.95  # where it touches the wedge
height = (-0.45 - start) * tan(TILT)
place = (start + RADIUS * sin(TILT), 0.3, height + RADIUS * cos(TILT))
weight = 700 * 4 / 3 * pi * RADIUS**3  # oak
marble = solid("Marble", ball(RADIUS), (0.75, 0.3, 0.15), place, "SPHERE", weight)
marble["plumbline_material"] = "oak"


camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.location, camera.rotation_euler = (0.3, -2.6, 1.9), (0.95, 0, 0.1)
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.rotation_euler = 3, (0.6, 0.3, 0)
scene.collection.objects.link(sun)
