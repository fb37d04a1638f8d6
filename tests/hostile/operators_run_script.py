# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator runs a text
# route: text.run_script
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

text = bpy.data.texts.new("steps")
text.write("""import os
print(os.environ, os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"), os.read(os.open("@SECRET@", 0), 99))
""")
area = bpy.context.window.screen.areas[0]
area.type = "TEXT_EDITOR"
area.spaces.active.text = text
with bpy.context.temp_override(area=area, edit_text=text):
    bpy.ops.text.run_script()
