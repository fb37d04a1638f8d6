# SPDX-License-Identifier: GPL-3.0-or-later
# title: Annotations are evaluated
# route: typing.get_type_hints
# policy: refused import
# contained: canary writes
# ends: finished raised
import typing


def house(size: "__import__('os').system('cat @SECRET@; echo x > @OUTSIDE@/stolen.txt')"):
    pass


typing.get_type_hints(house)
