# SPDX-License-Identifier: GPL-3.0-or-later
# title: A mesh whose faces point nowhere
# route: foreach_set with wrong indices
# policy: passes
# contained: crash
# ends: crashed finished raised timeout memory
import bpy

mesh = bpy.data.meshes.new("m")
mesh.vertices.add(3)
mesh.loops.add(3)
mesh.polygons.add(1)
mesh.polygons.foreach_set("loop_start", [0])
mesh.loops.foreach_set("vertex_index", [2_000_000_000, 1_500_000_000, 7])
wall = bpy.data.objects.new("Stud_01", mesh)
bpy.context.scene.collection.objects.link(wall)
mesh.update(calc_edges=True)
mesh.calc_loop_triangles()
