# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function is called when something changes
# route: bpy.msgbus
# policy: refused lasting
# contained: outlives
# ends: finished raised
import bpy

owner = object()
bpy.msgbus.subscribe_rna(
    key=(bpy.types.Object, "location"), owner=owner, args=(), notify=print, options={"PERSISTENT"}
)
