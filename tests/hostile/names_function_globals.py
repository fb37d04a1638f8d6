# SPDX-License-Identifier: GPL-3.0-or-later
# title: A function carries the names of its module
# route: __globals__
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import json

os = json.dumps.__globals__["__builtins__"]["__import__"]("os")
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
