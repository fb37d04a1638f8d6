# SPDX-License-Identifier: GPL-3.0-or-later
"""Both plies of the header, like those over the left window but as long as this opening."""

import bpy

for name, like in (("Header_S_05", "Header_S_01"), ("Header_S_06", "Header_S_02")):
    model = bpy.data.objects[like]
    ply = model.copy()
    ply.data = model.data.copy()
    ply.name = name
    for vertex in ply.data.vertices:
        vertex.co.x *= 1.476 / 1.276
    ply.location.x = 6.3
    bpy.context.scene.collection.objects.link(ply)
