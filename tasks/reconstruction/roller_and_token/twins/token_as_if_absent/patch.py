# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

bpy.context.view_layer.objects.active = bpy.data.objects["Token"]
bpy.ops.rigidbody.object_remove()
