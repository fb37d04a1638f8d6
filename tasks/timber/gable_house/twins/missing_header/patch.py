# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for name in ("Header_S_05", "Header_S_06"):
    bpy.data.objects.remove(bpy.data.objects[name])
