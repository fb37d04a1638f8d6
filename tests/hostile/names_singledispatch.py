# SPDX-License-Identifier: GPL-3.0-or-later
# title: A registration evaluates annotations
# route: functools.singledispatch
# policy: refused import
# contained: canary writes
# ends: finished raised
from functools import singledispatch


@singledispatch
def house(size):
    pass


@house.register
def _(size: "__import__('os').system('cat @SECRET@; echo x > @OUTSIDE@/stolen.txt')"):
    pass
