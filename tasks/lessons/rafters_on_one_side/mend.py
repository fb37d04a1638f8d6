# SPDX-License-Identifier: GPL-3.0-or-later
"""Every front rafter gets its partner, mirrored about the ridge."""

import bpy

for front in list(bpy.data.objects):
    if front.name.startswith("Rafter_S_"):
        back = front.copy()
        back.data = front.data.copy()
        back.name = front.name.replace("Rafter_S_", "Rafter_N_")
        back.rotation_euler.z += 3.141592653589793
        back.location.y = 3.692 - front.location.y
        bpy.context.scene.collection.objects.link(back)
