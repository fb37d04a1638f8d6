# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of random is the module os
# route: random._os
# policy: refused import
# contained: canary writes
# ends: finished raised
import random

os = random._os
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
