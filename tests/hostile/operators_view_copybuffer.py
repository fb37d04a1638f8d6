# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator of an allowed subtree writes a file
# route: view3d.copybuffer
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

bpy.ops.mesh.primitive_cube_add()
bpy.ops.view3d.copybuffer()
bpy.ops.uv.export_layout(filepath="@OUTSIDE@/stolen.svg")
