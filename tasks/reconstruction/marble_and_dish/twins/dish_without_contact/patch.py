# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.context.view_layer.objects.active = bpy.data.objects["Dish"]
bpy.ops.rigidbody.object_remove()
