# SPDX-License-Identifier: GPL-3.0-or-later
# title: A file of the person
# route: open
# policy: refused name
# contained: canary
# ends: finished raised
print(open("@SECRET@").read())
