# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for vertex in bpy.data.objects["Joist_07"].data.vertices:
    if vertex.co.z > 0:
        vertex.co.z -= 0.102
