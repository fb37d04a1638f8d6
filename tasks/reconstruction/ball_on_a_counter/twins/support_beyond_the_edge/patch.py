# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.data.objects["Table"].rigid_body.collision_shape = "CONVEX_HULL"
