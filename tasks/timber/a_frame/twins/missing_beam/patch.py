# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for name in ("Beam_M_1", "Beam_M_2"):
    bpy.data.objects.remove(bpy.data.objects[name])
