# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator ends Blender
# route: wm.quit_blender
# policy: refused operator
# contained: crash
# ends: finished raised crashed
import bpy

bpy.ops.wm.quit_blender()
