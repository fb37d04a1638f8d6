# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for vertex in bpy.data.objects["Rafter_N_10"].data.vertices:
    if vertex.co.x > 0:
        vertex.co.x -= 0.150
