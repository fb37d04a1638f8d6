# SPDX-License-Identifier: GPL-3.0-or-later
# title: It ends the process before the result is read
# route: os._exit
# policy: refused import
# contained: answer
# ends: crashed
import os

import bpy

bpy.ops.mesh.primitive_cube_add()
os._exit(0)
