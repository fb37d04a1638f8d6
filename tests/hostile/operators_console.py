# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator runs a line of a console
# route: console.execute
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

area = bpy.context.window.screen.areas[0]
area.type = "CONSOLE"
with bpy.context.temp_override(area=area, region=area.regions[-1]):
    bpy.ops.console.history_append(
        text="import os; os.system('cat @SECRET@ > @OUTSIDE@/stolen.txt')"
    )
    bpy.ops.console.execute()
