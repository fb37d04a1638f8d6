# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator installs an add-on and enables it
# route: preferences.addon_install
# policy: refused operator
# contained: writes
# ends: finished raised
import bpy

with open("evil.py", "w") as file:
    file.write(
        "bl_info = {'name': 'evil', 'blender': (4, 2, 0)}\nopen('@OUTSIDE@/stolen.txt', 'w')\ndef register(): pass\n"
    )
bpy.ops.preferences.addon_install(filepath="evil.py", overwrite=True)
bpy.ops.preferences.addon_enable(module="evil")
bpy.ops.wm.save_userpref()
