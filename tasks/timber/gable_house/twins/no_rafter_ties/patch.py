# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

for member in list(bpy.data.objects):
    if member.name.startswith("CeilingJoist"):
        bpy.data.objects.remove(member)
