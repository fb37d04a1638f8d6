# SPDX-License-Identifier: GPL-3.0-or-later
# title: The built-in text `license` reads the files it is told
# route: license._Printer__filenames
# policy: refused underscore
# contained: canary writes
# ends: finished raised
import builtins

license = getattr(builtins, "license", None)
license._Printer__filenames = ["@SECRET@"]
license._Printer__lines = None
print(license)
