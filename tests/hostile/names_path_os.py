# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of bpy.path is the module os
# route: bpy.path._os
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy

os = bpy.path._os
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
