# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function of the same name hides the built-in one
# route: if False: exec = …
# policy: refused name
# contained: canary writes
# ends: finished raised
if False:
    exec = print
exec("import os; os.system('cat @SECRET@; echo written > @OUTSIDE@/stolen.txt')")
