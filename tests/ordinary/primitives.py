# SPDX-License-Identifier: GPL-3.0-or-later
import bpy, math
from math import *
from mathutils import *

scene = bpy.context.scene
scene.unit_settings.system = "METRIC"
scene.unit_settings.scale_length = 1.0
bpy.ops.mesh.primitive_cube_add(size=1, location=(0, 0, 0.5))
cube = bpy.context.active_object
cube.name = f"Sill_{1:02d}"
cube.dimensions = (4.0, 0.089, 0.038)
bpy.ops.object.transform_apply(location=False, rotation=False, scale=True)
bpy.context.view_layer.objects.active = cube
cube.select_set(True)
bpy.ops.object.origin_set(type="ORIGIN_GEOMETRY", center="BOUNDS")
bpy.ops.object.mode_set(mode="EDIT")
bpy.ops.mesh.select_all(action="SELECT")
bpy.ops.transform.translate(value=(0, 0, 1))
bpy.ops.transform.rotate(value=radians(30), orient_axis="Y")
bpy.ops.object.mode_set(mode="OBJECT")
modifier = cube.modifiers.new("Bevel", "BEVEL")
bpy.ops.object.modifier_apply(modifier=modifier.name)
bpy.ops.object.shade_smooth()
bpy.ops.object.camera_add(location=(10, -10, 8))
scene.camera = bpy.context.object
bpy.ops.object.light_add(type="SUN")
scene.render.filepath = "//house.png"
scene.render.engine = "BLENDER_WORKBENCH"
bpy.context.view_layer.update()
print("built", len(bpy.data.objects), "objects")
