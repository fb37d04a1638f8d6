# SPDX-License-Identifier: GPL-3.0-or-later
# title: Blender steps frames for ever
# route: scene.frame_set
# policy: passes
# contained: deadline
# ends: timeout
import bpy

while True:
    for frame in range(1, 250):
        bpy.context.scene.frame_set(frame)
