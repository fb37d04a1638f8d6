# SPDX-License-Identifier: GPL-3.0-or-later
# title: A render is written anywhere
# route: render.render(write_still=True)
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

scene = bpy.context.scene
camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
scene.collection.objects.link(camera)
scene.camera = camera
scene.render.engine = "CYCLES"
scene.cycles.samples = 1
scene.render.resolution_x = scene.render.resolution_y = 8
scene.render.filepath = "@OUTSIDE@/stolen.png"
bpy.ops.render.render(write_still=True)
