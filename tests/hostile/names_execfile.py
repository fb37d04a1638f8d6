# SPDX-License-Identifier: GPL-3.0-or-later
# title: Blender's own function runs a file
# route: bpy.utils.execfile
# policy: refused blender
# contained: canary writes
# ends: finished raised
import bpy

bpy.data.texts.new("steps").write("""import os
print(os.environ, os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"), os.read(os.open("@SECRET@", 0), 99))
""")
with open("steps.py", "w") as file:
    file.write(bpy.data.texts["steps"].as_string())
bpy.utils.execfile("steps.py")
