# SPDX-License-Identifier: GPL-3.0-or-later
# title: It waits for somebody to type
# route: input()
# policy: refused name
# contained: deadline
# ends: timeout raised
print(input("your key? "))
