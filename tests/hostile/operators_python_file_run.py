# SPDX-License-Identifier: GPL-3.0-or-later
# title: An operator runs a file
# route: script.python_file_run
# policy: refused operator
# contained: canary writes
# ends: finished raised
import bpy

with open("steps.py", "w") as file:
    file.write("""import os
print(os.environ, os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"), os.read(os.open("@SECRET@", 0), 99))
""")
bpy.ops.script.python_file_run(filepath="steps.py")
