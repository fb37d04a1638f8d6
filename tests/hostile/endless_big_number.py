# SPDX-License-Identifier: GPL-3.0-or-later
# title: A power that takes years
# route: 10 ** 10 ** 10
# policy: passes
# contained: deadline
# ends: timeout memory raised
print(len(str(7**10**9)))
