# SPDX-License-Identifier: GPL-3.0-or-later
import bpy

ball = bpy.data.objects["Ball"]
mesh = ball.data
for knob in [obj for obj in bpy.data.objects if obj.name.startswith("Knob_")]:
    bpy.context.view_layer.objects.active = ball
    with bpy.context.temp_override(active_object=ball, selected_editable_objects=[ball, knob]):
        bpy.ops.object.join()
