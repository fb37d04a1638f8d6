# SPDX-License-Identifier: GPL-3.0-or-later
# title: type() makes a class from texts
# route: type(name, bases, names)
# policy: refused dynamic
# contained: canary writes
# ends: finished raised
made = type("House", (dict,), {"__missing__": lambda self, key: print.__self__.__import__(key)})
made()["os"].system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
