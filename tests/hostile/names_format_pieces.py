# SPDX-License-Identifier: GPL-3.0-or-later
# title: A format text put together at run time is read by nobody
# route: str.format
# policy: passes
# contained: canary writes
# ends: finished raised
import bpy

mesh = bpy.data.meshes.new("m")
field = "{0." + "_" * 2 + "class" + "_" * 2 + "}"
print(field.format(mesh))
