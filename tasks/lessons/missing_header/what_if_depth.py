# SPDX-License-Identifier: GPL-3.0-or-later
"""Both plies get another depth; the cripples above them reach down to their tops."""

import bpy


def change(value):
    """The header is ``value`` m deep."""
    top = 0.0
    for name in ("Header_S_05", "Header_S_06"):
        ply = bpy.data.objects[name]
        bottom = ply.location.z + min(vertex.co.z for vertex in ply.data.vertices)
        top = bottom + value
        for vertex in ply.data.vertices:
            if vertex.co.z > 0:
                vertex.co.z = top - ply.location.z
    for name in ("Cripple_S_11", "Cripple_S_12", "Cripple_S_13", "Cripple_S_14"):
        cripple = bpy.data.objects[name]
        for vertex in cripple.data.vertices:
            if vertex.co.z < 0:
                vertex.co.z = top - cripple.location.z
