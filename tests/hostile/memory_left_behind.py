# SPDX-License-Identifier: GPL-3.0-or-later
# title: Modifiers that multiply faces, left for whoever reads the scene
# route: SUBSURF levels, never evaluated by the program itself
# policy: passes
# contained: memory deadline
# ends: memory timeout crashed raised finished
import bpy

bpy.ops.mesh.primitive_uv_sphere_add()
ball = bpy.context.object
ball.name = "Stud_01"
for _ in range(5):
    modifier = ball.modifiers.new("s", "SUBSURF")
    modifier.levels = modifier.render_levels = 6
    array = ball.modifiers.new("a", "ARRAY")
    array.count = 10_000
