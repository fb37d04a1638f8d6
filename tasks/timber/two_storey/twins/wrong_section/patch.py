# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for vertex in bpy.data.objects["Joist_S2_09"].data.vertices:
    vertex.co.x *= 0.030 / 0.038
