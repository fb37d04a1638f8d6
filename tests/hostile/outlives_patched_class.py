# SPDX-License-Identifier: GPL-3.0-or-later
# title: The classes of Blender and of mathutils are changed for whoever comes next
# route: x.__class__.name = …, math.sqrt = …
# policy: refused lasting
# contained: answer outlives
# ends: finished raised
import math

import bpy
import mathutils

math.hypot = math.sqrt = lambda *_: 0.0
bpy.context.scene.__class__.name = "Stud_Forged"
bpy.types.Object.matrix_world = mathutils.Matrix.Identity(4)
