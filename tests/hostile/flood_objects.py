# SPDX-License-Identifier: GPL-3.0-or-later
# title: Two hundred thousand objects
# route: bpy.data.objects.new
# policy: passes
# contained: flood
# ends: finished raised timeout crashed memory
import bpy

mesh = bpy.data.meshes.new("m")
for number in range(200_000):
    stud = bpy.data.objects.new("Stud_" + "x" * 50, mesh)
    bpy.context.scene.collection.objects.link(stud)
