# SPDX-License-Identifier: GPL-3.0-or-later
# title: Lines without end
# route: print
# policy: passes
# contained: flood
# ends: timeout
while True:
    print("Stud_01 " * 100)
