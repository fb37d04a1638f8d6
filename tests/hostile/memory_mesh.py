# SPDX-License-Identifier: GPL-3.0-or-later
# title: A mesh of a thousand million vertices
# route: mesh.vertices.add
# policy: passes
# contained: memory
# ends: memory raised crashed timeout finished
import bpy

mesh = bpy.data.meshes.new("m")
mesh.vertices.add(1_500_000_000)
mesh.vertices.add(500_000_000)
mesh.vertices[5].co = (1, 2, 3)
