# SPDX-License-Identifier: GPL-3.0-or-later
# title: A handler runs at every frame from now on
# route: bpy.app.handlers
# policy: refused lasting
# contained: outlives
# ends: finished raised
import bpy


@bpy.app.handlers.persistent
def later(*_):
    bpy.context.scene["later"] = 1
    open("@OUTSIDE@/stolen.txt", "w").write("written")


for name in dir(bpy.app.handlers):
    calls = getattr(bpy.app.handlers, name)
    if isinstance(calls, list):
        calls.append(later)
