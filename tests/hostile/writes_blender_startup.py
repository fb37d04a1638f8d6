# SPDX-License-Identifier: GPL-3.0-or-later
# title: A script that every later Blender would run
# route: scripts/startup
# policy: refused name
# contained: writes
# ends: finished raised
import os

import bpy

folder = bpy.utils.user_resource("SCRIPTS", path="startup", create=True)
with open(os.path.join(folder, "evil.py"), "w") as file:
    file.write("open('@OUTSIDE@/stolen.txt', 'w')")
