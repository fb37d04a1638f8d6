# SPDX-License-Identifier: GPL-3.0-or-later
# title: An exporter writes anywhere
# route: wm.obj_export
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.ops.wm.obj_export(filepath="@OUTSIDE@/stolen.obj")
