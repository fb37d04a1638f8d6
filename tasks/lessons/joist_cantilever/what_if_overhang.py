# SPDX-License-Identifier: GPL-3.0-or-later
"""The joist sticks out through the rim, which makes room for it."""

import bpy


def change(value):
    """The joist ends ``value`` m beyond the beam."""
    joist = bpy.data.objects["Joist_1_01"]
    for vertex in joist.data.vertices:
        if vertex.co.x < 0:
            vertex.co.x = -value - joist.location.x
    for vertex in bpy.data.objects["RimJoist_W_S"].data.vertices:
        if vertex.co.y < 0:
            vertex.co.y += 0.038
