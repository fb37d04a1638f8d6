# SPDX-License-Identifier: GPL-3.0-or-later
# title: Everything of a module by one star
# route: from os import *
# policy: refused import
# contained: canary writes
# ends: finished raised
from os import *

system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt")
print(environ)
