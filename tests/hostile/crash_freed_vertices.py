# SPDX-License-Identifier: GPL-3.0-or-later
# title: Vertices of a mesh that was emptied
# route: clear_geometry
# policy: passes
# contained: crash
# ends: crashed finished raised
import bpy

mesh = bpy.data.meshes.new("m")
mesh.from_pydata([(0, 0, i) for i in range(100000)], [], [])
vertices = list(mesh.vertices)
mesh.clear_geometry()
for vertex in vertices:
    vertex.co = (1, 2, 3)
print(vertices[5].co)
