# SPDX-License-Identifier: GPL-3.0-or-later
# title: A built-in function belongs to the module of all others
# route: print.__self__
# policy: refused underscore
# contained: canary writes
# ends: finished raised
print(print.__self__.open("@SECRET@").read())
