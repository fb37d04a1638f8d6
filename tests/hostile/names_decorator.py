# SPDX-License-Identifier: GPL-3.0-or-later
# title: A decorator calls without parentheses
# route: @exec
# policy: refused name
# contained: canary writes
# ends: finished raised
@exec
@(lambda _: "import os; os.system('cat @SECRET@; echo written > @OUTSIDE@/stolen.txt')")
class House:
    pass
