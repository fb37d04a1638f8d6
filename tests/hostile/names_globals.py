# SPDX-License-Identifier: GPL-3.0-or-later
# title: The dictionary of globals holds the builtins too
# route: globals()
# policy: refused name
# contained: canary writes
# ends: finished raised
print(globals()["__builtins__"])
import os

print(os.environ, open("@SECRET@").read())
