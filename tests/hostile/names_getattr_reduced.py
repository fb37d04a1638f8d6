# SPDX-License-Identifier: GPL-3.0-or-later
# title: getattr is handed on to a function that calls it
# route: functools.reduce(getattr, …)
# policy: refused name
# contained: canary writes
# ends: finished raised
import functools

import bpy

system = functools.reduce(getattr, ["path", "_os", "system"], bpy)
system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
