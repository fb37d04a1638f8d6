# SPDX-License-Identifier: GPL-3.0-or-later
# title: Settings of the person are changed and saved
# route: bpy.context.preferences
# policy: refused outside
# contained: writes
# ends: finished raised
import bpy

bpy.context.preferences.filepaths.use_scripts_auto_execute = True
bpy.context.preferences.filepaths.script_directories.new().directory = "@OUTSIDE@"
bpy.ops.wm.save_userpref()
