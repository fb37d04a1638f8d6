# SPDX-License-Identifier: GPL-3.0-or-later
# title: A private name of collections leads to every module
# route: collections._sys
# policy: refused import
# contained: canary writes
# ends: finished raised
import collections

os = collections._sys.modules["os"]
print(
    os.environ,
    os.system("cat @SECRET@; echo written > @OUTSIDE@/stolen.txt"),
    os.read(os.open("@SECRET@", 0), 99),
)
