# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function is called later
# route: bpy.app.timers
# policy: refused lasting
# contained: outlives
# ends: finished raised
import bpy


def later():
    open("@OUTSIDE@/stolen.txt", "w").write("written")
    return 0.0


bpy.app.timers.register(later, first_interval=0, persistent=True)
