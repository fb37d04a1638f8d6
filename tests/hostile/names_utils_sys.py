# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of bpy.utils leads to every module
# route: bpy.utils._sys.modules
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy

os = bpy.utils._sys.modules["os"]
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
