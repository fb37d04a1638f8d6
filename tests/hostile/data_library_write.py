# SPDX-License-Identifier: GPL-3.0-or-later
# title: Data are written over another file
# route: bpy.data.libraries.write
# policy: refused data
# contained: canary writes
# ends: finished raised
import bpy

bpy.data.libraries.write("@OUTSIDE@/kept.blend", {bpy.context.scene})
