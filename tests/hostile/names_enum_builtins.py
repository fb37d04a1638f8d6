# SPDX-License-Identifier: GPL-3.0-or-later
# title: enum knows the built-in functions by another name
# route: enum.bltns
# policy: refused import
# contained: canary writes
# ends: finished raised
import enum

print(enum.bltns.open("@SECRET@").read())
