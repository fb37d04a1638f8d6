# SPDX-License-Identifier: GPL-3.0-or-later
"""A draughtsman rolls on its edge down a wedge, past a knight, up a second wedge and back.

x runs along the board, its top is at z = 0; all in metres and kilograms.
"""

from math import cos, pi, radians, sin, tan

import bpy

RADIUS = 0.1  # of the draughtsman
TILT = 0.2  # of both wedges, rad

scene = bpy.context.scene
scene.frame_start, scene.frame_end = 1, 96
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


WALNUT, MAPLE, EBONY = (0.35, 0.2, 0.12), (0.85, 0.7, 0.48), (0.12, 0.1, 0.09)
solid("Board", box(2.6, 1.4, 0.06), WALNUT, (0, 0, -0.03), "BOX")
rise = 0.6 * tan(TILT)
for name, slope in (
    ("Wedge_left", [(-1.25, 0), (-0.65, 0), (-1.25, rise)]),
    ("Wedge_right", [(0.65, 0), (1.25, 0), (1.25, rise)]),
):
    solid(name, prism(slope, -0.6, 0.6), MAPLE, (0, 0, 0), "CONVEX_HULL")

# A knight as it is sawn from a board: foot, neck, mane, ear, muzzle, chest.
KNIGHT = [
    *[(-0.11, 0), (0.11, 0), (0.11, 0.04), (0.08, 0.06), (0.09, 0.16), (0.07, 0.26), (0.02, 0.32)],
    *[(0, 0.36), (-0.03, 0.32), (-0.12, 0.24), (-0.11, 0.2), (-0.03, 0.21), (-0.08, 0.06)],
    (-0.11, 0.04),
]
sawn = prism(KNIGHT, -0.07, 0.07)
solid("Knight", sawn, EBONY, (0, -0.3, 0), "MESH")

start = -1.15  # where it touches the wedge
place = (start + RADIUS * sin(TILT), 0.25, (-0.65 - start) * tan(TILT) + RADIUS * cos(TILT))
disc = turned([(0, -0.03), (RADIUS, -0.03), (RADIUS, 0.03), (0, 0.03)], 32)
weight = 700 * pi * RADIUS**2 * 0.06  # maple
piece = solid("Piece", disc, (0.7, 0.15, 0.1), place, "CYLINDER", weight)
piece.rotation_euler = (radians(90), 0, 0)
piece["plumbline_material"] = "wood"


camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
camera.location, camera.rotation_euler = (0.3, -3.0, 1.9), (1.03, 0, 0.1)
scene.collection.objects.link(camera)
scene.camera = camera
sun = bpy.data.objects.new("Sun", bpy.data.lights.new("Sun", "SUN"))
sun.data.energy, sun.rotation_euler = 3, (0.6, 0.3, 0)
scene.collection.objects.link(sun)
