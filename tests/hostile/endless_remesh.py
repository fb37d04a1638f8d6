# SPDX-License-Identifier: GPL-3.0-or-later
# title: One operator that takes hours
# route: object.voxel_remesh
# policy: passes
# contained: deadline
# ends: timeout memory raised crashed
import bpy

bpy.ops.mesh.primitive_monkey_add(size=20)
bpy.context.object.data.remesh_voxel_size = 0.002
bpy.ops.object.voxel_remesh()
