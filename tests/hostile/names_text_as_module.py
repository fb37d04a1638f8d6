# SPDX-License-Identifier: GPL-3.0-or-later
# title: A text in the .blend becomes a module
# route: Text.as_module()
# policy: refused data
# contained: canary writes
# ends: finished raised
import bpy

text = bpy.data.texts.new("steps.py")
text.write("""import os
os.system("cat @SECRET@; env; echo written > @OUTSIDE@/stolen.txt")
""")
text.as_module()
