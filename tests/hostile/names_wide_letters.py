# SPDX-License-Identifier: GPL-3.0-or-later
# title: Wide letters are the same identifiers
# route: ｅｘｅｃ
# policy: refused name
# contained: canary writes
# ends: finished raised
ｅｘｅｃ("import os; os.system('cat @SECRET@; echo written > @OUTSIDE@/stolen.txt')")
