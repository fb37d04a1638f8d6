# SPDX-License-Identifier: GPL-3.0-or-later
# title: A text in the .blend becomes a module
# route: Text.as_module()
# policy: refused data
# contained: canary writes
# ends: finished raised
import bpy

text = bpy.data.texts.new("steps.py")
text.write("""import os
print(os.environ, os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"), os.read(os.open("@SECRET@", 0), 99))
""")
text.as_module()
