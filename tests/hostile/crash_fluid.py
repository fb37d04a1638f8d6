# SPDX-License-Identifier: GPL-3.0-or-later
# title: A fluid domain ends several Blenders
# route: modifiers.new(type='FLUID')
# policy: passes
# contained: crash
# ends: crashed finished raised timeout
import bpy

bpy.ops.mesh.primitive_cube_add(size=4)
domain = bpy.context.object.modifiers.new("Fluid", "FLUID")
domain.fluid_type = "DOMAIN"
domain.domain_settings.domain_type = "LIQUID"
domain.domain_settings.cache_type = "ALL"
for frame in range(1, 5):
    bpy.context.scene.frame_set(frame)
