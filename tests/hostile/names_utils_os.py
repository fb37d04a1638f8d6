# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of bpy.utils is the module os
# route: bpy.utils._os
# policy: refused underscore
# contained: canary writes
# ends: finished raised
from bpy.utils import _os as os

print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
