# SPDX-License-Identifier: GPL-3.0-or-later
# title: Functions for drivers stay in Blender
# route: bpy.app.driver_namespace
# policy: refused lasting
# contained: outlives
# ends: finished raised
import bpy


def later():
    open("@OUTSIDE@/stolen.txt", "w").write("written")
    return 1.0


bpy.app.driver_namespace["later"] = later
kept = bpy.app.driver_namespace
mesh = bpy.data.meshes.new("m")
stud = bpy.data.objects.new("Stud_01", mesh)
bpy.context.scene.collection.objects.link(stud)
stud.driver_add("location", 0).driver.expression = "later()"
bpy.context.view_layer.update()
