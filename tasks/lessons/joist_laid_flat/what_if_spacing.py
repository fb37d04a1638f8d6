# SPDX-License-Identifier: GPL-3.0-or-later
"""The joists between those under the end walls are laid anew, at another spacing."""

import bpy

FIRST, LAST = 0.038, 4.834  # where the doubled end joists begin, m


def change(value):
    """Joists stand ``value`` m apart on centre, counted from the left end."""
    row = [obj for obj in bpy.data.objects if obj.name.startswith("Joist_")]
    inner = [obj for obj in row if FIRST + 0.05 < obj.location.x < LAST - 0.05]
    corners = [tuple(vertex.co) for vertex in inner[0].data.vertices]
    faces = [tuple(face.vertices) for face in inner[0].data.polygons]
    y, z = inner[0].location.y, inner[0].location.z
    for obj in inner:
        mesh = obj.data
        bpy.data.objects.remove(obj)
        bpy.data.meshes.remove(mesh)
    left, number = value, 2
    while left < LAST - 0.05:
        name = f"Joist_{number:02d}"
        mesh = bpy.data.meshes.new(name)
        mesh.from_pydata(corners, [], faces)
        joist = bpy.data.objects.new(name, mesh)
        joist.location = (left + 0.019, y, z)
        bpy.context.scene.collection.objects.link(joist)
        left, number = left + value, number + 1
