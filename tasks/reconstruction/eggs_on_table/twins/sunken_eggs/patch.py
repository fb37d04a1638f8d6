# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for number, depth in enumerate((0.011, 0.009, 0.008, 0.006, 0.005), 1):
    egg = bpy.data.objects[f"Egg_{number}"]
    egg.rigid_body.type = "PASSIVE"
    egg.location.z -= depth
