# SPDX-License-Identifier: GPL-3.0-or-later
# title: A driver's expression imports
# route: driver.expression
# policy: refused lasting
# contained: canary writes
# ends: finished raised
import bpy

empty = bpy.data.objects.new("Empty", None)
bpy.context.scene.collection.objects.link(empty)
driver = empty.driver_add("location", 0).driver
driver.expression = "__import__('os').system('cat @SECRET@; echo x > @OUTSIDE@/stolen.txt')"
bpy.context.view_layer.update()
print(empty.evaluated_get(bpy.context.evaluated_depsgraph_get()).location)
