# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function of operator looks attributes up by text
# route: operator.attrgetter
# policy: refused import
# contained: canary writes
# ends: finished raised
import operator

import bpy

operator.attrgetter("path._os.system")(bpy)("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
