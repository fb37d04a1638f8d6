# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for name in ("Girder_1", "Girder_2"):
    bpy.data.objects.remove(bpy.data.objects[name])
