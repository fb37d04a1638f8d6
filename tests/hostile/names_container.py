# SPDX-License-Identifier: GPL-3.0-or-later
# title: A module is hidden in a list
# route: [bpy.path][0]
# policy: refused whole
# contained: canary writes
# ends: finished raised
import bpy

for part in [[bpy.path]]:
    for name in dir(part[0]):
        print(name)
part[0].__dict__["_os"].system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
