# SPDX-License-Identifier: GPL-3.0-or-later
# title: Modifiers that multiply faces in C
# route: SUBSURF levels
# policy: passes
# contained: memory
# ends: memory raised crashed timeout finished
import bpy

bpy.ops.mesh.primitive_uv_sphere_add()
ball = bpy.context.object
for _ in range(4):
    modifier = ball.modifiers.new("s", "SUBSURF")
    modifier.levels = 6
bpy.context.view_layer.update()
print(len(ball.evaluated_get(bpy.context.evaluated_depsgraph_get()).data.vertices))
