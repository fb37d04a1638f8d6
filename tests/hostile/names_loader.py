# SPDX-License-Identifier: GPL-3.0-or-later
# title: The program's own module names its builtins
# route: __builtins__
# policy: refused underscore
# contained: canary writes
# ends: finished raised
b = __builtins__
importer = b["__import__"] if isinstance(b, dict) else b.__import__
importer("os").system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
