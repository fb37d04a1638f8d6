# SPDX-License-Identifier: GPL-3.0-or-later
"""The joist is cut shorter or longer over the girder."""

import bpy


def change(value):
    """The joist lies ``value`` m on the girder."""
    joist = bpy.data.objects["Joist_S1_07"]
    for vertex in joist.data.vertices:
        if vertex.co.y > 0:
            vertex.co.y = 2.588 + value - joist.location.y
