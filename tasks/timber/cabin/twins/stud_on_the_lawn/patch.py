# SPDX-License-Identifier: GPL-3.0-or-later
import math

import bpy

spare = bpy.data.objects["Stud_E_05"].copy()
spare.name = "Stud_Spare"
spare.rotation_euler.y = math.pi / 2
spare.location = (2.0, -1.5, 0.0445)
bpy.context.scene.collection.objects.link(spare)
