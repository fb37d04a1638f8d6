# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

joist = bpy.data.objects["Joist_N_12"].copy()
bpy.context.scene.collection.objects.link(joist)
