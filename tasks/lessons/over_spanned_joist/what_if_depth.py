# SPDX-License-Identifier: GPL-3.0-or-later
"""One joist gets another depth; its underside stays on the sills."""

import bpy


def change(value):
    """The joist is ``value`` m deep."""
    vertices = bpy.data.objects["Joist_07"].data.vertices
    bottom = min(vertex.co.z for vertex in vertices)
    for vertex in vertices:
        if vertex.co.z > bottom + 0.01:
            vertex.co.z = bottom + value
