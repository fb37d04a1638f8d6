# SPDX-License-Identifier: GPL-3.0-or-later
# title: A regular expression that tries every way
# route: re.match('(a+)+$')
# policy: passes
# contained: deadline
# ends: timeout
import re

print(re.match("(a+)+$", "a" * 64 + "b"))
