# SPDX-License-Identifier: GPL-3.0-or-later
# title: A loop without end
# route: while True
# policy: passes
# contained: deadline
# ends: timeout
while True:
    pass
