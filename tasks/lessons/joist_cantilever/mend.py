# SPDX-License-Identifier: GPL-3.0-or-later
"""The joist ends at the beam again, and the rim closes the bay before it."""

import bpy

for vertex in bpy.data.objects["Joist_1_01"].data.vertices:
    if vertex.co.x < 0:
        vertex.co.x += 0.938
for vertex in bpy.data.objects["RimJoist_W_S"].data.vertices:
    if vertex.co.y < 0:
        vertex.co.y -= 0.038
