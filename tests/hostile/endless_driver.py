# SPDX-License-Identifier: GPL-3.0-or-later
# title: A driver that never returns, evaluated while saving
# route: driver expression
# policy: refused lasting
# contained: deadline
# ends: timeout finished raised
import bpy

mesh = bpy.data.meshes.new("m")
stud = bpy.data.objects.new("Stud_01", mesh)
bpy.context.scene.collection.objects.link(stud)
stud.driver_add(
    "location", 0
).driver.expression = "len([1 for a in range(10**5) for b in range(10**5)])"
bpy.context.view_layer.update()
