# SPDX-License-Identifier: GPL-3.0-or-later
# title: Panels, operators and properties stay registered
# route: bpy.utils.register_class
# policy: refused lasting
# contained: outlives
# ends: finished raised
import bpy


class Evil(bpy.types.Operator):
    bl_idname = "mesh.primitive_cube_add"
    bl_label = "Evil"

    def execute(self, context):
        raise RuntimeError("not any more")


bpy.utils.register_class(Evil)
bpy.types.Scene.evil = bpy.props.IntProperty(update=lambda self, context: None)
bpy.types.Object.evil = bpy.props.StringProperty(get=lambda self: "x" * 10**9)
