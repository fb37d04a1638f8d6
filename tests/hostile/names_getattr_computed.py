# SPDX-License-Identifier: GPL-3.0-or-later
# title: An attribute's name is put together
# route: getattr(x, a + b)
# policy: refused dynamic
# contained: canary writes
# ends: finished raised
import bpy

os = getattr(bpy.path, "_" + "os")
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
