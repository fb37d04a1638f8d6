# SPDX-License-Identifier: GPL-3.0-or-later
# title: An attribute's name is put together
# route: getattr(x, a + b)
# policy: refused dynamic
# contained: canary writes
# ends: finished raised
import bpy

os = getattr(bpy.path, "_" + "os")
os.system("cat @SECRET@; env; echo written > @OUTSIDE@/stolen.txt")
