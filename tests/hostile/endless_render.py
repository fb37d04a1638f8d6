# SPDX-License-Identifier: GPL-3.0-or-later
# title: A render that takes hours
# route: render.render
# policy: refused operator
# contained: deadline
# ends: timeout memory raised crashed
import bpy

scene = bpy.context.scene
bpy.ops.mesh.primitive_monkey_add()
scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
scene.collection.objects.link(scene.camera)
scene.render.engine = "CYCLES"
scene.cycles.samples = 100000
scene.cycles.use_adaptive_sampling = False
bpy.ops.render.render()
