# SPDX-License-Identifier: GPL-3.0-or-later
# title: Blender itself prints without end
# route: C's own output
# policy: passes
# contained: flood
# ends: timeout memory
import bpy

while True:
    bpy.data.objects.new("x", None).matrix_parent_inverse.determinant()
    try:
        bpy.ops.object.mode_set(mode="EDIT")
    except RuntimeError as error:
        print(error)
