# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator resets Blender in the middle of the run
# route: wm.read_factory_settings
# policy: refused operator
# contained: outlives
# ends: finished raised crashed
import bpy

bpy.ops.wm.read_factory_settings(use_empty=False)
bpy.ops.wm.read_homefile(use_empty=True)
bpy.context.preferences.system.use_online_access = True
