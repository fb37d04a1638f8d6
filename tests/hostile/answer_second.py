# SPDX-License-Identifier: GPL-3.0-or-later
# title: A second process answers beside the first
# route: os.fork
# policy: refused import
# contained: answer
# ends: finished raised crashed timeout
import os

import bpy

if os.fork() == 0:
    bpy.context.scene["forged"] = True
else:
    bpy.ops.mesh.primitive_cube_add()
