# SPDX-License-Identifier: GPL-3.0-or-later
# title: A name is given in the middle of an expression
# route: (b := bpy).path
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import bpy

(b := bpy).path._os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
