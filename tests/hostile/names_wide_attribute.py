# SPDX-License-Identifier: GPL-3.0-or-later
# title: Wide letters in an attribute
# route: bpy.path._ｏｓ
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy

os = bpy.path._ｏｓ
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
