# SPDX-License-Identifier: GPL-3.0-or-later
"""A wooden roller rolls down a wedge and along a plank, past a token, and stops at a rail.

x runs along the plank, its top is at z = 0; all in metres and kilograms.
"""

from math import cos, pi, radians, sin, tan

import bpy

RADIUS = 0.07  # of the roller
TILT = 0.25  # of the wedge, rad

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


PLANK, OAK, BEECH = (0.6, 0.45, 0.3), (0.8, 0.6, 0.35), (0.9, 0.75, 0.3)
solid("Plank", box(2.4, 1.2, 0.08), PLANK, (0, 0, -0.04), "BOX")
slope = [(-1.15, 0), (-0.6, 0), (-1.15, 0.55 * tan(TILT))]
solid("Wedge", prism(slope, -0.55, 0.55), OAK, (0, 0, 0), "CONVEX_HULL")
solid("Rail", box(0.06, 1.1, 0.12), OAK, (1.15, 0, 0.06), "BOX")

token = turned([(0, -0.04), (0.1, -0.04), (0.1, 0.04), (0, 0.04)], 32)
weight = 650 * pi * 0.1**2 * 0.08  # beech
token = solid("Token", token, BEECH, (0.1, -0.3, 0.04), "CYLINDER", weight)
token["plumbline_material"] = "wood"

start = -1.05  # where it touches the wedge
place = (start + RADIUS * sin(TILT), 0.25, (-0.6 - start) * tan(TILT) + RADIUS * cos(TILT))
roller = turned([(0, -0.1), (RADIUS, -0.1), (RADIUS, 0.1), (0, 0.1)], 32)
weight = 700 * pi * RADIUS**2 * 0.2  # oak
roller = solid("Roller", roller, (0.5, 0.2, 0.45), place, "CYLINDER", weight)
roller.rotation_euler = (radians(90), 0, 0)
roller["plumbline_material"] = "oak"


camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.location, camera.rotation_euler = (0.3, -2.8, 1.9), (0.97, 0, 0.1)
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.rotation_euler = 3, (0.6, 0.3, 0)
scene.collection.objects.link(sun)
