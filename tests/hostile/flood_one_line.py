# SPDX-License-Identifier: GPL-3.0-or-later
# title: One line without end
# route: print(end='')
# policy: passes
# contained: flood
# ends: timeout memory
while True:
    print("Stud_01 " * 100_000, end="")
