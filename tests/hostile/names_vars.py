# SPDX-License-Identifier: GPL-3.0-or-later
# title: A module as a dictionary has no private names
# route: vars(module)
# policy: refused name
# contained: canary writes
# ends: finished raised
import bpy

os = vars(bpy.path)["_os"]
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
