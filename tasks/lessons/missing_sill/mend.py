# SPDX-License-Identifier: GPL-3.0-or-later
"""The sill on the right foundation wall, like the one on the left."""

import bpy

left = bpy.data.objects["Sill_W"]
sill = left.copy()
sill.data = left.data.copy()
sill.name = "Sill_E"
sill.location.x += 8.018
bpy.context.scene.collection.objects.link(sill)
