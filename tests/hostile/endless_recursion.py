# SPDX-License-Identifier: GPL-3.0-or-later
# title: Recursion with the limit lifted
# route: sys.setrecursionlimit
# policy: refused import
# contained: deadline
# ends: timeout crashed memory raised
import sys

sys.setrecursionlimit(10**9)


def deeper(n):
    return deeper(n + 1) + 1


deeper(0)
