# SPDX-License-Identifier: GPL-3.0-or-later
# title: A property of two hundred megabytes
# route: obj['x'] = bytes
# policy: passes
# contained: flood
# ends: finished raised timeout crashed memory
import bpy

bpy.context.scene["notes"] = "x" * 200_000_000
for number in range(20):
    image = bpy.data.images.new("i", 2048, 2048, float_buffer=True)
    image.pack()
    image.use_fake_user = True
