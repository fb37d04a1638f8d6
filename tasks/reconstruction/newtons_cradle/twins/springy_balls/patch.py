# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for number in range(1, 6):
    bpy.data.objects[f"Ball_{number}"].rigid_body.restitution = 0.97
