# SPDX-License-Identifier: GPL-3.0-or-later
# title: A subscript of a class calls what the class says
# route: __class_getitem__ = eval
# policy: refused name
# contained: canary writes
# ends: finished raised
class House:
    __class_getitem__ = eval


House["__import__('os').system('cat @SECRET@; echo written > @OUTSIDE@/stolen.txt')"]
