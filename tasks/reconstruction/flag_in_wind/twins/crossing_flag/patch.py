# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

cloth = bpy.data.objects["Flag"].modifiers["Cloth"]
cloth.collision_settings.use_self_collision = False
