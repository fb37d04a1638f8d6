# SPDX-License-Identifier: GPL-3.0-or-later
"""A stud like its neighbour, one grid step farther."""

import bpy

beside = bpy.data.objects["Stud_N_03"]
stud = beside.copy()
stud.data = beside.data.copy()
stud.name = "Stud_N_04"
stud.location.x += 0.406
bpy.context.scene.collection.objects.link(stud)
