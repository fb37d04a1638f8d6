# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

finger = bpy.data.objects["Finger_right"]
bpy.context.view_layer.objects.active = finger
bpy.ops.rigidbody.object_remove()
finger.location.x -= 0.150
finger.keyframe_insert("location", index=0, frame=48)
