# SPDX-License-Identifier: GPL-3.0-or-later
# title: A module as a dictionary has no private names
# route: vars(module)
# policy: refused name
# contained: canary writes
# ends: finished raised
import bpy

os = vars(bpy.path)["_os"]
os.system("cat @SECRET@; env; echo written > @OUTSIDE@/stolen.txt")
