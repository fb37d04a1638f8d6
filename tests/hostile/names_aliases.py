# SPDX-License-Identifier: GPL-3.0-or-later
# title: A module under a chain of other names
# route: b = bpy; p = b.path
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy as b

p, q = b.path, b.data
r = p
os = r._os
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
