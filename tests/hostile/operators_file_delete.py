# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator deletes files
# route: file.delete
# policy: refused operator
# contained: writes
# ends: finished raised
import os

import bpy

area = bpy.context.window.screen.areas[0]
area.type = "FILE_BROWSER"
with bpy.context.temp_override(area=area):
    bpy.ops.file.delete()
os.remove("@OUTSIDE@/kept.txt")
