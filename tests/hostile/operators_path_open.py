# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator opens a file in another program
# route: wm.path_open
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

bpy.ops.wm.path_open(filepath="@SECRET@")
